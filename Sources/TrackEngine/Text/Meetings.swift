/// Groups of touching ranges of two lists, in order; each list is sorted and disjoint.
///
/// Linear.
struct Meetings<First: RandomAccessCollection, Second: RandomAccessCollection>: Sequence,
  IteratorProtocol
where
  First.Element == Range<Int>, First.Index == Int, Second.Element == Range<Int>, Second.Index == Int
{
  /// A group of ranges, each of which touches one before it; it may come from one list alone.
  struct Meeting {
    /// Their indices in the lists.
    var first: Range<Int>
    var second: Range<Int>
    /// The stretch from the beginning of the first one to the end of the last.
    var range: Range<Int>
  }

  private let first: First
  private let second: Second
  /// The next range of each list.
  private var (firstNext, secondNext): (Int, Int)

  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
    (firstNext, secondNext) = (first.startIndex, second.startIndex)
  }

  mutating func next() -> Meeting? {
    let (firstStart, secondStart) = (firstNext, secondNext)
    guard firstNext < first.endIndex || secondNext < second.endIndex else { return nil }
    let start = Swift.min(
      firstNext < first.endIndex ? first[firstNext].lowerBound : Int.max,
      secondNext < second.endIndex ? second[secondNext].lowerBound : Int.max
    )
    var end = start
    while true {
      if firstNext < first.endIndex, first[firstNext].lowerBound <= end {
        end = Swift.max(end, first[firstNext].upperBound)
        firstNext += 1
      } else if secondNext < second.endIndex, second[secondNext].lowerBound <= end {
        end = Swift.max(end, second[secondNext].upperBound)
        secondNext += 1
      } else {
        break
      }
    }
    return Meeting(
      first: firstStart..<firstNext,
      second: secondStart..<secondNext,
      range: start..<end
    )
  }
}
