import TrackEngine

/// A place where Markdown refers to a footnote, as in `[^1]`, or where the definition of one begins, as in `[^1]: text`.
struct NoteMarker {
  /// Its brackets with the label.
  let range: Range<Int>
  let label: String
  /// Whether it begins a line, with a colon behind it.
  let isDefinition: Bool

  /// Those in a text, in order; none in code, and none behind a backslash.
  ///
  /// Linear, but for a logarithmic factor.
  static func all(in text: [UInt8], _ reading: Reading) -> [NoteMarker] {
    var markers: [NoteMarker] = []
    var at = 0
    while let found = text[at...].firstRange(of: Array("[^".utf8)[...]) {
      at = found.upperBound
      let label = text[at...].prefix { $0 > UInt8(ascii: " ") && !"[]^".utf8.contains($0) }
      let end = label.endIndex
      let start = found.lowerBound
      guard !label.isEmpty, end < text.count, text[end] == UInt8(ascii: "]"),
        !text.isEscaped(start),
        reading.zones.first(overlapping: found, \.range) == nil
      else { continue }
      let isAtLineStart = start == 0 || text[start - 1] == UInt8(ascii: "\n")
      markers.append(
        NoteMarker(
          range: start..<end + 1,
          label: String(decoding: label, as: UTF8.self),
          isDefinition: isAtLineStart && text[(end + 1)...].first == UInt8(ascii: ":")
        )
      )
      at = end + 1
    }
    return markers
  }
}
