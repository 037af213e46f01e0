import JSONRPC
import TrackEngine

/// A change in words: what was done, and the texts that it was done to.
///
/// Its forms are those of a list (`Added “very ”`, `“lazy” → “sleepy”`), of a title (`addition “very ”`,
/// `“lazy” → “sleepy”`), and of a sentence (`Added “very ”`, `Replaced “lazy” by “sleepy”`).
struct ChangeWords {
  let kind: MarkKind
  /// Whether the change is not in marks yet.
  let isPending: Bool
  /// What was added or deleted; of a substitution the old text and the new one.
  let texts: [[UInt8]]

  init(
    _ kind: MarkKind,
    _ old: [UInt8],
    _ new: [UInt8],
    _ comment: [UInt8]? = nil,
    isPending: Bool = false
  ) {
    self.kind = kind
    self.isPending = isPending
    texts =
      switch kind {
      case .addition, .highlight: [new]
      case .deletion: [old]
      case .substitution: [old, new]
      case .comment: [comment ?? []]
      }
  }

  /// A change that is not in marks yet.
  init(_ hunk: Hunk, in buffer: Text) {
    let (old, new) = (hunk.removed, Array(buffer[hunk.new]))
    self.init(MarkKind(replacing: old, by: new), old, new, isPending: true)
  }

  /// As in `Added`, and as in `added` inside a sentence.
  private var verbs: (first: StaticString, inside: StaticString) {
    switch kind {
    case .addition: ("Added", "added")
    case .deletion: ("Deleted", "deleted")
    case .substitution: ("Replaced", "replaced")
    case .highlight: ("Highlighted", "highlighted")
    case .comment: ("Comment", "comment")
    }
  }

  private static let notInMarks = "Not in marks yet: "
}

extension ChangeWords {
  /// The verb of a sentence, as in `Added` and `Not in marks yet: added`.
  var verb: String { isPending ? ChangeWords.notInMarks + verbInside : "\(verbs.first)" }
  /// The verb inside a sentence, as in `added`.
  var verbInside: String { "\(verbs.inside)" }
  /// As in `Replaced “lazy” by “sleepy”`.
  var sentence: String { "\(verb) \(objects)" }
  /// The same inside a sentence.
  var clause: String { "\(verbInside) \(objects)" }
  private var objects: String { texts.map { quoted($0) }.joined(separator: " by ") }

  /// As in `Added “very ”`, and `“lazy” → “sleepy”`.
  var summary: String { start + arrow }
  /// As in `addition “very ”`, and `“lazy” → “sleepy”`.
  var title: String {
    switch kind {
    case .addition, .deletion, .highlight: "\(kind) \(arrow)"
    case .substitution: arrow
    case .comment: "\(kind)"
    }
  }
  private var arrow: String { arrow { quoted($0) } }

  /// The texts as in `“lazy” → “sleepy”`.
  func arrow(_ told: ([UInt8]) -> String) -> String {
    texts.map(told).joined(separator: ChangeWords.sign)
  }
  private static let sign = " → "

  /// Writes the summary as part of a string.
  func writeSummary(to writer: inout JSONWriter) {
    writer.text(start)
    for (index, text) in texts.enumerated() {
      if index > 0 { writer.text(ChangeWords.sign) }
      Quotation(of: text).write(to: &writer)
    }
  }

  /// What the summary begins with.
  private var start: String {
    guard kind == .substitution else { return "\(verb) " }
    return isPending ? ChangeWords.notInMarks : ""
  }
}

extension MarkKind {
  /// The kind of the mark that a change without one will have.
  init(replacing old: [UInt8], by new: [UInt8]) {
    self = old.isEmpty ? .addition : new.isEmpty ? .deletion : .substitution
  }
}
