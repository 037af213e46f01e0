/// Something that looks like a mark but is not one.
public struct Malformed: Equatable, Sendable {
  /// What is wrong with it.
  public enum Kind: String, CaseIterable, Sendable {
    /// An opener that nothing closes.
    case unclosed = "unclosed-mark"
    /// A closer that closes nothing.
    case stray = "stray-closer"
    /// A substitution without `~>`.
    case undivided = "undivided-substitution"
    /// A substitution with another arrow in place of `~>`.
    case misspelled = "misspelled-arrow"
    /// A mark that begins in another and would end after it.
    case overlapping = "overlapping-marks"
    /// A dash that only looks like the hyphen of a delimiter.
    case lookalike = "lookalike-dash"
  }

  /// What is wrong.
  public var kind: Kind
  /// The range, in UTF-8 offsets.
  public var range: Range<Int>
  /// What is wrong and how to correct it, in one sentence.
  public var sentence: String
}

extension Reading {
  /// Everything in `bytes`, the text that was read, that looks like a mark but is not one.
  ///
  /// Linear.
  public func malformed(in bytes: [UInt8]) -> [Malformed] {
    bytes.withUnsafeBufferPointer { bytes in
      let loose = looseDelimiters(in: bytes)
      return malformed(loose, in: bytes) + lookalikes(beside: loose, in: bytes)
    }
  }

  private func malformed(_ loose: [Delimiter], in bytes: Bytes) -> [Malformed] {
    var found: [Malformed] = []
    var used: Set<Int> = []
    lazy var groups = groupOpeners(in: bytes)
    /// Where the paragraph of the opener looked at last ends.
    var paragraphEnd = 0
    for (index, delimiter) in loose.enumerated() where !used.contains(index) {
      guard delimiter.role == .opener else {
        found.append(
          groups[delimiter.end].map(Malformed.init(group:)) ?? Malformed(stray: delimiter)
        )
        continue
      }
      if delimiter.offset >= paragraphEnd {
        paragraphEnd = bytes.blankLine(after: delimiter.offset) ?? bytes.count
      }
      let next = loose[(index + 1)...].firstIndex { $0.mark == delimiter.mark }
      guard let next, loose[next].role == .closer else {
        found.append(Malformed(unclosed: delimiter))
        continue
      }
      let whole = delimiter.offset..<loose[next].end
      if delimiter.mark == .substitution {
        used.insert(next)
        let arrows = arrowLookalikes(in: delimiter.end..<loose[next].offset, bytes)
        found.append(
          arrows.count == 1 ? Malformed(misspelled: whole, arrows[0], bytes) : .undivided(whole)
        )
      } else if loose[next].offset < paragraphEnd {
        used.insert(next)
        found.append(Malformed(overlapping: delimiter))
      } else {
        // A closer pages away is hardly meant for it.
        found.append(Malformed(unclosed: delimiter))
      }
    }
    return found
  }

  /// The openers right behind a command that are text, as they begin a group of LaTeX, by the end of the first closer of
  /// their kind behind them.
  private func groupOpeners(in bytes: Bytes) -> [Int: Delimiter] {
    var found: [Int: Delimiter] = [:]
    var plain = PlainStretches(of: self)
    var at = bytes.special(from: 0)
    while at < bytes.count {
      if bytes[at] == Ascii.open, bytes.isCommand(before: at),
        let opener = bytes.openerDelimiter(at: at), !opener.beforeBrace,
        !bytes.isText(openerAt: at), plain.holds(at)
      {
        let group = bytes.group(opener)
        if group.isText { found[group.reach] = opener }
      }
      at = bytes.special(from: at + 1)
    }
    return found
  }

