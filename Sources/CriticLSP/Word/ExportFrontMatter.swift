import TrackEngine

/// The front matter of a text that pandoc reads: all but our own key in it is pandoc's.
struct ExportFrontMatter {
  private let text: [UInt8]
  private let range: Range<Int>
  /// Whether it begins as pandoc knows it, in YAML.
  private let isYAML: Bool
  /// The lines of our key.
  private let own: Range<Int>

  init(of text: [UInt8]) {
    self.text = text
    range = frontMatter(of: text)
    isYAML = text[range].splitKeepingLineEnds.first?.isRule == true
    own = isYAML ? frontMatterOwnLines(of: text) : 0..<0
  }

  /// The text without our key; without the front matter if nothing else is in it, or if it is not in YAML, which pandoc
  /// would take for text.
  var withoutOwnKey: [UInt8] {
    guard !range.isEmpty, !isYAML || !own.isEmpty else { return text }
    let rest = isYAML ? text[..<own.lowerBound] + text[own.upperBound..<range.upperBound] : []
    return (rest.splitKeepingLineEnds.count > 2 ? Array(rest) : []) + text[range.upperBound...]
  }

  /// Who made the changes that name nobody: `criticmark: {author: Ada Byron}`.
  var author: String? { frontMatterValue(of: "author", in: text)?.trimmed }
}

extension String {
  /// The text without spaces at its ends; nil if nothing is left.
  fileprivate var trimmed: String? {
    let words = split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

extension ArraySlice<UInt8> {
  fileprivate var splitKeepingLineEnds: [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = self
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }

  /// Whether it is a line of `---`, behind a byte order mark if there is one.
  fileprivate var isRule: Bool {
    let text = String(decoding: self, as: UTF8.self).drop { $0 == "\u{FEFF}" }
    return text.split(whereSeparator: \.isWhitespace) == ["---"]
  }
}
