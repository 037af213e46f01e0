extension Review {
  /// Comments on the change at a caret or in a selection, on the selection, or on the word at the caret.
  func comment(on range: Range<Int>, _ content: [UInt8]) throws(Failure) -> VerifiedEdits {
    let change = chosen(range.isEmpty ? range : range.lowerBound..<range.lowerBound + 1).last
    let isOnChange = change.map { $0.range.holds(range) }
    if let change, isOnChange == true {
      // Who says more opens the thread again, or nobody would see it.
      return try written(
        comment: content,
        highlighting: [],
        at: change.range.upperBound,
        reopening: reopening(of: change)
      )
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
    // A comment after a mark belongs to it, after the comments that it has.
    let end = settled.threadEnd(from: selection.upperBound)
    return try written(comment: content, highlighting: plain, at: end)
  }

  /// Highlights a selection, or the word at a caret.
  func highlight(_ range: Range<Int>) throws(Failure) -> VerifiedEdits {
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

  /// Removes the comments at a caret or in a range.
  func removeComment(_ range: Range<Int>) throws(Failure) -> VerifiedEdits {
    let chosen = comments(at: range)
    guard !chosen.isEmpty else { throw Failure(description: "There is no comment here.") }
    // A comment inside a comment is removed with it.
    var end = 0
    let outermost = chosen.filter { mark in
      defer { end = max(end, mark.end) }
      return end < mark.end
    }
    return try removed(outermost.map(\.range))
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
    at offset: Int,
    reopening: Edit? = nil
  ) throws(Failure) -> VerifiedEdits {
    let known = settled.reading.marks.filter { $0.start != reopening?.range.lowerBound }
    let least = known.count + plain.count + (comment == nil ? 0 : 1)
    return try remarked(
      Strategy.allCases.lazy.map {
        (reopening.map { [$0] } ?? [])
          + edits(comment: comment, highlighting: plain, at: offset, $0)
      },
      orElse: "A mark here would change how the text around it reads."
    ) { $0.marks.count >= least }
  }

  private func edits(
    comment: [UInt8]?,
    highlighting plain: [Range<Int>],
    at offset: Int,
    _ strategy: Strategy
  ) -> [Edit] {
    var edits: [Edit] = plain.map { range in
      let text = Array(settled.bytes[range])
      return Edit(range, MarkKind.highlight.printed(around: text, strategy, as: language))
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
    return separated(edits)
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
