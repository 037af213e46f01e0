/// What several people did to copies of one text, as their changes of it.
///
/// Rejecting everything in the result gives what it gives in the text that was copied, byte for byte; accepting the
/// changes of one copy only, and rejecting the others, gives the clean text of that copy, if the text that was copied has
/// no marks. Linear in the texts, times the number of changes that would be read as anything else.
public struct Combination: Sendable {
  /// The text with all changes.
  public let text: [UInt8]
  /// How many stretches have alternatives, of which only one can stay.
  public let conflicts: Int
  /// What could not be written, in order.
  public let left: [Left]

  /// A copy that somebody edited, with marks or without.
  public struct Copy: Sendable {
    /// The text.
    public var bytes: [UInt8]
    /// Who is named on changes on which nobody is named.
    public var author: AuthorName
    /// Whether that is said even where there is only one copy.
    public var isNamed: Bool

    /// A copy of the text.
    public init(_ bytes: [UInt8], by author: AuthorName, isNamed: Bool = false) {
      (self.bytes, self.author, self.isNamed) = (bytes, author, isNamed)
    }
  }

  /// A change, a highlight or comments that would not be read as meant, or a change of deleted text.
  public struct Left: Equatable, Sendable {
    /// Where it would be, in offsets of the text that was copied.
    public var place: Int
    /// Its marks.
    public var marks: [UInt8]
  }

  /// Combines copies.
  ///
  /// - Parameters:
  ///   - copies: The copies; of alternatives, those of the first copy come first.
  ///   - base: The text that was copied; marks that it has are its own.
  ///   - language: The language of all.
  public init(of copies: [Copy], from base: [UInt8], as language: Language) {
    let original = VariantText(.original, of: base, as: language)
    func tracked(leavesThreads: Bool) -> [TrackedCopy] {
      copies.map {
        TrackedCopy($0, of: base, original.bytes, as: language, leavesThreads: leavesThreads)
      }
    }
    let first = tracked(leavesThreads: false)
    self.init(of: copies, first, from: base, original, as: language)
    // Where the change is replaced, too, the comments on it are only where the copy has them.
    let comments = Set(first.flatMap(\.leftToBase))
    if comments.isEmpty { return }
    let written = CommentThread(allOf: text, as: language).comments.map(\.bytes)
    if !comments.isSubset(of: written) {
      self.init(of: copies, tracked(leavesThreads: true), from: base, original, as: language)
    }
  }

  private init(
    of copies: [Copy],
    _ tracked: [TrackedCopy],
    from base: [UInt8],
    _ original: VariantText,
    as language: Language
  ) {
    let source = TrackedCopy(of: base, as: language)
    if copies.count == 1, !copies[0].isNamed, tracked[0].bytes == copies[0].bytes {
      (text, conflicts, left) = (copies[0].bytes, 0, [])
      return
    }
    var combining = Combining(source, tracked, original.bytes, language)
    combining.settle()
    let changes = combining.pieces.map(\.old)
    let notes = tracked.annotations(since: source).clear(of: changes)
    var writing = CombinedWriting(base, original.bytes, language, combining.pieces, notes)
    writing.write()
    text = writing.text
    conflicts = combining.pieces.count(where: \.isConflict)
    let items = writing.left.map { ($0.start, $0.plain) } + tracked.flatMap(\.left)
    left = items.sorted { $0.0 < $1.0 }
      .map { Left(place: original.place(of: $0.0), marks: $0.1) }
  }
}

/// A stretch of the original text, and what it is replaced by.
struct CombinedPiece {
  /// The stretch.
  let old: Range<Int>
  /// What accepting everything leaves in its place.
  let clean: [UInt8]
  /// Its marks and comments, in the forms that are tried one after the other.
  let forms: [[UInt8]]
  /// Whether it has alternatives.
  let isConflict: Bool
}

extension CombinedPiece {
  /// The same with more comments behind it.
  fileprivate func adding(_ comments: [UInt8]) -> CombinedPiece {
    CombinedPiece(
      old: old,
      clean: clean,
      forms: forms.map { $0 + comments },
      isConflict: isConflict
    )
  }
}

/// Copies that are being put together.
private struct Combining {
  let source: TrackedCopy
  let copies: [TrackedCopy]
  let original: [UInt8]
  let language: Language
  /// Those of the text that was copied, and then of each copy.
  let versions: [Version]
  var clusters: [Cluster]
  private(set) var pieces: [CombinedPiece] = []

  init(
    _ source: TrackedCopy,
    _ copies: [TrackedCopy],
    _ original: [UInt8],
    _ language: Language
  ) {
    (self.source, self.copies, self.original) = (source, copies, original)
    self.language = language
    versions = ([source] + copies).map(\.version).aligned(on: original)
    clusters = versions.clusters(.apart)
  }

