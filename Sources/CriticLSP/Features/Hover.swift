import JSONRPC
import TrackEngine

/// Answers `textDocument/hover`: what was changed at a place; nil if nothing was.
func hover(_ snapshot: Snapshot, _ params: TextDocumentPositionParams) -> Hover? {
  let offset = snapshot.offset(of: params.position)
  guard let (text, range) = snapshot.hover(at: offset) else { return nil }
  return Hover(
    contents: MarkupContent(kind: text.isMarkdown ? .markdown : .plaintext, value: text.bytes),
    range: range.isEmpty ? nil : snapshot.conversions.positions(of: range)
  )
}

extension Snapshot {
  /// How many comments of a thread, marks inside a mark and marks around it are described.
  private static let maxShown = 20

  /// The text, and the range of the buffer that it describes.
  ///
  /// Some editors ask on every key, so this does little where there is nothing to describe.
  fileprivate func hover(at offset: Int) -> (text: HoverText, range: Range<Int>)? {
    let here = EnclosingMarks(in: tracker, at: offset)
    var text = HoverText(isMarkdown: client.hoversInMarkdown)
    var range: Range<Int>?
    var resolved = MarkKind.addition
    let malformed = here.malformed(in: self)
    if let malformed {
      text.add(naming: malformed.sentence)
      range = here.inBuffer(malformed.range)
    }
    if let mark = here.mark, let change = here.change {
      let shown =
        change.marks.contains(mark) || change.thread.contains(mark)
        ? change : change.replaced(by: mark)
      describe(shown, at: here, to: &text)
      resolved = shown.kind
      range = range ?? here.inBuffer(mark.kind == .comment ? mark.range : shown.markRange)
    }
    if let hunk = tracker.hunk(at: offset),
      here.mark?.shows(hunk, in: here.excerpt) != true
    {
      text.add(ChangeWords(hunk, in: tracker.buffer))
      let time = client.takesEdits ? "put into marks \(timeOfMarking)" : "not recorded"
      text.add("It is \(time).")
      range = range ?? hunk.new
    }
    guard let range else { return nil }
    if here.mark != nil || malformed == nil, let sentence = keys.sentence(on: resolved) {
      text.add(naming: sentence)
    }
    return (text, range)
  }

  /// Describes a change, its comments, and the marks inside and around it.
  private func describe(_ change: Change, at here: EnclosingMarks, to text: inout HoverText) {
    let footnotes = tracker.footnotes(for: here.excerpt)
    func entry(_ change: Change) -> ChangeEntry {
      ChangeEntry(change, in: here.excerpt.reading, here.excerpt.bytes, footnotes)
    }
    let told = entry(change)
    text.add(told.words)
    if let byline = told.bylineInWords { text.add(("By", Array(byline.utf8))) }
    for comment in told.comments.prefix(Snapshot.maxShown) { text.add(RemarkWords(comment)) }
    if told.isResolved { text.add("The comments are resolved.") }
    let hidden = told.comments.count - Snapshot.maxShown
    if hidden > 0 { text.add("And \(counted(hidden, "more comment")).") }
    if change.marks.contains(where: { $0.inner > 0 }) {
      for child in here.children(of: change.marks).prefix(Snapshot.maxShown) {
        let inner = entry(change.replaced(by: child))
        text.add(inner.words, before: "In it: ")
        for comment in inner.comments { text.add(("In it: comment", comment)) }
      }
    }
    for outer in here.enclosing(change).prefix(Snapshot.maxShown) {
      text.add("It lies in \(outer.kind.withArticle).")
    }
  }

  private var keys: DecisionKeys { DecisionKeys(settings, client) }

  private var timeOfMarking: String {
    if tracker.isHeld { return "with your next change, or when you save" }
    return switch markingTime {
    case .idle: "after a pause"
    case .save: "when you save"
    case .command: "when you ask for it"
    }
  }
}

extension HoverText {
  /// Describes a change; its comments are described one by one.
  fileprivate mutating func add(_ words: ChangeWords, before: String = "") {
    guard words.kind != .comment else { return }
    add(before.isEmpty ? words.verb : before + words.verbInside, words.texts)
  }
}

extension Change {
  /// A mark that is not in the list of changes, as if it were.
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
