extension [UInt8] {
  /// Records in a marked-up text what became of its clean text without the marks, in the hands of a formatter, say.
  ///
  /// With the edits made, accepting everything gives the new clean text, and rejecting everything gives what it gave
  /// before, but for front matter, which is not tracked. What differs is found as ``comparison(of:and:author:)`` finds it,
  /// and marked as if it had been typed; marks that hold none of it keep their bytes. Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - clean: The new clean text.
  ///   - language: The language of both.
  ///   - author: Who is named in the attribution of each change; nil to name nobody.
  /// - Returns: Sorted, disjoint edits of the marked-up text; nil if the new text cannot be marked in it exactly.
  public func edits(
    recordingClean clean: [UInt8],
    as language: Language,
    by author: AuthorName? = nil
  ) -> [Edit]? {
    let source = VariantText(.clean, of: self, as: language)
    let differences = textChanges(source.bytes, clean, as: language, sparing: source.marks)
    return source.edits(recording: differences, makingOfIt: clean, by: author)
  }
}

extension VariantText {
  /// Records in a marked-up text, of which this is the clean text, what became of that.
  ///
  /// - Parameters:
  ///   - differences: What differs.
  ///   - clean: The new clean text.
  ///   - author: Who is named in the attribution of each change; nil to name nobody.
  /// - Returns: As ``Swift/Array/edits(recordingClean:as:by:)``.
  func edits(
    recording differences: [Difference],
    makingOfIt clean: [UInt8],
    by author: AuthorName?
  ) -> [Edit]? {
    guard bytes != clean else { return [] }
    let rewritten = differences.flatMap { edits(replacing: $0.old, by: Array(clean[$0.new])) }
    let buffer = markup.applying(rewritten)
    let text = Text(markup)
    var options = Tracker.Options(
      reading.language,
      attribution: author.map { Attribution(author: $0.name) }
    )
    options.areMeantAsTheyAre = true
    let draft = Draft(Text(buffer), reading.language)
    let hunks = rewritten.hunks(on: text)
    let marking = Marking(hunks, in: draft, options: options, isForced: true)
    let marked = buffer.applying(marking.edits)
    let original = reading.text(.original, of: markup)
    let front = frontMatter(of: original)
    let kept = Array(clean[frontMatter(of: clean)]) + original[front.upperBound...]
    guard marking.remaining.isEmpty,
      [original, kept].contains(where: {
        Claim(clean: clean, original: $0).isKept(by: marked, as: reading.language)
      })
    else { return nil }
    return rewritten.followed(by: marking.edits, on: text)
  }
}
