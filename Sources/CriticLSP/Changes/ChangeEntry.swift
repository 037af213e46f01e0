import JSONRPC
import TrackEngine

/// An entry of the list of changes, in offsets of the text.
struct ChangeEntry: Sendable {
  var code: ChangeCode
  /// From the first mark's opener to its last closer; the thread is not included.
  var range: Range<Int>
  var old: [UInt8] = []
  var new: [UInt8] = []
  /// As they are written.
  var comments: [[UInt8]] = []
  /// Whether they are resolved.
  var isResolved = false
  /// The ranges of the comments.
  var thread: [Range<Int>] = []
  /// The end of the thread, attributions included; nil if there is none.
  var threadEnd: Int?
  /// Who made it, when, and what became of it, if the text says so.
  var attribution = Attribution()
  /// The same in words, unless the first comment says it already.
  var byline: String?
  /// Who made it and who commented on it.
  var authors: [String] = []
  /// What is wrong with a malformed mark, or how many others are not listed; nil for changes.
  var problem: String?
}

extension ChangeEntry {
  /// A change in marks.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - reading: The reading of a stretch of the text.
  ///   - bytes: The stretch.
  ///   - start: Where it begins in the text.
  ///   - footnotes: Those of the whole text.
  init(
    _ change: Change,
    in reading: Reading,
    _ bytes: [UInt8],
    startingAt start: Int = 0,
    _ footnotes: Footnotes?
  ) {
    code = .mark(change.kind)
    range = change.markRange.moved(by: start)
    old = change.old(in: reading, bytes)
    new = change.new(in: reading, bytes)
    let remarks = change.remarks(in: bytes)
    comments = remarks.map { Array(bytes[$0.content]) }
    isResolved = change.isResolved(in: bytes)
    thread = remarks.map { $0.range.moved(by: start) }
    threadEnd = change.thread.last.map { start + $0.end }
    attribution = change.attribution(in: bytes, footnotes)
    byline = change.byline(attribution, in: bytes)
    authors = change.authors(in: bytes, footnotes)
  }

  /// What looks like a mark but is none.
  ///
  /// - Parameters:
  ///   - malformed: The mark.
  ///   - start: Where the stretch in which it was found begins in the text.
  init(_ malformed: Malformed, startingAt start: Int) {
    code = .malformed(malformed.kind)
    range = malformed.range.moved(by: start)
    problem = malformed.sentence
  }
}

extension ChangeEntry {
  var isPending: Bool { code == .pending }
  /// Whether it is an addition, a deletion or a substitution in marks.
  var isChange: Bool { if case .mark(let kind) = code { kind.isChange } else { false } }
  /// Whether it is a change, in marks or pending, without a comment.
  var isUncommented: Bool { (isChange || isPending) && comments.isEmpty }
  /// The kind of its mark, or of the mark that a pending change will have.
  var kind: MarkKind {
    if case .mark(let kind) = code { kind } else { MarkKind(replacing: old, by: new) }
  }
  /// Whether it is one of several alternatives, of which only one can stay.
  var isConflict: Bool {
    comments.contains { CommentHead(of: $0[...]).category == CommentHead.conflict }
  }
  /// Whether a change is of a kind; each one with a comment is of the kind comment.
  func isOf(_ kind: MarkKind) -> Bool {
    kind == .comment ? !comments.isEmpty : kind == self.kind
  }

  /// Where it ends, with its thread.
  var end: Int { threadEnd ?? range.upperBound }
  /// A place inside the entry, which is not in a mark around it as well.
  var inside: Range<Int> {
    isPending ? range : range.lowerBound + 1..<range.lowerBound + 1
  }

  /// The comments on it; of a comment that stands alone, those after the first.
  var answers: ArraySlice<[UInt8]> {
    code == .mark(.comment) ? comments.dropFirst() : comments[...]
  }
  /// The first comment on it, or else who made it.
  var remark: [UInt8]? { answers.first ?? byline.map { Array($0.utf8) } }
  var words: ChangeWords { ChangeWords(kind, old, new, comments.first, isPending: isPending) }
  /// The entry in a list: the change, or what is wrong.
  var summary: String { problem ?? words.summary }

  /// Writes the summary as part of a string.
  func writeSummary(to writer: inout JSONWriter) {
    if let problem { writer.text(problem) } else { words.writeSummary(to: &writer) }
  }

  /// The kind of symbol in outlines and searches.
  var symbolKind: SymbolKind {
    switch code {
    case .mark(.addition), .mark(.deletion), .mark(.substitution), .pending: .event
    case .mark(.highlight): .constant
    case .mark(.comment): .key
    case .malformed, .more, .orphan, .original: .null
    }
  }
}
