extension [UInt8] {
  /// Records in a marked-up text what became of its clean text without the marks, in the hands of a formatter, say.
  ///
  /// With the edits made, accepting everything gives the new clean text, and rejecting everything gives what it gave
  /// before, but for front matter, which is not tracked. What differs is found as ``comparison(of:and:author:)`` finds it,
  /// and marked as if it had been typed; marks that hold none of it keep their bytes. Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - clean: The new clean text.
  ///   - author: Who is named in the attribution of each change; nil to name nobody.
  /// - Returns: Sorted, disjoint edits of the marked-up text; nil if the new text cannot be marked in it exactly.
  public func edits(recordingClean clean: [UInt8], by author: AuthorName? = nil) -> [Edit]? {
    let reading = Reading(of: self)
    let source = VariantText(.clean, of: self, reading)
    guard source.bytes != clean else { return [] }
    let rewritten = source.edits(rewritingAs: clean)
    let buffer = applying(rewritten)
    let hunks = zip(rewritten, rewritten.differences).map { edit, place in
      Hunk(place, replacing: self[edit.range], by: edit.new[...])
    }
    var options = Tracker.Options(attribution: author.map { Attribution(author: $0.name) })
    options.areMeantAsTheyAre = true
    let marking = Marking(hunks, in: Draft(Text(buffer)), options: options, isForced: true)
    let marked = buffer.applying(marking.edits)
    let original = reading.text(.original, of: self)
    let front = frontMatter(of: original)
    let kept = Array(clean[frontMatter(of: clean)]) + original[front.upperBound...]
    guard marking.remaining.isEmpty,
      marked.hasVariants(original, clean) || marked.hasVariants(kept, clean)
    else { return nil }
    return rewritten.followed(by: marking.edits, on: Text(self))
  }
}

extension VariantText {
  /// The edits of the marked-up text that make another text of what it shows, and leave all marks where they are.
  fileprivate func edits(rewritingAs new: [UInt8]) -> [Edit] {
    let differences = bytes.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { textChanges(old, $0, sparing: marks) }
    }
    return differences.flatMap { edits(replacing: $0.old, by: Array(new[$0.new])) }
  }
}
