/// A stretch of two texts that is marked up by itself.
struct ComparedStretch {
  /// The old text of the stretch, and the new one, which may have marks.
  private(set) var range: Difference
  /// What turns one into the other, marks included.
  private var hunks: ArraySlice<Difference>
  /// Whether its changes can be written as marks without looking at what is around them.
  var isPlain = false

  /// How many changes are marked together even if some of them are plain, and how many are enough for a stretch that
  /// is marked with care.
  ///
  /// What care takes grows with the changes times the text that is read for each.
  static let mostHunks = 16
  /// How many bytes of both texts are enough for such a stretch.
  private static let longest = 2048

  init(of range: Difference, _ hunks: ArraySlice<Difference>) {
    (self.range, self.hunks) = (range, hunks)
  }

  /// Whether it is `size` times as long as a stretch has to be that is marked with care.
  func isLong(_ size: Int) -> Bool {
    hunks.count > size * ComparedStretch.mostHunks
      || range.old.count + range.new.count > size * ComparedStretch.longest
  }

  /// Adds the stretch behind this one.
  mutating func append(_ next: ComparedStretch) {
    range = range.joined(with: next.range)
    hunks += next.hunks
  }

  /// The parts of the texts, parted at blank lines that both have, outside marks and code.
  func parts(in old: ParsedText, _ new: ParsedText) -> [ComparedStretch] {
    var parts: [ComparedStretch] = []
    var first = hunks.startIndex
    var (oldAt, newAt) = (range.old.lowerBound, range.new.lowerBound)
    var isPlain = true
    func end(_ next: Int, _ oldEnd: Int, _ newEnd: Int) {
      var part = ComparedStretch(
        of: Difference(oldAt..<oldEnd, newAt..<newEnd),
        hunks[first..<next]
      )
      part.isPlain = isPlain && !new.hasMark(in: newAt..<newEnd)
      parts.append(part)
      (first, oldAt, newAt, isPlain) = (next, oldEnd, newEnd, true)
    }
    for index in hunks.indices {
      let hunk = hunks[index]
      isPlain = isPlain && old.isPlain(hunk.old) && new.isPlain(hunk.new)
      guard index + 1 < hunks.endIndex else { break }
      let kept = hunk.old.upperBound..<hunks[index + 1].old.lowerBound
      let growth = hunk.new.upperBound - hunk.old.upperBound
      guard let place = old.bytes.placeAfterBlankLine(in: kept), !old.isInside(place),
        !new.isInside(place + growth)
      else { continue }
      end(index + 1, place, place + growth)
    }
    end(hunks.endIndex, range.old.upperBound, range.new.upperBound)
    return parts
  }
}

// MARK: - Marked plainly

extension ComparedStretch {
  /// Adds the edits of all of the new text that mark the changes, each by itself.
  func addPlainMarks(to edits: inout [Edit], in original: [UInt8]) {
    for hunk in hunks {
      let (start, end) = (hunk.new.lowerBound, hunk.new.upperBound)
      let removed = original[hunk.old]
      if hunk.new.isEmpty {
        edits.append(Edit(start..<start, MarkKind.deletion.around(removed)))
      } else if hunk.old.isEmpty {
        edits.append(Edit(start..<start, MarkKind.addition.opener))
        edits.append(Edit(end..<end, MarkKind.addition.closer))
      } else {
        let mark = MarkKind.substitution.opener + removed + MarkKind.arrow
        edits.append(Edit(start..<start, mark))
        edits.append(Edit(end..<end, MarkKind.substitution.closer))
      }
    }
  }

  /// Whether it has both texts if it is marked plainly.
  func isExact(in original: [UInt8], _ new: [UInt8], as language: Language) -> Bool {
    var edits: [Edit] = []
    addPlainMarks(to: &edits, in: original)
    let text = Array(new[range.new])
    let marked = text.applying(edits.map { $0.moved(by: -range.new.lowerBound) })
    return Claim(clean: text, original: Array(original[range.old])).isKept(by: marked, as: language)
  }
}

