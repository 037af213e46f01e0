/// The footnotes in which ChangeDown keeps attributions, as in `[^cn-1]: @anna | 2026-11-22 | ins | proposed`.
public struct Footnotes: Sendable {
  private var said: [[UInt8]: Attribution] = [:]

  /// The footnotes of an empty text.
  init() {}

  /// Finds the footnotes of a text.
  ///
  /// Linear.
  public init(of bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { add($0) }
  }

  /// Adds those of the next lines of the text; linear.
  mutating func add(_ bytes: Bytes) {
    for definition in bytes.definitions where bytes.isSigned(definition) {
      let id = Array(bytes[definition.id])
      if said[id] == nil { said[id] = Attribution(ofFootnote: bytes[definition.text]) }
    }
  }

  /// The attribution in a footnote, by the text between `[^` and `]`.
  subscript(id: ArraySlice<UInt8>) -> Attribution? { said[Array(id)] }
}

/// The first line of a footnote with a name like those of ChangeDown's, `[^cn-1]:`.
///
/// The footnote is ChangeDown's if it is signed, with `@name | date` at its beginning; otherwise it is the writer's own.
struct FootnoteDefinition {
  /// Where the line begins.
  var start: Int
  /// The text between `[^` and `]`.
  var id: Range<Int>
  /// The rest of the line, with its line end.
  var text: Range<Int>
}

/// A footnote of another tool, which is not part of the document's text.
struct Footnote {
  /// The whole footnote, with the blank line before it.
  var range: Range<Int>
  /// The text between `[^` and `]`.
  var id: Range<Int>
}

extension Bytes {
  /// Every definition of a footnote with a name like ChangeDown's, also in code.
  ///
  /// Linear.
  var definitions: [FootnoteDefinition] {
    var found: [FootnoteDefinition] = []
    var at = caret(from: 0)
    while at < count {
      let bracket = at - 1
      at = caret(from: at + 1)
      guard let start = definitionLine(at: bracket), let id = referenceID(at: bracket),
        id.upperBound + 1 < count, self[id.upperBound + 1] == Ascii.colon
      else { continue }
      let text = id.upperBound + 2
      found.append(FootnoteDefinition(start: start, id: id, text: text..<lineEnd(after: text)))
    }
    return found
  }

  /// Where the line begins on which only indentation stands before the bracket at an offset; nil if there is none.
  private func definitionLine(at bracket: Int) -> Int? {
    guard bracket >= 0, self[bracket] == Ascii.bracket else { return nil }
    var start = bracket
    while start > 0, bracket - start < 3, self[start - 1] == Ascii.space { start -= 1 }
    return start == 0 || isLineEnd(start - 1) ? start : nil
  }

  /// The text between `[^` and `]` of a reference at an offset; nil if there is none.
  private func referenceID(at offset: Int) -> Range<Int>? {
    Bytes(rebasing: self[offset...]).reference.map { offset + 2..<offset + $0 - 1 }
  }

  /// Whether a footnote begins with ChangeDown's `@name | date`, changes in that included.
  func isSigned(_ definition: FootnoteDefinition) -> Bool {
    var at = skippingDelimiters(from: blankEnd(from: definition.text.lowerBound))
    guard at < definition.text.upperBound, self[at] == UInt8(ascii: "@") else { return false }
    at = skippingDelimiters(from: at + 1)
    guard !isLineEnd(at), !self[at].isSpace,
      let bar = self[at..<definition.text.upperBound].firstIndex(of: Ascii.bar), bar > at
    else { return false }
    at = skippingDelimiters(from: blankEnd(from: bar + 1))
    return at < definition.text.upperBound && self[at].isDigit
  }

  private func skippingDelimiters(from offset: Int) -> Int {
    var at = offset
    while true {
      if let opener = openerDelimiter(at: at) {
        at = opener.end
      } else if closer(at: at) != nil {
        at += 3
      } else {
        return at
      }
    }
  }

  /// Every footnote of ChangeDown's, also in code: from its first line to the next blank line or the next footnote, with
  /// the indented paragraphs that follow.
  ///
  /// Linear.
  var footnotes: [Footnote] {
    var found: [Footnote] = []
    for definition in definitions where isSigned(definition) {
      let before = found.last?.range.upperBound ?? 0
      // One that is indented in another one is part of it.
      guard definition.start >= before else { continue }
      let start = Swift.max(blankLineStart(before: definition.start), before)
      let end = footnoteEnd(from: definition.text.upperBound)
      found.append(Footnote(range: start..<end, id: definition.id))
    }
    return found
  }

