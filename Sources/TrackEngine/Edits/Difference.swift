/// A stretch of a text, and the stretch that replaces it in a later text.
public struct Difference: Hashable, Sendable {
  /// The stretch in the earlier text.
  public private(set) var old: Range<Int>
  /// The stretch that replaces it.
  public private(set) var new: Range<Int>

  /// The difference between a stretch and its replacement.
  public init(_ old: Range<Int>, _ new: Range<Int>) {
    self.old = old
    self.new = new
  }

  /// How much longer the text has become.
  public var growth: Int { new.count - old.count }

  /// The same difference, shifted by a number of bytes.
  func moved(by shift: Int) -> Difference {
    Difference(old.moved(by: shift), new.moved(by: shift))
  }

  /// Extends this to a still later text: the result covers both differences and what lies between.
  ///
  /// `next` is the difference from the text that this one leads to.
  public mutating func append(_ next: Difference) {
    let start = min(new.lowerBound, next.old.lowerBound)
    let end = max(new.upperBound, next.old.upperBound)
    old = start..<end - growth
    new = start..<end + next.growth
  }
}

extension Difference: Widening {
  func joined(with other: Difference) -> Difference {
    Difference(old.joined(with: other.old), new.joined(with: other.new))
  }

  func widened(by before: Int, _ after: Int) -> Difference {
    Difference(
      old.lowerBound - before..<old.upperBound + after,
      new.lowerBound - before..<new.upperBound + after
    )
  }
}

extension Difference? {
  /// Appends to an optional difference; nil means none.
  public mutating func append(_ next: Difference) {
    if self == nil { self = next } else { self?.append(next) }
  }
}

extension [Difference] {
  /// The differences, those that touch as one.
  var joiningTouching: [Difference] {
    var joined: [Difference] = []
    joined.reserveCapacity(count)
    for next in self {
      if let last = joined.last, last.old.upperBound == next.old.lowerBound {
        joined[joined.count - 1] = last.joined(with: next)
      } else {
        joined.append(next)
      }
    }
    return joined
  }
}

extension Difference: CustomStringConvertible {
  /// As in `4..<6 → 4..<9`.
  public var description: String { "\(old) → \(new)" }
}
