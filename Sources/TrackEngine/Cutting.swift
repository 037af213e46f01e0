/// A stretch of a text cut into passages.
///
/// Passages begin where lines do: behind a blank line, in a fenced block, or anywhere in a paragraph
/// that has no backtick yet.
struct Cutting {
  private(set) var passages: [Passage] = []
  /// What the whole stretch can do to the text around it.
  private(set) var summary = Passage.Summary()
  /// The fence of the block that goes on behind the stretch.
  private(set) var unclosed: Fence?
  /// Whether another passage can begin behind the stretch, whatever that holds.
  private(set) var isWhole = false
  /// The marks and the code of the stretch.
  let reading: Reading

  /// Long enough for there to be few passages, short enough to be read for every key.
  static let usualGrain = 1024

  /// Cuts a stretch.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - bytes: The stretch, which begins where a passage can begin.
  ///   - fence: The fence of the block that is open where it begins.
  ///   - before: What is known of the text before it.
  ///   - later: What is known of the text behind it.
  ///   - grain: How long passages are at least.
  init(
    _ bytes: Bytes,
    in fence: Fence?,
    before: Passage.Effect = Passage.Effect(),
    later: @autoclosure () -> Passage.Effect = Passage.Effect(),
    grain: Int = Cutting.usualGrain
  ) {
    if fence == nil, before.loose.isEmpty {
      let plain = PlainPassages(bytes, isOver: true, grain: grain)
      if plain.length == bytes.count {
        passages = plain.passages
        reading = plain.reading
        isWhole = plain.isEndPlace
        for passage in passages { summary.append(passage.summary) }
        return
      }
    }
    let reader = Reader(bytes, in: fence)
    unclosed = reader.unclosed
    reading = reader.reading
    let effects = Effects(reader)
    let isFree = before.loose.isEmpty && effects.sum.loose.isEmpty
    let behind = isFree ? [] : effects.sums(before: later())
    var places = PassagePlaces(reader, bytes, in: fence)
    var known = before
    var delimiter = 0
    var start = 0
    var from = fence
    while start < bytes.count {
      var made = Passage.Summary()
      var end = start + grain
      func take(before end: Int) {
        while delimiter < effects.count, reader.delimiters[delimiter].offset < end {
          effects.add(delimiter, to: &made)
          delimiter += 1
        }
      }
      while true {
        end = places.next(after: end, from: start) ?? bytes.count
        take(before: end)
        if isFree || end == bytes.count { break }
        var all = known
        all.append(made.effect)
        if all.reaches(into: behind[delimiter]).isEmpty { break }
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
      isWhole = places.isPlace(end, from: start)
      start = end
      from = places.fence
    }
    passages.count(reading)
    for passage in passages { summary.append(passage.summary) }
  }
}

/// What the delimiters of a stretch can do to text around it.
private struct Effects {
  private var effects: [Passage.Effect] = []
  /// Of all of them.
  private(set) var sum = Passage.Effect()

  init(_ reader: Reader) {
    effects.reserveCapacity(reader.delimiters.count)
    let zones = reader.reading.zones
    let marks = reader.reading.marks
    var zone = 0
    var mark = 0
    // Where a mark was read through code, what has a part now had none when that was found out.
    let isSure = !reader.readsThroughCode
    for (index, delimiter) in reader.delimiters.enumerated() {
      let offset = delimiter.offset
      while zone < zones.count, zones[zone].range.upperBound <= offset { zone += 1 }
      while mark < marks.count, marks[mark].end <= offset { mark += 1 + marks[mark].inner }
      let isInCode = zone < zones.count && zones[zone].range.lowerBound <= offset
      let isInMark = mark < marks.count && marks[mark].start <= offset
      let isOpen = !isSure || !reader.isPart[index]
      let kinds = MarkKinds(delimiter.mark)
      var effect = Passage.Effect()
      switch delimiter.role {
      case .arrow: break
      case .closer:
        effect.closers = kinds
        if isOpen { effect.strays = kinds }
      case .opener:
        // In a mark of its kind it is a brace and a closer.
        if delimiter.beforeBrace { effect.strays = kinds }
        effect.disturbs = isInCode || isOpen && kinds == .comment
        if !isSure || !isInCode && !isInMark { effect.loose = kinds }
      }
      effects.append(effect)
      sum.append(effect)
    }
  }

  var count: Int { effects.count }

  func add(_ delimiter: Int, to summary: inout Passage.Summary) {
    summary.effect.append(effects[delimiter])
  }

  /// What each delimiter and those behind it can do, and at last what `later` can.
  func sums(before later: Passage.Effect) -> [Passage.Effect] {
    var sums = Array(repeating: later, count: effects.count + 1)
    for index in effects.indices.reversed() {
      sums[index] = effects[index]
      sums[index].append(sums[index + 1])
    }
    return sums
  }
}
