/// A stretch of two texts that is marked up by itself.
struct ComparedStretch {
  /// The old text of the stretch.
  private let original: [UInt8]
  /// The new one, which may have marks.
  private let new: [UInt8]
  /// Where the new text of the stretch begins in all of it.
  private let start: Int
  /// What turns the old text into the new one, marks included.
  private let hunks: [Hunk]

  /// The fewest changes and bytes of a stretch, so that those near each other are marked together.
  static let fewestHunks = 32
  static let shortest = 2048

  /// All of two texts.
  init(of original: [UInt8], and new: [UInt8], _ hunks: [Hunk]) {
    (self.original, self.new, self.hunks) = (original, new, hunks)
    start = 0
  }

  /// A stretch of two texts and the hunks in it, which are hunks of the whole old text.
  init(
    of original: [UInt8],
    and new: [UInt8],
    in range: Difference,
    _ hunks: ArraySlice<Hunk>
  ) {
    self.original = Array(original[range.old])
    self.new = Array(new[range.new])
    self.hunks = hunks.map { $0.moved(old: -range.old.lowerBound, new: -range.new.lowerBound) }
    start = range.new.lowerBound
  }

  /// The edits of all of the new text that mark it up, and how many bytes were read for that.
  func marking() -> (edits: [Edit], steps: Int) {
    var options = Tracker.Options(tracksFrontMatter: true)
    options.areMeantAsTheyAre = true
    let text = Text(new)
    let marking = Marking(hunks, in: Draft(text), options: options, isForced: true)
    let clean = Reading(of: new).text(.clean, of: new)
    let texts = Texts(settled: original, buffer: clean)
    var edits = marking.edits
    if !text.applying(edits).bytes.hasVariants(original, clean) {
      let all = [
        Span(kind: .deleted, source: .settled(original.indices)), Span(typed: clean.indices),
      ]
      edits = [Edit(new.indices, texts.bytes(of: Printer(all, in: texts, .broken).output))]
    }
    let steps = (marking.readings + 1) * (original.count + new.count)
    return (edits.map { $0.moved(by: start) }, steps)
  }
}
