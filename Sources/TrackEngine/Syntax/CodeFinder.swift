/// A stretch in which delimiters are text: a code span or a fenced block, fences included.
public struct CodeZone: Equatable, Sendable {
  /// From the first backtick or tilde to after the last.
  public var range: Range<Int>
  /// Whether it is a fenced block.
  public var isFenced: Bool
}

/// The opening fence of a block.
struct Fence: Hashable {
  /// The number of backticks or tildes; a closing fence has at least as many.
  var length: Int
  /// Whether the fence is made of tildes.
  var isTildes: Bool
  /// What ends the block where the text is not Markdown: see ``Language/block(named:)``, or the sign of its lines.
  var block: Int?

  init(length: Int, isTildes: Bool) {
    self.length = length
    self.isTildes = isTildes
  }

  init(block: Int, length: Int = 0) {
    self.init(length: length, isTildes: false)
    self.block = block
  }
}

/// Tells, for each run of backticks or tildes in turn, whether it begins code and where that code ends, by
/// CommonMark's rules; in other languages, for each run that stands for one there, by theirs.
///
/// Delimiters before an opening fence at the beginning of a line, and after a closing fence, do not hide the
/// fence; fences may be in lists and quotes, and those in each other.
struct CodeFinder {
  let bytes: Bytes
  private let language: Language
  /// An offset, besides those after line ends, where a line with an opening fence may begin.
  private(set) var lineStart = 0
  /// Where the last run that was passed ends.
  private(set) var passed = 0
  /// Where the last comment ends in which a run was.
  var commented = 0
  private var paragraph = Paragraph()
  /// For each fence, the last stretch searched for one that closes it: up to that, or to the text's end.
  private var unclosing: [Fence: Range<Int>] = [:]
  /// The last stretch up to a blank line that a span was looked for in.
  private var spanLimit = 0..<0
  /// For each sign, or number of signs, the last stretch searched for what closes a span, and where that ends; nil if there
  /// is none in it.
  private var spanEnds: [SpanSign: (stretch: Range<Int>, end: Int?)] = [:]

  private struct SpanSign: Hashable {
    var sign: UInt8
    var count: Int
  }

  init(_ bytes: Bytes, _ language: Language) {
    self.bytes = bytes
    self.language = language
  }

  /// The code that begins with a run, if any.
  ///
  /// - Parameter run: A run after everything that was passed.
  /// - Returns: The code, and its fence if nothing closes it; nil if the run begins no code.
  mutating func code(at run: Range<Int>) -> (zone: CodeZone, unclosed: Fence?)? {
    switch language {
    case .markdown: markdownCode(at: run)
    case .org: orgCode(at: run)
    case .latex: latexCode(at: run)
    case .asciiDoc: asciiDocCode(at: run)
    case .restructuredText: restructuredTextCode(at: run)
    case .typst: typstCode(at: run)
    }
  }

  private mutating func markdownCode(
    at run: Range<Int>
  ) -> (zone: CodeZone, unclosed: Fence?)? {
    if let fence = openingFence(run, after: passed) {
      return block(of: fence, from: run.lowerBound, after: run.upperBound)
    }
    guard bytes[run.lowerBound] == Ascii.backtick else { return nil }
    let start = run.lowerBound + (bytes.isEscaped(run.lowerBound) ? 1 : 0)
    guard start < run.upperBound, let end = spanEnd(start..<run.upperBound, run) else { return nil }
    return (CodeZone(range: start..<end, isFenced: false), nil)
  }

  /// Where the span that a run opens ends; an escape may have taken the first backtick of the run.
  private mutating func spanEnd(_ opening: Range<Int>, _ run: Range<Int>) -> Int? {
    if paragraph.holds(run) { return paragraph.spanEnd(of: run) }
    // Most spans are closed by the next run.
    var lexer = Lexer(bytes, language, from: run.upperBound)
    if opening.count < 3, let next = lexer.nextRun(), next.count == opening.count,
      Bytes(rebasing: bytes[..<next.lowerBound]).blankLine(after: run.lowerBound) == nil
    {
      return next.upperBound
    }
    lookAtParagraph(from: run)
    return paragraph.spanEnd(of: run)
  }

