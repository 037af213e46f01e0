/// A stretch of a text cut into passages.
///
/// Passages begin where lines do: after a blank line, in a fenced block, or anywhere in a paragraph
/// that has no backtick yet.
struct Cutting {
  private(set) var passages: [Passage] = []
  /// How the whole stretch can affect the text around it.
  private(set) var summary = Passage.Summary()
  /// The fence of the block that continues after the stretch.
  private(set) var unclosed: Fence?
  /// Whether another passage can begin after the stretch, whatever that holds.
  private(set) var canEndHere = false
  /// The marks and the code of the stretch.
  let reading: Reading

  /// In bytes: long enough that there are few passages, short enough to read one on every key.
  static let usualGrain = 1024

  /// Cuts a stretch.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - bytes: The stretch, which begins where a passage can begin.
  ///   - language: The language of the text.
  ///   - fence: The fence of the block that is open where it begins.
  ///   - before: What is known of the text before it.
  ///   - later: What is known of the text after it.
  ///   - grain: The minimum length of a passage.
  init(
    _ bytes: Bytes,
    _ language: Language,
    in fence: Fence?,
    before: Passage.Effect = Passage.Effect(),
    later: @autoclosure () -> Passage.Effect = Passage.Effect(),
    grain: Int = Cutting.usualGrain
  ) {
    let parser = Parser(bytes, language, in: fence)
    unclosed = parser.unclosed
    reading = parser.reading
    let effects = Effects(parser)
    let isFree = before.loose.isEmpty && effects.areFree
    let after = isFree ? [] : effects.sums(before: later())
    var places = PassagePlaces(parser, bytes, in: fence)
    var known = before
    var next = 0
    var start = 0
    var from = fence
    while start < bytes.count {
      var made = Passage.Summary()
      var end = start + grain
      while true {
        end = places.next(after: end, from: start) ?? bytes.count
        effects.add(to: &made.effect, from: &next, before: end)
        if isFree || end == bytes.count { break }
        var all = known
        all.append(made.effect)
        if all.reaches(into: after[next]).isEmpty { break }
      }
      passages.append(
        Passage(
          length: end - start,
          fence: from,
          hasRuns: places.hasRuns(start..<end),
          summary: made
        )
      )
      known.append(made.effect)
      canEndHere = places.isPlace(end, from: start)
      start = end
      from = places.fence
    }
    passages.describe(reading, in: bytes, groups: parser.groups)
    for passage in passages { summary.append(passage.summary) }
  }
}

/// How the delimiters of a stretch can affect the text around it.
private struct Effects {
  private var offsets: [Int] = []
  private var effects: [Passage.Effect] = []
  /// Whether none of them can be affected by later text.
  private(set) var areFree = true

  init(_ parser: Parser) {
    areFree = parser.loose.isEmpty && parser.references.isEmpty && parser.ownFootnotes.isEmpty
    var loose = parser.loose[...]
    var strays = parser.strays[...]
    while let next = [loose.first, strays.first].compactMap(\.self).map(\.offset).min() {
      var effect = Passage.Effect()
      if loose.first?.offset == next { effect.loose.insert(MarkKinds(loose.removeFirst().kind)) }
      if strays.first?.offset == next { effect.strays.insert(MarkKinds(strays.removeFirst().kind)) }
      offsets.append(next)
      effects.append(effect)
    }
    addFootnotes(of: parser)
  }

  private mutating func addFootnotes(of parser: Parser) {
    guard !parser.references.isEmpty || !parser.ownFootnotes.isEmpty else { return }
    var all = Array(zip(offsets, effects))
    for reference in parser.references {
      all.append((reference, Passage.Effect(loose: .footnoteBelow, strays: .footnoteAbove)))
    }
    for definition in parser.ownFootnotes {
      all.append((definition, Passage.Effect(loose: .footnoteAbove, strays: .footnoteBelow)))
    }
    all.sort { $0.0 < $1.0 }
    offsets = all.map(\.0)
    effects = all.map(\.1)
  }

  /// Adds those from the one at an index on that stand before an offset.
  func add(to sum: inout Passage.Effect, from index: inout Int, before end: Int) {
    while index < offsets.count, offsets[index] < end {
      sum.append(effects[index])
      index += 1
    }
  }

  /// The effect of each of them with those after it, and of `later`.
  func sums(before later: Passage.Effect) -> [Passage.Effect] {
    var sums = Array(repeating: later, count: effects.count + 1)
    for index in effects.indices.reversed() {
      sums[index] = effects[index]
      sums[index].append(sums[index + 1])
    }
    return sums
  }
}

extension [Passage] {
  /// Counts the changes of each passage, and says which are delicate; `reading` is that of all of them.
  fileprivate mutating func describe(_ reading: Reading, in bytes: Bytes, groups: [Range<Int>]) {
    let unfinished =
      bytes.unfinishedAttributes + bytes.unfinishedReferences + groups.map(\.lowerBound)
    guard !reading.marks.isEmpty || !unfinished.isEmpty else { return }
    var end = 0
    let ends = map { passage in
      end += passage.length
      return end
    }
    for (index, counts) in reading.counts(before: ends, in: bytes).enumerated() {
      self[index].summary.counts = counts
    }
    var index = 0
    for mark in reading.marks where mark.isDelicate(in: bytes) {
      while ends[index] <= mark.start { index += 1 }
      self[index].isDelicate = true
    }
    for offset in unfinished {
      self[ends.partitioningIndex { $0 > offset }].isDelicate = true
    }
  }
}
