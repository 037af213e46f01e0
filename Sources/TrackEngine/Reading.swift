/// What a text says as CriticMarkup: its marks and its code.
public struct Reading: Equatable, Sendable {
  /// All marks, by where they start; those that lie in a mark follow it.
  public var marks: [Mark] = []
  /// The code outside the marks that are read as if they held none, by where it starts.
  public var zones: [CodeZone] = []
}

extension Reading {
  /// Reads `bytes`, any bytes, without failing: what is not a mark is text.
  ///
  /// Linear.
  ///
  /// Rules: a closer pairs with the nearest open mark of its kind; code masks delimiters, but inside
  /// an open mark only as long as that mark still closes.
  public init(of bytes: [UInt8]) {
    self = bytes.withUnsafeBufferPointer { bytes in
      var reader = Reader(bytes)
      reader.read()
      return reader.reading
    }
  }

  /// The indices of the marks that lie in no other.
  public var topLevel: [Int] {
    var found: [Int] = []
    var index = 0
    while index < marks.count {
      found.append(index)
      index += 1 + marks[index].inner
    }
    return found
  }
}

/// Walks the delimiters of a text and keeps those that are marks.
private struct Reader {
  private let bytes: Bytes
  private let delimiters: [Delimiter]
  private var matching: Matching
  private var unmasked: Matching?
  /// Bounds the work on texts made to have every mark read anew; no other text comes near it.
  private var work: Int
  var reading = Reading()

  init(_ bytes: Bytes) {
    self.bytes = bytes
    delimiters = TrackEngine.delimiters(in: bytes)
    matching = Matching(delimiters)
    work = 64 * (bytes.count + 4096)
  }

  mutating func read() {
    findCode(from: 0)
    matching.match(delimiters.indices, masking: reading.zones[...])
    var index = 0
    while index < delimiters.count {
      guard delimiters[index].role == .opener else {
        index += 1
        continue
      }
      switch matching.parts[index] {
      case .opens(let closer, _):
        add(from: index, through: closer, of: matching)
        index = closer + 1
      case .text, .cut:
        index = addUnmasked(at: index) ?? index + 1
      case .masked, .ends:
        index += 1
      }
    }
  }

  private mutating func findCode(from start: Int) {
    var finder = CodeFinder(bytes)
    _ = finder.find(from: start)
    reading.zones = finder.zones
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
    if unmasked?.parts[index] == .cut {
      // What cuts it there can be hidden by code, so that it has to be tried by itself.
      work -= bytes.count - delimiters[index].offset
      unmasked?.match(index..<delimiters.count, masking: [])
    }
    guard let unmasked, case .opens(let closer, _) = unmasked.parts[index] else { return nil }
    add(from: index, through: closer, of: unmasked)
    reread(mark: index...closer)
    return closer + 1
  }

  /// Looks for code and marks behind `mark`, as far as they can differ from what is known.
  private mutating func reread(mark: ClosedRange<Int>) {
    let start = delimiters[mark.upperBound].offset + 3
    let known = reading.zones
    var finder = CodeFinder(bytes)
    let agreed = finder.find(from: start, known: known)
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
      delimiters[$0].role == .opener && matching.parts[$0] == .text
    }
    if reaches || isOpen {
      work -= bytes.count - start
      matching.match(near..<delimiters.count, masking: reading.zones[kept.count...])
    }
  }

  /// Adds a mark and the marks in it.
  private mutating func add(from first: Int, through last: Int, of matching: Matching) {
    var open: [(mark: Int, closer: Int)] = []
    for index in first...last {
      while let inmost = open.last, inmost.closer < index { close(&open) }
      guard case .opens(let closer, let arrow) = matching.parts[index] else { continue }
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
    while !open.isEmpty { close(&open) }
  }

  private mutating func close(_ open: inout [(mark: Int, closer: Int)]) {
    guard let inmost = open.popLast() else { return }
    reading.marks[inmost.mark].inner = reading.marks.count - 1 - inmost.mark
  }
}