  /// What became of a stretch in the copies.
  private enum Outcome {
    /// Nobody changed it; some may have accepted what is there.
    case kept(by: [Int])
    /// It is the same in all copies that changed it.
    case changed(by: [Int])
    /// Definitions of links and footnotes are added there, which do not exclude each other.
    case defined(AddedDefinitions)
    /// It is not: the copies that have each text, and those that only accepted what is there.
    case conflict
  }

  /// Decides what becomes of each cluster.
  mutating func settle() {
    let zones = (
      base: Reading(of: original, as: language).zones.map(\.range),
      versions: versions.map { Reading(of: $0.text, as: language).zones.map(\.range) }
    )
    clusters = clusters.widened(of: versions, over: zones) { cluster in
      if case .conflict = outcome(of: cluster) { true } else { false }
    }
    pieces = clusters.flatMap(pieces)
  }

  private func pieces(of cluster: Cluster) -> [CombinedPiece] {
    switch outcome(of: cluster) {
    case .kept(let acceptors):
      return units(of: cluster, in: 0, by: [], acceptedBy: acceptors)
    case .changed(let authors):
      // Who replaced least, by the fewest changes, says it best, whoever comes first.
      func size(_ author: Int) -> (replaced: Int, changes: Int) {
        let members = cluster.members[author]
        return (
          versions[author].differences[members].reduce(0) { $0 + $1.old.count }, members.count
        )
      }
      let best = authors.min { size($0) < size($1) } ?? authors[0]
      let others = authors.filter { $0 != best }
      let pieces = units(of: cluster, in: best, by: [best] + others, acceptedBy: [])
      let answers = answers(in: cluster, by: best, notIn: pieces)
      guard !answers.isEmpty else { return pieces }
      let end = cluster.old.upperBound
      let piece =
        pieces.last ?? CombinedPiece(old: end..<end, clean: [], forms: [[]], isConflict: false)
      return Array(pieces.dropLast()) + [piece.adding(answers)]
    case .defined(let added): return added.all.map { piece(of: $0, in: cluster) }
    case .conflict: return [alternatives(in: cluster)]
    }
  }

  /// A definition that was added, with the names and comments of those who did.
  private func piece(of definition: AddedDefinitions.Definition, in cluster: Cluster)
    -> CombinedPiece
  {
    var heads: [[UInt8]] = []
    var thread = SignedThread([], since: nil)
    for (version, range) in definition.places {
      let members = cluster.members[version]
      let own = members.filter { versions[version].differences[$0].new.overlaps(range) }
      guard let first = own.first, let last = own.last else { continue }
      heads += copy(version).heads(of: first..<last + 1)
      // The comments on several definitions are behind the last one.
      let ended = own.filter { range.holds(versions[version].differences[$0].new.suffix(1)) }
      for unit in ended { thread.add(copy(version).comments(of: unit..<unit + 1)) }
    }
    thread.sign(by: heads.unique, isSigned: false)
    let text = Array(definition.text.bytes)
    return CombinedPiece(
      old: cluster.old,
      clean: text,
      forms: Strategy.withLastResort.map {
        $0.printed([], text, as: language) + thread.bytes
      },
      isConflict: false
    )
  }

  /// What others have commented on changes of the text itself that somebody changed or rejected, and on the same text if
  /// they made it of other changes.
  private func answers(
    in cluster: Cluster,
    by best: Int,
    notIn pieces: [CombinedPiece]
  ) -> [UInt8] {
    let others = versions.indices.dropFirst().filter { $0 != best }
      .map { copy($0).comments(of: cluster.members[$0]) }.joined()
    if others.comments.isEmpty { return [] }
    let known = source.comments(of: cluster.members[0]).comments.map(\.bytes)
    let written = pieces.compactMap(\.forms.first)
      .flatMap { CommentThread(allOf: $0, as: language).comments.map(\.bytes) }
    let said = Set(known + written)
    return others.filter { !said.contains($0.bytes) }.bytes
  }

  private func text(of cluster: Cluster, in version: Int) -> [UInt8] {
    Array(versions[version].text(of: cluster.old, cluster.members[version]))
  }

  /// The copies that changed a stretch, and those that accepted all changes in it.
  private func changers(of cluster: Cluster) -> (changed: [Int], accepted: [Int]) {
    var (changed, accepted): ([Int], [Int]) = ([], [])
    let before = text(of: cluster, in: 0)
    for version in versions.indices.dropFirst() {
      let members = cluster.members[version]
      if text(of: cluster, in: version) != before
        || !cluster.isChanged(by: 0) && !members.isEmpty
      {
        changed.append(version)
      } else if cluster.isChanged(by: 0),
        copies[version - 1].units[members].allSatisfy({ !$0.isOwn })
      {
        accepted.append(version)
      }
    }
    return (changed, accepted)
  }

