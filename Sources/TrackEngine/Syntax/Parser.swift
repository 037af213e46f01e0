/// Parses any text in one pass with one stack.
///
/// The only rule that looks ahead is the one for code around the closer of an open mark: see ``ClosersAhead``.
/// Linear, except for texts with fences of ever different lengths.
struct Parser {
  /// The marks and code of the text, once it is parsed.
  private(set) var reading: Reading
  /// The fence of a block that is still open at the end of the text.
  private(set) var unclosed: Fence?
  /// Where each run of backticks or tildes that is not code, or that begins code, starts.
  private(set) var runs: [Int] = []
  /// The openers outside marks and code that nothing closes, and those of marks that would end elsewhere if a
  /// closer came far after them.
  private(set) var loose: [Trace] = []
  /// Delimiters that could close an opener before the text.
  private(set) var strays: [Trace] = []
  /// Where the closers end that a reference to a footnote follows, which is text if the writer defines that footnote.
  private(set) var references: [Int] = []
  /// Where the writer's own footnotes with such names are defined.
  private(set) var ownFootnotes: [Int] = []
  /// Stretches by which it was told whether a group of LaTeX begins, by where they begin.
  private(set) var groups: [Range<Int>] = []
  /// Stretches in which telling code or groups from marks took all of the stretch, by where they begin.
  private(set) var wholes: [Range<Int>] = []
  private let bytes: Bytes
  private var lexer: Lexer
  private var code: CodeFinder
  private var ahead: ClosersAhead
  private var stack = MarkStack()
  /// Whether a mark had to go through the stack.
  private var hasStacked = false
  /// Where the last delimiter that counted ends.
  private var consumed = 0
  /// Where the blank line after the last fence, or possible fence, is.
  private var fenceReach = 0
  /// A closer inside what would be code, because of which it is not code.
  private var hidden: Delimiter?

  /// A delimiter that can affect another text.
  struct Trace {
    var offset: Int
    var kind: MarkKind
  }

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - bytes: The text, or a part of one; no mark, and no code but a fenced block, may cross its beginning.
  ///   - language: Its language.
  ///   - fence: The fence of the block that is open at its beginning.
  ///   - hasOwnFootnotes: False if it is known that none of the writer's own is defined in it.
  init(
    _ bytes: Bytes,
    _ language: Language,
    in fence: Fence? = nil,
    hasOwnFootnotes: Bool = true
  ) {
    self.bytes = bytes
    reading = Reading(language: language)
    lexer = Lexer(bytes, language)
    code = CodeFinder(bytes, language)
    ahead = ClosersAhead(bytes, language)
    if let fence {
      let block = code.code(in: fence)
      parse(block.zone, block.unclosed)
    }
    while let token = lexer.next() {
      switch token {
      case .run(let run): parse(run)
      case .delimiter(let delimiter) where delimiter.offset >= consumed: parse(delimiter)
      case .delimiter: continue
      }
    }
    groups = lexer.groups
    wholes += groups
    if hidden != nil { strays.sort { $0.offset < $1.offset } }
    wholes.sort { $0.lowerBound < $1.lowerBound }
    keepMarks()
    keepTails(hasOwnFootnotes ? bytes.definitions : [])
  }

  @inline(__always)
  private mutating func parse(_ delimiter: Delimiter) {
    switch delimiter.role {
    case .opener:
      if delimiter.beforeBrace {
        strays.append(Trace(offset: delimiter.offset, kind: delimiter.mark))
        // In a mark of its kind, it is a brace and a closer.
        if stack.isClosable(delimiter.mark) { return }
      }
      if stack.isEmpty, reading.language == .markdown, let mark = plainMark(delimiter) {
        reading.marks.append(mark)
        return lexer.seek(mark.end)
      }
      hasStacked = true
      stack.push(delimiter.mark, reading.marks.count)
      reading.marks.append(Mark(opening: delimiter))
      consumed = delimiter.end
    case .arrow:
      guard stack.isDivisible else { return }
      stack.divide(delimiter.offset)
      consumed = delimiter.end
    case .closer:
      let closed = stack.close(delimiter.mark)
      // After a block that begins before the text, it would also count if the text before it were code.
      if closed == nil || delimiter.offset < fenceReach {
        strays.append(Trace(offset: delimiter.offset, kind: delimiter.mark))
      }
      guard let closed else { return }
      consumed = delimiter.end
      reading.marks[closed.mark].end = consumed
      reading.marks[closed.mark].arrow = closed.arrow
      reading.marks[closed.mark].addMetadata(in: bytes)
    }
  }

