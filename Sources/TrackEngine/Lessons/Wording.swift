/// What an edit does to words: those that stood, and those that stand instead; whole, with one space between them.
public struct Wording: Hashable, Sendable {
  /// The words that stood; empty if some were added.
  public var old: [UInt8]
  /// The words that stand instead; empty if some were deleted.
  public var new: [UInt8]

  /// An edit of words.
  public init(old: [UInt8], new: [UInt8]) {
    self.old = old
    self.new = new
  }

  /// The kind of the mark that says this.
  public var kind: MarkKind {
    old.isEmpty ? .addition : new.isEmpty ? .deletion : .substitution
  }

  /// Whether only the case of letters differs.
  public var isOfCase: Bool { old.lowercased == new.lowercased }

  /// The edit that undoes this one.
  public var reversed: Wording { Wording(old: new, new: old) }

  /// What is equal for edits that teach the same: the words in lower case, unless it is the case that differs.
  var folded: Wording {
    isOfCase ? self : Wording(old: old.lowercased, new: new.lowercased)
  }
}

extension [UInt8] {
  /// The text in lower case.
  var lowercased: [UInt8] { Array(String(decoding: self, as: UTF8.self).lowercased().utf8) }
}
