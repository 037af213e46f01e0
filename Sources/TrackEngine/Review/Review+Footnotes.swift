extension Review {
  /// The edits of the marked text, and the removal of other tools' footnotes to which no mark refers
  /// afterwards.
  ///
  /// Linear in the text if there are such footnotes, otherwise in the marks of the stretch.
  ///
  /// - Parameter edits: Edits of the marked text, all within the stretch.
  /// - Returns: Sorted, disjoint edits that do not touch.
  func droppingFootnotes(_ edits: [Edit]) -> [Edit] {
    let known = settled.reading.references(in: settled.bytes)
    guard !known.isEmpty else { return edits }
    return marked.reading().droppingFootnotes(edits, of: marked.text.bytes)
  }
}

extension Reading {
  /// The names of the footnotes to which marks refer.
  func references(in bytes: [UInt8]) -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    for mark in marks where !mark.tail.isEmpty {
      for id in bytes[mark.tail].references { found.insert(Array(bytes[id])) }
    }
    return found
  }
}

extension Reading {
  /// Edits of a text that was read, and the removal of other tools' footnotes to which marks refer, and nothing
  /// afterwards.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - edits: Sorted, disjoint edits.
  ///   - bytes: The text that was read.
  /// - Returns: Sorted, disjoint edits, joined if they touch where a footnote is removed.
  func droppingFootnotes(_ edits: [Edit], of bytes: [UInt8]) -> [Edit] {
    let known = references(in: bytes)
    guard !known.isEmpty else { return edits }
    let left = bytes.applying(edits).withUnsafeBufferPointer(\.spelledReferences)
    var plain = PlainStretches(of: self)
    let footnotes = bytes.withUnsafeBufferPointer { bytes in
      bytes.footnotes.filter { footnote in
        let id = bytes[footnote.id]
        return known.contains(Array(id)) && left[id] == 0 && plain.holds(footnote.range.lowerBound)
      }
    }
    guard !footnotes.isEmpty else { return edits }
    var ranges: [Range<Int>] = []
    for footnote in footnotes { ranges.add(footnote.range) }
    let others = edits.filter { edit in
      let next = ranges.partitioningIndex { $0.upperBound >= edit.range.upperBound }
      return next == ranges.count || !ranges[next].holds(edit.range)
    }
    let all = (others + ranges.map { Edit($0, []) })
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    return all.reduce(into: [] as [Edit]) { joined, edit in
      if let last = joined.last, last.range.upperBound >= edit.range.lowerBound {
        joined[joined.count - 1] = Edit(last.range.joined(with: edit.range), last.new + edit.new)
      } else {
        joined.append(edit)
      }
    }
  }
}
