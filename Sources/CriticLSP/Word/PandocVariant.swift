import TrackEngine

/// What pandoc makes of one side of a Word document, accepted or rejected: its Markdown, and where the sentinels were.
struct PandocVariant {
  /// The text without sentinels.
  private(set) var text: [UInt8] = []
  /// The sentinels that stood in it, in order, and the UTF-8 offset of each.
  private(set) var sentinels: [(sentinel: Sentinel, offset: Int)] = []
  /// A stretch of the text that belongs to a footnote.
  typealias NotePlace = (note: Int, range: Range<Int>)
  /// A footnote, and the label that it gets.
  typealias NoteLabel = (note: Int, name: String)
  /// Where it refers to footnotes, as in `[^1]`.
  private(set) var references: [NotePlace] = []
  /// The definitions of footnotes at its end, without the line ends behind each.
  private(set) var definitions: [NotePlace] = []

  /// Reads what pandoc makes of a document.
  ///
  /// - Parameters:
  ///   - markdown: What it makes.
  ///   - labels: The notes in it, in order, and their labels; so that a note has one label in both sides.
  init(of markdown: [UInt8], labels: [NoteLabel]) {
    let parts = Sentinel.parts(of: markdown)
    // Escaped everywhere nothing is a mark, so that what is code is so because of Markdown alone.
    var escaped: [UInt8] = []
    var escapes: [Int] = []
    for (index, part) in parts.enumerated() {
      switch part {
      case .text(let more): escaped += more
      case .sentinel(.escape):
        // Some versions of pandoc have escaped the sign themselves.
        if escaped.last == UInt8(ascii: "\\") { continue }
        if case .text(let next)? = parts[(index + 1)...].first, next.first == UInt8(ascii: "\\") {
          continue
        }
        escapes.append(escaped.count)
        escaped.append(UInt8(ascii: "\\"))
      case .sentinel(let sentinel):
        sentinels.append((sentinel, escaped.count))
      }
    }
    let zones = Reading(of: escaped, as: Pandoc.language).zones
    let inCode = escapes.filter { escape in zones.contains { $0.range.contains(escape) } }
    remove(inCode, from: escaped)
    relabel(labels)
  }

  /// The sentinels in a stretch of the text and at its ends.
  func sentinels(in range: Range<Int>) -> ArraySlice<(sentinel: Sentinel, offset: Int)> {
    let start = sentinels.partitioningIndex { $0.offset >= range.lowerBound }
    return sentinels[start...].prefix { $0.offset <= range.upperBound }
  }

  /// Takes bytes off the beginning of the text.
  mutating func remove(prefix count: Int) {
    text.removeFirst(count)
    sentinels = sentinels.map { ($0.sentinel, max(0, $0.offset - count)) }
    func moved(_ place: NotePlace) -> NotePlace {
      (place.note, place.range.lowerBound - count..<place.range.upperBound - count)
    }
    // A footnote in a title has its label there.
    references = references.filter { $0.range.lowerBound >= count }.map(moved)
    definitions = definitions.map(moved)
  }

  /// Makes the text of one without the bytes at some offsets.
  private mutating func remove(_ offsets: [Int], from escaped: [UInt8]) {
    var at = 0
    for offset in offsets {
      text += escaped[at..<offset]
      at = offset + 1
    }
    text += escaped[at...]
    var gone = offsets[...]
    var count = 0
    sentinels = sentinels.map { sentinel, offset in
      while let next = gone.first, next < offset {
        gone = gone.dropFirst()
        count += 1
      }
      return (sentinel, offset - count)
    }
  }

  /// Gives the notes other labels, and finds where they are.
  private mutating func relabel(_ labels: [NoteLabel]) {
    guard !labels.isEmpty else { return }
    var result: [UInt8] = []
    var offsets = sentinels.map(\.offset)
    var next = 0
    var at = 0
    /// Where definitions may begin, by pandoc's numbers.
    var heads: [(number: Int, start: Int)] = []
    func pass(to end: Int) {
      while next < offsets.count, offsets[next] <= end {
        offsets[next] += result.count - at
        next += 1
      }
      result += text[at..<end]
      at = end
    }
    for marker in NoteMarker.all(in: text, Reading(of: text, as: Pandoc.language)) {
      guard let number = Int(marker.label), (1...labels.count).contains(number) else { continue }
      let label = labels[number - 1]
      pass(to: marker.range.lowerBound + 2)
      let start = result.count - 2
      result += label.name.utf8
      at = marker.range.upperBound - 1
      if marker.isDefinition { heads.append((number, start)) }
      references.append((label.note, start..<result.count + 1))
    }
    pass(to: text.count)
    text = result
    findDefinitions(heads, labels)
    sentinels = zip(sentinels, offsets).map { ($0.sentinel, $1) }
  }

  /// Finds the definitions: the last ones that are numbered one after the other, for a paragraph may begin like one.
  private mutating func findDefinitions(
    _ heads: [(number: Int, start: Int)],
    _ labels: [NoteLabel]
  ) {
    var end = text.count
    for (number, start) in heads.reversed()
    where definitions.isEmpty || number == heads.last.map({ $0.number - definitions.count }) {
      definitions.append((labels[number - 1].note, start..<text.endOfText(before: end)))
      end = start
    }
    definitions.reverse()
    let first = definitions.first?.range.lowerBound ?? text.count
    references.removeAll { $0.range.lowerBound >= first }
  }
}
