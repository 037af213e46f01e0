/// Two versions of a text as one, by words, as a version control system merges them.
///
/// What only one of them changes is as it is there, marks included. Where they overlap, both are alternatives in marks,
/// which an author each is named on. No change is lost, doubled or put elsewhere. Linear, except for a bounded factor.
public struct Merge: Sendable {
  /// The merged text.
  public let text: [UInt8]
  /// How many stretches have alternatives.
  public let conflicts: Int

  /// Who made the versions, as alternatives name them.
  public struct Names: Sendable {
    /// Who made the first one.
    public let ours: AuthorName
    /// Who made the second one.
    public let theirs: AuthorName

    /// The names of two versions.
    public init(ours: AuthorName, theirs: AuthorName) {
      (self.ours, self.theirs) = (ours, theirs)
    }
  }

  /// Merges two versions.
  ///
  /// - Parameters:
  ///   - ours: The first version; where comments of both follow each other, those of the first come first.
  ///   - theirs: The second one.
  ///   - base: The text that both were made of.
  ///   - language: The language of all.
  ///   - names: Who made them.
  public init(
    of ours: [UInt8],
    and theirs: [UInt8],
    from base: [UInt8],
    as language: Language,
    _ names: Names
  ) {
    if ours == theirs || theirs == base || ours == base {
      (text, conflicts) = (ours == base ? theirs : ours, 0)
      return
    }
    // Without a common text both have added what they have in common.
    let base = base.isEmpty ? common(to: ours, theirs, as: language) : base
    var merging = Merging(base, [ours, theirs], language, .together)
    merging.widenToZones()
    if let written = merging.written(names) {
      text = written
    } else {
      // Where alternatives cannot be marks, they are lines.
      merging.widenToLines()
      text = merging.writtenInLines(names)
    }
    conflicts = merging.clusters.count(where: merging.hasAlternatives)
  }
}

/// What two texts have in common.
private func common(to one: [UInt8], _ other: [UInt8], as language: Language) -> [UInt8] {
  let (first, second) = (MergedText(one, as: language), MergedText(other, as: language))
  let differences = first.differences(to: second)
  return one.applying(differences.map { Edit($0.old, []) })
}

/// A merge under way.
private struct Merging {
  let base: MergedText
  let sides: [MergedText]
  let language: Language
  let versions: [Version]
  var clusters: [Cluster]

  init(
    _ base: [UInt8],
    _ sides: [[UInt8]],
    _ language: Language,
    _ touching: Touching
  ) {
    let base = MergedText(base, as: language)
    let sides = sides.map { MergedText($0, as: language) }
    (self.base, self.sides, self.language) = (base, sides, language)
    let versions = sides.map { side in
      Version(side.bytes, base.differences(to: side))
    }.aligned(on: base.bytes)
    self.versions = versions
    clusters = versions.clusters(touching) { versions[$0].text[$1.new].isOfComments(as: language) }
  }

  /// Widens the clusters with alternatives to what must stay whole.
  mutating func widenToZones() { widen(over: (base.zones, sides.map(\.zones))) }

  /// Widens the clusters with alternatives to whole lines.
  mutating func widenToLines() { widen(over: (base.lines, sides.map(\.lines))) }

  private mutating func widen(over zones: (base: [Range<Int>], versions: [[Range<Int>]])) {
    clusters = clusters.widened(of: versions, over: zones, where: hasAlternatives)
  }

  /// Whether both versions change a cluster, each in its own way.
  func hasAlternatives(_ cluster: Cluster) -> Bool {
    guard cluster.isChanged(by: 0), cluster.isChanged(by: 1) else { return false }
    let (ours, theirs) = texts(of: cluster)
    return ours != theirs && joinedComments(of: cluster) == nil
  }

  /// What both versions have in the place of a cluster.
  private func texts(of cluster: Cluster) -> (ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>) {
    (
      versions[0].text(of: cluster.old, cluster.members[0]),
      versions[1].text(of: cluster.old, cluster.members[1])
    )
  }

  /// The comments that both versions add at one place; nil if they change anything else.
  private func joinedComments(of cluster: Cluster) -> [UInt8]? {
    let (ours, theirs) = texts(of: cluster)
    guard cluster.old.isEmpty, ours.isOfComments(as: language), theirs.isOfComments(as: language)
    else { return nil }
    return [Array(ours), Array(theirs)].map { CommentThread(allOf: $0, as: language) }.joined()
      .bytes
  }

  /// What is in the place of a cluster without alternatives.
  private func settled(_ cluster: Cluster) -> [UInt8] {
    let (ours, theirs) = texts(of: cluster)
    if cluster.isChanged(by: 0), cluster.isChanged(by: 1), let joined = joinedComments(of: cluster)
    {
      return joined
    }
    return Array(cluster.isChanged(by: 0) ? ours : theirs)
  }

  /// The edits of the text, with what each cluster with alternatives is replaced by.
  private func edits(_ replacing: (Cluster) -> [UInt8]) -> [Edit] {
    clusters.map { Edit($0.old, hasAlternatives($0) ? replacing($0) : settled($0)) }
  }
}

