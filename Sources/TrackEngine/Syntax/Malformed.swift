/// Something that looks like a mark but is not one.
public struct Malformed: Equatable, Sendable {
  /// What is wrong with it.
  public enum Kind: String, Sendable {
    /// An opener that nothing closes.
    case unclosed = "unclosed-mark"
    /// A closer that closes nothing.
    case stray = "stray-closer"
    /// A substitution without `~>`.
    case undivided = "undivided-substitution"
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
    let loose = looseDelimiters(in: bytes)
    var found: [Malformed] = []
    var used: Set<Int> = []
    for (index, delimiter) in loose.enumerated() where !used.contains(index) {
      let range = delimiter.offset..<delimiter.offset + 3
      let opener = String(decoding: delimiter.mark.opener, as: UTF8.self)
      let closer = String(decoding: delimiter.mark.closer, as: UTF8.self)
      guard delimiter.role == .opener else {
        found.append(
          Malformed(
            kind: .stray,
            range: range,
            sentence: "“\(closer)” closes nothing. Open the \(delimiter.mark) with “\(opener)”, or"
              + " put it in code."
          )
        )
        continue
      }
      let next = loose[(index + 1)...].firstIndex { $0.mark == delimiter.mark }
      if let next, loose[next].role == .closer {
        used.insert(next)
        let whole = delimiter.offset..<loose[next].offset + 3
        let isUndivided = delimiter.mark == .substitution
        found.append(
          Malformed(
            kind: isUndivided ? .undivided : .overlapping,
            range: isUndivided ? whole : range,
            sentence: isUndivided
              ? "A substitution needs “~>” between the old and the new text."
              : "This \(delimiter.mark) begins in another mark and ends outside it. Close it with"
                + " “\(closer)” before the other one ends."
          )
        )
      } else {
        found.append(
          Malformed(
            kind: .unclosed,
            range: range,
            sentence: "This \(delimiter.mark) is never closed. Close it with “\(closer)”, or write"
              + " “\\\(opener)” for the characters themselves."
          )
        )
      }
    }
    return found + lookalikes(in: bytes)
  }

  /// Delimiters outside code and comments that are not part of a mark; `{++}` is an opener and a brace.
  private func looseDelimiters(in bytes: [UInt8]) -> [Delimiter] {
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
      while next < taken.count, taken[next].lowerBound < delimiter.offset + 3 {
        reach = max(reach, taken[next].upperBound)
        next += 1
      }
      guard max(reach, end) <= delimiter.offset else { return false }
      end = delimiter.end
      return true
    }
  }

  /// `{‐‐` and `‐‐}` with one of the dashes U+2010 to U+2015.
  private func lookalikes(in bytes: [UInt8]) -> [Malformed] {
    func isDash(_ offset: Int) -> Bool {
      offset >= 0 && offset + 3 <= bytes.count && bytes[offset] == 0xE2
        && bytes[offset + 1] == 0x80 && (0x90...0x95).contains(bytes[offset + 2])
    }
    var found: [Malformed] = []
    for offset in bytes.indices where bytes[offset].isBrace {
      let isOpener = bytes[offset] == Ascii.open
      let dashes = isOpener ? offset + 1 : offset - 6
      guard isDash(dashes), isDash(dashes + 3),
        !zones.contains(where: { $0.range.contains(offset) })
      else { continue }
      found.append(
        Malformed(
          kind: .lookalike,
          range: isOpener ? offset..<dashes + 6 : dashes..<offset + 1,
          sentence: "These dashes only look like hyphens. Write “\(isOpener ? "{--" : "--}")” for a"
            + " deletion."
        )
      )
    }
    return found
  }
}
