extension [Edit] {
  /// Edits with the same result, a few hundred at most: if there are more, those that are close together are
  /// joined.
  ///
  /// Some editors need minutes for thousands of edits, but little time for the same text in a few hundred.
  ///
  /// - Parameters:
  ///   - text: The text that the edits are of.
  ///   - caret: Where the user is; edits of these lines are not joined, so that the caret stays in place.
  /// - Returns: Sorted, disjoint edits that do not touch; linear in the edits and the text between them.
  public func fewer(in text: Text, sparing caret: Range<Int>? = nil) -> [Edit] {
    guard count > Int.maxEdits else { return self }
    let spared = caret.map { caret in
      text.start(ofLine: text.line(at: caret.lowerBound))..<text.end(
        ofLine: text.line(at: caret.upperBound)
      ) + 1
    }
    let reach = text.count / (Int.maxEdits / 2)
    var fewer: [Edit] = []
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, self[end].range.upperBound - self[start].range.lowerBound <= reach,
        spared.map({ !$0.overlaps(self[start].range.lowerBound..<self[end].range.upperBound + 1) })
          ?? true
      { end += 1 }
      fewer.append(self[start..<end].joined(in: text))
      start = end
    }
    return fewer
  }
}

extension ArraySlice<Edit> {
  /// All of them as one edit.
  fileprivate func joined(in text: Text) -> Edit {
    var joined = self[startIndex]
    for edit in dropFirst() { joined.join(edit, in: text) }
    return joined
  }
}

extension Int {
  /// As many edits as every editor makes without delay.
  fileprivate static let maxEdits = 300
}
