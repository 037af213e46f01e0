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

  /// The runs that are left of it where the text is cut at some places.
  func cut(where isCut: (Int) -> Bool) -> [CodeRun] {
    let ends = range.dropFirst().filter(isCut)
    return zip([range.lowerBound] + ends, ends + [range.upperBound]).compactMap { start, end in
      isTildes && end - start < 3 ? nil : CodeRun(range: start..<end, isTildes: isTildes)
    }
  }
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
    var at = bytes.special(from: 0)
    while at < bytes.count {
      switch bytes[at] {
      case Ascii.open:
        lookForOpener(at: at, bytes)
        at += 1
      case Ascii.close:
        if at - 2 >= blocked, let mark = bytes.closer(at: at - 2) {
          delimiters.append(Delimiter(offset: at - 2, role: .closer, mark: mark))
        }
        at += 1
      case Ascii.tilde, Ascii.backtick:
        let run = at..<at + bytes.run(at: at)
        lookAtRun(run, bytes)
        at = run.upperBound
      default: at += 1
      }
      at = bytes.special(from: at)
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

  private mutating func lookAtRun(_ run: Range<Int>, _ bytes: Bytes) {
    let isTildes = bytes[run.lowerBound] == Ascii.tilde
    if isTildes {
      let last = run.upperBound - 1
      if last >= blocked, bytes.arrow(at: last) {
        delimiters.append(Delimiter(offset: last, role: .arrow, mark: .substitution))
      }
      if run.count < 3 { return }
    }
    runs.append(CodeRun(range: run, isTildes: isTildes))
  }
}
