/// What two hands made of one text, brought together: a writer's, and that of a program which knew only the old text.
///
/// Where both changed the same stretch, the program's version stands in ``all`` in the place of the writer's, which
/// ``own`` has. What both changed alike, in marks or without, is the program's: then the writer's text has come to have it.
public struct TwoHands: Equatable, Sendable {
  /// The old text with what the writer alone changed, and with the writer's version where both did.
  public private(set) var own: [UInt8] = []
  /// The same with what the program changed.
  public private(set) var all: [UInt8] = []
  /// Whether all that the program changed is in the writer's text already.
  public private(set) var isRead = true

  /// Brings two texts together.
  ///
  /// Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - writer: What the writer made of the old text.
  ///   - program: What the program made of it.
  ///   - old: The old text.
  ///   - language: The language of all.
  public init(_ writer: [UInt8], _ program: [UInt8], of old: [UInt8], as language: Language) {
    var at = 0
    let edits = [writer, program].map { [Edit](marking: $0, of: old, as: language) }
    for stretch in ChangedStretch.all(edits[0], edits[1]) {
      let (mine, theirs) = (
        stretch.text(stretch.writer, of: old), stretch.text(stretch.program, of: old)
      )
      let kept = Array(old[at..<stretch.range.lowerBound])
      own += kept
      all += kept
      at = stretch.range.upperBound
      if stretch.program.isEmpty {
        own += mine
        all += mine
      } else if stretch.writer.isEmpty {
        own += old[stretch.range]
        all += theirs
        isRead = false
      } else if mine == theirs || mine.isMarking(old[stretch.range], by: theirs, language) {
        own += old[stretch.range]
        all += theirs
      } else {
        own += mine
        // Both were put in at one place, so both have room.
        all += (stretch.range.isEmpty ? mine : []) + theirs
        isRead = false
      }
    }
    own += old[at...]
    all += old[at...]
  }
}

/// A stretch of a text that one of two hands changed, or both.
private struct ChangedStretch {
  private(set) var range: Range<Int>
  private(set) var writer: [Edit] = []
  private(set) var program: [Edit] = []

  /// All stretches, in order; none meets another.
  static func all(_ writer: [Edit], _ program: [Edit]) -> [ChangedStretch] {
    var edits = writer.map { (edit: $0, isWriters: true) }
    edits += program.map { (edit: $0, isWriters: false) }
    edits.sort {
      let (range, other) = ($0.edit.range, $1.edit.range)
      return (range.lowerBound, range.upperBound) < (other.lowerBound, other.upperBound)
    }
    return edits.reduce(into: []) { all, next in
      let range = next.edit.range
      if let last = all.last, range.lowerBound < last.range.upperBound || range == last.range {
        let end = max(last.range.upperBound, range.upperBound)
        all[all.count - 1].range = last.range.lowerBound..<end
      } else {
        all.append(ChangedStretch(range: range))
      }
      if next.isWriters {
        all[all.count - 1].writer.append(next.edit)
      } else {
        all[all.count - 1].program.append(next.edit)
      }
    }
  }

  /// The stretch with some of the edits.
  func text(_ edits: [Edit], of old: [UInt8]) -> [UInt8] {
    let moved = edits.map { edit in
      let start = edit.range.lowerBound - range.lowerBound
      return Edit(start..<start + edit.range.count, edit.new)
    }
    return Array(old[range]).applying(moved)
  }
}

extension [Edit] {
  /// The edits that make a text of another, with no mark cut, and each mark apart that the new text has put into the old
  /// one.
  fileprivate init(marking new: [UInt8], of old: [UInt8], as language: Language) {
    let marks = [new, old].map { $0.outermostMarks(language) }
    self = [Edit](making: new, of: old, as: language).joined(by: marks[0], and: marks[1], in: old)
      .flatMap { $0.parted(in: old, language) }
  }

  /// The same edits, joined where a mark is around what is between two.
  private func joined(
    by newMarks: [Range<Int>],
    and oldMarks: [Range<Int>],
    in old: [UInt8]
  ) -> [Edit] {
    var shift = 0
    return reduce(into: []) { all, next in
      defer { shift += next.growth }
      guard let last = all.last else { return all.append(next) }
      let between = last.range.upperBound..<next.range.lowerBound
      guard oldMarks.isAnyAround(between) || newMarks.isAnyAround(between.moved(by: shift)) else {
        return all.append(next)
      }
      let range = last.range.lowerBound..<next.range.upperBound
      all[all.count - 1] = Edit(range, last.new + old[between] + next.new)
    }
  }
}

extension Edit {
  /// An edit for each mark with the comments behind it, if marks are all that it puts in.
  fileprivate func parted(in old: [UInt8], _ language: Language) -> [Edit] {
    let marks = new.outermostMarks(language)
    guard !marks.isEmpty,
      VariantText(.original, of: new, as: language).bytes.elementsEqual(old[range])
    else {
      return [self]
    }
    var edits: [Edit] = []
    var (at, oldAt) = (0, 0)
    for mark in marks {
      let isBehind = mark.lowerBound == at && !edits.isEmpty
      let start = isBehind ? edits[edits.count - 1].range.lowerBound : oldAt + mark.lowerBound - at
      let text = (isBehind ? edits.removeLast().new : []) + new[mark]
      oldAt +=
        mark.lowerBound - at
        + VariantText(.original, of: Array(new[mark]), as: language).bytes.count
      at = mark.upperBound
      guard oldAt <= range.count else { return [self] }
      edits.append(Edit(start..<oldAt, text))
    }
    // A mark can read otherwise alone.
    guard Array(old[range]).applying(edits) == new else { return [self] }
    return edits.map { $0.moved(by: range.lowerBound) }
  }
}

extension [UInt8] {
  /// Whether this is an old text with changes in marks, signed or not, that make a new one of it, and nothing else.
  fileprivate func isMarking(
    _ old: ArraySlice<UInt8>,
    by new: [UInt8],
    _ language: Language
  ) -> Bool {
    let marks = Reading(of: self, as: language).marks
    return marks.allSatisfy {
      $0.kind.isChange || $0.kind == .comment && $0.isAttribution(in: self)
    }
      && VariantText(.original, of: self, as: language).bytes.elementsEqual(old)
      && VariantText(.clean, of: self, as: language).bytes == new
  }

  /// The marks that are in no other.
  fileprivate func outermostMarks(_ language: Language) -> [Range<Int>] {
    Reading(of: self, as: language).topMarks.map(\.range)
  }
}

extension [Range<Int>] {
  /// Whether one of these, which are in order, begins before a stretch and ends after it.
  fileprivate func isAnyAround(_ stretch: Range<Int>) -> Bool {
    let next = partitioningIndex { $0.upperBound > stretch.upperBound }
    return next < count && self[next].lowerBound < stretch.lowerBound
  }
}
