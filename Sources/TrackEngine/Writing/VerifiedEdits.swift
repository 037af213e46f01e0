/// Edits whose result was read back: it keeps a claim, or, where none is known, has the marks that are meant.
struct VerifiedEdits {
  /// Sorted, disjoint edits.
  let edits: [Edit]

  /// The first of several forms that keeps a claim; nil if none does.
  ///
  /// Linear, for each form.
  ///
  /// - Parameters:
  ///   - forms: Sorted, disjoint edits.
  ///   - bytes: The text that they are of.
  ///   - language: Its language.
  ///   - claim: What its two texts must be; nil if that is not known.
  ///   - isMeant: Whether the marks of the result are those that must be there.
  init?(
    _ forms: some Sequence<[Edit]>,
    of bytes: [UInt8],
    as language: Language,
    _ claim: Claim?,
    where isMeant: (Reading) -> Bool = { _ in true }
  ) {
    for edits in forms {
      let result = bytes.applying(edits)
      let reading = Reading(of: result, as: language)
      guard isMeant(reading) else { continue }
      if let claim, !claim.isKept(by: result, reading) { continue }
      self.edits = edits
      return
    }
    return nil
  }

  /// The removal of ranges of a text, and of the footnotes of other tools to which nothing refers then, if both texts
  /// are what they must be afterwards and all other marks stay.
  ///
  /// Where halves of a delimiter or of code would meet, an empty comment stays between them; if no change is left that
  /// could be decided otherwise, one is also put into the opener of what would be a mark now.
  ///
  /// Linear, but for a bounded factor.
  ///
  /// - Parameters:
  ///   - gone: Disjoint ranges.
  ///   - bytes: The text.
  ///   - known: Its reading.
  ///   - decided: The marks that are resolved thereby; see ``Reading/claims(of:deciding:without:)``; none if both
  ///     texts stay as they are.
  ///   - isEverything: Whether all changes are.
  /// - Throws: What would read differently.
  init(
    removing gone: [Range<Int>],
    from bytes: [UInt8],
    _ known: Reading,
    deciding decided: [(mark: Mark, variant: Variant)] = [],
    isEverything: Bool = false
  ) throws(Obstacle) {
    let gone = gone.sorted { $0.lowerBound < $1.lowerBound }
    let footnotes = known.footnotes(left: gone, in: bytes)
    let claims =
      decided.isEmpty
      ? [known.claim(of: bytes)] : known.claims(of: bytes, deciding: decided, without: footnotes)
    let all = (gone.without(footnotes) + footnotes).sorted { $0.lowerBound < $1.lowerBound }
    var edits = all.reduce(into: []) { $0.add($1) }.map { Edit($0, []) }
    var first: Obstacle?
    for _ in 0..<VerifiedEdits.mostForms {
      let outcome = Outcome(of: edits, on: bytes, known, claims)
      if outcome.isRight {
        self.edits = edits.sparing(claims, of: bytes, known)
        return
      }
      first = first ?? outcome.obstacle
      let joined = outcome.seams.union(edits.seams(inMarksOf: outcome.later, besides: known))
      for index in joined { edits[index].new = VerifiedEdits.parting }
      if joined.isEmpty, !isEverything || !edits.part(marksOnlyIn: outcome.later, besides: known) {
        break
      }
    }
    throw first ?? Obstacle(range: gone.first ?? 0..<0)
  }

  /// An empty comment.
  fileprivate static let parting = MarkKind.comment.around([])
  /// Each form takes a reading, and so does each empty comment that may not be needed.
  fileprivate static let mostForms = 8
}

/// What comes of edits that only remove text, or put an empty comment in its place.
private struct Outcome {
  /// The reading of the text after them.
  let later: Reading
  /// What would read differently.
  let obstacle: Obstacle?
  /// The indices of those that remove what parts halves of what another tool's footnote begins with.
  let seams: Set<Int>
  /// Whether claims are kept, and all other marks.
  let isRight: Bool

  init(of edits: [Edit], on bytes: [UInt8], _ known: Reading, _ claims: [Claim]) {
    let result = bytes.applying(edits)
    let later = Reading(of: result, as: known.language)
    self.later = later
    obstacle = known.obstacle(to: edits, later)
    seams = edits.seams(inFootnotesOf: result)
    // An export leaves out the footnotes of other tools.
    isRight =
      obstacle == nil && (seams.isEmpty || claims.allSatisfy(\.areExported))
      && claims.allSatisfy { $0.isKept(by: result, later) }
  }
}

extension [Edit] {
  /// The edits without the empty comments of which another one does the work: several are put in at once.
  fileprivate func sparing(_ claims: [Claim], of bytes: [UInt8], _ known: Reading) -> [Edit] {
    let parted = indices.filter { self[$0].new == VerifiedEdits.parting }
    guard 2...VerifiedEdits.mostForms ~= parted.count else { return self }
    return parted.reduce(self) { edits, index in
      var fewer = edits
      fewer[index].new = []
      return Outcome(of: fewer, on: bytes, known, claims).isRight ? fewer : edits
    }.filter { !$0.range.isEmpty || !$0.new.isEmpty }
  }

  /// The indices of those that remove what parts halves of a delimiter or of code.
  fileprivate func seams(inMarksOf later: Reading, besides known: Reading) -> Set<Int> {
    let map = OffsetMap(self)
    var found: Set<Int> = []
    for mark in later.marks {
      if let seam = mark.delimiters.lazy.compactMap(map.seam).first { found.insert(seam) }
    }
    let zones = Set(known.zones.map { map.map($0.range) })
    for zone in later.zones where !zones.contains(zone.range) {
      if let seam = map.seam(in: zone.range) { found.insert(seam) }
    }
    return found
  }

  /// Puts an empty comment into the opener of every mark that was text before; false if there is none.
  fileprivate mutating func part(marksOnlyIn later: Reading, besides known: Reading) -> Bool {
    let map = OffsetMap(self)
    let back = map.inverted
    let kept = known.marks.filter { map.mapWhole($0.opener) != nil }
    let starts = Set(kept.map { map.map($0.start, bias: .after) })
    let parted = Set(map.differences.filter { !$0.new.isEmpty }.map(\.new.lowerBound))
    let found = later.marks.map(\.start).filter { !starts.contains($0) && !parted.contains($0) }
    for start in found {
      let place = back.map(start, bias: .after) + 1
      append(Edit(place..<place, VerifiedEdits.parting))
    }
    sort { $0.range.lowerBound < $1.range.lowerBound }
    return !found.isEmpty
  }

  /// The indices of those that remove what parts halves of what another tool's footnote begins with.
  fileprivate func seams(inFootnotesOf result: [UInt8]) -> Set<Int> {
    let definitions = result.withUnsafeBufferPointer(\.definitions)
    if definitions.isEmpty { return [] }
    let map = OffsetMap(self)
    return Set(definitions.compactMap { map.seam(in: $0.start..<$0.text.lowerBound) })
  }
}

extension OffsetMap {
  /// The index of the first difference in a range of the new text, not at its ends, where nothing is in its place.
  fileprivate func seam(in range: Range<Int>) -> Int? {
    var index = differences.partitioningIndex { $0.new.lowerBound > range.lowerBound }
    while index < differences.count, !differences[index].new.isEmpty { index += 1 }
    return index < differences.count && differences[index].new.lowerBound < range.upperBound
      ? index : nil
  }
}
