extension Reading {
  /// The names of the footnotes to which marks refer.
  func references(in bytes: [UInt8]) -> Set<[UInt8]> {
    bytes.withUnsafeBufferPointer { bytes in
      Set(marks.flatMap { $0.references(in: bytes) }.map { Array(bytes[$0]) })
    }
  }

  /// Whether the text may have footnotes of other tools, or marks that refer to any; linear.
  func mayHaveFootnotes(in bytes: [UInt8]) -> Bool {
    !references(in: bytes).isEmpty || bytes.withUnsafeBufferPointer { !$0.definitions.isEmpty }
  }

  /// The footnotes of other tools to which marks refer, and nothing after a removal.
  ///
  /// Linear. Marks in them go with them, as those in a thread do: kept, they would be text.
  ///
  /// - Parameters:
  ///   - gone: Sorted, disjoint ranges that are removed.
  ///   - bytes: The text that was read.
  /// - Returns: Sorted, disjoint ranges.
  func footnotes(left gone: [Range<Int>], in bytes: [UInt8]) -> [Range<Int>] {
    let known = references(in: bytes)
    guard !known.isEmpty else { return [] }
    let left = bytes.applying(gone.map { Edit($0, []) })
      .withUnsafeBufferPointer(\.spelledReferences)
    var plain = PlainStretches(of: self)
    let footnotes = bytes.withUnsafeBufferPointer { bytes in
      bytes.footnotes.filter { footnote in
        let id = bytes[footnote.id]
        return known.contains(Array(id)) && left[id] == 0 && plain.holds(footnote.range.lowerBound)
      }
    }
    return footnotes.reduce(into: []) { $0.add($1.range) }
  }
}
