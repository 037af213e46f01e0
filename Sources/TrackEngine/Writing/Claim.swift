/// What a text must be after edits of its marks.
struct Claim {
  /// The text with every change accepted.
  let clean: [UInt8]
  /// The text with every change rejected.
  let original: [UInt8]
  /// Whether they are without the footnotes of other tools that are no text.
  var areExported = false

  /// Whether a text is what is claimed; linear.
  func isKept(by bytes: [UInt8], as language: Language) -> Bool {
    isKept(by: bytes, Reading(of: bytes, as: language))
  }

  /// Whether a text that was read is what is claimed; linear.
  func isKept(by bytes: [UInt8], _ reading: Reading) -> Bool {
    [(Variant.clean, clean), (.original, original)].allSatisfy { variant, text in
      let ranges =
        areExported
        ? reading.exportedRanges(variant, of: bytes) : reading.ranges(variant, of: bytes)
      return bytes.isText(text, in: ranges)
    }
  }
}

extension Reading {
  /// The claim of edits that leave both texts as they are when they are exported, but for some ranges; linear.
  func claim(of bytes: [UInt8], without gone: [Range<Int>] = []) -> Claim {
    func text(_ variant: Variant) -> [UInt8] {
      exportedRanges(variant, of: bytes).without(gone).flatMap { bytes[$0] }
    }
    return Claim(clean: text(.clean), original: text(.original), areExported: true)
  }

  /// The claim of edits that resolve some marks and change nothing else; linear.
  ///
  /// - Parameters:
  ///   - bytes: The text that was read.
  ///   - decided: Sorted, disjoint marks that both texts show, and the variant that is kept of each with all that is
  ///     in it.
  ///   - footnotes: Those of other tools that are removed with the marks.
  /// - Returns: The claims of the texts, and of what is exported of them.
  func claims(
    of bytes: [UInt8],
    deciding decided: [(mark: Mark, variant: Variant)],
    without footnotes: [Range<Int>]
  ) -> [Claim] {
    let gone = decided.map(\.mark.range)
    let kept = decided.flatMap { ranges($0.variant, in: $0.mark.range, from: index(of: $0.mark)) }
    func text(_ variant: Variant, without hidden: [Range<Int>]) -> [UInt8] {
      let others = ranges(variant, of: bytes).without(gone)
      let all = (others + kept).sorted { $0.lowerBound < $1.lowerBound }.without(footnotes)
      return all.without(hidden).reduce(into: []) { $0 += bytes[$1] }
    }
    let hidden = bytes.withUnsafeBufferPointer { self.footnotes(in: $0).map(\.range) }
    return [([], false), (hidden, true)].map { hidden, areExported in
      Claim(
        clean: text(.clean, without: hidden),
        original: text(.original, without: hidden),
        areExported: areExported
      )
    }
  }
}

extension [UInt8] {
  /// Whether some ranges of the text are together another text; the same as joining and comparing them, in less time.
  fileprivate func isText(_ other: [UInt8], in ranges: [Range<Int>]) -> Bool {
    withUnsafeBufferPointer { bytes in
      other.withUnsafeBufferPointer { other in
        var rest = Bytes(rebasing: other[...])
        for range in ranges {
          guard range.count <= rest.count,
            Bytes(rebasing: bytes[range]).isEqual(to: Bytes(rebasing: rest[..<range.count]))
          else { return false }
          rest = Bytes(rebasing: rest[range.count...])
        }
        return rest.isEmpty
      }
    }
  }
}
