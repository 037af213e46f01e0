/// The replacement of a range of a text by other bytes.
///
/// A list of edits is sorted and disjoint, and all ranges refer to the text before the first edit.
public struct Edit: Equatable, Sendable {
  /// UTF-8 offsets in the text before the edit.
  public var range: Range<Int>
  /// The replacement.
  public var new: [UInt8]

  /// The replacement of `range` by `new`.
  public init(_ range: Range<Int>, _ new: [UInt8]) {
    self.range = range
    self.new = new
  }

  /// Whether it inserts or removes characters of delimiters, within what differs; `text` is the text before it.
  public func touchesDelimiters(on text: Text) -> Bool {
    trimmed(on: text).holds(\.isDelimiterSign, on: text)
  }

  /// Whether it may insert, remove or change the kind of a mark, or changes both sides of a substitution: whether
  /// it touches braces or the signs beside them, since hyphens and the like are in any text, or replaces an arrow
  /// by an arrow.
  public func touchesMarks(on text: Text) -> Bool {
    let edit = trimmed(on: text)
    if edit.holds(\.isBrace, on: text) { return true }
    // Most edits only insert or only remove.
    if !edit.range.isEmpty, edit.new[...].firstRange(of: MarkKind.arrow[...]) != nil,
      text[edit.range].firstRange(of: MarkKind.arrow[...]) != nil
    {
      return true
    }
    let (start, end) = (edit.range.lowerBound, edit.range.upperBound)
    if start > 0, text[start - 1] == Ascii.open {
      return edit.new.prefix(2).isSign && text[start..<min(start + 2, end)].isSign
    }
    guard end < text.count, text[end] == Ascii.close else { return false }
    return edit.new.suffix(2).isSign && text[max(start, end - 2)..<end].isSign
  }

  private func holds(_ isMeant: (UInt8) -> Bool, on text: Text) -> Bool {
    new.contains(where: isMeant) || text[range].contains(where: isMeant)
  }

  /// Extends it by `next`, which comes after it or touches its end.
  mutating func join(_ next: Edit, in text: Text) {
    new += text[range.upperBound..<next.range.lowerBound] + next.new
    range = range.lowerBound..<next.range.upperBound
  }

  /// The same edit, shifted.
  func moved(by shift: Int) -> Edit {
    Edit(range.moved(by: shift), new)
  }
}

extension Edit: CustomStringConvertible {
  /// As in `4..<6 "text"`.
  public var description: String {
    "\(range.lowerBound)..<\(range.upperBound) \"\(String(decoding: new, as: UTF8.self))\""
  }
}

extension [Edit] {
  /// The composition of `self` and `later`, which is on the text after `self`.
  ///
  /// Edits that touch become one.
  ///
  /// - Parameters:
  ///   - later: Edits on the text that `self` makes.
  ///   - text: The text that `self` is on.
  /// - Returns: Edits on `text`.
  public func followed(by later: [Edit], on text: Text) -> [Edit] {
    var composed = Hunks(hunks(on: text))
    let between = text.applying(self)
    composed.compose(later, on: between)
    return composed.list.edits(in: between.applying(later))
  }

  /// The same edits without text that they replace by itself.
  ///
  /// No edit begins or ends inside a character or a CRLF.
  func trimmed(on text: Text) -> [Edit] {
    compactMap { edit in
      let edit = edit.trimmed(on: text)
      return edit.range.isEmpty && edit.new.isEmpty ? nil : edit
    }
  }
}

extension [Edit] {
  /// Maps edits of a text over other edits of it; those that the others cut are dropped, and those that touch
  /// without the text between them are joined.
  mutating func follow(_ edits: [Edit]) {
    let map = OffsetMap(edits)
    self = compactMap { known in map.mapWhole(known.range).map { Edit($0, known.new) } }
      .reduce(into: []) { joined, next in
        if let last = joined.last, last.range.upperBound == next.range.lowerBound {
          joined[joined.count - 1] = Edit(last.range.joined(with: next.range), last.new + next.new)
        } else {
          joined.append(next)
        }
      }
  }
}

extension Edit {
  /// The edit without the text that it has in common with what it replaces, at both ends.
  func trimmed(on text: Text) -> Edit { trimmed(replacing: text[range]) }

  /// The same where it replaces `old`.
  public func trimmed(replacing old: ArraySlice<UInt8>) -> Edit {
    var head = 0
    let shorter = Swift.min(old.count, new.count)
    while head < shorter, old[old.startIndex + head] == new[head] { head += 1 }
    while head > 0, !isBoundary(old, old.startIndex + head) || !isBoundary(new[...], head) {
      head -= 1
    }
    var tail = 0
    while tail < shorter - head, old[old.endIndex - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    while tail > 0,
      !isBoundary(old, old.endIndex - tail) || !isBoundary(new[...], new.count - tail)
    { tail -= 1 }
    return Edit(
      range.lowerBound + head..<range.upperBound - tail,
      Array(new[head..<new.count - tail])
    )
  }
}

/// Whether a text can be cut at `offset` without breaking a character or a CRLF.
func isBoundary(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Bool {
  guard offset > bytes.startIndex, offset < bytes.endIndex else { return true }
  if bytes[offset] & 0xC0 == 0x80 { return false }
  return !(bytes[offset] == Ascii.newline && bytes[offset - 1] == Ascii.carriageReturn)
}

extension ArraySlice<UInt8> {
  /// The text without a character of which only the beginning is there.
  public var wholeCharacters: ArraySlice<UInt8> {
    guard let lead = suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return self }
    let length = self[lead] < 0xC0 ? 1 : self[lead] < 0xE0 ? 2 : self[lead] < 0xF0 ? 3 : 4
    return endIndex - lead < length ? self[..<lead] : self
  }

  /// Whether it is the sign beside the brace of an opener or closer.
  fileprivate var isSign: Bool {
    count == 2 && first == last && "+-~=<>".utf8.contains(self[startIndex])
  }
}

extension [UInt8] {
  /// The text after edits.
  ///
  /// Linear.
  public func applying(_ edits: [Edit]) -> [UInt8] {
    assert(edits.areEdits(ofLength: count), "edits of another text")
    var result: [UInt8] = []
    result.reserveCapacity(count + edits.growth)
    var at = 0
    for edit in edits {
      result += self[at..<edit.range.lowerBound]
      result += edit.new
      at = edit.range.upperBound
    }
    result += self[at...]
    return result
  }
}