extension ParsedText {
  /// Whether a stretch can be the text of a mark, beside the text around it, and nothing of that can be read in
  /// another way: no part of code and no sign that is part of a delimiter or keeps one from being one is in it or
  /// beside it.
  fileprivate func isPlain(_ range: Range<Int>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      if bytes.isBesideDelimiter(range) || isBesideCode(range, bytes) { return false }
      var at = range.lowerBound
      while at < range.upperBound {
        let byte = bytes[at]
        if byte.isBrace || byte == Ascii.tilde || byte.isEscape { return false }
        if reading.language.isCodeSign(byte) {
          guard let code = reading.zone(endingAfter: at)?.range, code.lowerBound == at,
            code.upperBound <= range.upperBound
          else { return false }
          at = code.upperBound
        } else {
          at += 1
        }
      }
      return true
    }
  }

  /// Whether code begins or ends at the ends of a stretch, or a fence is on the line on which it ends.
  private func isBesideCode(_ range: Range<Int>, _ bytes: Bytes) -> Bool {
    let zones = reading.zones
    let next = zones.partitioningIndex { $0.range.upperBound >= range.lowerBound }
    for zone in zones[next...] {
      if zone.isFenced {
        return zone.range.lowerBound <= range.upperBound
          || bytes.lineEnd(after: range.upperBound) > zone.range.lowerBound
      }
      if zone.range.lowerBound > range.upperBound { return false }
      if !range.holds(zone.range) || zone.range.upperBound == range.lowerBound { return true }
    }
    return false
  }

  fileprivate func hasMark(in range: Range<Int>) -> Bool {
    let next = firstMark(endingAfter: range.lowerBound)
    return next < top.count && reading.marks[top[next]].start < range.upperBound
  }

  /// Whether an offset is inside a mark or code.
  fileprivate func isInside(_ offset: Int) -> Bool {
    if let mark = mark(at: offset), reading.marks[mark].start < offset { return true }
    return reading.zone(endingAfter: offset).map { $0.range.lowerBound < offset } ?? false
  }
}

extension Bytes {
  /// Whether a sign that could be part of a delimiter, or turn one into text, begins or ends a stretch or is beside it.
  fileprivate func isBesideDelimiter(_ range: Range<Int>) -> Bool {
    if let first = range.first, let last = range.last,
      self[first].isDelimiterSign || self[last].isDelimiterSign
    {
      return true
    }
    if range.lowerBound > 0 {
      let before = self[range.lowerBound - 1]
      if before.isBrace || before.isEscape { return true }
    }
    guard range.upperBound < count else { return false }
    // A bracket behind a mark may begin what another tool has added to it.
    return self[range.upperBound].isBrace || self[range.upperBound] == Ascii.bracket
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

// MARK: - Marked with care

extension ComparedStretch {
  /// The edits of all of the new text that mark it up, and how many bytes were read for that.
  func marking(
    in original: [UInt8],
    _ new: [UInt8],
    as language: Language
  ) -> (edits: [Edit], steps: Int) {
    let (old, new) = (Array(original[range.old]), Array(new[range.new]))
    let hunks = hunks.map { hunk in
      let place = Difference(
        hunk.old.moved(by: -range.old.lowerBound),
        hunk.new.moved(by: -range.new.lowerBound)
      )
      return Hunk(place, replacing: old[place.old], by: new[place.new])
    }
    var options = Tracker.Options(language, tracksFrontMatter: true)
    options.areMeantAsTheyAre = true
    let text = Text(new)
    let marking = Marking(hunks, in: Draft(text, language), options: options, isForced: true)
    let clean = Reading(of: new, as: language).text(.clean, of: new)
    var edits = marking.edits
    if !Claim(clean: clean, original: old).isKept(by: new.applying(edits), as: language) {
      edits = [Edit(new.indices, [UInt8](deleting: old, adding: clean, as: language))]
    }
    let steps = (marking.readings + 1) * (old.count + new.count)
    return (edits.map { $0.moved(by: range.new.lowerBound) }, steps)
  }
}
