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

  /// Whether the threads at a caret or in a selection of the buffer are all resolved; nil if there are none.
  public func isResolved(at range: Range<Int>) -> Bool? {
    let first = firstComments(at: moved(range))
    return first.isEmpty ? nil : first.allSatisfy { $0.isResolved(in: settled.bytes) }
  }

  /// Writes `[resolved]` before the text of the first comment of each thread, or removes it there.
  func resolveThread(_ range: Range<Int>, _ isResolved: Bool?) throws(Failure) -> VerifiedEdits {
    let first = firstComments(at: range)
    guard !first.isEmpty else { throw Failure(description: "There is no comment here.") }
    let areResolved = first.map { $0.isResolved(in: settled.bytes) }
    let wanted = isResolved ?? areResolved.contains(false)
    var edits: [Edit] = []
    for (comment, isResolved) in zip(first, areResolved) where isResolved != wanted {
      let head = CommentHead(of: settled.bytes[comment.content])
      if let resolution = head.resolution {
        edits.append(Edit(resolution, []))
      } else {
        let at = head.range.upperBound
        let tag =
          "[\(CommentHead.resolved)]" + (head.body.isEmpty && head.category == nil ? "" : " ")
        edits.append(Edit(at..<at, separator(after: head) + Array(tag.utf8)))
      }
    }
    return try remarked(
      [edits],
      orElse: "This comment cannot be resolved here; write [resolved] into it."
    )
  }

  /// The edit that opens the thread of a change again; nil if it is open.
  ///
  /// A comment that says no more than that it is resolved goes, but for who made the change before it.
  func reopening(of change: Change) -> Edit? {
    guard let comment = change.firstComment(in: settled.bytes) else { return nil }
    let head = CommentHead(of: settled.bytes[comment.content])
    guard let resolution = head.resolution else { return nil }
    guard head.text.isEmpty else { return Edit(resolution, []) }
    let isSigned = head.author != nil && !change.marks.isEmpty && comment == change.thread.first
    return isSigned
      ? Edit(comment.content, Array(Attribution(head).head.utf8)) : Edit(comment.range, [])
  }

  /// The first comment of each thread at a caret or in a selection.
  private func firstComments(at range: Range<Int>) -> [Mark] {
    let here = Set(comments(at: range).map(\.start))
    let threads = settled.reading.changes.filter { change in
      change.remarks(in: settled.bytes).contains { here.contains($0.start) }
    }
    let inThreads = Set(threads.flatMap(\.thread).map(\.start))
    // A comment inside a change is no entry of the list.
    let others = comments(at: range).filter { !inThreads.contains($0.start) }
    let first = threads.compactMap { $0.firstComment(in: settled.bytes) ?? $0.thread.first }
    return (first + others).sorted { $0.start < $1.start }
  }

  /// What has to follow the author of a comment so that a text can be written after it.
  private func separator(after head: CommentHead) -> [UInt8] {
    guard head.author != nil, let last = settled.bytes[head.range].last, !last.isWhiteSpace
    else { return [] }
    return Array((last == Ascii.colon || last == Ascii.bar ? " " : ": ").utf8)
  }

  /// Replaces the text of a comment; its author stays.
  func editComment(_ range: Range<Int>, _ content: [UInt8]) throws(Failure) -> VerifiedEdits {
    guard let mark = comments(at: range).last else {
      throw Failure(description: "There is no comment here.")
    }
    let head = CommentHead(of: settled.bytes[mark.content])
    let text = Array(settled.bytes[head.range]) + separator(after: head) + content
    let forms = Strategy.allCases.lazy.map { strategy in
      let comment = MarkKind.comment.printed(
        around: text,
        strategy,
        like: mark,
        in: settled.bytes,
        as: language
      )
      return [Edit(mark.range, comment)]
    }
    let least = settled.reading.marks.count - mark.inner
    return try remarked(forms, orElse: "This cannot be written as a comment here.") {
      $0.marks.count >= least
    }
  }
}
