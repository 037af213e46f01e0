import TestSupport

@testable import TrackEngine

/// A stretch of a marked-up text that a user can select, and what it is in the clean text.
struct Selection {
  /// In the marked-up text; no end lies in a delimiter or in a comment.
  let range: Range<Int>
  /// In the clean text; not empty.
  let clean: Range<Int>
  private let bytes: [UInt8]
  private let reading: Reading

  /// Chooses a stretch of about so many bytes; fails where there is no text in it.
  init?(at fraction: Double, _ count: Int, in bytes: [UInt8], as language: Language = .markdown) {
    self.bytes = bytes
    reading = Reading(of: bytes, as: language)
    let marks = reading.marks
    func isPlace(_ offset: Int) -> Bool {
      isBoundary(bytes[...], offset)
        && !marks.contains { mark in
          mark.start < offset && offset < mark.end
            && (mark.kind == .comment
              || mark.delimiters.contains { $0.lowerBound < offset && offset < $0.upperBound })
        }
    }
    var start = Int(fraction * Double(bytes.count))
    while !isPlace(start) { start += 1 }
    var end = min(start + count, bytes.count)
    while !isPlace(end) { end += 1 }
    range = start..<end
    let content = content(of: bytes, as: language)
    func place(_ offset: Int) -> Int {
      content.prefix { $0.upperBound <= offset }.reduce(0) { $0 + $1.count }
    }
    clean = place(start)..<place(end)
    if clean.isEmpty { return nil }
  }

  /// A piece of what is put in its place.
  ///
  /// No piece has half of a delimiter: where `{++red++}` is replaced by `+red`, a client that compares reports what one
  /// does where some signs of both delimiters were deleted, and those are put back.
  func bytes(of piece: WriterStep.Piece) -> [UInt8] {
    switch piece {
    case .word(let text): return Array(text.utf8)
    case .kept(let fraction, let count):
      var start = range.lowerBound + Int(fraction * Double(range.count))
      while !isPieceEnd(start) { start += 1 }
      var end = min(range.upperBound, start + count)
      while !isPieceEnd(end) { end += 1 }
      return Array(bytes[start..<end])
    }
  }

  private func isPieceEnd(_ offset: Int) -> Bool {
    isBoundary(bytes[range], offset)
      && !reading.marks.contains { mark in
        mark.delimiters.contains { $0.lowerBound < offset && offset < $0.upperBound }
      }
  }

  /// The edit that a client reports; nil if the text put in spells a delimiter, or if the report would be the same
  /// if it had been there before.
  func edit(
    putting new: [UInt8],
    _ telling: WriterStep.Telling,
    _ buffer: Text
  ) -> Edit? {
    let exact = Edit(range, new)
    let after = bytes.applying([exact])
    let end = range.lowerBound + new.count
    // Also where it would be a group's, or behind a backslash: nobody can tell whether it is the delimiter that was there.
    let spells = after.spelledDelimiters.contains { $0.offset < end && $0.end > range.lowerBound }
    if spells { return nil }
    if cutsDeletedLine, new.count > 1 { return nil }
    let least = Edit(0..<bytes.count, after).trimmed(on: buffer)
    if case .exactly = telling, !exact.isLinewise(in: buffer) {
      // Where all signs of a delimiter are removed and nothing else, so many keys can have been pressed in it.
      if least.new.isEmpty, !least.range.isEmpty, !holdsSeen(least.range) { return nil }
      return least.isAmbiguousRemoval(from: bytes) && holdsUnseen(range) ? nil : exact
    }
    // What both texts begin or end with.
    let head = range.lowerBound..<max(range.lowerBound, least.range.lowerBound)
    let tail = min(range.upperBound, least.range.upperBound)..<range.upperBound
    let leavesUnseen = [head, tail].contains { !$0.isEmpty && holdsUnseen($0) }
    if cutsDeletedText { return nil }
    let isOneWay = least.range.isEmpty || least.new.isEmpty
    if leavesUnseen || isOneWay && holdsUnseen(range) { return nil }
    switch telling {
    case .exactly: return exact
    case .byComparing: return least
    case .asLines:
      let first = buffer.line(at: least.range.lowerBound)
      let last = buffer.line(at: least.range.upperBound)
      let start = buffer.start(ofLine: first)
      let end = last + 1 < buffer.lineCount ? buffer.start(ofLine: last + 1) : buffer.count
      return Edit(
        start..<end,
        buffer[start..<least.range.lowerBound] + least.new + buffer[least.range.upperBound..<end]
      )
    case .asText: return Edit(0..<bytes.count, after)
    }
  }

  /// Whether an end has deleted text of a mark outside that is cut: such a text cannot be told from what is typed.
  private var cutsDeletedText: Bool {
    reading.marks.contains { mark in
      guard mark.kind != .highlight, let old = mark.old else { return false }
      return old.lowerBound < range.lowerBound && range.lowerBound <= old.upperBound
        || old.lowerBound <= range.upperBound && range.upperBound < old.upperBound
    }
  }

  /// Whether it ends in the last line of a deleted text: whether the rest of that line was typed, too, and not told
  /// because it was there, cannot be known.
  private var cutsDeletedLine: Bool {
    reading.marks.contains { mark in
      guard let old = mark.old, old.lowerBound < range.upperBound, range.upperBound < old.upperBound
      else { return false }
      let rest = bytes[range.upperBound..<old.upperBound]
      return range.holds(mark.opener) && !rest.lineBreakAtEnd.isEmpty
        && !rest.dropLast().contains(Ascii.newline)
    }
  }

  /// Whether a stretch holds anything that is not in the clean text.
  private func holdsUnseen(_ stretch: Range<Int>) -> Bool { seen(in: stretch) < stretch.count }

  /// Whether a stretch holds anything that is in the clean text.
  private func holdsSeen(_ stretch: Range<Int>) -> Bool { seen(in: stretch) > 0 }

  private func seen(in stretch: Range<Int>) -> Int {
    content(of: bytes, as: reading.language).reduce(0) { $0 + $1.clamped(to: stretch).count }
  }
}

extension Edit {
  /// Whether it only removes text, and removing as much one line break before or behind it would give the same: whether the
  /// line break that is seen was removed or the one that is not seen cannot be known.
  fileprivate func isAmbiguousRemoval(from bytes: [UInt8]) -> Bool {
    guard new.isEmpty, let first = bytes[range].first, let last = bytes[range].last else {
      return false
    }
    return last.isLineBreak && bytes[..<range.lowerBound].last == last
      || first.isLineBreak && bytes[range.upperBound...].first == first
  }
}

extension [UInt8] {
  /// Every delimiter spelled in the text, those of groups of LaTeX and those that a backslash escapes included.
  var spelledDelimiters: [Delimiter] {
    withUnsafeBufferPointer { bytes in
      let all = bytes.indices.compactMap { bytes.openerDelimiter(at: $0) }
      let closers = all.flatMap { $0.offset..<$0.end + 3 }.compactMap { at in
        bytes.closer(at: at).map { Delimiter(offset: at, role: .closer, mark: $0) }
      }
      return bytes.delimiters + all + closers
    }
  }
}
