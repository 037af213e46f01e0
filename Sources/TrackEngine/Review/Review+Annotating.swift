extension Review {
  /// Comments on the change at a caret or in a selection, on the selection, or on the word at the caret.
  func comment(on range: Range<Int>, _ content: [UInt8]) throws(Failure) -> [Edit] {
    let change = chosen(range.isEmpty ? range : range.lowerBound..<range.lowerBound + 1).last
    let isOnChange = change.map { $0.range.holds(range) }
    if let change, isOnChange == true {
      return try written(comment: content, highlighting: [], at: change.range.upperBound)
    }
    let selection = settled.whole(meant(by: range))
    try refuseFrontMatter(selection)
    if selection.isEmpty {
      return try written(
        comment: content,
        highlighting: [],
        at: apart(settled.outsideCode(range.lowerBound))
      )
    }
    let plain = settled.plainStretches(of: selection)
    var end = selection.upperBound
    // A comment after a mark belongs to it, after the comments that it has.
    while let next = settled.mark(at: end), settled.reading.marks[next].start == end,
      settled.reading.marks[next].kind == .comment
    { end = settled.reading.marks[next].end }
    return try written(comment: content, highlighting: plain, at: end)
  }

  /// Highlights a selection, or the word at a caret.
  func highlight(_ range: Range<Int>) throws(Failure) -> [Edit] {
    let selection = meant(by: range)
    guard !selection.isEmpty else {
      throw Failure(description: "Select the text to highlight first.")
    }
    try refuseFrontMatter(selection)
    let plain = settled.plainStretches(of: selection)
    guard !plain.isEmpty else {
      throw Failure(description: "All of the selection is in marks already.")
    }
    return try written(comment: nil, highlighting: plain, at: plain[0].upperBound)
  }

  private func refuseFrontMatter(_ range: Range<Int>) throws(Failure) {
    guard !tracker.options.tracksFrontMatter,
      start + range.lowerBound < marked.text.frontMatter.upperBound
    else { return }
    throw Failure(
      description:
        "This is front matter, metadata that must stay valid: it can hold no comment and no highlight."
    )
  }

  func removeComment(_ range: Range<Int>) throws(Failure) -> [Edit] {
    let chosen = comments(at: range)
    guard !chosen.isEmpty else { throw Failure(description: "There is no comment here.") }
    // A comment inside a comment is removed with it.
    var end = 0
    return chosen.filter { mark in
      defer { end = max(end, mark.end) }
      return end < mark.end
    }.map { Edit($0.range, []) }
  }

  /// The comments that a selection meets, or the one at a caret; else the last one of the thread
  /// there.
  ///
  /// An attribution is none unless the caret is in it.
  func comments(at range: Range<Int>) -> [Mark] {
    let all = settled.reading.marks.filter { $0.kind == .comment }
    let inside = all.filter { $0.start < range.lowerBound && range.lowerBound < $0.end }
    if range.isEmpty, !inside.isEmpty { return inside }
    let attributions = attributions { _ in true }
    let comments = all.filter { !attributions.contains($0.start) }
    var chosen = comments.filter { $0.range.overlaps(range) }
    if chosen.isEmpty {
      chosen = comments.filter { $0.start == range.lowerBound || $0.end == range.lowerBound }
    }
    if chosen.isEmpty {
      chosen = self.chosen(range).last?.remarks(in: settled.bytes).suffix(1) ?? []
    }
    return chosen
  }

  /// Writes highlights and a comment with the first strategy that reads back as meant.
  private func written(
    comment: [UInt8]?,
    highlighting plain: [Range<Int>],
    at offset: Int
  ) throws(Failure) -> [Edit] {
    let bytes = settled.bytes
    for strategy in Strategy.allCases {
      var edits: [Edit] = plain.map { range in
        Edit(range, MarkKind.highlight.printed(around: Array(bytes[range]), strategy, as: language))
      }
      if let comment {
        let mark = MarkKind.comment.printed(around: comment, strategy, as: language)
        if let last = edits.indices.last, edits[last].range.upperBound == offset {
          edits[last].new += mark
        } else {
          let place = edits.firstIndex { $0.range.lowerBound >= offset } ?? edits.count
          edits.insert(Edit(offset..<offset, mark), at: place)
        }
      }
      let result = text.applying(edits).bytes
      let reading = Reading(of: result, as: language)
      let added = reading.marks.count - settled.reading.marks.count
      if added >= plain.count + (comment == nil ? 0 : 1), keepsVariants(reading, of: result) {
        return separated(edits)
      }
    }
    throw Failure(description: "A mark here would change how the text around it reads.")
  }

  /// Highlights as insertions before and after the text, which stays.
  private func separated(_ edits: [Edit]) -> [Edit] {
    edits.flatMap { edit -> [Edit] in
      guard edit.range.count > 1, let found = edit.new[...].firstRange(of: text[edit.range]) else {
        return [edit]
      }
      return [
        Edit(edit.range.lowerBound..<edit.range.lowerBound, Array(edit.new[..<found.lowerBound])),
        Edit(edit.range.upperBound..<edit.range.upperBound, Array(edit.new[found.upperBound...])),
      ]
    }
  }
}
