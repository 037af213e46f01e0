/// A delimiter as it is spelled in the text, before it is known whether it means anything.
struct Delimiter {
  /// What a spelling can be; a mark's kind is ``Delimiter/mark``.
  enum Role: UInt8 {
    case opener
    case closer
    case arrow
  }

  var offset: Int
  var role: Role
  var mark: MarkKind
  /// An opener with a `}` right behind it: inside a mark of its kind it is a brace and a closer.
  var beforeBrace = false
}

/// A run of backticks, or of three and more tildes: what code can begin and end with.
struct CodeRun {
  var range: Range<Int>
  var isTildes: Bool
}

/// Everything in a text that reading it has to look at, by offset.
///
/// Delimiters can overlap (`{++}`): which of them counts is for the matching to say.
struct Spelling {
  private(set) var delimiters: [Delimiter] = []
  private(set) var runs: [CodeRun] = []
  /// What an escaped opener covers is text, and is no closer either.
  private var blocked = 0

  /// Finds what `bytes` spell; a delimiter with a backslash before it is none.
  ///
  /// Linear, sixteen bytes at a time where there is nothing.
  init(_ bytes: Bytes) {
    var at = 0
    if let start = UnsafeRawPointer(bytes.baseAddress) {
      // `{`, `|`, `}` and `~` lie side by side, above every other character of ASCII but one, and what
      // lies above ASCII is negative.
      let below = SIMD16<Int8>(repeating: Int8(Ascii.open) - 1)
      let backtick = SIMD16<Int8>(repeating: Int8(Ascii.backtick))
      while at + 16 <= bytes.count {
        let chunk = start.loadUnaligned(fromByteOffset: at, as: SIMD16<Int8>.self)
        let found = unsafeBitCast(chunk .> below .| chunk .== backtick, to: SIMD2<UInt64>.self)
        if found[0] | found[1] != 0 {
          look(at: at, found[0], bytes)
          look(at: at + 8, found[1], bytes)
        }
        at += 16
      }
    }
    while at < bytes.count {
      look(at: at, bytes)
      at += 1
    }
  }

  /// Looks at those of eight bytes whose bits are set.
  @inline(__always)
  private mutating func look(at offset: Int, _ found: UInt64, _ bytes: Bytes) {
    var left = found
    while left != 0 {
      let index = left.trailingZeroBitCount / 8
      look(at: offset + index, bytes)
      left &= ~(0xFF << (index * 8))
    }
  }

  private mutating func look(at offset: Int, _ bytes: Bytes) {
    switch bytes[offset] {
    case Ascii.open: lookForOpener(at: offset, bytes)
    case Ascii.close:
      if offset - 2 >= blocked, let mark = bytes.closer(at: offset - 2) {
        delimiters.append(Delimiter(offset: offset - 2, role: .closer, mark: mark))
      }
    case Ascii.tilde:
      if offset >= blocked, bytes.arrow(at: offset) {
        delimiters.append(Delimiter(offset: offset, role: .arrow, mark: .substitution))
      }
      addRun(at: offset, bytes, isTildes: true)
    case Ascii.backtick: addRun(at: offset, bytes, isTildes: false)
    default: break
    }
  }

  private mutating func lookForOpener(at offset: Int, _ bytes: Bytes) {
    guard let mark = bytes.opener(at: offset) else { return }
    guard !bytes.isEscaped(offset) else {
      blocked = offset + 3
      return
    }
    let isBeforeBrace = offset + 3 < bytes.count && bytes[offset + 3] == Ascii.close
    delimiters.append(
      Delimiter(offset: offset, role: .opener, mark: mark, beforeBrace: isBeforeBrace)
    )
  }

  private mutating func addRun(at start: Int, _ bytes: Bytes, isTildes: Bool) {
    guard start == 0 || bytes[start - 1] != bytes[start] else { return }
    let length = bytes.run(at: start)
    if isTildes, length < 3 { return }
    runs.append(CodeRun(range: start..<start + length, isTildes: isTildes))
  }
}
