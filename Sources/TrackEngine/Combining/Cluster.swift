/// Changes that several versions make to one stretch of their common text.
struct Cluster: Equatable {
  /// The stretch: what they replace, and what lies between.
  var old: Range<Int>
  /// The indices of each version's differences in it; of none, where they would be.
  var members: [Range<Int>]

  /// Whether a version changes something.
  func isChanged(by version: Int) -> Bool { !members[version].isEmpty }

  /// Takes in another cluster, which comes before or after it.
  mutating func join(_ other: Cluster) {
    old = old.joined(with: other.old)
    members = zip(members, other.members).map { $0.joined(with: $1) }
  }
}

/// Whether changes that touch without overlapping belong together.
enum Touching {
  /// They are kept apart, but for insertions at one place.
  case apart
  /// An insertion belongs to what it touches: what was there may be gone.
  case together
}

extension [Version] {
  /// The changes of all versions, in order; those that overlap are one cluster.
  ///
  /// Linear, but for sorting.
  ///
  /// - Parameters:
  ///   - touching: What is done with those that touch.
  ///   - isFree: Whether an insertion stays by itself whatever it touches, but for others at its place.
  /// - Returns: The clusters; what they replace is disjoint.
  func clusters(
    _ touching: Touching,
    isFree: (_ version: Int, Difference) -> Bool = { _, _ in false }
  ) -> [Cluster] {
    var changes = indices.flatMap { version in
      self[version].differences.map { (version: version, change: $0) }
    }
    changes.sort {
      let (one, other) = ($0.change.old, $1.change.old)
      return (one.lowerBound, one.upperBound, $0.version, $0.change.new.lowerBound)
        < (other.lowerBound, other.upperBound, $1.version, $1.change.new.lowerBound)
    }
    var clusters: [Cluster] = []
    var counts = map { _ in 0 }
    /// Whether the last cluster ends with an insertion, and whether that is free.
    var last = (isInsertion: false, isFree: false)
    for (version, change) in changes {
      let old = change.old
      let isFree = old.isEmpty && isFree(version, change)
      let end = clusters.last?.old.upperBound ?? -1
      let isOne =
        old.lowerBound < end
        || old.lowerBound == end
          && (old.isEmpty && last.isInsertion
            ? isFree == last.isFree
            : touching == .together && (old.isEmpty || last.isInsertion) && !isFree && !last.isFree)
      let index = counts[version]
      counts[version] += 1
      if isOne {
        clusters[clusters.count - 1].old = clusters[clusters.count - 1].old.joined(with: old)
      } else {
        clusters.append(Cluster(old: old, members: counts.map { $0..<$0 }))
        clusters[clusters.count - 1].members[version] = index..<index
      }
      let known = clusters[clusters.count - 1].members[version]
      clusters[clusters.count - 1].members[version] = known.lowerBound..<index + 1
      if !isOne || end <= old.upperBound { last = (old.isEmpty, isFree) }
    }
    return clusters
  }
}

// MARK: - Widening

extension [Cluster] {
  /// Widens a cluster until it cuts no stretch of any text that must stay whole; clusters that it reaches are joined to it.
  ///
  /// - Parameters:
  ///   - index: The cluster; afterwards where it is then.
  ///   - versions: The versions.
  ///   - zones: What must stay whole, in order and disjoint: of the common text, and of each version.
  mutating func widen(
    _ index: inout Int,
    of versions: [Version],
    over zones: (base: [Range<Int>], versions: [[Range<Int>]])
  ) {
    while true {
      let cluster = self[index]
      var (before, after) = zones.base.reach(around: cluster.old)
      for (version, zones) in zip(versions.indices, zones.versions) {
        let range = versions[version].range(of: cluster.old, cluster.members[version])
        let reach = zones.reach(around: range)
        (before, after) = (Swift.max(before, reach.before), Swift.max(after, reach.after))
      }
      let (start, end) = (cluster.old.lowerBound, cluster.old.upperBound)
      // Beyond a neighbour the texts differ.
      if before > 0, index > 0, before > start - self[index - 1].old.upperBound {
        self[index].join(self[index - 1])
        remove(at: index - 1)
        index -= 1
      } else if after > 0, index + 1 < count, after > self[index + 1].old.lowerBound - end {
        self[index].join(self[index + 1])
        remove(at: index + 1)
      } else if before > 0 || after > 0 {
        self[index].old = start - before..<end + after
      } else {
        return
      }
    }
  }
}
