/// Says which marks would be closed between code and the first blank line after it, by what stands outside of code there.
///
/// Each kind is looked at by itself: a closer counts if no opener of its kind after the offset takes it. What was found is kept,
/// so that all answers together are linear.
struct ClosersAhead {
  private let bytes: Bytes
  private var code: CodeFinder
  /// What is not taken after offsets, each where code ends.
  private var known: [Int: Balance] = [:]
  /// Where the blank lines are after those.
  private var ends: [Int: Int] = [:]
  /// The stretch up to a blank line that was looked at last.
  private var paragraph = 0..<0

  init(_ bytes: Bytes) {
    self.bytes = bytes
    code = CodeFinder(bytes)
  }

  /// Whether a mark that is open where code ends is closed before the first blank line after it.
  ///
  /// - Parameters:
  ///   - kind: The mark's kind.
  ///   - zone: The code.
  /// - Returns: Whether it is.
  mutating func closes(_ kind: MarkKind, after zone: CodeZone) -> Bool {
    balance(after: zone).closers[Int(kind.rawValue)] > 0
  }

  /// Whether a substitution that is open where code ends, and has its `~>` in it, is closed before the first blank line
  /// after the code without another `~>`.
  mutating func divides(after zone: CodeZone) -> Bool {
    closes(.substitution, after: zone) && balance(after: zone).closers[Balance.arrow] == 0
  }

  /// Where the first blank line after code begins, or the text ends.
  mutating func end(after zone: CodeZone) -> Int {
    let start = zone.range.upperBound
    if let known = ends[start] { return known }
    if !paragraph.contains(start) {
      paragraph = start..<(bytes.blankLine(after: start) ?? bytes.count)
    }
    ends[start] = paragraph.upperBound
    return paragraph.upperBound
  }

  private mutating func balance(after zone: CodeZone) -> Balance {
    let start = zone.range.upperBound
    if let known = known[start] { return known }
    code.start(after: zone)
    let end = end(after: zone)
    let window = Bytes(rebasing: bytes[..<end])
    /// The stretches of text between code, and where each begins.
    var stretches: [(start: Int, balance: Balance)] = []
    var lexer = Lexer(window, from: start)
    var stretch = Balance()
    var at = start
    var found = Balance()
    var consumed = start
    while let token = lexer.next() {
      switch token {
      case .delimiter(let delimiter):
        guard delimiter.offset >= consumed else { continue }
        consumed = stretch.take(delimiter)
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
      found = stretch.balance.followed(by: found)
      known[stretch.start] = found
    }
    return found
  }
}

/// The closers and openers of a stretch that nothing in it pairs with, by kind; the last place is for `~>`.
private struct Balance {
  var closers = SIMD8<Int>.zero
  var openers = SIMD8<Int>.zero

  static let arrow = 7

  /// Takes the next delimiter; returns where it ends, if it counts.
  mutating func take(_ delimiter: Delimiter) -> Int {
    let kind = Int(delimiter.mark.rawValue)
    switch delimiter.role {
    // In the mark that is to be closed it is a brace and a closer.
    case .opener where delimiter.beforeBrace: return delimiter.offset + 1
    case .opener:
      openers[kind] += 1
      if delimiter.mark == .substitution { openers[Balance.arrow] += 1 }
      return delimiter.offset + 3
    case .arrow:
      close(Balance.arrow)
      return delimiter.offset + 2
    case .closer:
      close(kind)
      return delimiter.offset + 3
    }
  }

  private mutating func close(_ place: Int) {
    if openers[place] > 0 { openers[place] -= 1 } else { closers[place] += 1 }
  }

  func followed(by next: Balance) -> Balance {
    var both = Balance()
    for place in closers.indices {
      both.closers[place] = closers[place] + max(0, next.closers[place] - openers[place])
    }
    return both
  }
}
