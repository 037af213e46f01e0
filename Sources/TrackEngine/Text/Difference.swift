/// A stretch of a text, and the stretch that has taken its place in a later text.
public struct Difference: Equatable, Sendable {
  /// The stretch in the earlier text.
  public private(set) var old: Range<Int>
  /// The stretch that has taken its place.
  public private(set) var new: Range<Int>

  /// The difference between a stretch and what has taken its place.
  public init(_ old: Range<Int>, _ new: Range<Int>) {
    self.old = old
    self.new = new
  }

  /// How much longer the text has become.
  public var growth: Int { new.count - old.count }

  /// Makes this, all that differs, the difference to a still later text, what lies between included; `next` begins
  /// with the text that this ends with.
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

extension Difference: CustomStringConvertible {
  /// As in `4..<6 → 4..<9`.
  public var description: String { "\(old) → \(new)" }
}
