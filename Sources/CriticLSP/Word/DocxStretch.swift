import TrackEngine

/// A stretch of a marked-up text that means something in Word: a change, what comments are about, or a highlight.
struct DocxStretch {
  enum Kind {
    case change(DocxOrigin)
    /// Comments on one stretch: the first one, and the answers to it.
    case thread([Comment])
    case highlight
  }

  struct Comment {
    var origin: DocxOrigin
    var text: String
    var isResolved: Bool
  }

  var kind: Kind
  /// In the marked-up text, delimiters included.
  var range: Range<Int>

  var isChange: Bool { if case .change = kind { true } else { false } }
  var isThread: Bool { if case .thread = kind { true } else { false } }
}

extension DocxStretch {
  /// The stretches of a text, in the order in which they begin.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - bytes: The text that was read.
  ///   - reading: Its reading.
  ///   - someone: Who made the changes and wrote the comments that name nobody.
  /// - Returns: The stretches.
  static func all(of bytes: [UInt8], _ reading: Reading, by someone: String) -> [DocxStretch] {
    var finding = StretchFinding(bytes: bytes, reading: reading, someone: someone)
    finding.run()
    return finding.found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

/// The search for stretches.
private struct StretchFinding {
  let bytes: [UInt8]
  let reading: Reading
  let someone: String
  private let footnotes: Footnotes
  private(set) var found: [DocxStretch] = []
  /// Where the comments begin that belong to a thread, or say who made a change.
  private var known: Set<Int> = []
  /// For marks without comments that touch each other, by where the last one ends: where the first highlight begins.
  private var uncommented: [Int: Int] = [:]

  init(bytes: [UInt8], reading: Reading, someone: String) {
    self.bytes = bytes
    self.reading = reading
    self.someone = someone
    footnotes = Footnotes(of: bytes)
  }

  mutating func run() {
    reading.eachChange { add($0) }
    addNested()
    // Those that were taken into a thread.
    found.removeAll { $0.range.isEmpty }
  }

  private mutating func add(_ change: Change) {
    known.formUnion(change.thread.map(\.start))
    let remarks = change.remarks(in: bytes)
    let range = change.markRange
    if change.kind.isChange {
      let attribution = change.attribution(in: bytes, footnotes)
      found.append(
        DocxStretch(kind: .change(DocxOrigin(attribution, else: someone)), range: range)
      )
    }
    let first = uncommented[range.lowerBound]
    if remarks.isEmpty {
      let isHighlight = change.kind == .highlight
      // An attribution between two marks parts them no more than nothing does.
      uncommented[change.range.upperBound] = first ?? (isHighlight ? range.lowerBound : nil)
      if isHighlight { found.append(DocxStretch(kind: .highlight, range: range)) }
      return
    }
    // A comment on plain and on changed text is written as highlights and changes that touch, and stands behind them.
    let start = change.marks.isEmpty ? nil : first
    if let start { takeHighlights(from: start, to: range.lowerBound) }
    found.append(thread(remarks, (start ?? range.lowerBound)..<range.upperBound))
  }

  /// Makes the highlights between two offsets part of what a comment is about.
  private mutating func takeHighlights(from first: Int, to end: Int) {
    var index = found.count - 1
    while index >= 0, found[index].range.lowerBound >= first {
      if case .highlight = found[index].kind, found[index].range.upperBound <= end {
        found[index].range = first..<first
      }
      index -= 1
    }
  }

  private func thread(_ remarks: [Mark], _ range: Range<Int>) -> DocxStretch {
    let comments = remarks.map { mark in
      let head = CommentHead(of: bytes[mark.content])
      return DocxStretch.Comment(
        origin: DocxOrigin(mark.attribution(in: bytes, footnotes), else: someone),
        text: String(
          decoding: bytes[head.text.lowerBound..<mark.content.upperBound],
          as: UTF8.self
        ),
        isResolved: head.isResolved
      )
    }
    return DocxStretch(kind: .thread(comments), range: range)
  }

  /// Adds the comments inside changes, each about the mark it touches there.
  private mutating func addNested() {
    var before: [Int: Mark] = [:]
    var end = 0
    for mark in reading.marks {
      defer { before[mark.end] = mark }
      guard mark.kind == .comment else { continue }
      // What stands in a comment is a part of what it says.
      guard mark.start >= end else { continue }
      end = mark.end
      guard !known.contains(mark.start), !mark.isAttribution(in: bytes) else { continue }
      let anchor = before[mark.start].flatMap { $0.depth == mark.depth ? $0 : nil }
      found.append(thread([mark], anchor?.range ?? mark.range))
    }
  }
}
