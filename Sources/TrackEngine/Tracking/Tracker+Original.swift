extension Tracker {
  /// What rejecting every change gives, pending ones too: it does not change while a document is tracked.
  ///
  /// Linear.
  public var original: [UInt8] {
    let settled = settled.bytes
    return Reading(of: settled, as: draft.language).text(.original, of: settled)
  }

  /// The text without what is pending; linear in that.
  public var settled: Text { buffer.applying(hunks.inverted) }

  /// Takes what was done to the text while nobody recorded it for pending changes: what differs between the original
  /// text as it was then and as it is now.
  ///
  /// Undo does not lead to earlier texts afterwards. Linear, as comparisons are.
  ///
  /// - Parameter original: The original text as it was, see ``original``.
  /// - Returns: The changes found, as ranges of the buffer, in order; none if there are none or tracking is off; nil
  ///   if no text with that original leads to the present one, and nothing is recorded.
  public mutating func record(since original: [UInt8]) -> [Range<Int>]? {
    guard isTracking else { return [] }
    return settled.missedChanges(since: original, as: draft.language).map { record($0) }
  }

  /// Takes what was missed for pending changes, as `record(since:)` does; linear in what was, and in what is pending.
  ///
  /// - Parameter missed: What was done to the settled text, see ``Text/missedChanges(since:as:)``.
  /// - Returns: The changes, as there.
  public mutating func record(_ missed: MissedChanges) -> [Range<Int>] {
    guard isTracking, !missed.back.isEmpty else { return [] }
    let present = settled
    let toBuffer = OffsetMap(hunks)
    let ranges = missed.back.map { toBuffer.map($0.range, start: .before, end: .after) }
    var all = missed.hunks ?? present.hunks(undoneBy: missed.back)
    all.compose(hunks.edits(in: buffer), on: present)
    setPending(all)
    return ranges
  }

  /// Takes changes for text of the original's that were recorded, while they are pending.
  ///
  /// - Parameter ranges: Ranges of the buffer; the pending changes that meet them are meant.
  public mutating func takeAsOriginal(_ ranges: [Range<Int>]) {
    var kept: [Hunk] = []
    var growth = 0
    for hunk in hunks {
      if ranges.contains(where: hunk.new.touches) {
        growth += hunk.growth
      } else {
        kept.append(hunk.moved(old: growth, new: 0))
      }
    }
    setPending(Hunks(kept))
  }
}

/// What was done to a text while nobody recorded it.
///
/// A value, found without the tracker of the text, so that it can be looked for beside everything else.
public struct MissedChanges: Equatable, Sendable {
  /// The edits of the text that undo it.
  public let back: [Edit]
  /// What it is as pending changes; nil if these are still to be composed, as after reading a transcript.
  let hunks: Hunks?

  fileprivate init(undoneBy back: [Edit], _ hunks: Hunks?) {
    self.back = back
    self.hunks = hunks
  }

  /// Those that some edits of the text undo.
  public init(undoneBy back: [Edit]) { self.init(undoneBy: back, nil) }

  /// Whether the same edits undo them, of which the pending changes are made.
  public static func == (missed: Self, other: Self) -> Bool { missed.back == other.back }
}

extension Text {
  /// What was done to this text since its original was another, so that both have the same marks, where that can be.
  ///
  /// Linear, as comparisons are: seconds for some MB with tens of thousands of marks.
  ///
  /// - Parameters:
  ///   - original: The original text as it was.
  ///   - language: The language of both.
  /// - Returns: What was done, undone by no edits if the original is the same; nil if no text with that original leads
  ///   to this one.
  public func missedChanges(
    since original: [UInt8],
    as language: Language
  ) -> MissedChanges? {
    let markup = bytes
    let reading = Reading(of: markup, as: language)
    guard reading.text(.original, of: markup) != original else {
      return MissedChanges(undoneBy: [])
    }
    let clean = reading.text(.clean, of: markup)
    let ways: [() -> [Edit]?] = [
      { differences(from: original, reading) },
      { undoing(Comparison(original, markup, as: language)) },
      // Then the marks were put in as well, as if typed by hand.
      { [Edit(0..<count, original).trimmed(on: self)] },
    ]
    for way in ways {
      guard let back = way() else { continue }
      let hunks = hunks(undoneBy: back)
      if isResult(of: hunks, original, clean, reading) {
        return MissedChanges(undoneBy: back, hunks)
      }
    }
    return nil
  }

