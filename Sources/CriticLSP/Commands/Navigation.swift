import JSONRPC
import TrackEngine

extension Snapshot {
  /// The change in a direction from an offset, around at the ends of the document; of a kind, if that
  /// is not nil.
  func change(
    _ direction: CommandTask.Direction,
    from start: Int,
    kind: MarkKind?
  ) -> ChangeEntry? {
    let isOfKind: (ChangeEntry) -> Bool = { entry in kind.map(entry.isOf) ?? true }
    switch direction {
    case .next: return tracker.change(from: start + 1, where: isOfKind)
    case .previous: return tracker.change(before: start, where: isOfKind)
    case .nextUncommented:
      return tracker.change(from: start + 1) { isOfKind($0) && $0.isUncommented }
    }
  }
}

extension Server {
  /// Accepts or rejects what is in a range, and goes to the change after it, around at the end of the
  /// document; answers where that is when it is done.
  func resolveAndGo(
    _ range: Range<Int>,
    _ variant: Variant,
    in document: Document
  ) throws(ResponseError) -> Location? {
    let old = document.tracker
    let edits = try perform(.resolve(range, variant), on: document, aim: .next)
    guard let edits else {
      // It waits for our edit; until then the text is what it is, with the change in it.
      let next = old.change(from: range.upperBound) { !$0.range.holds(range) }
      return next.map { location(of: $0, in: old, document.uri) }
    }
    let after = old.after(edits)
    do throws(Review.Failure) {
      let end = try Review(old, around: range).end(resolving: range, variant)
      return after.change(from: end).map { location(of: $0, in: after, document.uri) }
    } catch {
      throw .requestFailed(error.description)
    }
  }

  /// Where a change is in a text that the document may have by now or later.
  func location(of change: ChangeEntry, in tracker: Tracker, _ uri: String) -> Location {
    let conversions = Conversions(text: tracker.buffer, encoding: client.encoding)
    return Location(uri: uri, range: conversions.positions(of: change.range))
  }

  /// Selects a range of the buffer, or puts the caret there, where the client can do that.
  func show(_ range: Range<Int>, of snapshot: Snapshot) {
    guard client.showsDocuments else { return }
    let params = ShowDocumentParams(
      uri: snapshot.uri,
      takeFocus: true,
      selection: snapshot.conversions.positions(of: range)
    )
    request("window/showDocument", for: .other, params)
  }
}

extension Tracker {
  /// The document after edits that the user asked for.
  func after(_ edits: [Edit]) -> Tracker {
    var after = self
    after.setTracking(false)
    after.apply(edits)
    return after
  }

  /// The list of changes without what is malformed, as it is numbered from 1; linear.
  var numberedChanges: [ChangeEntry] {
    ChangeEntry.changes(of: self, in: excerpt(around: 0..<buffer.count))
  }

  /// The first wanted change that begins at an offset or after it, and around at the end.
  func change(
    from start: Int,
    where isWanted: (ChangeEntry) -> Bool = { _ in true }
  ) -> ChangeEntry? {
    firstChange(in: start..<max(start, buffer.count + 1), where: isWanted)
      ?? firstChange(in: 0..<start, where: isWanted)
  }

  /// The last wanted change that begins before an offset, and around at the beginning.
  fileprivate func change(
    before end: Int,
    where isWanted: (ChangeEntry) -> Bool
  ) -> ChangeEntry? {
    lastChange(in: 0..<end, where: isWanted)
      ?? lastChange(in: end..<buffer.count + 1, where: isWanted)
  }

  /// How far is looked at first; if nothing is there, four times as far.
  private static let firstReach = 4096

  /// The first change that begins in a range and is wanted; costs what lies before it.
  private func firstChange(
    in range: Range<Int>,
    where isWanted: (ChangeEntry) -> Bool
  ) -> ChangeEntry? {
    var reach = Tracker.firstReach
    while true {
      let stretch = range.clamped(to: range.lowerBound..<range.lowerBound + reach)
      let found = changes(in: stretch).first(where: isWanted)
      guard found == nil, stretch != range else { return found }
      reach *= 4
    }
  }

  /// The last change that begins in a range and is wanted; costs what lies after it.
  private func lastChange(
    in range: Range<Int>,
    where isWanted: (ChangeEntry) -> Bool
  ) -> ChangeEntry? {
    var reach = Tracker.firstReach
    while true {
      let stretch = range.clamped(to: range.upperBound - reach..<range.upperBound)
      let found = changes(in: stretch).last(where: isWanted)
      guard found == nil, stretch != range else { return found }
      reach *= 4
    }
  }

  /// The changes that begin in a range, which may reach beyond the end by one.
  private func changes(in range: Range<Int>) -> [ChangeEntry] {
    let excerpt = excerpt(around: range.clamped(to: 0..<buffer.count))
    return ChangeEntry.changes(of: self, in: excerpt).filter {
      range.contains($0.range.lowerBound)
    }
  }
}
