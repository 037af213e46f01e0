/// Changes that several versions make to one stretch of their common text.
struct Cluster: Widening {
  /// The stretch: what they replace, and what lies between.
  var old: Range<Int>
  /// The indices of each version's differences in it; of none, where they would be.
  var members: [Range<Int>]

  /// Whether a version changes something.
  func isChanged(by version: Int) -> Bool { !members[version].isEmpty }

  func joined(with other: Cluster) -> Cluster {
    Cluster(
      old: old.joined(with: other.old),
      members: zip(members, other.members).map { $0.joined(with: $1) }
    )
  }

  func widened(by before: Int, _ after: Int) -> Cluster {
    Cluster(old: old.lowerBound - before..<old.upperBound + after, members: members)
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
  /// Widens clusters until they cut no stretch of any text that must stay whole; those that one reaches are joined to it.
  ///
  /// - Parameters:
  ///   - versions: The versions.
  ///   - zones: What must stay whole, in order and disjoint: of the common text, and of each version.
  ///   - isMeant: Whether a cluster is widened.
  /// - Returns: The clusters.
  func widened(
    of versions: [Version],
    over zones: (base: [Range<Int>], versions: [[Range<Int>]]),
    where isMeant: (Cluster) -> Bool
  ) -> [Cluster] {
    widened(where: isMeant) { cluster in
      [zones.base.reach(around: cluster.old)]
        + versions.indices.map { index in
          zones.versions[index].reach(
            around: versions[index].range(of: cluster.old, cluster.members[index])
          )
        }
    }.map(\.whole)
  }
}