  /// The rest of a block that is already open at the beginning of the text.
  mutating func code(in fence: Fence) -> (zone: CodeZone, unclosed: Fence?) {
    block(of: fence, from: 0, after: 0)
  }

  mutating func block(
    of fence: Fence,
    from start: Int,
    after first: Int
  ) -> (zone: CodeZone, unclosed: Fence?) {
    let end = closing(of: fence, from: start, after: first)
    let zone = CodeZone(range: start..<(end ?? bytes.count), isFenced: true)
    return (zone, end == nil ? fence : nil)
  }

  /// Restarts after code.
  mutating func start(after zone: CodeZone) {
    lineStart = 0
    commented = 0
    pass(zone)
  }

  /// Continues after a run that is text.
  mutating func pass(_ run: Range<Int>) { passed = run.upperBound }

  /// Continues after code.
  mutating func pass(_ zone: CodeZone) {
    passed = zone.range.upperBound
    if zone.isFenced { lineStart = passed }
  }

  /// The opening fence that a run is, if it is one; `before` is where the previous run ends.
  private func openingFence(_ run: Range<Int>, after before: Int) -> Fence? {
    guard run.count >= 3 else { return nil }
    // What may come before a fence holds no other run.
    let limit = max(lineStart, before)
    var at = run.lowerBound
    while at > limit, !bytes.isLineEnd(at - 1) { at -= 1 }
    guard at == lineStart || at > 0 && bytes.isLineEnd(at - 1) else { return nil }
    skipContainers(&at)
    skipDelimiters(&at)
    guard at == run.lowerBound else { return nil }
    let isTildes = bytes[run.lowerBound] == Ascii.tilde
    if !isTildes {
      // An info string holds no backtick; with one, this is a code span.
      var info = run.upperBound
      while !bytes.isLineEnd(info) {
        if bytes[info] == Ascii.backtick { return nil }
        info += 1
      }
    }
    return Fence(length: run.count, isTildes: isTildes)
  }

  /// Skips indentation, and the markers of quotes and of list items, which can be in each other.
  private func skipContainers(_ at: inout Int) {
    while true {
      while at < bytes.count, bytes[at].isSpace || bytes[at] == Ascii.greater { at += 1 }
      guard let marker = bytes.listMarkerEnd(from: at) else { return }
      let end = bytes.blankEnd(from: marker)
      guard end > marker else { return }
      at = end
    }
  }

  /// Whether nothing but white space and delimiters stands before an offset on its line.
  func isFirstOnLine(_ offset: Int) -> Bool {
    let limit = max(lineStart, passed)
    var at = offset
    while at > limit, !bytes.isLineEnd(at - 1) { at -= 1 }
    guard at == lineStart || at > 0 && bytes.isLineEnd(at - 1) else { return false }
    at = min(offset, bytes.blankEnd(from: at))
    skipDelimiters(&at)
    return bytes.blankEnd(from: at) >= offset
  }

  func skipDelimiters(_ at: inout Int) {
    while true {
      if let opener = bytes.openerDelimiter(at: at) {
        // `{~~~` is a brace and a fence of tildes, not an opener and a tilde.
        if opener.mark == .substitution, opener.end < bytes.count,
          bytes[opener.end] == Ascii.tilde
        {
          return
        }
        at = opener.end
      } else if bytes.closer(at: at) != nil {
        at += 3
      } else if bytes.arrow(at: at) {
        at += 2
      } else {
        return
      }
    }
  }

