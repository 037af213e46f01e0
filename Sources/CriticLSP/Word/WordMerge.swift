import TrackEngine

/// Two sides of a document put together at the sentinels that both have: what stands between two of them is the same, or
/// was changed.
struct WordMerge {
  /// A change, and the number of the tracked change that it comes from, as far as one is known.
  struct Piece {
    var change: RecordedChange
    var number: Int?
  }

  let original: [UInt8]
  let clean: [UInt8]
  /// In order; between them the sides are the same.
  private(set) var pieces: [Piece] = []
  /// Where each sentinel is in both sides.
  private(set) var places: [Sentinel: (old: Int, new: Int)] = [:]

  /// Puts two sides together.
  ///
  /// - Parameters:
  ///   - original: The rejected one.
  ///   - clean: The accepted one.
  ///   - changeCount: The sentinels with smaller numbers are those of changes.
  init(_ original: PandocVariant, _ clean: PandocVariant, _ changeCount: Int) {
    (self.original, self.clean) = (original.text, clean.text)
    var open: [Int] = []
    var last: Int?
    var (oldAt, newAt) = (0, 0)
    for (sentinel, old, new) in WordMerge.common(original, clean) + [
      (nil, original.text.count, clean.text.count)
    ] {
      var next: Int?
      if case .start(let number) = sentinel, number < changeCount { next = number }
      add(oldAt..<old, newAt..<new, open.last, last, next)
      (oldAt, newAt) = (old, new)
      guard let sentinel else { break }
      places[sentinel] = (old, new)
      switch sentinel {
      case .start(let number) where number < changeCount:
        open.append(number)
        last = nil
      case .end(let number) where number < changeCount:
        open.removeAll { $0 == number }
        last = number
      default: break
      }
    }
    for index in pieces.indices { balance(index) }
    takeInUnits()
  }

  /// The sentinels that stand once in both sides and in the same order, with the offset of each.
  private static func common(
    _ original: PandocVariant,
    _ clean: PandocVariant
  ) -> [(sentinel: Sentinel?, old: Int, new: Int)] {
    let (old, new) = (original.sentinels, clean.sentinels)
    return commonOnce(old.map(\.sentinel.key), new.map(\.sentinel.key)).map { pair in
      (old[pair.old].sentinel, old[pair.old].offset, new[pair.new].offset)
    }
  }

  /// Adds what differs between two sentinels: of the change that is open there, or else of the one it touches.
  private mutating func add(
    _ old: Range<Int>,
    _ new: Range<Int>,
    _ open: Int?,
    _ last: Int?,
    _ next: Int?
  ) {
    guard original[old] != clean[new] else { return }
    let edit = Edit(old, Array(clean[new])).trimmed(replacing: original[old])
    let start = new.lowerBound + edit.range.lowerBound - old.lowerBound
    let change = RecordedChange(edit.range, start..<start + edit.new.count)
    let isBesideNext = start > new.lowerBound && edit.range.upperBound == old.upperBound
    let near = isBesideNext ? next ?? last : last
    pieces.append(Piece(change: change, number: open ?? near))
  }

  // MARK: Emphasis

  /// Extends a change over the text around it in its line until each side has both ends of the emphasis that it has one of.
  private mutating func balance(_ index: Int) {
    for _ in 0..<8 {
      let change = pieces[index].change
      guard let sign = unbalanced(original[change.old]) ?? unbalanced(clean[change.new]) else {
        return
      }
      let start = index > 0 ? pieces[index - 1].change.old.upperBound : 0
      let end = index + 1 < pieces.count ? pieces[index + 1].change.old.lowerBound : original.count
      let before = original[start..<change.old.lowerBound]
      let after = original[change.old.upperBound..<end]
      let left = before.lastIndex { $0 == sign || $0 == UInt8(ascii: "\n") }.flatMap { place in
        original[place] == sign ? change.old.lowerBound - startOfRun(before, place) : nil
      }
      let right = after.firstIndex { $0 == sign || $0 == UInt8(ascii: "\n") }.flatMap { place in
        original[place] == sign ? endOfRun(after, place) - change.old.upperBound : nil
      }
      let isLeft = (left ?? .max) <= (right ?? .max)
      guard let length = isLeft ? left : right else { return }
      let (head, tail) = isLeft ? (length, 0) : (0, length)
      pieces[index].change = RecordedChange(
        change.old.lowerBound - head..<change.old.upperBound + tail,
        change.new.lowerBound - head..<change.new.upperBound + tail
      )
    }
  }

  /// The sign of emphasis of which a text has one end only.
  private func unbalanced(_ text: ArraySlice<UInt8>) -> UInt8? {
    for sign in [UInt8(ascii: "*"), UInt8(ascii: "^")] {
      var count = 0
      var isEscaped = false
      for byte in text {
        if byte == sign, !isEscaped { count += 1 }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      }
      // A pair of them counts as one end of strong emphasis.
      if count % 2 == 1
        || count == 2 && (text.starts(with: [sign, sign]) || text.suffix(2) == [sign, sign])
      {
        return sign
      }
    }
    return nil
  }

  // MARK: Links and formulas

  /// Extends the changes of what makes a link over all of it, so that its text is in the change; and those in formulas.
  private mutating func takeInUnits() {
    for (side, text) in [(\RecordedChange.old, original), (\RecordedChange.new, clean)] {
      for unit in WordUnit.all(in: text) { takeIn(unit, side) }
    }
  }

  private mutating func takeIn(_ unit: WordUnit, _ side: KeyPath<RecordedChange, Range<Int>>) {
    let first = pieces.partitioningIndex {
      $0.change[keyPath: side].upperBound > unit.range.lowerBound
    }
    let end = pieces[first...].partitioningIndex {
      $0.change[keyPath: side].lowerBound >= unit.range.upperBound
    }
    let inside = pieces[first..<end]
    guard let start = inside.first, let last = inside.last,
      inside.contains(where: { unit.isMade(in: $0.change[keyPath: side]) })
    else { return }
    let head = max(0, start.change[keyPath: side].lowerBound - unit.range.lowerBound)
    let tail = max(0, unit.range.upperBound - last.change[keyPath: side].upperBound)
    let (old, new) = (
      start.change.old.lowerBound - head..<last.change.old.upperBound + tail,
      start.change.new.lowerBound - head..<last.change.new.upperBound + tail
    )
    let whole = Piece(change: RecordedChange(old, new), number: start.number ?? last.number)
    pieces.replaceSubrange(first..<end, with: [whole])
  }

  private func startOfRun(_ text: ArraySlice<UInt8>, _ place: Int) -> Int {
    var start = place
    while start > text.startIndex, text[start - 1] == text[place] { start -= 1 }
    return start
  }

  private func endOfRun(_ text: ArraySlice<UInt8>, _ place: Int) -> Int {
    var end = place
    while end < text.endIndex, text[end] == text[place] { end += 1 }
    return end
  }
}

extension Sentinel {
  /// A number of its own.
  fileprivate var key: UInt64 { UInt64(number + 1) << 1 | (isStart ? 1 : 0) }
}
