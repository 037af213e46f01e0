/// The footnotes in which ChangeDown keeps attributions, as in `[^cn-1]: @anna | 2026-11-22 | ins | proposed`.
public struct Footnotes: Sendable {
  private var said: [[UInt8]: Attribution] = [:]

  /// Finds the footnotes of a text.
  ///
  /// Linear.
  public init(of bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      for footnote in bytes.footnotes {
        let id = Array(bytes[footnote.id])
        if said[id] == nil { said[id] = Attribution(ofFootnote: bytes[footnote.line]) }
      }
    }
  }

  /// The attribution in a footnote, by the text between `[^` and `]`.
  subscript(id: ArraySlice<UInt8>) -> Attribution? { said[Array(id)] }
}

/// A footnote of another tool, which is not part of the document's text.
struct Footnote {
  /// The whole footnote, with the blank line before it.
  var range: Range<Int>
  /// The text between `[^` and `]`.
  var id: Range<Int>
  /// The text of its first line.
  var line: Range<Int>
}

extension Bytes {
  /// Every footnote spelled in the text, also in code: from its first line to the next blank line or the next
  /// footnote.
  ///
  /// Linear.
  var footnotes: [Footnote] {
    var found: [Footnote] = []
    var line = 0
    while line < count {
      let next = lineEnd(after: line)
      defer { line = next }
      guard self[line] == Ascii.bracket, let id = footnoteID(at: line) else { continue }
      var end = next
      while end < count, !isLineEnd(blankEnd(from: end)), !isFootnote(at: end) {
        end = lineEnd(after: end)
      }
      let start = Swift.max(blankLineStart(before: line), found.last?.range.upperBound ?? 0)
      found.append(
        Footnote(range: start..<end, id: id, line: id.upperBound + 2..<next)
      )
    }
    return found
  }

  private func isFootnote(at line: Int) -> Bool {
    line + 1 < count && self[line] == Ascii.bracket && self[line + 1] == UInt8(ascii: "^")
  }

  private func footnoteID(at line: Int) -> Range<Int>? {
    guard let length = Bytes(rebasing: self[line...]).reference, line + length < count,
      self[line + length] == Ascii.colon
    else { return nil }
    return line + 2..<line + length - 1
  }

  /// Where the blank line before a line begins, or the line itself if there is none.
  private func blankLineStart(before line: Int) -> Int {
    guard line > 0, isAfterBlankLine(line) else { return line }
    var start = line - 1
    if start > 0, lineBreak(at: start - 1) == 2 { start -= 1 }
    while start > 0, !isLineEnd(start - 1) { start -= 1 }
    return start
  }
}

extension ArraySlice<UInt8> {
  /// The footnotes that a mark's tail refers to: for `[^cn-1]`, `cn-1`.
  var references: [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var rest = self
    while let start = rest.firstRange(of: Array("[^cn-".utf8)[...]) {
      let id = rest[(start.lowerBound + 2)...].prefix { $0 != UInt8(ascii: "]") }
      found.append(id)
      rest = rest[id.endIndex...]
    }
    return found
  }
}

extension Attribution {
  /// Reads `@anna | 2026-11-22 | ins | proposed`.
  fileprivate init(ofFootnote line: Slice<Bytes>) {
    let fields = line.split(separator: Ascii.bar).map { field in
      String(decoding: field, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
    }
    if let name = fields.first, name.first == "@", name.count > 1 {
      author = String(name.dropFirst().map { $0 == "_" ? " " : $0 })
    }
    if fields.count > 1, fields[1].first?.isNumber == true { date = fields[1] }
    if fields.count > 3 { status = fields[3] }
  }
}

extension Reading {
  /// The footnotes of other tools in a text that was read, outside of code and of marks.
  func footnotes(in bytes: Bytes) -> [Footnote] {
    bytes.footnotes.filter { isText(at: $0.range.lowerBound) }
  }

  /// Whether an offset is outside of code and of marks.
  ///
  /// Logarithmic, except for nested marks.
  func isText(at offset: Int) -> Bool {
    if let zone = zone(endingAfter: offset), zone.range.contains(offset) { return false }
    var index = marks.partitioningIndex { $0.start > offset }
    while index > 0 {
      index -= 1
      if marks[index].end > offset { return false }
      if marks[index].depth == 0 { return true }
    }
    return true
  }

  /// Writes a variant of the text for export: the clean and the original text without the footnotes of other
  /// tools.
  ///
  /// Linear.
  public func export(_ variant: Variant, of bytes: [UInt8]) -> [UInt8] {
    var exported: [UInt8] = []
    for range in exportedRanges(variant, of: bytes) { exported.append(contentsOf: bytes[range]) }
    return exported
  }

  /// The ranges of the text that ``export(_:of:)`` writes: sorted and disjoint.
  ///
  /// Linear.
  public func exportedRanges(_ variant: Variant, of bytes: [UInt8]) -> [Range<Int>] {
    let footnotes =
      variant == .markup ? [] : bytes.withUnsafeBufferPointer { self.footnotes(in: $0) }
    return ranges(variant, in: bytes.indices, from: 0).without(footnotes.map(\.range))
  }
}

extension [Range<Int>] {
  /// The ranges less some others; both are sorted and disjoint.
  func without(_ others: [Range<Int>]) -> [Range<Int>] {
    guard !others.isEmpty else { return self }
    var left: [Range<Int>] = []
    var rest = others[...]
    for range in self {
      var start = range.lowerBound
      while let next = rest.first, next.lowerBound < range.upperBound {
        if start < next.lowerBound { left.append(start..<next.lowerBound) }
        start = Swift.max(start, next.upperBound)
        if next.upperBound > range.upperBound { break }
        rest = rest.dropFirst()
      }
      if start < range.upperBound { left.append(start..<range.upperBound) }
    }
    return left
  }
}
