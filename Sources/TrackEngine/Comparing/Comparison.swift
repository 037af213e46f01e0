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
  let edits = comparison.edits
  let marked = new.applying(edits)
  guard let author else { return marked }
  let toNew = OffsetMap(edits).inverted
  let attributed = marked.attributing(to: author) { comparison.isNew($0, toNew) }
  return comparison.isExact(attributed) ? attributed : marked
}

/// A comparison of two texts.
private struct Comparison {
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

  /// The offsets of the new text's marks in its original text.
  private var marks: [Int] {
    var marks: [Int] = []
    var at = 0
    for (start, range) in zip(newOriginal.starts, newOriginal.kept) {
      if range.lowerBound > at { marks.append(start) }
      at = range.upperBound
    }
    return at < new.count ? marks + [newOriginal.bytes.count] : marks
  }

  /// The edits that mark up the new text.
  var edits: [Edit] {
    guard newOriginal.bytes != original else { return [] }
    let changes = original.withUnsafeBufferPointer { old in
      newOriginal.bytes.withUnsafeBufferPointer { textChanges(old, $0, sparing: marks) }
    }
    var options = Tracker.Options(tracksFrontMatter: true)
    options.areMeantAsTheyAre = true
    let text = Text(new)
    let marking = Marking(hunks(of: changes), in: Draft(text), options: options, isForced: true)
    let marked = text.applying(marking.edits)
    if marking.remaining.isEmpty, isExact(marked.bytes) { return marking.edits }
    let forced = forced(marking.remaining, in: marked)
    if isExact(marked.applying(forced).bytes) {
      return marking.edits.followed(by: forced, on: text)
    }
    return [Edit(new.indices, BrokenSpelling(of: original, by: clean).bytes)]
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
    let read = Reading(of: marked)
    return read.text(.original, of: marked) == original && read.text(.clean, of: marked) == clean
  }

  /// The edits that mark the pending changes of a text, each together with the lines it is in.
  private func forced(_ pending: [Hunk], in marked: Text) -> [Edit] {
    let settled = ParsedText(marked.applying(pending.inverted).bytes)
    let buffer = ParsedText(marked.bytes)
    let toBuffer = OffsetMap(pending)
    let toSettled = toBuffer.inverted
    var stretches: [Difference] = []
    for hunk in pending {
      var old = hunk.old
      var new = toBuffer.map(old, start: .before, end: .after)
      // Extended until it cuts neither lines nor marks.
      while true {
        let known = (old, new)
        old = old.joined(with: toSettled.map(buffer.wholeLines(new), start: .before, end: .after))
        old = settled.wholeLines(old)
        new = new.joined(with: toBuffer.map(old, start: .before, end: .after))
        if known == (old, new) { break }
      }
      if let last = stretches.last, last.old.upperBound >= old.lowerBound {
        stretches[stretches.count - 1] = Difference(
          last.old.joined(with: old),
          last.new.joined(with: new)
        )
      } else {
        stretches.append(Difference(old, new))
      }
    }
    return stretches.map { stretch in
      let broken = BrokenSpelling(
        of: settled.text(.original, in: stretch.old),
        by: buffer.text(.clean, in: stretch.new)
      )
      return Edit(stretch.new, broken.bytes)
    }
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
        let edit = Edit(oldEnd..<oldStart, Array(new[newEnd..<range.lowerBound]))
        hunks.append(Hunk(edit, removed: Array(original[edit.range])))
      }
      (oldEnd, newEnd) = (oldStart + range.count, range.upperBound)
    }
    return hunks
  }
}

extension ParsedText {
  /// The whole lines of a range, without the last line break, and more if they cut marks.
  fileprivate func wholeLines(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start > 0, !bytes[start - 1].isLineBreak { start -= 1 }
    while end < bytes.count, !bytes[end].isLineBreak { end += 1 }
    return whole(start..<end)
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
