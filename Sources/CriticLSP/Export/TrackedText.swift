import TrackEngine

/// A text with marks as one text that has both the clean and the original one, and says of each byte which of them has it.
///
/// What neither has (comments, and text that was added and deleted again) is not in it.
struct TrackedText {
  /// What is tracked at a byte.
  struct State: Hashable {
    var stretch: TrackedStretch?
    /// The highlight that it is in, by its index in the list of changes.
    var highlight: Int?

    static let plain = State()
  }

  /// Where the comments of a change begin or end to speak of the text.
  struct Anchor {
    var offset: Int
    var change: Int
    var isStart: Bool
    /// Whether it belongs to the text before it, not to that behind it.
    var leansBack: Bool
  }

  /// The text, ended by line feeds.
  private(set) var bytes: [UInt8] = []
  /// The change of each byte, from 1: negative if only the original text has the byte, 0 if both have it.
  private(set) var owners: [Int32] = []
  /// The highlight of each byte, from 1; 0 if it is in none.
  private(set) var highlights: [Int32] = []
  /// Which bytes are in fenced code.
  private(set) var isFenced: [Bool] = []
  private(set) var anchors: [Anchor] = []
  let changes: [Change]

  /// Reads a text; linear.
  init(_ markup: [UInt8], _ reading: Reading) {
    changes = reading.changes
    add(markup, reading)
    slide()
  }

  /// What is tracked at an offset.
  func state(at offset: Int) -> State {
    State(
      stretch: stretch(at: offset),
      highlight: highlights[offset] == 0 ? nil : Int(highlights[offset]) - 1
    )
  }

  func stretch(at offset: Int) -> TrackedStretch? {
    let owner = owners[offset]
    guard owner != 0 else { return nil }
    return TrackedStretch(kind: owner > 0 ? .insertion : .deletion, changes: [Int(abs(owner)) - 1])
  }

  /// Whether a variant has the byte at an offset.
  func has(_ offset: Int, _ variant: Variant) -> Bool {
    variant == .clean ? owners[offset] >= 0 : owners[offset] <= 0
  }

  private mutating func add(_ markup: [UInt8], _ reading: Reading) {
    var variants = [UInt8](repeating: 0, count: markup.count)
    for range in reading.exportedRanges(.clean, of: markup) {
      for offset in range { variants[offset] |= 1 }
    }
    for range in reading.exportedRanges(.original, of: markup) {
      for offset in range { variants[offset] |= 2 }
    }
    // Metadata is read as the clean text has it.
    let front = frontMatter(of: markup).upperBound
    var highlighted = [Int32](repeating: 0, count: markup.count)
    for (index, change) in changes.enumerated() where change.kind == .highlight {
      for offset in change.markRange { highlighted[offset] = Int32(index) + 1 }
    }
    var fenced = reading.zones.filter(\.isFenced)[...]
    var tracked = Array(zip(changes.indices, changes).filter { $0.1.kind.isChange })[...]
    var offsets: [Int] = []
    offsets.reserveCapacity(markup.count + 1)
    for (offset, variant) in variants.enumerated() {
      offsets.append(bytes.count)
      let isOfLineEnd =
        markup[offset] == 0x0D && offset + 1 < markup.count && markup[offset + 1] == 0x0A
      guard variant != 0, !isOfLineEnd, offset >= front || variant & 1 == 1 else { continue }
      while let zone = fenced.first, zone.range.upperBound <= offset { fenced.removeFirst() }
      while let next = tracked.first, next.1.markRange.upperBound <= offset {
        tracked.removeFirst()
      }
      let owner = Int32((tracked.first?.0 ?? 0) + 1)
      bytes.append(markup[offset])
      owners.append(variant == 3 || offset < front ? 0 : variant == 1 ? owner : -owner)
      highlights.append(highlighted[offset])
      isFenced.append(fenced.first?.range.contains(offset) == true)
    }
    offsets.append(bytes.count)
    for (index, change) in changes.enumerated() where !change.remarks(in: markup).isEmpty {
      let isLone = change.marks.isEmpty
      let (start, end) = (
        offsets[change.markRange.lowerBound], offsets[change.markRange.upperBound]
      )
      // A comment that stands alone keeps to the text before it in its line.
      let leansBack = isLone && start > 0 && bytes[start - 1] != 0x0A
      anchors.append(Anchor(offset: start, change: index, isStart: true, leansBack: leansBack))
      anchors.append(
        Anchor(
          offset: isLone ? start : end,
          change: index,
          isStart: false,
          leansBack: !isLone || leansBack
        )
      )
    }
    anchors = anchors.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
    // So that what ends the text can be moved like what stands in it.
    for _ in 0..<2 {
      bytes.append(0x0A)
      owners.append(0)
      highlights.append(0)
      isFenced.append(false)
    }
  }

  /// Moves a tracked stretch that begins with line ends, and is followed by as many, behind these: a paragraph that was
  /// added is then a paragraph and its end, not the end of the one before and a paragraph.
  private mutating func slide() {
    var start = 0
    while start < bytes.count {
      guard owners[start] != 0 else {
        start += 1
        continue
      }
      var end = start
      while end < bytes.count, owners[end] == owners[start] { end += 1 }
      let isAlone =
        (start == 0 || owners[start - 1] == 0) && (end == bytes.count || owners[end] == 0)
      var length = 0
      var steps = 0
      while isAlone, start + steps < end, end + steps < bytes.count, owners[end + steps] == 0,
        bytes[start + steps] == bytes[end + steps],
        [0x0A, 0x20, 0x3E].contains(bytes[start + steps])
      {
        steps += 1
        if bytes[start + steps - 1] == 0x0A { length = steps }
      }
      for step in 0..<length { owners.swapAt(start + step, end + step) }
      start = end + length
    }
  }
}
