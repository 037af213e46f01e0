import JSONRPC
import TrackEngine

extension Snapshot {
  /// The next or previous change from an offset, of a given kind or of any; wraps around at the ends of
  /// the document.
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
  /// Accepts or rejects what is in a range, and moves the caret to the next change, wrapping around at the
  /// end of the document; returns where that will be.
  func resolveAndGo(
    _ range: Range<Int>,
    _ variant: Variant,
    in document: Document
  ) throws(ResponseError) -> Location? {
    let old = document.tracker
    let edits = try perform(.resolve(range, variant), on: document, aim: .next)
    guard let edits else {
      // It waits for our edit in flight; until then the change is still in the text.
      let next = old.change(from: range.upperBound) { !$0.range.holds(range) }
      return next.map { location(of: $0, in: old, document) }
    }
    let after = old.after(edits)
    do throws(Review.Failure) {
      let end = try Review(old, around: range).end(resolving: range, variant)
      return after.change(from: end).map { location(of: $0, in: after, document) }
    } catch {
      throw .requestFailed(error.description)
    }
  }

  /// The location of a change in a text that the document has or will have.
  func location(of change: ChangeEntry, in tracker: Tracker, _ document: Document) -> Location {
    let conversions = document.content.conversions(of: tracker, in: client.encoding)
    return Location(uri: document.uri, range: conversions.positions(of: change.range))
  }

  /// Selects a range of the buffer, or puts the caret there if it is empty, if the client supports it.
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
  /// The document after edits.
  func after(_ edits: [Edit]) -> Tracker {
    var after = self
    after.setTracking(false)
    after.apply(ours: edits)
    return after
  }

  /// The list of changes, without malformed marks, in the order of their numbers; linear.
  var numberedChanges: [ChangeEntry] {
    ChangeEntry.changes(of: self, in: excerpt(around: 0..<buffer.count))
  }

  /// The first matching change that begins at or after an offset; wraps around at the end.
  func change(
    from start: Int,
    where isWanted: (ChangeEntry) -> Bool = { _ in true }
  ) -> ChangeEntry? {
    firstChange(in: start..<max(start, buffer.count + 1), where: isWanted)
      ?? firstChange(in: 0..<start, where: isWanted)
  }

  /// The last matching change that begins before an offset; wraps around at the beginning.
  fileprivate func change(
    before end: Int,
    where isWanted: (ChangeEntry) -> Bool
  ) -> ChangeEntry? {
    lastChange(in: 0..<end, where: isWanted)
      ?? lastChange(in: end..<buffer.count + 1, where: isWanted)
  }

  /// How far to look first, in bytes; four times as far each time that nothing is found.
  private static let firstReach = 4096

  /// The first matching change that begins in a range; linear in what lies before it.
  private func firstChange(
    in range: Range<Int>,
    where isWanted: (ChangeEntry) -> Bool
  ) -> ChangeEntry? {
    search(range, { range.lowerBound..<range.lowerBound + $0 }, { $0.first(where: isWanted) })
  }

  /// The last matching change that begins in a range; linear in what lies after it.
  private func lastChange(
    in range: Range<Int>,
    where isWanted: (ChangeEntry) -> Bool
  ) -> ChangeEntry? {
    search(range, { range.upperBound - $0..<range.upperBound }, { $0.last(where: isWanted) })
  }

  /// What is found among the changes that begin in a range: those in a stretch of it that grows.
  private func search(
    _ range: Range<Int>,
    _ stretch: (_ reach: Int) -> Range<Int>,
    _ find: ([ChangeEntry]) -> ChangeEntry?
  ) -> ChangeEntry? {
    var reach = Tracker.firstReach
    while true {
      let stretch = range.clamped(to: stretch(reach))
      let found = find(changes(in: stretch))
      guard found == nil, stretch != range else { return found }
      reach *= 4
    }
  }

  /// The changes that begin in a range, which may extend one beyond the end of the text.
  private func changes(in range: Range<Int>) -> [ChangeEntry] {
    let excerpt = excerpt(around: range.clamped(to: 0..<buffer.count))
    return ChangeEntry.changes(of: self, in: excerpt).filter {
      range.contains($0.range.lowerBound)
    }
  }
}
