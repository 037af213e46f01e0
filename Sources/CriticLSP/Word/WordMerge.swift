import TrackEngine

/// Two sides of a document put together at the sentinels that both have: what stands between two of them is the same, or
/// was changed.
struct WordMerge {
  /// A change, and the number of the tracked change that it comes from, as far as one is known.
  struct Piece {
    var change: RecordedChange
    var number: Int?
    /// The footnote of which it is the definition.
    var note: Int?
    /// The tracked changes that it has something of, if it was found by comparing.
    var parts: [Int] = []
  }

  let original: [UInt8]
  let clean: [UInt8]
  let sections: [NoteSection]
  /// The references to footnotes in both sides.
  private let references: (old: [PandocVariant.NotePlace], new: [PandocVariant.NotePlace])
  /// In order; between them the sides are the same.
  private(set) var pieces: [Piece] = []
  /// Where each sentinel is in both sides.
  private(set) var places: [Sentinel: (old: Int, new: Int)] = [:]

  /// Puts two sides together.
  ///
  /// - Parameters:
  ///   - original: The rejected one.
  ///   - clean: The accepted one.
  ///   - changeCount: The sentinels with smaller numbers are those of changes.
  init(_ original: PandocVariant, _ clean: PandocVariant, _ changeCount: Int) {
    (self.original, self.clean) = (original.text, clean.text)
    references = (original.references, clean.references)
    sections = NoteSection.all(original, clean)
    for section in sections {
      guard section.isText else {
        pieces += section.definitions
        continue
      }
      var open: [Int] = []
      var last: Int?
      var (oldAt, newAt) = (section.old.lowerBound, section.new.lowerBound)
      for (sentinel, old, new) in WordMerge.common(original, clean, in: section) + [
        (nil, section.old.upperBound, section.new.upperBound)
      ] {
        var next: Int?
        if case .start(let number) = sentinel, number < changeCount { next = number }
        add(oldAt..<old, newAt..<new, open.last, last, next)
        (oldAt, newAt) = (old, new)
        guard let sentinel else { break }
        places[sentinel] = (old, new)
        switch sentinel {
        case .start(let number) where number < changeCount:
          open.append(number)
          last = nil
        case .end(let number) where number < changeCount:
          open.removeAll { $0 == number }
          last = number
        default: break
        }
      }
    }
    for index in pieces.indices where pieces[index].note == nil { balance(index) }
    takeInUnits()
    nameDefinitions()
  }

  /// The sentinels that stand once in both sides of a section and in the same order, with the offset of each.
  private static func common(
    _ original: PandocVariant,
    _ clean: PandocVariant,
    in section: NoteSection
  ) -> [(sentinel: Sentinel?, old: Int, new: Int)] {
    var old = original.sentinels(in: section.old)
    var new = clean.sentinels(in: section.new)
    // A paragraph without text, which is left out, has none.
    if original.text.isEmpty { old = new.map { ($0.sentinel, 0) }[...] }
    if clean.text.isEmpty { new = old.map { ($0.sentinel, 0) }[...] }
    let pairs = commonOnce(old.map(\.sentinel.key), new.map(\.sentinel.key))
    return pairs.map { pair in
      let (one, other) = (old[old.startIndex + pair.old], new[new.startIndex + pair.new])
      return (one.sentinel, one.offset, other.offset)
    }
  }

  /// Adds what differs between two sentinels: of the change that is open there, or else of the one it touches.
  private mutating func add(
    _ old: Range<Int>,
    _ new: Range<Int>,
    _ open: Int?,
    _ last: Int?,
    _ next: Int?
  ) {
    guard original[old] != clean[new] else { return }
    let change = RecordedChange(old, new).trimmed(from: original, to: clean)
    let isBesideNext =
      change.new.lowerBound > new.lowerBound && change.old.upperBound == old.upperBound
    let near = isBesideNext ? next ?? last : last
    pieces.append(Piece(change: change, number: open ?? near))
  }

  // MARK: Emphasis

  /// Extends a change over the text around it in its line until each side has both ends of the emphasis that it has one of.
  private mutating func balance(_ index: Int) {
    for _ in 0..<8 {
      let change = pieces[index].change
      let sign =
        original[change.old].unbalancedSign(references.old)
        ?? clean[change.new].unbalancedSign(references.new)
      guard let sign else { return }
      let start = index > 0 ? pieces[index - 1].change.old.upperBound : 0
      let end = index + 1 < pieces.count ? pieces[index + 1].change.old.lowerBound : original.count
      let before = original[start..<change.old.lowerBound]
      let after = original[change.old.upperBound..<end]
      func isEnd(_ place: Int) -> Bool {
        original[place] == UInt8(ascii: "\n")
          || original[place] == sign && !references.old.hasLabel(at: place)
      }
      let left = before.indices.last(where: isEnd).flatMap { place in
        original[place] == sign ? change.old.lowerBound - startOfRun(before, place) : nil
      }
      let right = after.indices.first(where: isEnd).flatMap { place in
        original[place] == sign ? endOfRun(after, place) - change.old.upperBound : nil
      }
      let isLeft = (left ?? .max) <= (right ?? .max)
      guard let length = isLeft ? left : right else { return }
      let (head, tail) = isLeft ? (length, 0) : (0, length)
      pieces[index].change = RecordedChange(
        change.old.lowerBound - head..<change.old.upperBound + tail,
        change.new.lowerBound - head..<change.new.upperBound + tail
      )
    }
  }

