extension Review {
  /// Whether there is a comment at a caret or in a selection of the buffer, or in the thread there.
  public func hasComment(at range: Range<Int>) -> Bool { !comments(at: moved(range)).isEmpty }

  /// Whether a selection of the buffer, or a caret, is inside a comment.
  public func isInComment(_ range: Range<Int>) -> Bool {
    let place = moved(range)
    return settled.reading.marks.contains {
      $0.kind == .comment && $0.start < place.lowerBound && place.upperBound < $0.end
    }
  }

  /// Replaces the text of a comment; its author stays.
  func editComment(_ range: Range<Int>, _ content: [UInt8]) throws(Failure) -> [Edit] {
    guard let mark = comments(at: range).last else {
      throw Failure(description: "There is no comment here.")
    }
    let head = CommentHead(of: settled.bytes[mark.content])
    var written = Array(settled.bytes[head.range])
    if head.author != nil, let last = written.last, !last.isSpace, !last.isLineBreak {
      written += (last == Ascii.colon || last == Ascii.bar ? " " : ": ").utf8
    }
    written += content
    for strategy in Strategy.allCases {
      let comment = MarkKind.comment.printed(
        around: written,
        strategy,
        like: mark,
        in: settled.bytes
      )
      let edits = [Edit(mark.range, comment)]
      let result = text.applying(edits).bytes
      let reading = Reading(of: result)
      if reading.marks.count >= settled.reading.marks.count - mark.inner,
        keepsVariants(reading, of: result)
      {
        return edits
      }
    }
    throw Failure(description: "This cannot be written as a comment here.")
  }
}
