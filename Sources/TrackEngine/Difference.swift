/// What may read differently in a text than in an earlier one; everything around reads the same, so
/// much further behind.
///
/// Both stretches begin and end where lines begin, or where the texts do, and no mark lies across an
/// end.
public struct Difference: Equatable, Sendable {
  /// The stretch in the earlier text.
  public private(set) var old: Range<Int>
  /// The stretch that has taken its place.
  public private(set) var new: Range<Int>

  init(_ old: Range<Int>, _ new: Range<Int>) {
    self.old = old
    self.new = new
  }

  /// How much longer the text has become.
  public var growth: Int { new.upperBound - old.upperBound }

  /// Makes this the difference to a still later text; `next` begins with the text that this ends with.
  public mutating func append(_ next: Difference) {
    let start = min(new.lowerBound, next.old.lowerBound)
    let end = max(new.upperBound, next.old.upperBound)
    old = start..<end - growth
    new = start..<end + next.growth
  }
}

extension Difference? {
  /// Adds up, none being no difference.
  public mutating func append(_ next: Difference) {
    if self == nil { self = next } else { self?.append(next) }
  }
}
