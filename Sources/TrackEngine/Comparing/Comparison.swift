/// Marks up what differs between two texts.
///
/// Accepting everything in the result gives the same as accepting everything in `new`, and rejecting everything
/// the same as rejecting everything in `old`, byte for byte, for any bytes. Marks of `new` are kept if this
/// allows it. Linear, except for a bounded factor.
///
/// - Parameters:
///   - old: The text before.
///   - new: The text after.
///   - author: Who is named in an attribution after each change that was found; nil to name nobody.
/// - Returns: The marked-up text.
public func comparison(of old: [UInt8], and new: [UInt8], author: String? = nil) -> [UInt8] {
  let comparison = Comparison(old, new)
  let edits = comparison.marking().edits
  let marked = new.applying(edits)
  guard let author else { return marked }
  let toNew = OffsetMap(edits).inverted
  let attributed = marked.attributing(to: author) { comparison.isNew($0, toNew) }
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

  init(_ old: [UInt8], _ new: [UInt8]) {
    original = Reading(of: old).text(.original, of: old)
    self.new = new
    reading = Reading(of: new)
    newOriginal = VariantText(.original, of: new, reading)
  }

  /// The edits that mark up the new text, and how many bytes were read for that.
  func marking() -> (edits: [Edit], steps: Int) {
    guard newOriginal.bytes != original else { return ([], 0) }
    let changes = original.withUnsafeBufferPointer { old in
      newOriginal.bytes.withUnsafeBufferPointer { new in
        textChanges(old, new, sparing: newOriginal.marks).coveringBlocks(
          Reading(of: old).fencedBlocks(of: old),
          Reading(of: new).fencedBlocks(of: new)
        )
      }
    }
    let hunks = hunks(of: changes)
    let stretches = stretches(of: hunks)
    if stretches.count > 1 {
      let marked = marking(stretches)
      if isExact(new.applying(marked.edits)) { return marked }
    }
    return marking([ComparedStretch(of: original, and: new, hunks)])
  }

  private func marking(_ stretches: [ComparedStretch]) -> (edits: [Edit], steps: Int) {
    var edits: [Edit] = []
    var steps = 0
    for stretch in stretches {
      let marked = stretch.marking()
      edits += marked.edits
      steps += marked.steps
    }
    return (edits, steps)
  }

  /// The texts in stretches that can be marked each by itself, parted at blank lines that both have.
  private func stretches(of hunks: [Hunk]) -> [ComparedStretch] {
    guard hunks.count > ComparedStretch.fewestHunks else { return [] }
    let (oldText, newText) = (ParsedText(original), ParsedText(new, reading))
    var stretches: [ComparedStretch] = []
    var first = 0
    var (oldAt, newAt) = (0, 0)
    var growth = 0
    func end(_ next: Int, _ oldEnd: Int, _ newEnd: Int) {
      let range = Difference(oldAt..<oldEnd, newAt..<newEnd)
      stretches.append(ComparedStretch(of: original, and: new, in: range, hunks[first..<next]))
      (first, oldAt, newAt) = (next, oldEnd, newEnd)
    }
    for index in hunks.indices.dropLast() {
      growth += hunks[index].growth
      let kept = hunks[index].old.upperBound..<hunks[index + 1].old.lowerBound
      guard index - first >= ComparedStretch.fewestHunks,
        kept.upperBound - oldAt >= ComparedStretch.shortest,
        let place = original.placeAfterBlankLine(in: kept),
        !oldText.isInside(place), !newText.isInside(place + growth)
      else { continue }
      end(index + 1, place, place + growth)
    }
    end(hunks.count, original.count, new.count)
    return stretches
  }

  /// Whether a change of the marked-up text is not one of the new text's own.
  func isNew(_ change: Change, _ toNew: OffsetMap) -> Bool {
    change.marks.contains { mark in
      guard let opener = toNew.mapWhole(mark.start..<mark.start + 3) else { return true }
      return !reading.hasMark(at: opener.lowerBound)
    }
  }

  /// The new text with everything accepted.
  private var clean: [UInt8] { reading.text(.clean, of: new) }

  /// Whether a text results in the original and in the new text.
  func isExact(_ marked: [UInt8]) -> Bool {
    marked.hasVariants(original, clean)
  }

  /// The changes as hunks that turn the original into `new`, marks included.
  private func hunks(of changes: [Difference]) -> [Hunk] {
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
    var hunks: [Hunk] = []
    var (oldEnd, newEnd) = (0, 0)
    for (oldStart, range) in kept + [(original.count, new.count..<new.count)] {
      if oldStart > oldEnd || range.lowerBound > newEnd {
        let place = Difference(oldEnd..<oldStart, newEnd..<range.lowerBound)
        hunks.append(Hunk(place, replacing: original[place.old], by: new[place.new]))
      }
      (oldEnd, newEnd) = (oldStart + range.count, range.upperBound)
    }
    return hunks
  }
}

extension [UInt8] {
  /// The text with an attribution after each change for which `isMeant` is true.
  fileprivate func attributing(to author: String, where isMeant: (Change) -> Bool) -> [UInt8] {
    let name = author.utf8.map { $0.isSpace || $0.isLineBreak ? UInt8(ascii: "_") : $0 }
      .filter { !$0.isBrace }
    let attribution = MarkKind.comment.opener + [UInt8(ascii: "@")] + name + MarkKind.comment.closer
    var text: [UInt8] = []
    var at = 0
    for change in Reading(of: self).changes where change.kind.isChange && isMeant(change) {
      text += self[at..<change.markRange.upperBound] + attribution
      at = change.markRange.upperBound
    }
    return text + self[at...]
  }
}

extension ParsedText {
  /// Whether an offset is inside a mark or code.
  fileprivate func isInside(_ offset: Int) -> Bool {
    if let mark = mark(at: offset), reading.marks[mark].start < offset { return true }
    return reading.zone(endingAfter: offset).map { $0.range.lowerBound < offset } ?? false
  }
}

extension [UInt8] {
  /// The first beginning of a line after a blank one, both in a range; nil if there is none.
  fileprivate func placeAfterBlankLine(in range: Range<Int>) -> Int? {
    withUnsafeBufferPointer { bytes in
      var line = bytes.lineEnd(after: range.lowerBound)
      while line < range.upperBound {
        let next = bytes.lineEnd(after: line)
        if next <= range.upperBound, bytes.isBlank(lineAt: line) { return next }
        line = next
      }
      return nil
    }
  }
}
