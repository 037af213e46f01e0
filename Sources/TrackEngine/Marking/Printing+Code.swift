extension Printing {
  /// The code that was typed around words, or with its beginning or end in them.
  mutating func typedCode() -> [SeenCode.Zone] {
    let typed = unmarked.hunks.pending.withCodeSigns(in: unmarked.buffer, texts.language)
    guard !typed.isEmpty else { return [] }
    return seenCode.typed(
      typed.map(\.new),
      in: texts.buffer,
      isHalf: false,
      since: CodeBefore(of: settled, OffsetMap(unmarked.hunks))
    ).filter { !$0.isFenced }
  }

  /// The ranges that are not printed yet and meet code with original text in it, each with all of that code: as one
  /// substitution, which other code cannot interfere with.
  func widened(over codes: [SeenCode.Zone]) -> [DirtyRange] {
    guard !codes.isEmpty else { return [] }
    let toSettled = OffsetMap(unmarked.hunks).inverted
    return widened { range in
      let first = codes.partitioningIndex { $0.range.upperBound >= range.new.lowerBound }
      let met = codes[first...].prefix { $0.range.lowerBound <= range.new.upperBound }.filter {
        $0.range.overlaps(range.new)
          || $0.range.holds(range.new) && $0.closing != nil && !$0.isFenced
      }
      guard let first = met.first, let last = met.last else { return nil }
      let code = first.range.joined(with: last.range)
      let stretch = toSettled.map(code, start: .before, end: .after)
      return settled.text(.original, in: settled.whole(stretch)).isEmpty ? nil : stretch
    }
  }
}
