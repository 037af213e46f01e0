import TrackEngine

/// Something found in a document, with its place.
protocol Placed {
  /// In offsets of the buffer.
  var range: Range<Int> { get set }
}

/// What was found in a document, kept so that after an edit only what the edit changed is searched.
///
/// Invariant: by where they begin, and each as it was in the text before `difference`.
struct Kept<Item: Placed> {
  private var items: [Item]?
  /// What of the text reads differently by now.
  private var difference: Difference?

  /// Takes in what reads differently.
  mutating func note(_ next: Difference) {
    if items != nil { difference.append(next) }
  }

  /// What there is in the text of now.
  ///
  /// - Parameters:
  ///   - tracker: The document.
  ///   - find: Finds what there is in a stretch, by where it begins, in offsets of the buffer; nothing
  ///     that depends on the text around.
  /// - Returns: All there is; linear in what changed, and a step for each that is after it.
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
