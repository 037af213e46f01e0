import TrackEngine

/// The semantic tokens of a document in LSP's encoding, five numbers each, kept so that after an edit only
/// the tokens around it are computed.
struct SemanticTokenData {
  /// A new number for every answer; 0 before the first.
  private(set) var number = 0
  private(set) var numbers: [UInt32] = []
  /// The line count of the text they belong to; nil if they belong to none.
  private var lineCount: Int?
  /// What has changed since in how the text reads.
  private var difference: Difference?

  /// Notes a change in how the text reads.
  mutating func note(_ next: Difference) {
    if lineCount != nil { difference.append(next) }
  }

  /// The numbers that were replaced: their old range, and the new one.
  struct Change {
    var old = 0..<0
    var new = 0..<0
  }

  /// Removes all tokens, whatever the text.
  mutating func removeAll() -> Change {
    lineCount = nil
    difference = nil
    return replace(0..<numbers.count, with: [])
  }

  /// Updates the tokens to a text.
  ///
  /// - Parameters:
  ///   - tracker: The document.
  ///   - conversions: The conversions of its text.
  ///   - tokens: Computes the tokens of an excerpt, the first one relative to the beginning of the text.
  /// - Returns: What has changed; linear in that, plus a quick pass over the tokens before it.
  mutating func update(
    _ tracker: Tracker,
    _ conversions: Conversions,
    _ tokens: (Excerpt) -> [UInt32]
  ) -> Change {
    let shown = conversions.text
    let text = tracker.buffer
    defer {
      lineCount = shown.lineCount
      difference = nil
    }
    guard let lineCount else {
      return replace(
        0..<numbers.count,
        with: tokens(tracker.excerpt(around: 0..<text.count))
      )
    }
    guard let difference else { return replace(0..<0, with: []) }
    let excerpt = tracker.excerpt(around: difference.new)
    let growth = shown.lineCount - lineCount
    var at = 0
    var line = 0
    /// Passes the tokens before a line.
    func pass(before end: Int) {
      while at < numbers.count, line + Int(numbers[at]) < end {
        line += Int(numbers[at])
        at += 5
      }
    }
    // Excerpts begin and end at line boundaries.
    pass(before: conversions.position(of: excerpt.range.lowerBound).line)
    let first = at
    var new = tokens(excerpt)
    if !new.isEmpty { new[0] -= UInt32(line) }
    var newLine = line
    for index in stride(from: 0, to: new.count, by: 5) { newLine += Int(new[index]) }
    if excerpt.range.upperBound == text.count {
      at = numbers.count
    } else {
      pass(before: conversions.position(of: excerpt.range.upperBound).line - growth)
      if at < numbers.count {
        // The first token after the excerpt is relative to the last one in it.
        new.append(UInt32(line + Int(numbers[at]) + growth - newLine))
        new += numbers[at + 1..<at + 5]
        at += 5
      }
    }
    return replace(first..<at, with: new)
  }

  /// Replaces whole tokens; returns those that differ.
  private mutating func replace(_ range: Range<Int>, with new: [UInt32]) -> Change {
    let old = numbers[range]
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, old[range.lowerBound + head] == new[head] { head += 1 }
    head -= head % 5
    var tail = 0
    while tail < shorter - head, old[range.upperBound - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    tail -= tail % 5
    number += 1
    let start = range.lowerBound + head
    let change = Change(
      old: start..<range.upperBound - tail,
      new: start..<range.lowerBound + new.count - tail
    )
    numbers.replaceSubrange(range, with: new)
    return change
  }
}
