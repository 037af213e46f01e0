/// What each byte of a stretch of settled text is.
struct Atoms {
  enum Atom: UInt8 {
    case original
    case added
    case deleted
    case highlighted
    case comment
    /// Part of a delimiter of a mark that the tracker would write anew.
    case delimiter
    /// Part of an addition or deletion that no variant shows: kept as it is.
    case hidden
    /// A comment's text inside an addition: kept as it is, but edited freely.
    case hiddenComment

    var isContent: Bool {
      self == .original || self == .added || self == .highlighted
    }
  }

  let start: Int
  private(set) var atoms: [Atom]

  subscript(offset: Int) -> Atom { atoms[offset - start] }

  /// The atoms of a stretch that cuts no mark.
  init(_ settled: Settled, in stretch: Range<Int>) {
    start = stretch.lowerBound
    atoms = Array(repeating: .original, count: stretch.count)
    for mark in settled.marks(in: stretch) { fill(settled, mark, depth: 0) }
  }

  private mutating func set(_ range: Range<Int>, _ atom: Atom) {
    for offset in range { atoms[offset - start] = atom }
  }

  private mutating func fill(_ settled: Settled, _ index: Int, depth: Int) {
    let mark = settled.reading.marks[index]
    set(mark.range, .delimiter)
    switch mark.kind {
    case .addition:
      fillAdded(settled, mark.content, of: index)
    case .deletion:
      fillDeleted(settled, mark.content, of: index)
    case .substitution:
      fillDeleted(settled, mark.start + 3..<mark.arrow, of: index)
      fillAdded(settled, mark.arrow + 2..<mark.end - 3, of: index)
    case .highlight:
      set(mark.content, .highlighted)
      guard depth < Atoms.deepest else { return fillAdded(settled, mark.content, of: index) }
      for child in settled.children(of: index) { fill(settled, child, depth: depth + 1) }
    case .comment:
      set(mark.content, .comment)
    }
  }

  /// Marks in highlights are taken out of them; so deep only, since each level is a call.
  static let deepest = 32

  private mutating func fillAdded(_ settled: Settled, _ range: Range<Int>, of mark: Int) {
    set(range, .hidden)
    let children = settled.children(of: mark).filter {
      range.contains(settled.reading.marks[$0].start)
    }
    for child in children where settled.reading.marks[child].kind == .comment {
      set(settled.reading.marks[child].content, .hiddenComment)
    }
    let first = children.first ?? settled.reading.marks.count
    for shown in settled.reading.ranges(.clean, in: range, from: first) { set(shown, .added) }
  }

  private mutating func fillDeleted(_ settled: Settled, _ range: Range<Int>, of mark: Int) {
    set(range, .hidden)
    let first = settled.children(of: mark).first {
      range.contains(settled.reading.marks[$0].start)
    }
    let shown = settled.reading.ranges(
      .original,
      in: range,
      from: first ?? settled.reading.marks.count
    )
    for shown in shown { set(shown, .deleted) }
  }
}