  /// Where the block that a fence opens ends, after its closing fence; nil if nothing closes it.
  ///
  /// - Parameters:
  ///   - fence: The fence.
  ///   - start: Where the block begins.
  ///   - first: Where its content begins.
  /// - Returns: The end of the block.
  private mutating func closing(of fence: Fence, from start: Int, after first: Int) -> Int? {
    // Looked up once for all blocks that it could close, to bound the work.
    let known = unclosing[fence].flatMap { $0.contains(first) ? $0 : nil } ?? first..<first
    var lexer = Lexer(bytes, language, from: known.upperBound)
    while let run = lexer.nextRun() {
      if language != .markdown {
        guard let end = blockEnd(run, of: fence, from: start) else { continue }
        unclosing[fence] = known.lowerBound..<run.lowerBound
        return end
      }
      guard run.count >= fence.length,
        (bytes[run.lowerBound] == Ascii.tilde) == fence.isTildes
      else { continue }
      var at = run.lowerBound
      while at > start, bytes[at - 1].isSpace || bytes[at - 1] == Ascii.greater { at -= 1 }
      guard at == 0 || bytes.isLineEnd(at - 1) else { continue }
      if let end = fenceEnd(run: run, fence: fence) {
        unclosing[fence] = known.lowerBound..<run.lowerBound
        return end
      }
    }
    unclosing[fence] = known.lowerBound..<bytes.count
    return nil
  }

  /// Where a block ends that a run closes in a text that is not Markdown.
  private func blockEnd(_ run: Range<Int>, of fence: Fence, from start: Int) -> Int? {
    switch language {
    case .markdown, .restructuredText: nil
    case .org: orgBlockEnd(run, of: fence, from: start)
    case .latex: latexBlockEnd(run, of: fence)
    case .asciiDoc: asciiDocBlockEnd(run, of: fence)
    case .typst: run.count >= fence.length ? run.lowerBound + fence.length : nil
    }
  }

  /// Where the closing fence that begins with `run` ends, trailing white space included.
  private func fenceEnd(run: Range<Int>, fence: Fence) -> Int? {
    let end = bytes.blankEnd(from: run.upperBound)
    if isDelimiterOrLineEnd(end) { return end }
    guard fence.isTildes else { return nil }
    // The last tildes of the run may belong to a delimiter: `~~~~~}` is a fence and a closer.
    for spare in 1...2 where run.count - spare >= fence.length {
      let end = run.upperBound - spare
      if isDelimiterOrLineEnd(end) { return end }
    }
    return nil
  }

  func isDelimiterOrLineEnd(_ offset: Int) -> Bool {
    if bytes.isLineEnd(offset) || bytes.closer(at: offset) != nil || bytes.arrow(at: offset) {
      return true
    }
    guard let opener = bytes.openerDelimiter(at: offset) else { return false }
    return opener.mark != .substitution || opener.end >= bytes.count
      || bytes[opener.end] != Ascii.tilde
  }
}

extension CodeFinder {
  /// Where a span ends that a sign closes; all searches for a sign together take linear time.
  ///
  /// - Parameters:
  ///   - sign: The sign.
  ///   - count: How many of them close the span.
  ///   - start: Where to begin.
  ///   - limit: Where to stop.
  ///   - closes: Whether the sign at an offset, the first of so many, can end a span.
  /// - Returns: The end of the span; nil if there is no such sign.
  mutating func spanEnd(
    with sign: UInt8,
    count: Int = 1,
    from start: Int,
    before limit: Int,
    where closes: (Bytes, Int) -> Bool
  ) -> Int? {
    var known = start..<start
    let key = SpanSign(sign: sign, count: count)
    if let last = spanEnds[key], last.stretch.contains(start) {
      if let end = last.end { return end <= limit ? end : nil }
      known = last.stretch
    }
    var at = known.upperBound
    while at < limit {
      if bytes[at] == sign, closes(bytes, at) {
        spanEnds[key] = (known.lowerBound..<at + 1, at + count)
        return at + count
      }
      at += 1
    }
    spanEnds[key] = (known.lowerBound..<max(known.upperBound, limit), nil)
    return nil
  }

