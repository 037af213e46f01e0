import TrackEngine

/// Something found in a document.
protocol Placed {
  /// In offsets of the buffer.
  var range: Range<Int> { get set }
}

/// Items found in a document, kept so that after an edit only the text around it is searched.
///
/// Invariant: `items` are sorted by start, and in offsets of the text before `difference`.
struct Kept<Item: Placed> {
  private var items: [Item]?
  /// What has changed since in how the text reads.
  private var difference: Difference?

  /// Notes a change in how the text reads.
  mutating func note(_ next: Difference) {
    if items != nil { difference.append(next) }
  }

  /// The items of the current text.
  ///
  /// - Parameters:
  ///   - tracker: The document.
  ///   - find: Finds the items of an excerpt, sorted by start, in offsets of the buffer; they must not depend
  ///     on the text around it.
  /// - Returns: All items; linear in what changed, plus a step for each item after it.
  mutating func update(_ tracker: Tracker, _ find: (Excerpt) -> [Item]) -> [Item] {
    guard var items else {
      let found = find(tracker.excerpt(around: 0..<tracker.buffer.count))
      items = found
      return found
    }
    guard let difference else { return items }
    self.items = nil
    self.difference = nil
    let excerpt = tracker.excerpt(around: difference.new)
    let growth = difference.growth
    let first = items.firstIndex { $0.range.lowerBound >= excerpt.range.lowerBound } ?? items.count
    let end =
      items[first...].firstIndex { $0.range.lowerBound >= excerpt.range.upperBound - growth }
      ?? items.count
    if growth != 0 {
      for index in end..<items.count {
        items[index].range = items[index].range.moved(by: growth)
      }
    }
    items.replaceSubrange(first..<end, with: find(excerpt))
    self.items = items
    return items
  }
}
