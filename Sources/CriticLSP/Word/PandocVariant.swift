import TrackEngine

/// What pandoc makes of one side of a Word document, accepted or rejected: its Markdown, and where the sentinels were.
struct PandocVariant {
  /// The text without sentinels.
  private(set) var text: [UInt8] = []
  /// The sentinels that stood in it, in order, and the UTF-8 offset of each.
  private(set) var sentinels: [(sentinel: Sentinel, offset: Int)] = []

  /// Converts a document.
  ///
  /// - Parameters:
  ///   - document: The bytes of a .docx file.
  ///   - labels: What the label of each note becomes, in their order; so that a note has one label in both sides.
  ///   - warnings: What pandoc warns of is appended.
  /// - Throws: `Platform.Failure` if pandoc is absent or fails.
  init(
    of document: [UInt8],
    labels: [Int],
    _ warnings: inout [String]
  ) throws(Platform.Failure) {
    // A table as wide as the text has this style or none, depending on how the widths of its columns are rounded.
    let markdown = try Pandoc.run(PandocVariant.arguments, on: document, &warnings)
      .replacing("<table style=\"width:100%;\">\n<colgroup>".utf8, with: "<table>\n<colgroup>".utf8)
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

  /// Takes bytes off the beginning of the text.
  mutating func remove(prefix count: Int) {
    text.removeFirst(count)
    sentinels = sentinels.map { ($0.sentinel, max(0, $0.offset - count)) }
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

  private static let arguments: [Path] = [
    "-s", "--sandbox", "-f", "docx", "--wrap=none", "-t",
    "markdown-smart-simple_tables-multiline_tables-grid_tables-header_attributes-bracketed_spans"
      + "-fenced_divs-link_attributes",
  ]

  /// Gives the notes other labels.
  private mutating func relabel(_ labels: [Int]) {
    guard !labels.isEmpty else { return }
    let zones = Reading(of: text, as: Pandoc.language).zones
    var result: [UInt8] = []
    var offsets = sentinels.map(\.offset)
    var next = 0
    var at = 0
    func pass(to end: Int) {
      while next < offsets.count, offsets[next] <= end {
        offsets[next] += result.count - at
        next += 1
      }
      result += text[at..<end]
      at = end
    }
    while let found = text[at...].firstRange(of: Array("[^".utf8)[...]) {
      let digits = text[found.upperBound...].prefix {
        UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9")
      }
      let isEscaped = found.lowerBound > 0 && text[found.lowerBound - 1] == UInt8(ascii: "\\")
      let isCode = zones.contains { $0.range.contains(found.lowerBound) }
      pass(to: found.upperBound)
      guard !isEscaped, !isCode, text[digits.endIndex...].first == UInt8(ascii: "]"),
        let label = Int(String(decoding: digits, as: UTF8.self)), (1...labels.count).contains(label)
      else { continue }
      result += "\(labels[label - 1])".utf8
      at = digits.endIndex
    }
    pass(to: text.count)
    text = result
    sentinels = zip(sentinels, offsets).map { ($0.sentinel, $1) }
  }
}
