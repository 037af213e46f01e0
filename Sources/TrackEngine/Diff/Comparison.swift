/// Marks up what differs between two texts.
///
/// Accepting everything in the result gives the same as accepting everything in `new`, and rejecting everything
/// the same as rejecting everything in `old`, byte for byte, for any bytes. Marks of `new` are kept if this
/// allows it. Linear, except for a bounded factor.
///
/// - Parameters:
///   - old: The text before.
///   - new: The text after.
///   - language: The language of both.
///   - author: Who is named in an attribution after each change that was found; nil to name nobody.
/// - Returns: The marked-up text.
public func comparison(
  of old: [UInt8],
  and new: [UInt8],
  as language: Language,
  author: AuthorName? = nil
) -> [UInt8] {
  let comparison = Comparison(old, new, as: language)
  let edits = comparison.marking().edits
  let marked = new.applying(edits)
  guard let author else { return marked }
  let toNew = OffsetMap(edits).inverted
  let attributed = marked.attributing(to: author, as: language) { comparison.isNew($0, toNew) }
  return comparison.isExact(attributed) ? attributed : marked
}

/// A comparison of two texts.
struct Comparison {
  /// The old text with everything rejected.
  let original: [UInt8]
  let new: [UInt8]
  let reading: Reading
  /// The new text with everything rejected.
  private let newOriginal: VariantText
  private let originalReading: Reading
  /// What the marked-up text must be.
  private let claim: Claim

  init(_ old: [UInt8], _ new: [UInt8], as language: Language) {
    let oldReading = Reading(of: old, as: language)
    original = oldReading.text(.original, of: old)
    originalReading = oldReading.marks.isEmpty ? oldReading : Reading(of: original, as: language)
    self.new = new
    reading = Reading(of: new, as: language)
    newOriginal = VariantText(.original, of: new, reading)
    claim = Claim(clean: reading.text(.clean, of: new), original: original)
  }

  /// The edits that mark up the new text, and how many bytes were read for that.
  func marking() -> (edits: [Edit], steps: Int) {
    guard newOriginal.bytes != original else { return ([], 0) }
    let hunks = hunks(of: changes())
    let all = ComparedStretch(of: Difference(original.indices, new.indices), hunks[...])
    let texts = (old: ParsedText(original, originalReading), new: ParsedText(new, reading))
    var stretches = all.parts(in: texts.old, texts.new)
    // Few changes are marked together if it takes any care.
    guard stretches.allSatisfy(\.isPlain) || hunks.count > ComparedStretch.mostHunks else {
      return all.marking(in: original, new, as: reading.language)
    }
    var steps = 0
    var size = 1
    var known: [Difference: [Edit]] = [:]
    while true {
      let edits = marking(stretches, size, &known, &steps)
      steps += new.count
      if known[all.range] != nil || isExact(new.applying(edits)) { return (edits, steps) }
      let plain = stretches.indices.filter { stretches[$0].isPlain }
      if plain.isEmpty {
        // Something is misread across stretches.
        size *= Comparison.sizeFactor
        continue
      }
      // Those that are misread by themselves are marked with care, or all if none is.
      let misread = plain.filter { !stretches[$0].isExact(in: original, new, as: reading.language) }
      steps += new.count
      for index in misread.isEmpty ? plain : misread { stretches[index].isPlain = false }
    }
  }

  /// How many times as long stretches become if those marked before are misread together.
  private static let sizeFactor = 8

  /// The edits that mark up each stretch by itself; `known` has those of stretches that were marked with care.
  private func marking(
    _ stretches: [ComparedStretch],
    _ size: Int,
    _ known: inout [Difference: [Edit]],
    _ steps: inout Int
  ) -> [Edit] {
    var edits: [Edit] = []
    var next = 0
    while next < stretches.count {
      var stretch = stretches[next]
      next += 1
      if stretch.isPlain {
        stretch.addPlainMarks(to: &edits, in: original)
        continue
      }
      // Those near each other are marked together.
      while next < stretches.count, !stretches[next].isPlain, !stretch.isLong(size) {
        stretch.append(stretches[next])
        next += 1
      }
      if known[stretch.range] == nil {
        let marked = stretch.marking(in: original, new, as: reading.language)
        known[stretch.range] = marked.edits
        steps += marked.steps
      }
      edits += known[stretch.range] ?? []
    }
    return edits
  }

  /// What differs between the original texts, whole fenced blocks in one.
  private func changes() -> [Difference] {
    let newReading =
      reading.marks.isEmpty ? reading : Reading(of: newOriginal.bytes, as: reading.language)
    let (language, new) = (reading.language, newOriginal.bytes)
    return textChanges(original, new, as: language, sparing: newOriginal.marks)
      .coveringBlocks(originalReading.fencedBlocks(of: original), newReading.fencedBlocks(of: new))
  }

  /// Whether a change of the marked-up text is not one of the new text's own.
  func isNew(_ change: Change, _ toNew: OffsetMap) -> Bool {
    change.marks.contains { mark in
      guard let opener = toNew.mapWhole(mark.start..<mark.start + 3) else { return true }
      return !reading.hasMark(at: opener.lowerBound)
    }
  }

  /// Whether a text results in the original and in the new text.
  func isExact(_ marked: [UInt8]) -> Bool {
    claim.isKept(by: marked, as: reading.language)
  }

  /// The changes as what turns the original into `new`, marks included.
  private func hunks(of changes: [Difference]) -> [Difference] {
    if newOriginal.bytes.count == new.count { return changes.joiningTouching }
    // Where text kept from the original is in the new text.
    var kept: [(old: Int, new: Range<Int>)] = []
    var (oldAt, newAt) = (0, 0)
    func keep(_ count: Int) {
      var at = oldAt
      for stretch in newOriginal.stretches(of: newAt..<newAt + count) {
        kept.append((at, stretch))
        at += stretch.count
      }
    }
    for change in changes {
      keep(change.new.lowerBound - newAt)
      (oldAt, newAt) = (change.old.upperBound, change.new.upperBound)
    }
    keep(original.count - oldAt)
    var hunks: [Difference] = []
    var (oldEnd, newEnd) = (0, 0)
    for (oldStart, range) in kept + [(original.count, new.count..<new.count)] {
      if oldStart > oldEnd || range.lowerBound > newEnd {
        hunks.append(Difference(oldEnd..<oldStart, newEnd..<range.lowerBound))
      }
      (oldEnd, newEnd) = (oldStart + range.count, range.upperBound)
    }
    return hunks
  }
}

extension [UInt8] {
  /// The text with an attribution after each change for which `isMeant` is true.
  fileprivate func attributing(
    to author: AuthorName,
    as language: Language,
    where isMeant: (Change) -> Bool
  ) -> [UInt8] {
    let attribution = Attribution(author: author.name).comment
    let changes = Reading(of: self, as: language).changes
    return applying(
      changes.filter { $0.kind.isChange && isMeant($0) }
        .map { Edit($0.markRange.upperBound..<$0.markRange.upperBound, attribution) }
    )
  }
}