// MARK: - Alternatives in marks

extension Merging {
  /// The merged text; nil if alternatives would not read as they are meant.
  func written(_ names: Merge.Names) -> [UInt8]? {
    var alternatives: [Int: Alternatives] = [:]
    for cluster in clusters where hasAlternatives(cluster) {
      alternatives[cluster.old.lowerBound] = self.alternatives(in: cluster, names)
    }
    guard alternatives.values.allSatisfy({ $0.written(.plain) != nil }) else { return nil }
    let claim = Claim(
      clean: text(.clean, with: alternatives),
      original: text(.original, with: alternatives)
    )
    let forms = Strategy.withLastResort.lazy.map { strategy in
      edits { alternatives[$0.old.lowerBound]?.written(strategy) ?? [] }
    }
    return VerifiedEdits(forms, of: base.bytes, as: language, alternatives.isEmpty ? nil : claim)
      .map { base.bytes.applying($0.edits) }
  }

  /// What the merged text must give: an empty comment is where alternatives will be, which are beside marks there, too.
  private func text(_ variant: Variant, with alternatives: [Int: Alternatives]) -> [UInt8] {
    let gap = MarkKind.comment.around([])
    let edits = edits { _ in gap }
    let text = VariantText(variant, of: base.bytes.applying(edits), as: language)
    let filled = zip(clusters, edits.differences).compactMap { cluster, place -> Edit? in
      guard hasAlternatives(cluster), let all = alternatives[cluster.old.lowerBound] else {
        return nil
      }
      let offset = text.offset(ofMarkup: place.new.lowerBound)
      return Edit(offset..<offset, variant == .original ? all.old : all.clean)
    }
    return text.bytes.applying(filled)
  }

  /// What both versions made of a stretch: of its text with everything rejected, with everything accepted.
  private func alternatives(in cluster: Cluster, _ names: Merge.Names) -> Alternatives {
    var known = Alternatives(
      of: VariantText(.original, of: Array(base.bytes[cluster.old]), as: language).bytes,
      as: language
    )
    let (ours, theirs) = texts(of: cluster)
    for (text, name) in [(ours, names.ours), (theirs, names.theirs)] {
      known.add(
        VariantText(.clean, of: Array(text), as: language).bytes,
        by: [Array(name.name.utf8)]
      )
    }
    let threads = [ours, theirs].map { CommentThread(allOf: Array($0), as: language) }
    let before = CommentThread(allOf: Array(base.bytes[cluster.old]), as: language)
    known.comments = threads.joined(since: before).bytes
    return known
  }
}

// MARK: - Alternatives in lines

extension Merging {
  /// The merged text with alternatives as git writes them.
  func writtenInLines(_ names: Merge.Names) -> [UInt8] {
    let lineEnd = base.bytes.firstLineBreak
    func line(_ sign: String, _ name: String = "") -> [UInt8] {
      let signs = Array(String(repeating: sign, count: 7).utf8)
      return signs + Array((name.isEmpty ? "" : " \(name)").utf8) + lineEnd
    }
    func whole(_ text: ArraySlice<UInt8>) -> [UInt8] {
      Array(text) + (text.last?.isLineBreak == false ? lineEnd : [])
    }
    return base.bytes.applying(
      edits { cluster in
        let (ours, theirs) = texts(of: cluster)
        return line("<", names.ours.name) + whole(ours) + line("=") + whole(theirs)
          + line(">", names.theirs.name)
      }
    )
  }
}

// MARK: - A copy that was laid out elsewhere

extension [UInt8] {
  /// The text with what somebody edited in a copy of it that another program had laid out in its own way.
  ///
  /// Only what was edited is changed, wherever it is; where the program had laid out the same stretch, it is as in the copy.
  /// The end stays as it is: line breaks, and the annotations block of iA Writer. Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - edited: The copy.
  ///   - unedited: What the program makes of the text itself.
  ///   - language: The language of all.
  /// - Returns: The text, with the marks of the copy.
  public func taking(
    _ edited: [UInt8],
    from unedited: [UInt8],
    as language: Language
  ) -> [UInt8] {
    let body = self.body
    let texts = [unedited, edited].map { $0.withLineEnds(of: self).body }
    var merging = Merging(texts[0], [body, texts[1]], language, .apart)
    merging.widenToZones()
    return merging.withTheirs() + self[body.count...]
  }
}

extension Merging {
  /// The text with both versions' changes, the second one's where both change a stretch.
  fileprivate func withTheirs() -> [UInt8] {
    base.bytes.applying(
      edits { cluster in
        let (ours, theirs) = texts(of: cluster)
        guard cluster.old.isEmpty else { return Array(theirs) }
        // What ends a line stays there, as an attribute of a heading does; what begins one as well.
        let before = base.bytes[..<cluster.old.lowerBound].last
        let added = VariantText(.clean, of: Array(theirs), as: language).bytes
        let isBehind = before?.isLineBreak == false && added.first?.isLineBreak != true
        return Array(isBehind ? theirs + ours : ours + theirs)
      }
    )
  }
}
