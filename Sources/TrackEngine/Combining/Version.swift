/// What somebody made of a text that others changed, too.
struct Version {
  /// The text.
  let text: [UInt8]
  /// What differs from the common text, in order and disjoint.
  private(set) var differences: [Difference]

  init(_ text: [UInt8], _ differences: [Difference]) {
    (self.text, self.differences) = (text, differences)
  }

  /// The text that stands for a stretch of the common text, whose differences are given.
  func text(of old: Range<Int>, _ members: Range<Int>) -> ArraySlice<UInt8> {
    text[range(of: old, members)]
  }

  /// The stretch that stands for one of the common text.
  ///
  /// - Parameters:
  ///   - old: The stretch of the common text; it cuts no difference.
  ///   - members: The indices of the differences in it; of none, where they would be.
  /// - Returns: The stretch of this text.
  func range(of old: Range<Int>, _ members: Range<Int>) -> Range<Int> {
    guard let first = differences[members].first, let last = differences[members].last else {
      let before = members.lowerBound - 1
      return old.moved(by: before < 0 ? 0 : differences[before].end)
    }
    let before = old.lowerBound - first.old.lowerBound
    let after = old.upperBound - last.old.upperBound
    return first.new.lowerBound + before..<last.new.upperBound + after
  }
}

extension Difference {
  /// How far the text behind it is from where it was.
  fileprivate var end: Int { new.upperBound - old.upperBound }
}

// MARK: - Where changes are

extension [Version] {
  /// The same versions, in which insertions and deletions are where those of others are that they meet.
  ///
  /// Of two equal words one is gone, and nobody can tell which one. Nor can anybody tell whether text was inserted
  /// before a line break or a space or behind it: if somebody else inserted there, it is the same place.
  /// The result is the same in whatever order they are. Linear, times the number of versions.
  func aligned(on base: [UInt8]) -> [Version] {
    var versions = self
    let order = indices.sorted { self[$0].text.lexicographicallyPrecedes(self[$1].text) }
    for index in order {
      var known = KnownPlaces()
      for other in order where other != index {
        versions[other].eachMovable(on: base) { known.add($0) }
      }
      versions[index].slide(on: base, to: known)
    }
    return versions
  }
}

/// An insertion or a deletion, and how far it can be moved so that it gives the same text.
private struct Movable {
  let index: Int
  let change: Difference
  let slack: ClosedRange<Int>
  /// What is inserted or deleted, as far to the front as possible.
  let text: [UInt8]

  /// What all that give the same text have in common.
  struct Key: Hashable {
    let start: Int
    let text: [UInt8]
    let isInsertion: Bool
  }

  var key: Key {
    let first = change.old.lowerBound + slack.lowerBound
    return Key(start: first, text: text, isInsertion: change.old.isEmpty)
  }
}

/// Where others inserted and deleted.
private struct KnownPlaces {
  private var equal: [Movable.Key: Int] = [:]
  private var insertions: Set<Int> = []

  mutating func add(_ movable: Movable) {
    let place = movable.change.old.lowerBound
    equal[movable.key] = equal[movable.key] ?? place
    if movable.change.old.isEmpty { insertions.insert(place) }
  }

  /// How far one is moved on the common text.
  func distance(of movable: Movable, on base: [UInt8]) -> Int {
    let place = movable.change.old.lowerBound
    if let known = equal[movable.key] { return known - place }
    guard movable.change.old.isEmpty else { return 0 }
    return movable.slack.first { distance in
      insertions.contains(place + distance)
        && base[min(place, place + distance)..<max(place, place + distance)]
          .allSatisfy(\.isWhiteSpace)
    } ?? 0
  }
}

extension Version {
  /// Calls `body` with each insertion and deletion.
  fileprivate func eachMovable(on base: [UInt8], _ body: (Movable) -> Void) {
    for (index, change) in differences.enumerated() where change.old.isEmpty != change.new.isEmpty {
      let isInsertion = change.old.isEmpty
      let moved = isInsertion ? change.new : change.old
      let whole = isInsertion ? text : base
      let last = index > 0 ? differences[index - 1].old.upperBound : 0
      let next = index + 1 < differences.count ? differences[index + 1].old.lowerBound : base.count
      let shift = moved.lowerBound - change.old.lowerBound
      let bounds = last + shift..<next + shift + change.new.count
      let slack = moved.slack(within: bounds) { whole[$0] == whole[$1] }
      let text = Array(whole[moved.moved(by: slack.lowerBound)])
      body(Movable(index: index, change: change, slack: slack, text: text))
    }
  }

  /// Moves insertions and deletions to where known ones are that they meet.
  fileprivate mutating func slide(on base: [UInt8], to known: KnownPlaces) {
    var moved = differences
    var end = 0
    eachMovable(on: base) { movable in
      let distance = known.distance(of: movable, on: base)
      guard movable.slack.contains(distance),
        // One before may have been moved into the room of this one.
        movable.change.old.lowerBound + distance >= end
      else { return }
      moved[movable.index] = movable.change.moved(by: distance)
      end = movable.change.old.upperBound + distance
    }
    differences = moved
  }
}
