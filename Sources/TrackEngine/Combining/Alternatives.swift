/// What several people made of one stretch of text, where only one of it can stay.
struct Alternatives {
  /// What one or more of them made of it.
  struct Alternative {
    /// Who did, as the head of a comment says it, without the `@`.
    var heads: [[UInt8]]
    /// The text.
    var text: [UInt8]
  }

  /// The text before.
  let old: [UInt8]
  /// The language of all.
  private let language: Language
  /// What they made of it; no two are the same text.
  private(set) var all: [Alternative] = []
  /// The comments on it, as marks.
  var comments: [UInt8] = []

  init(of old: [UInt8], as language: Language) { (self.old, self.language) = (old, language) }

  /// Adds what somebody made of it.
  mutating func add(_ text: [UInt8], by heads: [[UInt8]]) {
    if let known = all.firstIndex(where: { $0.text == text }) {
      all[known].heads += heads.filter { !all[known].heads.contains($0) }
    } else {
      all.append(Alternative(heads: heads, text: text))
    }
  }

  /// The alternatives as marks; accepting those of one person, and rejecting the others, gives that person's text.
  ///
  /// - Parameter strategy: How text is written that could be misread.
  /// - Returns: The marks; nil if nobody changed the text.
  func written(_ strategy: Strategy) -> [UInt8]? {
    let changed = all.filter { $0.text != old }
    guard let first = changed.first else { return nil }
    var text: [UInt8] = []
    if changed.count == 1 {
      text += strategy.printed(old, first.text, as: language) + conflictComments(first.heads)
      let others = all.filter { $0.text == old }.flatMap(\.heads)
      text += conflictComments(others, saying: " rejects this")
    } else {
      if !old.isEmpty {
        text +=
          strategy.printed(old, [], as: language) + conflictComments(changed.flatMap(\.heads))
      }
      for alternative in changed where !alternative.text.isEmpty {
        text +=
          strategy.printed([], alternative.text, as: language)
          + conflictComments(alternative.heads)
      }
    }
    return text + comments
  }

  /// The clean text of the marks.
  var clean: [UInt8] { all.filter { $0.text != old }.flatMap(\.text) }

  private func conflictComments(_ heads: [[UInt8]], saying text: String = "") -> [UInt8] {
    let end = ": [\(CommentHead.conflict)]\(text)".utf8
    return heads.flatMap { MarkKind.comment.around(Array("@".utf8) + $0 + end) }
  }
}