  /// The mark of an opener if it holds only text, as nearly all do; the stack would find the same.
  private func plainMark(_ opener: Delimiter) -> Mark? {
    var at = opener.end
    // A tilde or a brace there changes what the opener is.
    guard at < bytes.count, bytes[at] != Ascii.tilde, bytes[at] != Ascii.close else { return nil }
    var mark = Mark(opening: opener)
    while true {
      at = bytes.special(from: at)
      guard at < bytes.count else { return nil }
      switch bytes[at] {
      case Ascii.open:
        if bytes.openerDelimiter(at: at) != nil { return nil }
        at += 1
      case Ascii.close:
        at += 1
        guard let kind = bytes.closer(at: at - 3) else { continue }
        guard kind == mark.kind, at >= opener.end + 3, kind != .substitution || mark.arrow >= 0
        else { return nil }
        mark.end = at
        mark.addMetadata(in: bytes)
        return mark
      case Ascii.tilde:
        let length = bytes.run(at: at)
        if length > 2 { return nil }
        at += length
        if mark.kind == .substitution, mark.arrow < 0, bytes.arrow(at: at - 1) {
          mark.arrow = at - 1
        }
      case Ascii.backtick: return nil
      default: at += 1
      }
    }
  }

  private mutating func parse(_ run: Range<Int>) {
    meet(run)
    if reading.language == .restructuredText, let block = bytes.indentedCode(at: run) {
      wholes.append(run.lowerBound..<block.reach)
    }
    guard let (zone, unclosed) = code.code(at: run), !isRejected(zone) else {
      return code.pass(run)
    }
    parse(zone, unclosed)
  }

  private mutating func parse(_ zone: CodeZone, _ unclosed: Fence?) {
    reading.zones.append(zone)
    self.unclosed = unclosed
    code.pass(zone)
    if zone.isFenced, unclosed == nil {
      meet(zone.range.upperBound - min(3, zone.range.count)..<zone.range.upperBound)
    }
    var inside = delimiters(in: zone)
    while let delimiter = inside.nextDelimiter() {
      // In a comment, a comment's opener before a brace is neither an opener nor a closer.
      guard delimiter.role == .closer || delimiter.beforeBrace else { continue }
      strays.append(Trace(offset: delimiter.offset, kind: delimiter.mark))
    }
    lexer.seek(zone.range.upperBound)
    consumed = max(consumed, zone.range.upperBound)
  }

  private mutating func meet(_ run: Range<Int>) {
    runs.append(run.lowerBound)
    guard run.count > 2, run.upperBound > fenceReach else { return }
    fenceReach = bytes.blankLine(after: run.lowerBound) ?? bytes.count
  }

  private func delimiters(in zone: CodeZone) -> Lexer {
    Lexer(
      Bytes(rebasing: bytes[..<zone.range.upperBound]),
      reading.language,
      from: zone.range.lowerBound
    )
  }

  /// Whether code is treated as text because it would keep a mark from closing: it hides the mark's closer, and
  /// no other comes before the first blank line after the code.
  private mutating func isRejected(_ zone: CodeZone) -> Bool {
    if stack.isEmpty { return false }
    let (reason, hides) = reasonToReject(zone)
    if hides {
      // An unclosed block can go on for pages.
      let start =
        reason == nil || !zone.isFenced ? zone.range.lowerBound : zone.range.upperBound
      let end = ahead.end(after: zone)
      // With the blank line; where it is not in the text, and an arrow decides, one after the text has a say.
      let isOpenEnded = reason?.role == .arrow && end == bytes.count
      wholes.append(start..<(isOpenEnded ? end + 1 : bytes.lineEnd(after: end)))
    }
    guard let reason else { return false }
    hidden = reason
    // It would be code without the mark open before it, or without the closer.
    strays.append(Trace(offset: zone.range.lowerBound, kind: reason.mark))
    strays.append(Trace(offset: reason.offset, kind: reason.mark))
    // Text after a block, or after the end, can still make it code.
    let isFar = zone.isFenced || ahead.end(after: zone) == bytes.count
    for kind in MarkKind.allCases where isFar && stack.isOpen(kind) {
      loose.append(Trace(offset: zone.range.lowerBound, kind: kind))
    }
    return true
  }

