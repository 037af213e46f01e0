/// What a pending change takes away from the settled text.
struct Meaning {
  /// Offsets of content that goes, in rising order of their starts.
  var gone: [Range<Int>]
  /// What is removed whole, delimiters too, if a mark lies in it.
  var removed: Range<Int>

  /// Reads a hunk: removed text is gone; delimiters are not text and stay.
  ///
  /// Where a Backspace or Delete ate only characters of one mark's delimiter, it means as many
  /// characters beside it.
  init(of pending: Pending, in settled: Settled) {
    gone = pending.old.isEmpty ? [] : [pending.old]
    removed = pending.old
    guard pending.isBare, !pending.isSpelled, !pending.old.isEmpty,
      let index = settled.mark(at: pending.old.lowerBound)
    else { return }
    let mark = settled.reading.marks[index]
    guard pending.old.upperBound <= mark.end, pending.old != mark.range else { return }
    let atoms = Atoms(settled, in: mark.range)
    guard pending.old.allSatisfy({ atoms[$0] == .delimiter }) else { return }
    if mark.kind == .comment, mark.content.isEmpty {
      // There is nothing else that could be meant.
      removed = mark.range
      return
    }
    let walk = Walk(settled: settled, inComment: mark.kind == .comment ? index : nil)
    let eaten = pending.old
    let arrow = mark.arrow..<mark.arrow + 2
    if eaten.lowerBound >= mark.end - 3 {
      // Eaten from the left and not to the end, the closer was in the way of a Delete.
      if eaten.lowerBound == mark.end - 3, eaten.upperBound < mark.end {
        gone = Walk(settled: settled, inComment: nil).forward(from: mark.end, eaten.count)
      } else {
        gone = walk.back(from: mark.end - 3, eaten.count)
      }
    } else if eaten.upperBound <= mark.start + 3 {
      // Eaten from the right and not to the beginning, the opener was in the way of a Backspace.
      if eaten.upperBound == mark.start + 3, eaten.lowerBound > mark.start {
        gone = Walk(settled: settled, inComment: nil).back(from: mark.start, eaten.count)
      } else {
        gone = walk.forward(from: mark.start + 3, eaten.count)
      }
    } else if mark.kind == .substitution, arrow.contains(eaten.lowerBound),
      eaten.upperBound <= arrow.upperBound
    {
      gone =
        eaten.upperBound == arrow.upperBound
        ? walk.back(from: mark.arrow, eaten.count)
        : walk.forward(from: arrow.upperBound, eaten.count)
    }
  }
}

/// Walks over the characters that a Backspace or a Delete would act on: deleted text and comments
/// are passed over, or only the text of one comment counts.
private struct Walk {
  let settled: Settled
  /// The comment whose own text is meant.
  let inComment: Int?

  func back(from offset: Int, _ characters: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = offset
    while found.count < characters, let stretch = stretch(endingAt: at) {
      at = stretch.range.lowerBound
      guard stretch.isContent else { continue }
      var end = stretch.range.upperBound
      while found.count < characters, end > stretch.range.lowerBound {
        let start = lastCharacter(of: stretch.range.lowerBound..<end)
        found.append(start..<end)
        end = start
      }
    }
    return found.reversed()
  }

  func forward(from offset: Int, _ characters: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = offset
    while found.count < characters, let stretch = stretch(startingAt: at) {
      at = stretch.range.upperBound
      guard stretch.isContent else { continue }
      var start = stretch.range.lowerBound
      while found.count < characters, start < stretch.range.upperBound {
        let end = firstCharacter(of: start..<stretch.range.upperBound)
        found.append(start..<end)
        start = end
      }
    }
    return found
  }

  private typealias Stretch = (range: Range<Int>, isContent: Bool)

  /// The longest run of like bytes that ends at `offset`; nil at the end of the way.
  private func stretch(endingAt offset: Int) -> Stretch? {
    guard offset > 0 else { return nil }
    guard let index = settled.mark(at: offset - 1) else {
      let position = settled.firstMark(endingAfter: offset - 1)
      let start = position == 0 ? 0 : settled.reading.marks[settled.top[position - 1]].end
      return inComment == nil ? (start..<offset, true) : nil
    }
    let atoms = Atoms(settled, in: settled.reading.marks[index].range)
    var start = offset - 1
    while start > atoms.start, atoms[start - 1] == atoms[offset - 1] { start -= 1 }
    return stretch(start..<offset, atoms[offset - 1])
  }

  private func stretch(startingAt offset: Int) -> Stretch? {
    guard offset < settled.bytes.count else { return nil }
    guard let index = settled.mark(at: offset) else {
      let position = settled.firstMark(endingAfter: offset)
      let end =
        position < settled.top.count
        ? settled.reading.marks[settled.top[position]].start : settled.bytes.count
      return inComment == nil ? (offset..<end, true) : nil
    }
    let range = settled.reading.marks[index].range
    let atoms = Atoms(settled, in: range)
    var end = offset + 1
    while end < range.upperBound, atoms[end] == atoms[offset] { end += 1 }
    return stretch(offset..<end, atoms[offset])
  }

  private func stretch(_ range: Range<Int>, _ atom: Atoms.Atom) -> Stretch? {
    guard let inComment else { return (range, atom.isContent) }
    let content = settled.reading.marks[inComment].content
    return content.contains(range.lowerBound) ? (range.clamped(to: content), true) : nil
  }

  private func lastCharacter(of range: Range<Int>) -> Int {
    // No character that a Backspace takes as one is longer than this, and a longer one goes in parts.
    var start = max(range.lowerBound, range.upperBound - 128)
    while start < range.upperBound, settled.bytes[start] & 0xC0 == 0x80 { start += 1 }
    let text = String(decoding: settled.bytes[start..<range.upperBound], as: UTF8.self)
    guard text.utf8.elementsEqual(settled.bytes[start..<range.upperBound]), let last = text.last
    else { return range.upperBound - 1 }
    return range.upperBound - last.utf8.count
  }

  private func firstCharacter(of range: Range<Int>) -> Int {
    var end = min(range.upperBound, range.lowerBound + 128)
    while end < range.upperBound, settled.bytes[end] & 0xC0 == 0x80 { end += 1 }
    let text = String(decoding: settled.bytes[range.lowerBound..<end], as: UTF8.self)
    guard text.utf8.elementsEqual(settled.bytes[range.lowerBound..<end]), let first = text.first
    else { return range.lowerBound + 1 }
    return range.lowerBound + first.utf8.count
  }
}