  /// Where the footnote ends whose second line would begin at an offset.
  private func footnoteEnd(from line: Int) -> Int {
    var end = line
    while true {
      while end < count, !isLineEnd(blankEnd(from: end)), !isFootnote(at: end) {
        end = lineEnd(after: end)
      }
      var next = end
      while next < count, isLineEnd(blankEnd(from: next)) { next = lineEnd(after: next) }
      guard next > end, next < count, isIndented(lineAt: next) else { return end }
      end = next
    }
  }

  /// Whether a line is indented by four columns, as further paragraphs of a footnote are.
  private func isIndented(lineAt line: Int) -> Bool {
    let indent = self[line..<Swift.min(count, line + 4)].prefix { $0 == Ascii.space }.count
    return indent == 4 || line + indent < count && self[line + indent] == Ascii.tab
  }

  private func isFootnote(at line: Int) -> Bool {
    line + 1 < count && self[line] == Ascii.bracket && self[line + 1] == Ascii.caret
  }

  /// Where the blank line before a line begins, or the line itself if there is none.
  private func blankLineStart(before line: Int) -> Int {
    guard line > 0, isAfterBlankLine(line) else { return line }
    return lineStart(in: 0..<line - lineBreakLength(before: line))
  }

  /// The number of references to each footnote with a name like ChangeDown's, wherever they stand; definitions do not
  /// count.
  ///
  /// Linear.
  var spelledReferences: ReferenceCounts {
    var counts = ReferenceCounts()
    var at = caret(from: 0)
    while at < count {
      let bracket = at - 1
      at = caret(from: at + 1)
      guard bracket >= 0, let id = referenceID(at: bracket) else { continue }
      let isDefinition =
        id.upperBound + 1 < count && self[id.upperBound + 1] == Ascii.colon
        && definitionLine(at: bracket) != nil
      if !isDefinition { counts.add(self[id]) }
    }
    return counts
  }

  /// Whether a footnote with a name like ChangeDown's could be defined if text came or went behind a caret.
  ///
  /// Linear.
  var unfinishedReferences: [Int] {
    var found: [Int] = []
    var at = caret(from: 0)
    while at < count {
      if at > 0, at + 1 < count, self[at - 1] == Ascii.bracket, self[at + 1] == UInt8(ascii: "c") {
        found.append(at)
      }
      at = caret(from: at + 1)
    }
    return found
  }
}

/// How often footnotes are referred to, by the text between `[^` and `]`.
struct ReferenceCounts {
  private var counts: [[UInt8]: Int] = [:]

  /// The footnotes that are referred to.
  var ids: some Sequence<[UInt8]> { counts.keys }

  subscript(id: some Sequence<UInt8>) -> Int { counts[Array(id)] ?? 0 }

  /// Whether these are all references to a footnote, of `all` in the text, and there are any.
  func hold(all id: some Sequence<UInt8>, of all: ReferenceCounts) -> Bool {
    let id = Array(id)
    return self[id] > 0 && self[id] == all[id]
  }

  mutating func add(_ id: some Sequence<UInt8>) { counts[Array(id), default: 0] += 1 }

  /// Adds those of another text.
  mutating func add(_ other: ReferenceCounts) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  /// Adds those in the tails of the marks that end in a text.
  mutating func add(_ marks: [Mark], in bytes: Bytes) {
    for mark in marks where mark.end <= bytes.count {
      for id in mark.references(in: bytes) { add(bytes[id]) }
    }
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
  /// The footnotes of ChangeDown's in a text that was read, outside of code and of marks, to which only marks
  /// refer.
  ///
  /// Linear.
  func footnotes(in bytes: Bytes) -> [Footnote] {
    let footnotes = bytes.footnotes
    guard !footnotes.isEmpty else { return [] }
    var referring = ReferenceCounts()
    referring.add(marks, in: bytes)
    let all = bytes.spelledReferences
    var plain = PlainStretches(of: self)
    return footnotes.filter { footnote in
      referring.hold(all: bytes[footnote.id], of: all) && plain.holds(footnote.range.lowerBound)
    }
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
    return ranges(variant, of: bytes).without(footnotes.map(\.range))
  }
}

/// What is outside of code and of marks, asked for rising offsets.
struct PlainStretches {
  private let reading: Reading
  private var mark = 0
  private var zone = 0

  init(of reading: Reading) {
    self.reading = reading
  }

  /// Whether an offset is outside of code and of marks; linear for all offsets together.
  mutating func holds(_ offset: Int) -> Bool {
    let (marks, zones) = (reading.marks, reading.zones)
    while zone < zones.count, zones[zone].range.upperBound <= offset { zone += 1 }
    if zone < zones.count, zones[zone].range.contains(offset) { return false }
    while mark < marks.count, marks[mark].end <= offset { mark += 1 + marks[mark].inner }
    return mark == marks.count || marks[mark].start > offset
  }
}

extension [Range<Int>] {
  /// The ranges, which are sorted and disjoint, less some others, which are sorted.
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