  // MARK: Links, formulas and footnotes

  /// Extends the changes of what makes a link over all of it, so that its text is in the change; and those in formulas and
  /// in references to footnotes.
  private mutating func takeInUnits() {
    pieces.takeIn(WordUnit.all(in: original) + references.old.map(WordUnit.init), \.old)
    pieces.takeIn(WordUnit.all(in: clean) + references.new.map(WordUnit.init), \.new)
  }

  /// Says of each definition of a footnote which tracked change it comes from: that of a reference to it.
  private mutating func nameDefinitions() {
    for index in pieces.indices {
      guard let note = pieces[index].note else { continue }
      let isDeleted = pieces[index].change.new.isEmpty
      let places = isDeleted ? references.old : references.new
      let side = isDeleted ? \RecordedChange.old : \.new
      for place in places where place.note == note {
        let change = pieces.partitioningIndex {
          $0.change[keyPath: side].upperBound > place.range.lowerBound
        }
        guard change < index, pieces[change].change[keyPath: side].overlaps(place.range) else {
          continue
        }
        pieces[index].number = pieces[change].number
        break
      }
    }
  }

  private func startOfRun(_ text: ArraySlice<UInt8>, _ place: Int) -> Int {
    var start = place
    while start > text.startIndex, text[start - 1] == text[place] { start -= 1 }
    return start
  }

  private func endOfRun(_ text: ArraySlice<UInt8>, _ place: Int) -> Int {
    var end = place
    while end < text.endIndex, text[end] == text[place] { end += 1 }
    return end
  }
}

extension [WordMerge.Piece] {
  /// Extends those that touch more than the text of some units over all of these.
  ///
  /// - Parameters:
  ///   - units: The units, in the text of one side.
  ///   - side: Which side that is.
  mutating func takeIn(_ units: [WordUnit], _ side: KeyPath<RecordedChange, Range<Int>>) {
    for unit in units { takeIn(unit, side) }
  }

  private mutating func takeIn(_ unit: WordUnit, _ side: KeyPath<RecordedChange, Range<Int>>) {
    let first = partitioningIndex { $0.change[keyPath: side].upperBound > unit.range.lowerBound }
    let end = self[first...].partitioningIndex {
      $0.change[keyPath: side].lowerBound >= unit.range.upperBound
    }
    let inside = self[first..<end]
    guard var whole = inside.first, let last = inside.last,
      inside.contains(where: { unit.isMade(in: $0.change[keyPath: side]) })
    else { return }
    let head = Swift.max(0, whole.change[keyPath: side].lowerBound - unit.range.lowerBound)
    let tail = Swift.max(0, unit.range.upperBound - last.change[keyPath: side].upperBound)
    whole.change.old = whole.change.old.lowerBound - head..<last.change.old.upperBound + tail
    whole.change.new = whole.change.new.lowerBound - head..<last.change.new.upperBound + tail
    whole.number = whole.number ?? last.number
    replaceSubrange(first..<end, with: [whole])
  }
}

extension ArraySlice<UInt8> {
  /// The sign of emphasis of which a text has one end only.
  ///
  /// - Parameter references: The references to footnotes in the whole text, whose signs are none.
  /// - Returns: The sign.
  func unbalancedSign(_ references: [PandocVariant.NotePlace]) -> UInt8? {
    for sign in [UInt8(ascii: "*"), UInt8(ascii: "^")] {
      var count = 0
      var isEscaped = false
      for (place, byte) in zip(indices, self) {
        if byte == sign, !isEscaped, !references.hasLabel(at: place) { count += 1 }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      }
      // A pair of them counts as one end of strong emphasis.
      if count % 2 == 1
        || count == 2 && (starts(with: [sign, sign]) || suffix(2) == [sign, sign])
      {
        return sign
      }
    }
    return nil
  }
}

extension [PandocVariant.NotePlace] {
  /// Whether the sign at an offset is in a footnote's label.
  fileprivate func hasLabel(at offset: Int) -> Bool {
    first(overlapping: offset..<offset + 1, \.range) != nil
  }
}

extension Sentinel {
  /// A number of its own.
  fileprivate var key: UInt64 { UInt64(number + 1) << 1 | (isStart ? 1 : 0) }
}
