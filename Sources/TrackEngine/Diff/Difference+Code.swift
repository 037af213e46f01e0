extension [Difference] {
  /// Extends differences that cut what must stay whole in either text, such as a fenced block, to all of it: a
  /// delimiter in code would be text, and half a fence none.
  ///
  /// Linear, except for a logarithmic factor.
  ///
  /// - Parameters:
  ///   - oldBlocks: What must stay whole in the old text, in order.
  ///   - newBlocks: What must in the new text, in order.
  /// - Returns: The differences, those that cover the same block as one.
  func coveringBlocks(_ oldBlocks: [Range<Int>], _ newBlocks: [Range<Int>]) -> [Difference] {
    guard !oldBlocks.isEmpty || !newBlocks.isEmpty else { return self }
    var covering: [Difference] = []
    var next = 0
    while next < count {
      var change = self[next]
      next += 1
      while true {
        let old = oldBlocks.reach(around: change.old)
        let new = newBlocks.reach(around: change.new)
        let (before, after) = (Swift.max(old.before, new.before), Swift.max(old.after, new.after))
        if before == 0, after == 0 { break }
        let room = change.old.lowerBound - (covering.last?.old.upperBound ?? 0)
        let roomAfter = next < count ? self[next].old.lowerBound - change.old.upperBound : after
        if before > room, let last = covering.popLast() {
          change = last.joined(with: change)
        } else if after > roomAfter {
          change = change.joined(with: self[next])
          next += 1
        } else {
          change = Difference(
            change.old.lowerBound - before..<change.old.upperBound + after,
            change.new.lowerBound - before..<change.new.upperBound + after
          )
        }
      }
      covering.append(change)
    }
    return covering
  }
}

extension Difference {
  /// The difference that covers this one, another one and what lies between.
  func joined(with other: Difference) -> Difference {
    Difference(old.joined(with: other.old), new.joined(with: other.new))
  }
}

extension Reading {
  /// The fenced blocks of a text, without those that nothing closes.
  func fencedBlocks(of text: [UInt8]) -> [Range<Int>] {
    zones.compactMap { zone in
      guard zone.isFenced else { return nil }
      let line = text.withUnsafeBufferPointer { $0.lineStart(in: zone.range) }
      var start = line
      while start < zone.range.upperBound, text[start].isSpace || text[start] == Ascii.greater {
        start += 1
      }
      let isClosed =
        line > zone.range.lowerBound && start < zone.range.upperBound
        && text[start] == text[zone.range.lowerBound]
      return isClosed ? zone.range : nil
    }
  }
}
