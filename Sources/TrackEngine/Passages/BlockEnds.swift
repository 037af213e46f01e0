/// Tells where blocks can end in a window, besides where passages do: so that what is said of a block, its footnotes and what
/// is malformed in it, can be said without the blocks around it.
struct BlockEnds {
  private let bytes: Bytes
  private let reading: Reading
  /// Every footnote of other tools, and where the line begins that defines it.
  private let footnotes: [(line: Int, footnote: Footnote)]
  /// Whether it is known where the last one ends.
  private let isLastEnded: Bool
  /// The delimiters that are in no mark, if what is malformed has to be found.
  private let loose: [Delimiter]
  /// The openers among them, and those with dashes, by their offsets.
  private let openers: [Int]

  /// Looks at a window.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - reading: Its marks and its code.
  ///   - bytes: The window, of whole lines.
  ///   - isAtEnd: Whether the text ends with it.
  ///   - findsMalformed: Whether what is malformed has to be found.
  init(_ reading: Reading, _ bytes: Bytes, isAtEnd: Bool, _ findsMalformed: Bool) {
    self.bytes = bytes
    self.reading = reading
    footnotes = bytes.footnotes.map { (bytes.lineStart(in: 0..<$0.id.lowerBound), $0) }
    loose = findsMalformed ? reading.looseDelimiters(in: bytes) : []
    let dashed = findsMalformed ? bytes.dashedOpeners : []
    openers = (loose.filter { $0.role == .opener }.map(\.offset) + dashed).sorted()
    var next = footnotes.last?.footnote.range.upperBound ?? 0
    while next < bytes.count, bytes.isBlank(lineAt: next) { next = bytes.lineEnd(after: next) }
    isLastEnded = isAtEnd || next < bytes.count
  }

  /// Whether a block can end at a place where a passage begins.
  func allow(_ end: Int) -> Bool {
    // A line feed may follow a mark, and make one line break of two in the clean text.
    if bytes[end - 1] == Ascii.carriageReturn, bytes[end] == Ascii.open { return false }
    let next = footnotes.partitioningIndex { $0.line >= end }
    if next > 0 {
      let isEnded = next < footnotes.count || isLastEnded
      guard isEnded, footnotes[next - 1].footnote.range.upperBound <= end else { return false }
    }
    if let (last, next) = substitutions(around: end), last == .opener, next == .closer {
      return false
    }
    // What is malformed besides ends with the paragraph.
    let after = openers.partitioningIndex { $0 >= end }
    guard after > 0 else { return true }
    return Bytes(rebasing: bytes[..<end]).blankLine(after: openers[after - 1]) != nil
  }

  /// The roles of the loose delimiters of substitutions before and after an offset.
  private func substitutions(around end: Int) -> (Delimiter.Role, Delimiter.Role)? {
    let index = loose.partitioningIndex { $0.offset >= end }
    guard let last = loose[..<index].last(where: { $0.mark == .substitution }),
      let next = loose[index...].first(where: { $0.mark == .substitution })
    else { return nil }
    return (last.role, next.role)
  }

  /// Whether the loose delimiters of substitutions before an offset begin with a closer, and whether they end with an opener;
  /// nil if there are none.
  func undivided(before end: Int) -> (beginsWithCloser: Bool, endsWithOpener: Bool?) {
    let found = loose[..<loose.partitioningIndex { $0.offset >= end }]
      .filter { $0.mark == .substitution }
    return (found.first?.role == .closer, found.last.map { $0.role == .opener })
  }

  /// The footnotes that begin before an offset, outside code and marks.
  func footnotes(before end: Int) -> [Footnote] {
    var plain = PlainStretches(of: reading)
    return footnotes.map(\.footnote).filter {
      $0.range.lowerBound < end && plain.holds($0.range.lowerBound)
    }
  }
}
