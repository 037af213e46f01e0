import TrackEngine

/// A change in words: what was done, and the texts that it was done to.
struct ChangeWords {
  /// As in `Added`, and as in `added` inside a sentence.
  let verb: (first: StaticString, inside: StaticString)
  /// What was added or deleted; of a substitution the old text and the new one.
  let texts: [[UInt8]]

  init(_ kind: MarkKind, _ old: [UInt8], _ new: [UInt8], _ comment: [UInt8]? = nil) {
    switch kind {
    case .addition: (verb, texts) = (("Added", "added"), [new])
    case .deletion: (verb, texts) = (("Deleted", "deleted"), [old])
    case .substitution: (verb, texts) = (("Replaced", "replaced"), [old, new])
    case .highlight: (verb, texts) = (("Highlighted", "highlighted"), [new])
    case .comment: (verb, texts) = (("Comment", "comment"), [comment ?? []])
    }
  }

  /// The texts as in `“old” by “new”`.
  var objects: String { texts.map { quoted($0) }.joined(separator: " by ") }
}

extension MarkKind {
  /// The kind of the mark that a change without one will have.
  init(replacing old: [UInt8], by new: [UInt8]) {
    self = old.isEmpty ? .addition : new.isEmpty ? .deletion : .substitution
  }
}