  private func outcome(of cluster: Cluster) -> Outcome {
    let (changed, accepted) = changers(of: cluster)
    guard let first = changed.first else { return .kept(by: accepted) }
    let text = text(of: cluster, in: first)
    let isOne = accepted.isEmpty && changed.allSatisfy { self.text(of: cluster, in: $0) == text }
    if isOne { return .changed(by: changed) }
    guard language == .markdown, cluster.old.isEmpty, !cluster.isChanged(by: 0), accepted.isEmpty
    else { return .conflict }
    let insertions = changed.map { version in
      let range = versions[version].range(of: cluster.old, cluster.members[version])
      return (version: version, text: versions[version].text, range: range)
    }
    return AddedDefinitions(in: insertions).map { .defined($0) } ?? .conflict
  }

  /// The changes of a version as they are written there, with the names and comments of others that made the same.
  private func units(
    of cluster: Cluster,
    in version: Int,
    by authors: [Int],
    acceptedBy acceptors: [Int]
  ) -> [CombinedPiece] {
    cluster.members[version].map { index in
      let same = same(as: index, in: version, by: authors)
      let base = same.first { $0.version == 0 } ?? twin(of: index, in: version, 0)
      var thread = SignedThread(same.map(comments), since: base.map(comments))
      if base == nil {
        let heads = authors.flatMap { author in
          same.first { $0.version == author }.map {
            copy(author).heads(of: $0.index..<$0.index + 1)
          }
            ?? copy(author).heads(of: cluster.members[author])
        }
        thread.sign(by: heads, isSigned: unit(same[0]).head != nil)
      }
      for acceptor in acceptors { thread.add("accepted", by: copy(acceptor).editor) }
      // Somebody may have commented inside a change of the text itself.
      let shown = same.first { base != nil && marks(of: $0) != marks(of: same[0]) } ?? same[0]
      let inside = commentsInside(shown).comments.map(\.bytes)
      let known = base.map { commentsInside($0).comments.map(\.bytes) } ?? []
      thread.add(
        same.map(commentsInside).joined().filter {
          !inside.contains($0.bytes) && !known.contains($0.bytes)
        }
      )
      let difference = versions[version].differences[index]
      let (old, new) = (original[difference.old], versions[version].text[difference.new])
      let printed = Strategy.withLastResort.map { strategy in
        strategy.printed(Array(old), Array(new), as: language) + thread.bytes
          + inside.flatMap(\.self)
      }
      let isMoved = copy(version).version.differences[index] != difference
      return CombinedPiece(
        old: difference.old,
        clean: Array(new),
        forms: (isMoved ? [] : [marks(of: shown) + thread.bytes]) + printed,
        isConflict: false
      )
    }
  }

  /// A change of a version.
  private struct Place {
    let version: Int
    let index: Int
  }

  private func copy(_ version: Int) -> TrackedCopy { version == 0 ? source : copies[version - 1] }

  private func unit(_ place: Place) -> TrackedCopy.Unit { copy(place.version).units[place.index] }

  private func marks(of place: Place) -> [UInt8] { copy(place.version).marks(of: unit(place)) }

  private func comments(of place: Place) -> CommentThread {
    copy(place.version).thread(of: unit(place))
  }

  private func commentsInside(_ place: Place) -> CommentThread {
    CommentThread(allOf: marks(of: place), as: language)
  }

  /// A change and the same in other versions: in those of its authors, or else wherever it is in marks.
  private func same(as index: Int, in version: Int, by authors: [Int]) -> [Place] {
    let others =
      authors.isEmpty ? Array(versions.indices.dropFirst()) : authors.dropFirst().map(\.self)
    let twins = others.compactMap { twin(of: index, in: version, $0) }.filter {
      !authors.isEmpty || unit($0).isOwn
    }
    return [Place(version: version, index: index)] + twins
  }

  /// The same change in another version; nil if there is none.
  private func twin(of index: Int, in version: Int, _ other: Int) -> Place? {
    let (ours, theirs) = (versions[version], versions[other])
    let change = ours.differences[index]
    let first = theirs.differences.partitioningIndex { $0.old.lowerBound >= change.old.lowerBound }
    let near = theirs.differences[first...].prefix { $0.old.lowerBound == change.old.lowerBound }
    let found = near.indices.first { twin in
      near[twin].old == change.old && theirs.text[near[twin].new] == ours.text[change.new]
    }
    return found.map { Place(version: other, index: $0) }
  }

  private func alternatives(in cluster: Cluster) -> CombinedPiece {
    var known = Alternatives(of: Array(original[cluster.old]), as: language)
    let (changed, accepted) = changers(of: cluster)
    for version in (changed + accepted).sorted() {
      let copy = copies[version - 1]
      let isAccepted = accepted.contains(version)
      let heads =
        isAccepted
        ? source.units[cluster.members[0]].compactMap(\.head) + [copy.editor]
        : copy.heads(of: cluster.members[version])
      known.add(text(of: cluster, in: version), by: heads)
    }
    let threads = versions.indices.dropFirst().map { copy($0).comments(of: cluster.members[$0]) }
    known.comments = threads.joined().bytes
    return CombinedPiece(
      old: cluster.old,
      clean: known.clean,
      forms: Strategy.withLastResort.compactMap { known.written($0) },
      isConflict: true
    )
  }
}
