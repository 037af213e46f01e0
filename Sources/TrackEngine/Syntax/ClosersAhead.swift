/// Tells which open marks are closed between code and the first blank line after it, by delimiters outside
/// code.
///
/// Each kind is counted by itself: a closer counts if no later opener of its kind takes it. Results are kept,
/// so that all answers together take linear time.
struct ClosersAhead {
  private let bytes: Bytes
  private let language: Language
  private var code: CodeFinder
  /// What was found, by the offset where code ends.
  private var known: [Int: Window] = [:]
  /// The last stretch up to a blank line that was scanned.
  private var paragraph = 0..<0

  /// A stretch up to a blank line.
  private struct Window {
    /// The delimiters in it that pair with nothing in it.
    var balance = Balance()
    var end: Int
  }

  init(_ bytes: Bytes, _ language: Language) {
    self.bytes = bytes
    self.language = language
    code = CodeFinder(bytes, language)
  }

  /// Whether a mark that is open where code ends is closed before the first blank line after it.
  ///
  /// - Parameters:
  ///   - kind: The mark's kind.
  ///   - zone: The code.
  /// - Returns: True if it is closed.
  mutating func closes(_ kind: MarkKind, after zone: CodeZone) -> Bool {
    window(after: zone).balance.closers[kind] > 0
  }

  /// Whether a substitution that is open where code ends, and has its `~>` in it, is closed before the first blank line
  /// after the code without another `~>`.
  mutating func divides(after zone: CodeZone) -> Bool {
    closes(.substitution, after: zone) && window(after: zone).balance.arrows == 0
  }

  /// Where the first blank line after code begins, or the text ends.
  mutating func end(after zone: CodeZone) -> Int { window(after: zone).end }

  private mutating func window(after zone: CodeZone) -> Window {
    let start = zone.range.upperBound
    if let known = known[start] { return known }
    if !paragraph.contains(start) {
      paragraph = start..<(bytes.blankLine(after: start) ?? bytes.count)
    }
    let end = paragraph.upperBound
    code.start(after: zone)
    /// The stretches of text between code, and where each begins.
    var stretches: [(start: Int, balance: Balance)] = []
    var lexer = Lexer(Bytes(rebasing: bytes[..<end]), language, from: start)
    var stretch = Balance()
    var at = start
    var found = Window(end: end)
    var consumed = start
    while let token = lexer.next() {
      switch token {
      case .delimiter(let delimiter):
        // In the mark that is to be closed it is a brace and a closer.
        guard delimiter.offset >= consumed, !delimiter.beforeBrace else { continue }
        stretch.add(delimiter)
        consumed = delimiter.end
      case .run(let run):
        guard let zone = code.code(at: run)?.zone else {
          code.pass(run)
          continue
        }
        code.pass(zone)
        stretches.append((at, stretch))
        stretch = Balance()
        at = min(end, zone.range.upperBound)
        consumed = at
        if let after = known[at] {
          found = after
          at = end
        }
        lexer.seek(at)
      }
    }
    if at < end { stretches.append((at, stretch)) }
    for stretch in stretches.reversed() {
      found.balance = stretch.balance.followed(by: found.balance)
      known[stretch.start] = found
    }
    return found
  }
}

/// The closers, openers and arrows of a stretch that nothing in it pairs with.
private struct Balance {
  var closers = CountsByKind()
  var arrows = 0
  private var openers = CountsByKind()
  /// The openers of substitutions that have no arrow.
  private var undivided = 0

  mutating func add(_ delimiter: Delimiter) {
    let kind = delimiter.mark
    switch delimiter.role {
    case .opener:
      openers[kind] += 1
      if kind == .substitution { undivided += 1 }
    case .arrow where undivided > 0: undivided -= 1
    case .arrow: arrows += 1
    case .closer where openers[kind] > 0: openers[kind] -= 1
    case .closer: closers[kind] += 1
    }
  }

  /// What is left of the closers and arrows where another stretch comes after this one.
  func followed(by next: Balance) -> Balance {
    var both = Balance()
    for kind in MarkKind.allCases {
      both.closers[kind] = closers[kind] + max(0, next.closers[kind] - openers[kind])
    }
    both.arrows = arrows + max(0, next.arrows - undivided)
    return both
  }
}
