/// Writes marks of one text into another one, beside the marks that this has, and sees that they read as meant.
struct MarkWriting {
  /// The marks that are written; their edits of the new text are sorted and disjoint.
  private(set) var written: [WrittenMark] = []
  /// The marks that are not written, and why.
  private(set) var left: [Carrying.Left] = []

  private let old: VariantText
  private let new: VariantText
  private let newTop: [Mark]
  /// The new text's own changes outside of highlights, by what they are and where.
  private var own: [OwnMark: Change] = [:]
  /// How often the new text has a mark with its thread, both as they are written.
  private var copies: [[UInt8]: Int] = [:]

  /// How often the text is read; what is not written by then is not carried.
  private static let mostReadings = 256

  /// A mark and the edit that writes it, or what its thread lacks.
  struct WrittenMark {
    var edit: Edit
    var mark: CarriedMark
  }

  /// A mark of the new text.
  private struct OwnMark: Hashable {
    var place: Range<Int>
    var bytes: [UInt8]
  }

  init(_ old: VariantText, _ new: VariantText) {
    (self.old, self.new) = (old, new)
    newTop = new.reading.topMarks
    for change in new.reading.changes {
      if change.marks.first?.depth ?? 0 == 0 { own[ownMark(change, in: new)] = change }
      copies[Array(new.markup[change.range]), default: 0] += 1
    }
  }

  private func ownMark(_ change: Change, in text: VariantText, at place: Range<Int>? = nil)
    -> OwnMark
  {
    // A lone comment is told by its place alone: others may have answered it.
    let bytes = change.marks.isEmpty ? [] : Array(text.markup[change.markRange])
    return OwnMark(place: place ?? text.range(ofMarkup: change.range), bytes: bytes)
  }
}

// MARK: - Marks that both texts have

extension MarkWriting {
  /// Takes marks that the new text has as well from those that are to be carried, and from those that are left.
  ///
  /// - Parameters:
  ///   - placing: The marks; what their threads lack in the new text remains to be written.
  ///   - changes: All changes of the old text.
  mutating func leaveOut(_ placing: inout MarkPlacing, _ changes: [Change]) {
    guard !own.isEmpty else { return }
    placing.marks = placing.marks.filter { mark in
      guard let twin = own[ownMark(mark.change, in: old, at: mark.place)] else { return true }
      copies[Array(new.markup[twin.range]), default: 0] -= 1
      let missing = comments(of: mark.change, missingIn: twin)
      if !missing.isEmpty {
        let end = twin.range.upperBound
        written.append(WrittenMark(edit: Edit(end..<end, missing), mark: mark))
      }
      return false
    }
    // Whoever wrote the new text kept these, wherever they are now.
    func isKept(_ change: Change) -> Bool {
      let bytes = Array(old.markup[change.range])
      guard let count = copies[bytes], count > 0 else { return false }
      copies[bytes] = count - 1
      return true
    }
    placing.marks = placing.marks.filter { !isKept($0.change) }
    placing.left = placing.left.filter { !isKept(changes[$0.index]) }
  }

  /// The comments of a thread that another one does not have.
  private func comments(of change: Change, missingIn twin: Change) -> [UInt8] {
    var known = twin.thread.map { said(by: $0, in: new.markup) }
    return change.thread.flatMap { comment -> [UInt8] in
      guard let index = known.firstIndex(of: said(by: comment, in: old.markup)) else {
        return Array(old.markup[comment.range])
      }
      known.remove(at: index)
      return []
    }
  }

  /// What a comment says; it is the same one if it was resolved meanwhile, or dated.
  private func said(by comment: Mark, in bytes: [UInt8]) -> [UInt8] {
    let head = CommentHead(of: bytes[comment.content])
    return Array((head.author ?? "").utf8) + [Ascii.colon] + bytes[head.text]
  }
}

// MARK: - Writing