  /// Delimiters outside code and comments that are not part of a mark, nor the end of a group of LaTeX; `{++}` is an
  /// opener and a brace.
  func looseDelimiters(in bytes: Bytes) -> [Delimiter] {
    let all = bytes.delimiters
    var taken = marks.flatMap { mark in
      mark.kind == .comment ? [mark.range] : [mark.opener, mark.closer]
    }
    taken += zones.map(\.range)
    taken.sort { $0.lowerBound < $1.lowerBound }
    var reach = 0
    var next = 0
    var end = 0
    return all.filter { delimiter in
      guard delimiter.role != .arrow else { return false }
      while next < taken.count, taken[next].lowerBound < delimiter.end {
        reach = max(reach, taken[next].upperBound)
        next += 1
      }
      guard max(reach, end) <= delimiter.offset else { return false }
      end = delimiter.end
      return delimiter.role == .opener || !bytes.endsGroup(delimiter)
    }
  }

  /// The arrows outside code that may be meant as `~>`: `->`, `=>` and `→`, also with another dash.
  func arrowLookalikes(in range: Range<Int>, _ bytes: Bytes) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = range.lowerBound
    var zone = zones.partitioningIndex { $0.range.upperBound > at }
    while at < range.upperBound {
      if zone < zones.count, zones[zone].range.lowerBound <= at {
        at = zones[zone].range.upperBound
        zone += 1
        continue
      }
      if let length = bytes.arrowLookalike(at: at), at + length <= range.upperBound {
        found.append(at..<at + length)
        at += length
      } else {
        at += 1
      }
    }
    return found
  }
}

extension Malformed {
  fileprivate init(stray closer: Delimiter) {
    self.init(
      kind: .stray,
      range: closer.range,
      sentence: "“\(closer.mark.closerText)” closes nothing. Open the \(closer.mark) with"
        + " “\(closer.mark.openerText)”, or put it in code."
    )
  }

  fileprivate init(unclosed opener: Delimiter) {
    self.init(
      kind: .unclosed,
      range: opener.range,
      sentence: "This \(opener.mark) is never closed. Close it with “\(opener.mark.closerText)”, or"
        + " write “\\\(opener.mark.openerText)” for the characters themselves."
    )
  }

  fileprivate init(group opener: Delimiter) {
    self.init(
      kind: .unclosed,
      range: opener.range,
      sentence: "This \(opener.mark) is text, a group of LaTeX, for its brace closes before"
        + " “\(opener.mark.closerText)”. Divide it at that brace, or put a space before"
        + " “\(opener.mark.openerText)”."
    )
  }

  fileprivate init(overlapping opener: Delimiter) {
    self.init(
      kind: .overlapping,
      range: opener.range,
      sentence: "This \(opener.mark) begins in another mark and ends outside it. Close it with"
        + " “\(opener.mark.closerText)” before the other one ends."
    )
  }

  fileprivate init(misspelled whole: Range<Int>, _ arrow: Range<Int>, _ bytes: Bytes) {
    self.init(
      kind: .misspelled,
      range: whole,
      sentence: "A substitution needs “~>” between the old and the new text, not"
        + " “\(String(decoding: bytes[arrow], as: UTF8.self))”."
    )
  }

  fileprivate static func undivided(_ whole: Range<Int>) -> Malformed {
    Malformed(
      kind: .undivided,
      range: whole,
      sentence: "A substitution needs “~>” between the old and the new text."
    )
  }
}

extension MarkKind {
  fileprivate var openerText: String { String(decoding: opener, as: UTF8.self) }
  fileprivate var closerText: String { String(decoding: closer, as: UTF8.self) }
}

extension Bytes {
  /// The length of `->`, `=>`, `→` or a dash with `>` at an offset; nil if there is none.
  fileprivate func arrowLookalike(at offset: Int) -> Int? {
    let dash = isDash(offset) ? 3 : 1
    if self[offset] == Ascii.minus || self[offset] == Ascii.equals || dash == 3 {
      return offset + dash < count && self[offset + dash] == Ascii.greater ? dash + 1 : nil
    }
    return self[offset...].starts(with: "→".utf8) ? 3 : nil
  }
}
