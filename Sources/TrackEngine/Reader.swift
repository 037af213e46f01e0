/// Walks the delimiters of a text and keeps those that are marks.
struct Reader {
  private let bytes: Bytes
  let delimiters: [Delimiter]
  let runs: [CodeRun]
  private(set) var reading = Reading()
  /// Which of the delimiters open, close or divide a mark.
  private(set) var isPart: [Bool]
  /// Whether a mark was read as if it held no code.
  private(set) var readsThroughCode = false
  /// The fence whose block goes on behind the text.
  private(set) var unclosed: Fence?
  private var matching: Matching
  private var unmasked: Matching?
  /// The same, for single marks that would close in code, and no further than they close outside of it.
  private var bare: Matching?
  /// The index of the last `~>`; -1 if there is none, nil as long as nobody has looked.
  private var lastArrow: Int?
  /// Bounds the work on texts made to have every mark read anew; no other text comes near it.
  private var work: Int
  /// The marks that are being added; empty between calls.
  private var open: [(mark: Int, closer: Int)] = []

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: The text, or a stretch of one that no mark and no code but a block's reaches into.
  ///   - fence: The fence of the block that is open where it begins.
  init(_ bytes: Bytes, in fence: Fence? = nil) {
    self.bytes = bytes
    let spelling = Spelling(bytes)
    delimiters = spelling.delimiters
    runs = spelling.runs
    isPart = Array(repeating: false, count: delimiters.count)
    matching = Matching(delimiters)
    work = 64 * (bytes.count + 4096)
    read(in: fence)
  }

  private mutating func read(in fence: Fence?) {
    if !runs.isEmpty || fence != nil {
      var finder = CodeFinder(bytes, runs)
      _ = finder.find(from: 0, in: fence)
      reading.zones = finder.zones
      unclosed = finder.unclosed
    }
    matching.match(delimiters.indices, masking: reading.zones[...])
    var index = 0
    while index < delimiters.count {
      guard delimiters[index].role == .opener else {
        index += 1
        continue
      }
      if matching.parts[index] == .text, delimiters[index].beforeBrace { matchAlone(index) }
      switch matching.parts[index] {
      case .opens(let closer, _):
        if let next = addUnmasked(at: index, before: closer) {
          index = next
        } else {
          add(from: index, through: closer, of: matching)
          index = closer + 1
        }
      case .text, .unclosed, .cut:
        index = addUnmasked(at: index) ?? index + 1
      case .masked, .ends:
        index += 1
      }
    }
  }

  /// Matches a `{~~}` by itself that an opener before it keeps from opening, which nothing closes: it
  /// lies in no mark.
  private mutating func matchAlone(_ index: Int) {
    let later = index..<delimiters.count
    if lastArrow == nil { lastArrow = delimiters.lastIndex { $0.role == .arrow } ?? -1 }
    guard work > 0, let lastArrow, lastArrow > index else { return }
    work -= bytes.count - delimiters[index].offset
    let offset = delimiters[index].offset
    matching.match(
      later,
      masking: reading.zones.drop { $0.range.upperBound <= offset }
    )
  }

  /// Reads a mark that would close in code as if there were no code in it, if it closes again only behind the
  /// first blank line behind that code; returns where to go on.
  ///
  /// So a mark that ends in a half-typed fence ends there, whatever comes pages away.
  private mutating func addUnmasked(at index: Int, before closer: Int) -> Int? {
    let end = delimiters[closer].offset
    guard work > 0, let first = reading.zone(endingAfter: delimiters[index].offset),
      isParted(first.range.upperBound, end), let inner = bareCloser(of: index, before: closer),
      let hiding = reading.zone(endingAfter: delimiters[inner].offset),
      hiding.range.contains(delimiters[inner].offset), isParted(hiding.range.upperBound, end),
      let bare
    else { return nil }
    return addUnmasked(index...inner, of: bare)
  }

  private func isParted(_ start: Int, _ end: Int) -> Bool {
    start < end && bytes.hasBlankLine(start..<end)
  }

