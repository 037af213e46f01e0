import TrackEngine

extension [RecordedChange] {
  /// The changes, each cut in one of the ways that are equal, so that a document that was made of the text gives it again.
  ///
  /// Those that touch and are by the same author are one. Of the line ends before and behind a text that was added or
  /// deleted those behind it were, or else those before it; a figure was with the beginning of its own, not with that of the
  /// next. What replaces all of an emphasized text replaces its signs, too. Linear.
  ///
  /// - Parameters:
  ///   - original: The text before the changes.
  ///   - clean: The text after them.
  /// - Returns: The changes.
  func cutEqually(_ original: [UInt8], _ clean: [UInt8]) -> [RecordedChange] {
    var result = joined
    for index in result.indices where result[index].joining != .none {
      let change = result[index]
      let start = index > 0 ? result[index - 1].old.upperBound : 0
      let end = index + 1 < result.count ? result[index + 1].old.lowerBound : original.count
      let before = original[start..<change.old.lowerBound]
      let after = original[change.old.upperBound..<end]
      if change.old.isEmpty || change.new.isEmpty {
        let text = change.new.isEmpty ? original[change.old] : clean[change.new]
        let shift = text.shift(between: before, after)
        result[index].widen(-shift, shift)
      } else if let length = emphasis(around: change, original, clean, before, after) {
        result[index].widen(length, length)
      }
    }
    // Those that had a line end between them can touch now.
    return result.joined
  }

  private var joined: [RecordedChange] {
    var result: [RecordedChange] = []
    for change in self {
      guard let last = result.last, last.old.upperBound == change.old.lowerBound,
        last.new.upperBound == change.new.lowerBound, last.isJoined(with: change)
      else {
        result.append(change)
        continue
      }
      result[result.count - 1] = last.joined(with: change)
    }
    return result
  }

  /// How many signs of emphasis stand on both sides of a change of all that is emphasized; nil if it is not.
  private func emphasis(
    around change: RecordedChange,
    _ original: [UInt8],
    _ clean: [UInt8],
    _ before: ArraySlice<UInt8>,
    _ after: ArraySlice<UInt8>
  ) -> Int? {
    guard let sign = before.last, sign == after.first, "*^~".utf8.contains(sign) else { return nil }
    let length = before.reversed().prefix { $0 == sign }.count
    guard after.prefix(while: { $0 == sign }).count == length,
      !original.isEscaped(change.old.lowerBound - length),
      !original[change.old].has(sign), !clean[change.new].has(sign)
    else { return nil }
    return length
  }
}

extension RecordedChange {
  /// Moves the beginning to the left and the end to the right, over text that both texts have.
  fileprivate mutating func widen(_ left: Int, _ right: Int) {
    old = old.lowerBound - left..<old.upperBound + right
    new = new.lowerBound - left..<new.upperBound + right
  }
}

extension ArraySlice<UInt8> {
  /// Whether a sign is in a text without a backslash.
  fileprivate func has(_ sign: UInt8) -> Bool {
    var isEscaped = false
    for byte in self {
      if byte == sign, !isEscaped { return true }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return false
  }

  /// By how much a text is moved over the line ends around it, or the beginning of a figure; negative to the left.
  fileprivate func shift(between before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>) -> Int {
    let figure = "<figure>\n"
    if ends(with: figure), before.ends(with: figure) { return -figure.utf8.count }
    let head = prefix { $0 == UInt8(ascii: "\n") }.count
    let tail = reversed().prefix { $0 == UInt8(ascii: "\n") }.count
    guard head < count else { return 0 }
    if after.prefix(while: { $0 == UInt8(ascii: "\n") }).count >= head { return head }
    let room = before.reversed().prefix { $0 == UInt8(ascii: "\n") }.count
    return -Swift.min(tail, room)
  }
}