  /// Where the first blank line after an offset begins, or a block does, or the text ends; asked for rising offsets.
  mutating func paragraphEnd(after offset: Int) -> Int {
    if !spanLimit.contains(offset) {
      let end = bytes.blankLine(after: offset) ?? bytes.count
      let block = language == .asciiDoc ? asciiDocBlock(after: offset, before: end) : nil
      spanLimit = offset..<(block ?? end)
    }
    return spanLimit.upperBound
  }

  /// Whether an offset is in a comment that begins on its line; asked for rising offsets, where runs begin.
  ///
  /// - Parameters:
  ///   - offset: The offset.
  ///   - end: Where the comment ends that begins at an offset; nil if none does.
  /// - Returns: Whether it is in one.
  mutating func isCommented(_ offset: Int, _ end: (Bytes, Int) -> Int?) -> Bool {
    if offset < commented { return true }
    var at = offset
    while at > passed, !bytes.isLineEnd(at - 1) {
      at -= 1
      guard let end = end(bytes, at), end > offset else { continue }
      commented = end
      return true
    }
    return false
  }
}

extension Bytes {
  /// The code of a text in a language as if it had no marks, except a block that nothing closes.
  func closedCode(_ language: Language) -> [CodeZone] {
    var lexer = Lexer(self, language)
    var finder = CodeFinder(self, language)
    var zones: [CodeZone] = []
    while let run = lexer.nextRun() {
      guard let (zone, unclosed) = finder.code(at: run), unclosed == nil else {
        finder.pass(run)
        continue
      }
      zones.append(zone)
      finder.pass(zone)
      lexer.seek(zone.range.upperBound)
    }
    return zones
  }
}

// MARK: - Code spans

/// The runs from one run to the next blank line, and which of them close code spans.
private struct Paragraph {
  var start = 0
  /// Where the blank line begins.
  var end = 0
  var runs: [Range<Int>] = []
  /// Where the span that each run of backticks opens ends; -1 if it opens none.
  var ends: [Int] = []

  func holds(_ run: Range<Int>) -> Bool { start <= run.lowerBound && run.lowerBound < end }

  func spanEnd(of run: Range<Int>) -> Int? {
    let index = runs.partitioningIndex { $0.lowerBound >= run.lowerBound }
    guard index < runs.count, runs[index].lowerBound == run.lowerBound, ends[index] >= 0 else {
      return nil
    }
    return ends[index]
  }
}

extension CodeFinder {
  /// The paragraph that begins with a run; a span never crosses a blank line or a fence.
  private mutating func lookAtParagraph(from first: Range<Int>) {
    let end = bytes.blankLine(after: first.lowerBound) ?? bytes.count
    paragraph.start = first.lowerBound
    paragraph.end = end
    paragraph.runs.removeAll(keepingCapacity: true)
    paragraph.ends.removeAll(keepingCapacity: true)
    var lexer = Lexer(Bytes(rebasing: bytes[..<end]), language, from: first.lowerBound)
    while let run = lexer.nextRun() {
      paragraph.runs.append(run)
      paragraph.ends.append(-1)
    }
    var next = NextRuns()
    for index in paragraph.runs.indices.reversed() {
      let run = paragraph.runs[index]
      let before = index > 0 ? paragraph.runs[index - 1].upperBound : passed
      if openingFence(run, after: before) != nil {
        next = NextRuns()
      } else if bytes[run.lowerBound] == Ascii.backtick {
        let opening = run.count - (bytes.isEscaped(run.lowerBound) ? 1 : 0)
        paragraph.ends[index] = next[opening]
        next[run.count] = run.upperBound
      }
    }
  }
}

/// Where the next run of each length ends; -1 if there is none.
private struct NextRuns {
  /// Nearly all code begins with one or two backticks.
  private var short = (-1, -1)
  private var long: [Int: Int] = [:]

  subscript(length: Int) -> Int {
    get {
      switch length {
      case 1: short.0
      case 2: short.1
      default: long[length] ?? -1
      }
    }
    set {
      switch length {
      case 1: short.0 = newValue
      case 2: short.1 = newValue
      default: long[length] = newValue
      }
    }
  }
}