extension MarkWriting {
  /// Writes marks; those that would read as anything else, or change how others read, are left.
  mutating func write(_ marks: [CarriedMark]) {
    var all = written
    written = []
    for mark in marks {
      if let edit = edit(for: mark) {
        all.append(WrittenMark(edit: edit, mark: mark))
      } else {
        leave(mark, .occupied)
      }
    }
    func order(_ one: WrittenMark) -> (Int, Int) { (one.edit.range.lowerBound, one.mark.index) }
    var free: [WrittenMark] = []
    for next in all.sorted(by: { order($0) < order($1) }) {
      if let last = free.last, next.edit.range.lowerBound < last.edit.range.upperBound {
        leave(next.mark, .occupied)
      } else {
        free.append(next)
      }
    }
    let writing = self
    let result = VerifiedWriting(
      of: free.indices,
      atMost: MarkWriting.mostReadings,
      first: { free[$0] },
      where: { written in writing.isRight(free.indices.compactMap { written[$0] }) }
    )
    written = free.indices.compactMap { result.forms[$0] }
    for index in result.refused { leave(free[index].mark, .unwritable) }
  }

  private mutating func leave(_ mark: CarriedMark, _ obstacle: Carrying.Obstacle) {
    left.append(Carrying.Left(mark.index, obstacle, old.reading.comments(in: mark.change.range)))
  }

  /// The edit that writes a mark; nil if marks of the new text are in the way.
  private func edit(for mark: CarriedMark) -> Edit? {
    let range: Range<Int>
    if mark.place.isEmpty {
      let at =
        mark.bias == .before && mark.place.lowerBound > 0
        ? new.hull(of: mark.place.lowerBound - 1..<mark.place.lowerBound).upperBound
        : new.place(of: mark.place.lowerBound)
      range = at..<at
    } else {
      range = new.hull(of: mark.place)
    }
    let next = newTop.partitioningIndex { $0.end > range.lowerBound }
    let isFree = next == newTop.count || newTop[next].start >= range.upperBound
    guard isFree else { return nil }
    let change = mark.change
    let text = new.markup[range]
    guard text != old.bytes[mark.held] else {
      return Edit(range, Array(old.markup[change.range]))
    }
    // The mark as it is around a text that is not quite as it was.
    guard change.marks.count == 1, change.marks[0].inner == 0, let held = change.marks[0].new else {
      return nil
    }
    let before = old.markup[change.range.lowerBound..<held.lowerBound]
    let after = old.markup[held.upperBound..<change.range.upperBound]
    return Edit(range, Array(before) + text + after)
  }

  /// Whether a text with edits has the same clean text, and exactly the marks that are meant.
  private func isRight(_ edits: [WrittenMark]) -> Bool {
    let list = edits.map(\.edit)
    let text = new.markup.applying(list)
    let reading = Reading(of: text, as: new.reading.language)
    guard reading.text(.clean, of: text) == new.bytes else { return false }
    var expected: [MarkPlace] = []
    let map = OffsetMap(list)
    for mark in newTop {
      guard let range = map.mapWhole(mark.range) else { return false }
      expected.append(MarkPlace(kind: mark.kind, range: range))
    }
    var shift = 0
    for next in edits {
      expected += places(of: next.mark.change, writtenAs: next.edit, shift)
      shift += next.edit.new.count - next.edit.range.count
    }
    let found = reading.topMarks.map { MarkPlace(kind: $0.kind, range: $0.range) }
    return found == expected.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Where marks are in the text after edits, of which one wrote them.
  private func places(of change: Change, writtenAs edit: Edit, _ shift: Int) -> [MarkPlace] {
    let start = edit.range.lowerBound + shift
    var marks = change.marks + change.thread
    let length = change.range.count
    // Of a thread that the new text has, only some comments were written.
    if edit.range.isEmpty, edit.new.count < length {
      marks = Reading(of: edit.new, as: new.reading.language).topMarks
      return marks.map { MarkPlace(kind: $0.kind, range: $0.range.moved(by: start)) }
    }
    let growth = edit.new.count - length
    return marks.enumerated().map { index, mark in
      let range = mark.range.moved(by: start - change.range.lowerBound)
      let isAround = index == 0 && !change.marks.isEmpty
      return MarkPlace(
        kind: mark.kind,
        range: range.lowerBound + (isAround ? 0 : growth)..<range.upperBound + growth
      )
    }
  }

  /// A mark as far as it matters whether it is the same.
  private struct MarkPlace: Equatable {
    var kind: MarkKind
    var range: Range<Int>
  }
}