  /// The first delimiter that keeps a range from being code, and whether the code would hide any that count.
  private mutating func reasonToReject(_ zone: CodeZone) -> (Delimiter?, hides: Bool) {
    // Once it counts, no code contains it; otherwise each of many fences would scan the text again.
    if let hidden, zone.range.contains(hidden.offset), stack.isClosable(hidden.mark),
      !ahead.closes(hidden.mark, after: zone)
    {
      return (hidden, true)
    }
    var inside = MarkStack()
    var end = zone.range.lowerBound
    var isDivided = false
    var hides = false
    var delimiters = delimiters(in: zone)
    while let delimiter = delimiters.nextDelimiter() {
      guard delimiter.offset >= end else { continue }
      switch delimiter.role {
      case .opener:
        let kind = delimiter.mark
        if delimiter.beforeBrace, inside.isClosable(kind) || stack.isClosable(kind) { continue }
        inside.push(kind, 0)
        end = delimiter.end
      case .arrow:
        if inside.isDivisible {
          inside.divide(delimiter.offset)
        } else if inside.isEmpty, stack.isDivisible, !isDivided {
          isDivided = true
          hides = true
          if ahead.divides(after: zone) { return (delimiter, hides) }
        }
      case .closer:
        if inside.close(delimiter.mark) != nil {
          end = delimiter.end
          continue
        }
        let isDivided = isDivided && delimiter.mark == .substitution
        guard isDivided || stack.isClosable(delimiter.mark) else { continue }
        hides = true
        if !ahead.closes(delimiter.mark, after: zone) { return (delimiter, hides) }
      }
    }
    return (nil, hides)
  }

  /// Cuts from the tails of marks the references to those of these footnotes that are the writer's own.
  private mutating func keepTails(_ definitions: [FootnoteDefinition]) {
    var own: Set<[UInt8]> = []
    var plain = PlainStretches(of: reading)
    for definition in definitions
    where !bytes.isSigned(definition) && plain.holds(definition.start) {
      own.insert(Array(bytes[definition.id]))
      ownFootnotes.append(definition.start)
    }
    for index in reading.marks.indices where reading.marks[index].tailLength > 0 {
      let tail = reading.marks[index].tail
      let ids = reading.marks[index].references(in: bytes)
      if ids.isEmpty { continue }
      references.append(tail.lowerBound)
      guard !own.isEmpty, let id = ids.first(where: { own.contains(Array(bytes[$0])) }) else {
        continue
      }
      // With the bracket and the caret before it.
      reading.marks[index].cutTail(to: id.lowerBound - 2 - tail.lowerBound, in: bytes)
    }
  }

  /// Drops marks that were never closed, and all marks in comments except comments.
  private mutating func keepMarks() {
    guard hasStacked else { return }
    var kept: [Int] = []
    var count = 0
    func close(upTo offset: Int) {
      while let last = kept.last, reading.marks[last].end <= offset {
        reading.marks[last].inner = count - 1 - last
        kept.removeLast()
      }
    }
    var open = loose[...]
    loose = []
    for index in reading.marks.indices {
      let mark = reading.marks[index]
      close(upTo: mark.start)
      while let next = open.first, next.offset < mark.start { loose.append(open.removeFirst()) }
      guard mark.end > 0 else {
        if kept.isEmpty { loose.append(Trace(offset: mark.start, kind: mark.kind)) }
        continue
      }
      if let last = kept.last, reading.marks[last].kind == .comment, mark.kind != .comment {
        continue
      }
      reading.marks[count] = mark
      reading.marks[count].depth = kept.count
      kept.append(count)
      count += 1
    }
    loose += open
    close(upTo: Int.max)
    reading.marks.removeLast(reading.marks.count - count)
  }
}

extension Mark {
  /// A mark that is not closed yet.
  fileprivate init(opening delimiter: Delimiter) {
    self.init(kind: delimiter.mark, start: delimiter.offset, end: 0, arrow: -1, depth: 0, inner: 0)
    attributesLength = delimiter.attributesLength
  }
}
