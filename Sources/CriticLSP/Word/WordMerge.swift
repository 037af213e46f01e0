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
      add(oldAt..<old, newAt..<new, open.last ?? last)
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
  }

  /// The sentinels that stand in both sides in the same order, with the offset of each.
  private static func common(
    _ original: PandocVariant,
    _ clean: PandocVariant
  ) -> [(sentinel: Sentinel?, old: Int, new: Int)] {
    var places: [Sentinel: (index: Int, offset: Int)] = [:]
    for (index, (sentinel, offset)) in original.sentinels.enumerated() {
      places[sentinel] = (index, offset)
    }
    let both = clean.sentinels.compactMap { sentinel, offset in
      places[sentinel].map { (sentinel: sentinel, index: $0.index, old: $0.offset, new: offset) }
    }
    return increasing(both.map(\.index)).map { (both[$0].sentinel, both[$0].old, both[$0].new) }
  }

  /// The indices of a longest increasing part of a list.
  private static func increasing(_ numbers: [Int]) -> [Int] {
    // Of the increasing parts of each length, the last index of the one that ends lowest.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      let length = ends.partitioningIndex { numbers[$0] >= number }
      before[index] = length > 0 ? ends[length - 1] : nil
      if length < ends.count { ends[length] = index } else { ends.append(index) }
    }
    var result: [Int] = []
    var next = ends.last
    while let index = next {
      result.append(index)
      next = before[index]
    }
    return result.reversed()
  }

  private mutating func add(_ old: Range<Int>, _ new: Range<Int>, _ number: Int?) {
    let (oldText, newText) = (original[old], clean[new])
    guard oldText != newText else { return }
    var (head, tail) = (0, 0)
    if !old.isEmpty, !new.isEmpty {
      head = zip(oldText, newText).prefix { $0 == $1 }.count
      let most = min(old.count, new.count) - head
      tail = zip(oldText.reversed(), newText.reversed()).prefix(most).prefix { $0 == $1 }.count
      // Whole scalars only.
      while head > 0,
        oldText.dropFirst(head).first?.isContinuation == true
          || newText.dropFirst(head).first?.isContinuation == true
      { head -= 1 }
      while tail > 0, oldText.suffix(tail).first?.isContinuation == true { tail -= 1 }
    }
    let change = RecordedChange(
      old.lowerBound + head..<old.upperBound - tail,
      new.lowerBound + head..<new.upperBound - tail
    )
    pieces.append(Piece(change: change, number: number))
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
    for sign in [UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "^")] {
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

extension UInt8 {
  /// Whether it is a byte of a scalar, but not the first.
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
