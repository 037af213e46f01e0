extension CommentHead {
  /// The category of the comments on alternatives, of which only one can stay.
  public static let conflict = "conflict"

  /// Whether the comment says no more than whose an alternative is.
  var isOfAlternative: Bool { category == CommentHead.conflict && author != nil && body.isEmpty }
}

extension Change {
  /// Whether it is one of several alternatives, of which only one can stay.
  public func isConflict(in bytes: [UInt8]) -> Bool {
    thread.contains { CommentHead(of: bytes[$0.content]).category == CommentHead.conflict }
  }

  /// Who made the change: its author, and others who are named on it because they made the same one.
  ///
  /// - Parameters:
  ///   - bytes: The text that was read.
  ///   - footnotes: The footnotes of the whole document; see ``attribution(in:_:)``.
  /// - Returns: Each name once, in text order.
  public func makers(in bytes: [UInt8], _ footnotes: Footnotes? = nil) -> [String] {
    let author = author(in: bytes, footnotes)
    let others = thread.compactMap { comment -> String? in
      let head = CommentHead(of: bytes[comment.content])
      return head.isAttribution || head.isOfAlternative ? head.author : nil
    }
    return ([author].compactMap(\.self) + others).unique
  }
}