  /// What some edits undo, as pending changes.
  fileprivate func hunks(undoneBy back: [Edit]) -> Hunks {
    var hunks = Hunks()
    hunks.compose(back.inverted(on: self), on: applying(back))
    return hunks
  }

  /// The edits that undo what differs between an original text and that of this one, which the marks stay out of.
  private func differences(from original: [UInt8], _ reading: Reading) -> [Edit] {
    let present = VariantText(.original, of: bytes, reading)
    let clean = VariantText(.clean, of: bytes, reading)
    let changes = textChanges(
      original,
      present.bytes,
      as: reading.language,
      sparing: present.marks
    )
    return changes.flatMap { present.edits(undoing: $0, to: original, clean) }.map { edit in
      // What was only typed into a word, or only deleted from it, is that and not another word: more may be typed.
      let trimmed = edit.trimmed(on: self)
      return trimmed.range.isEmpty || trimmed.new.isEmpty ? trimmed : edit
    }
  }

  /// The edits that undo what a comparison finds in this text: they mark it, and reject what they have marked.
  private func undoing(_ comparison: Comparison) -> [Edit]? {
    let marking = comparison.marking().edits
    let marked = comparison.new.applying(marking)
    let reading = Reading(of: marked, as: comparison.reading.language)
    let toNew = OffsetMap(marking).inverted
    let found = reading.changes.filter { comparison.isNew($0, toNew) }
    guard let rejection = try? reading.edits(resolving: found, .original, of: marked) else {
      return nil
    }
    return marking.followed(by: rejection, on: self).trimmed(on: self)
  }

  /// Whether pending changes of an earlier text, put into marks, keep the original, the clean text and the comments.
  private func isResult(
    of hunks: Hunks,
    _ original: [UInt8],
    _ clean: [UInt8],
    _ reading: Reading
  ) -> Bool {
    var tracker = Tracker(self, options: Tracker.Options(reading.language))
    tracker.setPending(hunks)
    let marked = applying(tracker.marking().edits).bytes
    let result = Reading(of: marked, as: reading.language)
    return tracker.original == original
      && Claim(clean: clean, original: original).isKept(by: marked, result)
      && result.comments(in: marked) == reading.comments(in: bytes)
  }
}

extension VariantText {
  /// The edits of the marked-up text that undo a difference between an earlier original text and this one.
  ///
  /// Deleted text is no user's to change, so it is what was there before: the earlier text is parted by it.
  fileprivate func edits(
    undoing change: Difference,
    to earlier: [UInt8],
    _ clean: VariantText
  ) -> [Edit] {
    var edits: [Edit] = []
    var old = change.old
    // The stretch that text which is gone is put back into, and where it is if there is none.
    var open: Range<Int>?
    var place = place(of: change.new.lowerBound)
    func close(before end: Int) {
      let removed = Array(earlier[old.lowerBound..<end])
      let edit = Edit(open ?? place..<place, removed)
      if !edit.range.isEmpty || !removed.isEmpty { edits.append(edit) }
      open = nil
    }
    for stretch in stretches(of: change.new) {
      if clean.hasByte(at: stretch.lowerBound) {
        // Of several stretches, the first takes all that was there.
        if open == nil { open = stretch } else { edits.append(Edit(stretch, [])) }
      } else if let found = earlier[old].firstRange(of: markup[stretch]) {
        close(before: found.lowerBound)
        old = found.upperBound..<old.upperBound
        place = stretch.upperBound
      }
    }
    close(before: old.upperBound)
    return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether the byte at an offset of the marked-up text is one of the variant's.
  private func hasByte(at offset: Int) -> Bool {
    let next = kept.partitioningIndex { $0.upperBound > offset }
    return next < kept.count && kept[next].lowerBound <= offset
  }
}

extension Reading {
  /// What the comments say, in order.
  fileprivate func comments(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    marks.filter { $0.kind == .comment }.map { bytes[$0.content] }
  }
}
