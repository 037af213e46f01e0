extension Printing {
  /// Finds a strategy for every dirty range, or for as many as possible.
  ///
  /// - Parameter most: How many strategies are tried for the dirty ranges alone; a quarter as many are then
  ///   tried for wider ranges around them, which take longer. This bounds the work on texts in which little can
  ///   be printed.
  mutating func search(trying most: Int) {
    var special = 0
    let most = min(most, max(16, Printing.maxBytes / max(1, texts.buffer.count)))
    // Enough to find those that cannot be printed plainly.
    triesLeft = most + 2 * dirty.count
    printTypedCode()
    let code = printed
    let plain = dirty.filter { !isPrinted($0) && !isMet($0) }
    if isLong {
      compareSome(of: plain[...], Strategy.allCases)
      compareRest(Strategy.allCases) { $0.stretch(.word, around: $1) }
      return compareRest(Strategy.allCases) { $0.stretch(.line, around: $1) }
    }
    if plain.isEmpty || printSome(of: plain[...], &special) { return }
    let known = printed
    printed = code
    if plain.count > 1, write(plain, with: Strategy.allCases) != nil { return }
    printed = known
    // Ranges that cannot be printed must not use up the tries for those that can in a wider range.
    triesLeft = most / 4
    for range in dirty where triesLeft > 0 && !isPrinted(range) {
      // Text around a change can prevent printing: as little of it as suffices is replaced together with the
      // change.
      for stretch in surroundings(of: range) where replace(stretch, with: range) { break }
    }
  }

  /// Prints dirty ranges as plainly as possible, halving the list where it cannot be printed together, so that
  /// ranges that need another strategy add little cost for the others.
  ///
  /// - Parameters:
  ///   - ranges: The dirty ranges.
  ///   - special: How many that cannot be printed plainly were found. If there are many, the others are printed
  ///     together with any strategy, since each separate one is read back with all the text around.
  /// - Returns: Whether all of them were printed.
  private mutating func printSome(of ranges: ArraySlice<DirtyRange>, _ special: inout Int) -> Bool {
    let takesAny = ranges.count == 1 || special > Printing.maxSpecial
    let strategy = write(Array(ranges), with: takesAny ? Strategy.allCases : [.plain])
    if takesAny, strategy != .plain { special += 1 }
    if strategy != nil { return true }
    guard ranges.count > 1 else { return false }
    let middle = ranges.startIndex + ranges.count / 2
    let isFirstHalf = printSome(of: ranges[..<middle], &special)
    return printSome(of: ranges[middle...], &special) && isFirstHalf
  }

  /// Prints code that was typed around words as one replacement of them, which other code cannot interfere
  /// with.
  private mutating func printTypedCode() {
    let typed = unmarked.hunks.pending.withCodeSigns(in: unmarked.buffer, texts.language)
    guard !typed.isEmpty else { return }
    let codes = seenCode.typed(
      typed.map(\.new),
      in: texts.buffer,
      isHalf: false,
      since: CodeBefore(of: settled, OffsetMap(unmarked.hunks))
    ).filter { !$0.isFenced }
    var wide: [DirtyRange] = []
    for range in dirty {
      let first = codes.partitioningIndex { $0.range.upperBound > range.new.lowerBound }
      let met = codes[first...].prefix { $0.range.lowerBound < range.new.upperBound }
      guard let first = met.first, let last = met.last, let end = last.closing else { continue }
      let code = first.opening.lowerBound..<end.upperBound
      let stretch = toSettled.map(code, start: .before, end: .after)
      guard !settled.text(.original, in: settled.whole(stretch)).isEmpty,
        wide.last.map({ $0.changes.upperBound <= range.changes.lowerBound }) ?? true,
        let made = substitution(of: stretch, around: range),
        wide.last.map({ $0.old.upperBound < made.old.lowerBound }) ?? true
      else { continue }
      wide.append(made)
    }
    if wide.isEmpty || write(wide, with: [.plain]) != nil { return }
    for range in wide { _ = replace(range.old, with: range) }
  }

  /// How many bytes are read back to try strategies, unless a text is so long that these are too few.
  private static let maxBytes = 1 << 24

  /// How many dirty ranges are printed with a strategy of their own.
  private static let maxSpecial = 8

  /// Whether a dirty range is printed, possibly as part of a wider one.
  ///
  /// Logarithmic.
  func isPrinted(_ range: DirtyRange) -> Bool {
    printed.first(overlapping: range.changes, \.range.changes) != nil
  }

  /// Whether a printed range overlaps a dirty range.
  private func isMet(_ range: DirtyRange) -> Bool {
    printed.first(overlapping: range.old, \.range.old) != nil
  }

  /// Stretches to replace as a whole with a dirty range: the code that its text forms with the text around it;
  /// then the word, the line, all changes of the paragraph with the text between them, and the paragraph, without
  /// marks that no change touches.
  private mutating func surroundings(of range: DirtyRange) -> [Range<Int>] {
    let code = seenCode.zones.filter {
      $0.range.overlaps(range.new)
        || $0.range.holds(range.new) && $0.closing != nil && !$0.isFenced
    }
    let paragraph = stretch(.paragraph, around: range)
    let near = dirty.filter { paragraph.overlaps($0.old) }
    var stretches = [stretch(.word, around: range), stretch(.line, around: range), paragraph]
    if let first = near.first, let last = near.last {
      stretches.append(first.old.lowerBound..<last.old.upperBound)
    }
    return code.map { toSettled.map($0.range, start: .before, end: .after) }
      + stretches.sorted { $0.count < $1.count }
  }

  /// Finds a strategy for dirty ranges in addition to those printed; changes nothing if there is none.
  mutating func write(_ ranges: [DirtyRange], with strategies: [Strategy]) -> Strategy? {
    let known = printed
    var tried: Set<[[UInt8]]> = []
    for strategy in strategies where triesLeft > 0 {
      let made = ranges.reduce(into: [Printed]()) { made, range in
        made.append(Printed(range, in: texts, strategy, after: made.last))
      }
      triesLeft -= 1
      guard tried.insert(made.map(\.bytes)).inserted else { continue }
      printed = (known + made).sorted { $0.range.old.lowerBound < $1.range.old.lowerBound }
      if readsAsMeant() {
        unreplaceable = []
        return strategy
      }
    }
    printed = known
    return nil
  }

  /// Prints a stretch around a dirty range, with all changes in it but without front matter, as one
  /// substitution.
  private mutating func replace(_ stretch: Range<Int>, with range: DirtyRange) -> Bool {
    let start = unmarked.textStart
    let text = max(start, stretch.lowerBound)..<max(start, stretch.upperBound)
    guard triesLeft > 0, let wide = substitution(of: text, around: range),
      unreplaceable.insert(wide.old).inserted
    else { return false }
    let known = printed
    printed.removeAll {
      $0.range.old.overlaps(wide.old) || $0.range.changes.overlaps(wide.changes)
    }
    if write([wide], with: Strategy.allCases) != nil { return true }
    printed = known
    return false
  }

  func substitution(of stretch: Range<Int>, around range: DirtyRange) -> DirtyRange? {
    var wide = range
    while true {
      var old = settled.whole(wide.old.joined(with: stretch))
      old = ranges.withRoom(old, after: wide.changes.lowerBound)
      for index in ranges.pending.touching(old) {
        wide.changes = wide.changes.joined(with: index..<index + 1)
        old = old.joined(with: ranges.reach(of: index))
      }
      if old == wide.old { break }
      wide.old = old
    }
    // A range left out because it is still being typed must not be included.
    guard wide.changes.allSatisfy(isDirty) else { return nil }
    wide = ranges.widened(wide, to: wide.old)
    wide.content = wide.content.asSubstitution(signed: texts.signature)
    return ranges.normalized(wide)
  }

  /// Whether a change lies in one of the dirty ranges; logarithmic.
  private func isDirty(_ change: Int) -> Bool {
    dirty.first(overlapping: change..<change + 1, \.changes) != nil
  }
}