  /// What closes an opener as if there were no code, before what closes it outside of code.
  ///
  /// Linear in how far it is.
  private mutating func bareCloser(of index: Int, before closer: Int) -> Int? {
    bare = bare ?? Matching(delimiters)
    var count = 16
    while true {
      let end = min(index + count, closer)
      bare?.match(index..<end, masking: [])
      if case .opens(let closer, _) = bare?.parts[index] { return closer }
      if end == closer { return nil }
      count *= 2
    }
  }

  /// Reads a mark that code keeps from closing as if there were no code in it, and what is behind
  /// it anew; returns where to go on.
  private mutating func addUnmasked(at index: Int) -> Int? {
    guard let last = reading.zones.last, last.range.lowerBound > delimiters[index].offset,
      work > 0
    else { return nil }
    if unmasked == nil {
      var all = Matching(delimiters)
      all.match(delimiters.indices, masking: [])
      unmasked = all
    }
    if unmasked?.parts[index] == .cut || unmasked?.parts[index] == .text {
      // What is in its way there can be hidden by code, so that it has to be tried by itself.
      work -= bytes.count - delimiters[index].offset
      unmasked?.match(index..<delimiters.count, masking: [])
    }
    guard let unmasked, case .opens(let closer, _) = unmasked.parts[index] else { return nil }
    return addUnmasked(index...closer, of: unmasked)
  }

  private mutating func addUnmasked(_ mark: ClosedRange<Int>, of matching: Matching) -> Int {
    add(from: mark.lowerBound, through: mark.upperBound, of: matching)
    readsThroughCode = true
    reread(mark: mark)
    return mark.upperBound + 1
  }

  /// Looks for code and marks behind `mark`, as far as they can differ from what is known.
  private mutating func reread(mark: ClosedRange<Int>) {
    let start = delimiters[mark.upperBound].offset + 3
    let known = reading.zones
    var finder = CodeFinder(bytes, runs)
    let agreed = finder.find(from: start, known: known)
    if agreed == bytes.count { unclosed = finder.unclosed }
    work -= agreed - start
    let kept = known.prefix { $0.range.lowerBound < delimiters[mark.lowerBound].offset }
    let later = known.drop { $0.range.lowerBound < agreed }
    reading.zones = kept + finder.zones + later

    let near = mark.upperBound + 1
    var far = near
    while far < delimiters.count, delimiters[far].offset < agreed { far += 1 }
    let reaches = (mark.lowerBound..<far).contains { index in
      guard case .opens(let closer, _) = matching.parts[index] else { return false }
      return closer >= far
    }
    matching.match(near..<far, masking: reading.zones[kept.count...])
    let isOpen = (near..<far).contains {
      delimiters[$0].role == .opener
        && (matching.parts[$0] == .text || matching.parts[$0] == .unclosed)
    }
    if reaches || isOpen {
      work -= bytes.count - start
      matching.match(near..<delimiters.count, masking: reading.zones[kept.count...])
    }
  }

  /// Adds a mark and the marks in it.
  private mutating func add(from first: Int, through last: Int, of matching: Matching) {
    for index in first...last {
      while let inmost = open.last, inmost.closer < index { close() }
      guard case .opens(let closer, let arrow) = matching.parts[index] else { continue }
      isPart[index] = true
      isPart[closer] = true
      if arrow >= 0 { isPart[arrow] = true }
      open.append((reading.marks.count, closer))
      reading.marks.append(
        Mark(
          kind: delimiters[index].mark,
          start: delimiters[index].offset,
          end: delimiters[closer].offset + 3,
          arrow: arrow < 0 ? -1 : delimiters[arrow].offset,
          depth: open.count - 1,
          inner: 0
        )
      )
    }
    while !open.isEmpty { close() }
  }

  private mutating func close() {
    guard let inmost = open.popLast() else { return }
    reading.marks[inmost.mark].inner = reading.marks.count - 1 - inmost.mark
  }
}
