import JSONRPC
import TrackEngine

/// What happened at a place, in words; nil where nothing did.
func hover(_ snapshot: Snapshot, _ params: HoverParams) -> Hover? {
  let offset = snapshot.offset(of: params.position)
  guard let (text, range) = snapshot.hover(at: offset) else { return nil }
  return Hover(
    contents: MarkupContent(kind: text.isMarkdown ? .markdown : .plaintext, value: text.bytes),
    range: range.isEmpty ? nil : snapshot.conversions.positions(of: range)
  )
}

extension Snapshot {
  /// How many of a thread's comments, of the marks in a mark and of those around it are shown.
  private static let maxShown = 20

  /// What to say, and of which range of the buffer.
  ///
  /// Asked with every key by some editors: where there is nothing, hardly anything is done.
  fileprivate func hover(at offset: Int) -> (text: HoverText, range: Range<Int>)? {
    let place = Place(in: tracker, at: offset)
    var text = HoverText(isMarkdown: client.hoversInMarkdown)
    var range: Range<Int>?
    var resolved = MarkKind.addition
    let malformed = place.malformed
    if let malformed {
      text.add(naming: malformed.sentence)
      range = place.inBuffer(malformed.range)
    }
    if let mark = place.mark, let change = place.change {
      let shown =
        change.marks.contains(mark) || change.thread.contains(mark)
        ? change : change.replaced(by: mark)
      describe(shown, at: place, to: &text)
      resolved = shown.kind
      range = range ?? place.inBuffer(mark.kind == .comment ? mark.range : shown.markRange)
    }
    if let (hunk, hunkRange) = tracker.hunks.change(at: offset),
      !showsAlready(hunk, hunkRange, in: place)
    {
      text.add(pending: hunk, when: timeOfMarking)
      range = range ?? hunkRange
    }
    guard let range else { return nil }
    if place.mark != nil || malformed == nil { text.add(howToResolve(resolved)) }
    return (text, range)
  }

  /// Says what a change did, what was said about it, and what it holds and lies in.
  private func describe(_ change: Change, at place: Place, to text: inout HoverText) {
    let reading = place.excerpt.reading
    let bytes = place.excerpt.bytes
    text.add(change, in: reading, bytes)
    for comment in change.comments(in: bytes).prefix(Snapshot.maxShown) {
      text.add(("Comment", comment))
    }
    if change.thread.count > Snapshot.maxShown {
      text.add("And \(change.thread.count - Snapshot.maxShown) more comments.")
    }
    if change.marks.contains(where: { $0.inner > 0 }) {
      for child in place.children(of: change.marks).prefix(Snapshot.maxShown) {
        let inner = change.replaced(by: child)
        text.add(inner, in: reading, bytes, before: "In it: ")
        for comment in inner.comments(in: bytes) { text.add(("In it: comment", comment)) }
      }
    }
    for outer in place.enclosing(change).prefix(Snapshot.maxShown) {
      text.add("It lies in \(outer.kind.withArticle).")
    }
  }

  private func howToResolve(_ kind: MarkKind) -> String {
    switch kind {
    case .addition, .deletion, .substitution:
      "One code action accepts it, another rejects it."
    case .highlight: "A code action takes the highlight off."
    case .comment: "A code action takes the comment out."
    }
  }

  /// Whether a pending change is typing in a mark that says the same.
  private func showsAlready(_ hunk: Hunk, _ range: Range<Int>, in place: Place) -> Bool {
    guard !hunk.new.isEmpty, let mark = place.mark else { return false }
    let content = place.inBuffer(mark.content)
    return mark.kind != .deletion && mark.kind != .highlight
      && content.holds(range)
  }

  private var timeOfMarking: String {
    if tracker.isHeld { return "with your next change, or when you save" }
    return switch marking {
    case .idle: "after a pause"
    case .save: "when you save"
    case .command: "when you ask for it"
    }
  }
}

extension HoverText {
  /// Says what a change did.
  fileprivate mutating func add(
    _ change: Change,
    in reading: Reading,
    _ bytes: [UInt8],
    before: String = ""
  ) {
    func word(_ word: String) -> String { before.isEmpty ? word : before + word.lowercased() }
    switch change.kind {
    case .addition: add((word("Added"), change.new(in: reading, bytes)))
    case .deletion: add((word("Deleted"), change.old(in: reading, bytes)))
    case .substitution:
      add(
        (word("Replaced"), change.old(in: reading, bytes)),
        ("by", change.new(in: reading, bytes))
      )
    case .highlight: add((word("Highlighted"), change.new(in: reading, bytes)))
    case .comment: break
    }
  }

  /// Says what is pending.
  fileprivate mutating func add(pending hunk: Hunk, when time: String) {
    if hunk.removed.isEmpty {
      add(("Not in marks yet: added", hunk.new))
    } else if hunk.new.isEmpty {
      add(("Not in marks yet: deleted", hunk.removed))
    } else {
      add(("Not in marks yet: replaced", hunk.removed), ("by", hunk.new))
    }
    add("It is put into marks \(time).")
  }
}

extension Change {
  /// A mark that is no entry of the list of changes, as if it were one.
  fileprivate func replaced(by mark: Mark) -> Change {
    var change = self
    change.marks = mark.kind == .comment ? [] : [mark]
    change.thread = mark.kind == .comment ? [mark] : []
    return change
  }
}

extension MarkKind {
  fileprivate var withArticle: String { self == .addition ? "an addition" : "a \(description)" }
}
