/// Reads what is plain: marks with no other delimiter in them, and code without any.
///
/// Nearly everything is plain. A skim stops at the first thing that may be anything else; from there on it takes
/// a ``Reader``. Up to there both find the same.
struct Skim {
  /// A mark or a stretch of code, in UTF-8 offsets.
  struct Part {
    /// The kind of a mark; nil for code.
    var kind: MarkKind?
    var start: Int
    var end: Int
    /// Where the `~>` of a substitution stands.
    var arrow = -1
  }

  private let bytes: Bytes
  /// Everything before it has been skimmed.
  private(set) var end: Int
  /// All code, that in marks too.
  private(set) var zones: [CodeZone] = []
  /// Whether all of the bytes were skimmed.
  var isOver: Bool { end == bytes.count }

  /// Longer blocks are to be cut.
  private static let longestBlock = 4096

  /// Begins at an offset where no mark and no code is open.
  init(_ bytes: Bytes, from start: Int = 0) {
    self.bytes = bytes
    end = start
  }

  /// The next mark or stretch of code; nil where nothing is left, or nothing plain.
  mutating func next() -> Part? {
    var at = end
    while true {
      at = bytes.special(from: at)
      end = at
      guard at < bytes.count else { return nil }
      switch bytes[at] {
      case Ascii.open:
        if let kind = bytes.opener(at: at) { return mark(kind, at) }
        at += 1
      case Ascii.close:
        if bytes.closer(at: at - 2) != nil { return nil }
        at += 1
      case Ascii.tilde:
        let length = bytes.run(at: at)
        if length > 2 { return block(at, length) }
        at += length
      case Ascii.backtick:
        let length = bytes.run(at: at)
        guard length < 3 else { return block(at, length) }
        guard let after = span(at, length) else { return nil }
        end = after
        return Part(kind: nil, start: at, end: after)
      default: at += 1
      }
    }
  }

  /// The mark that an opener opens.
  private mutating func mark(_ kind: MarkKind, _ start: Int) -> Part? {
    let known = zones.count
    guard let mark = end(of: kind, start) else {
      zones.removeLast(zones.count - known)
      return nil
    }
    end = mark.end
    return mark
  }

  private mutating func end(of kind: MarkKind, _ start: Int) -> Part? {
    var at = start + 3
    // A tilde or a brace there makes something else of the opener.
    guard !bytes.isEscaped(start), at < bytes.count, bytes[at] != Ascii.tilde,
      bytes[at] != Ascii.close
    else { return nil }
    var arrow = -1
    while true {
      at = bytes.special(from: at)
      guard at < bytes.count else { return nil }
      switch bytes[at] {
      case Ascii.open:
        if bytes.opener(at: at) != nil { return nil }
        at += 1
      case Ascii.close:
        at += 1
        guard let closed = bytes.closer(at: at - 3) else { continue }
        guard closed == kind, at >= start + 6, kind != .substitution || arrow >= 0
        else { return nil }
        return Part(kind: kind, start: start, end: at, arrow: arrow)
      case Ascii.tilde:
        let length = bytes.run(at: at)
        if length > 2 { return nil }
        at += length
        if kind == .substitution, arrow < 0, at < bytes.count, bytes[at] == Ascii.greater {
          arrow = at - 1
        }
      case Ascii.backtick:
        let length = bytes.run(at: at)
        guard length < 3, let after = span(at, length) else { return nil }
        at = after
      default: at += 1
      }
    }
  }

  /// The end of a code span that the next run of backticks closes.
  private mutating func span(_ start: Int, _ length: Int) -> Int? {
    guard !bytes.isEscaped(start) else { return nil }
    var at = start + length
    while true {
      at = bytes.special(from: at)
      guard at < bytes.count, !bytes.isDelimiter(at) else { return nil }
      if bytes[at] == Ascii.backtick { break }
      let isTilde = bytes[at] == Ascii.tilde
      let run = isTilde ? bytes.run(at: at) : 1
      // A fence would be more than the span.
      if run > 2 { return nil }
      at += run
    }
    let after = at + bytes.run(at: at)
    guard after - at == length, !bytes.hasBlankLine(start..<at) else { return nil }
    zones.append(CodeZone(range: start..<after, isFenced: false))
    return after
  }

  /// The block that a fence at the very beginning of a line opens, and one like it closes.
  private mutating func block(_ start: Int, _ length: Int) -> Part? {
    guard start == 0 || bytes.isLineEnd(start - 1) else { return nil }
    let line = bytes.lineEnd(after: start + length)
    guard bytes[start] == Ascii.tilde || !bytes[start + length..<line].contains(Ascii.backtick)
    else { return nil }
    var at = start + length
    while at < start + Skim.longestBlock {
      at = bytes.special(from: at)
      guard at < bytes.count, !bytes.isDelimiter(at) else { return nil }
      guard bytes[at] == bytes[start] else {
        at += 1
        continue
      }
      let run = bytes.run(at: at)
      if run >= length {
        guard at >= line, bytes.isLineEnd(at - 1), let after = bytes.lineEndBehindBlanks(at + run)
        else { return nil }
        zones.append(CodeZone(range: start..<after, isFenced: true))
        end = after
        return Part(kind: nil, start: start, end: after)
      }
      at += run
    }
    return nil
  }
}

extension Skim.Part {
  /// The mark, if it is one.
  var mark: Mark? {
    kind.map { Mark(kind: $0, start: start, end: end, arrow: arrow, depth: 0, inner: 0) }
  }
}

extension Reading {
  /// The reading of a text in which all is plain; nil for any other.
  ///
  /// Linear; several times as fast as a ``Reader``.
  init?(skimming bytes: Bytes) {
    var skim = Skim(bytes)
    while let part = skim.next() {
      if let mark = part.mark { marks.append(mark) }
    }
    guard skim.isOver else { return nil }
    zones = skim.zones
  }
}

extension Bytes {
  /// Whether a delimiter begins with an opening brace or a tilde, or ends with a closing brace, at an
  /// offset.
  fileprivate func isDelimiter(_ offset: Int) -> Bool {
    opener(at: offset) != nil || closer(at: offset - 2) != nil || arrow(at: offset)
  }

  /// The end of the line from `offset` on, if nothing but blanks stands there.
  fileprivate func lineEndBehindBlanks(_ offset: Int) -> Int? {
    let end = blankEnd(from: offset)
    return isLineEnd(end) ? end : nil
  }
}
