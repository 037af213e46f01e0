import TrackEngine

/// Carries the changes of a merge over to the texts that accepting and rejecting must give.
///
/// In blocks in which the merged texts differ from those, each change takes in what differs beside it; where that would
/// not read as meant, the changes are found by comparing words.
struct WordRepair {
  private let merge: WordMerge
  private let original: [UInt8]
  private let clean: [UInt8]
  /// The references to footnotes in the true texts.
  private let references: (old: [PandocVariant.NotePlace], new: [PandocVariant.NotePlace])
  /// The sections of the merged sides, each with the same one of the true texts; nil if these have others.
  private let sections: [(merged: NoteSection, true: NoteSection)]?
  /// From the merged sides to the true ones.
  private let oldDifferences: [RecordedChange]
  private let newDifferences: [RecordedChange]

  init(_ merge: WordMerge, from original: PandocVariant, to clean: PandocVariant) {
    (self.merge, self.original, self.clean) = (merge, original.text, clean.text)
    references = (original.references, clean.references)
    let found = NoteSection.all(original, clean)
    let isSame =
      found.count == merge.sections.count
      && zip(found, merge.sections).allSatisfy { $0.isSame(as: $1) }
    sections = isSame ? zip(merge.sections, found).map { ($0, $1) } : nil
    oldDifferences = WordRepair.differences(merge.original, original.text)
    newDifferences = WordRepair.differences(merge.clean, clean.text)
  }

  /// What differs between a merged side and the true one, as little of it as can be.
  private static func differences(_ merged: [UInt8], _ text: [UInt8]) -> [RecordedChange] {
    guard merged != text else { return [] }
    return RecordedChange.found(from: merged, to: text, as: Pandoc.language)
      .map { $0.trimmed(from: merged, to: text) }
  }

  /// The changes between the true texts.
  func pieces() -> [WordMerge.Piece] {
    var result: [WordMerge.Piece] = []
    for part in parts() {
      let (old, new, trueOld, trueNew) = (part.old, part.new, part.trueOld, part.trueNew)
      if let definitions = part.definitions {
        for (known, found) in zip(part.pieces, definitions) {
          var piece = found
          piece.number = known.number
          result.append(piece)
        }
        continue
      }
      if merge.original[old] == original[trueOld], merge.clean[new] == clean[trueNew] {
        let (oldShift, newShift) = (
          trueOld.lowerBound - old.lowerBound, trueNew.lowerBound - new.lowerBound
        )
        result += part.pieces.map { piece in
          var piece = piece
          piece.change.old = piece.change.old.moved(by: oldShift)
          piece.change.new = piece.change.new.moved(by: newShift)
          return piece
        }
        continue
      }
      if let carried = carried(part) {
        result += carried
        continue
      }
      let (oldText, newText) = (Array(original[trueOld]), Array(clean[trueNew]))
      for found in RecordedChange.found(from: oldText, to: newText, as: Pandoc.language) {
        let change = RecordedChange(
          found.old.moved(by: trueOld.lowerBound),
          found.new.moved(by: trueNew.lowerBound)
        )
        var piece = WordMerge.Piece(
          change: change,
          number: number(of: change, among: part.pieces)
        )
        piece.parts = part.pieces.filter { closeness(of: change, to: $0) > 0 }.compactMap(\.number)
        result.append(piece)
      }
    }
    result.takeIn(references.old.map(WordUnit.init), \.old)
    result.takeIn(references.new.map(WordUnit.init), \.new)
    for index in result.indices where result[index].note == nil {
      let change = result[index].change
      // A footnote that goes and one that comes are decided each by itself, as their definitions are.
      let isOfNote =
        change.new.isEmpty && references.old.first(overlapping: change.old, \.range) != nil
        || change.old.isEmpty && references.new.first(overlapping: change.new, \.range) != nil
      if isOfNote { result[index].change.joining = .ownKind }
    }
    return result
  }

  // MARK: Blocks that differ

  /// A stretch that neither a change nor a difference touches, where it is in the merged sides and in the true texts.
  private struct Kept {
    var old: Range<Int>
    var trueOld: Range<Int>
    var trueNew: Range<Int>
  }

  /// The changes of a block, each with what differs beside it; nil if they would not read as meant.
  ///
  /// So each change is by whoever made it, although pandoc wrote the block another way, as without spaces at its end.
  private func carried(_ part: Part) -> [WordMerge.Piece]? {
    var result: [WordMerge.Piece] = []
    var pieces = part.pieces
    var (oldAt, newAt) = (part.trueOld.lowerBound, part.trueNew.lowerBound)
    let end = Kept(
      old: part.old.upperBound..<part.old.upperBound,
      trueOld: part.trueOld.upperBound..<part.trueOld.upperBound,
      trueNew: part.trueNew.upperBound..<part.trueNew.upperBound
    )
    for kept in self.kept(part) + [end] {
      guard kept.trueOld.lowerBound >= oldAt, kept.trueNew.lowerBound >= newAt,
        original[kept.trueOld] == clean[kept.trueNew]
      else { return nil }
      let isEnd = kept.old.isEmpty
      let inside =
        isEnd ? pieces : pieces.prefix { $0.change.old.upperBound <= kept.old.lowerBound }
      pieces = pieces[inside.endIndex...]
      for piece in inside {
        var (oldNext, newNext) = (kept.trueOld.lowerBound, kept.trueNew.lowerBound)
        if piece.change != inside.last?.change {
          guard let old = place(of: piece.change.old.upperBound, oldDifferences),
            let new = place(of: piece.change.new.upperBound, newDifferences)
          else { return nil }
          (oldNext, newNext) = (min(max(old, oldAt), oldNext), min(max(new, newAt), newNext))
        }
        add(oldAt..<oldNext, newAt..<newNext, piece.number, to: &result)
        (oldAt, newAt) = (oldNext, newNext)
      }
      if inside.isEmpty {
        let change = RecordedChange(
          oldAt..<kept.trueOld.lowerBound,
          newAt..<kept.trueNew.lowerBound
        )
        add(change.old, change.new, number(of: change, among: part.pieces), to: &result)
      }
      (oldAt, newAt) = (kept.trueOld.upperBound, kept.trueNew.upperBound)
    }
    return areReadable(result, in: part) ? result : nil
  }

  /// Adds what differs between a stretch of both true texts.
  private func add(
    _ old: Range<Int>,
    _ new: Range<Int>,
    _ number: @autoclosure () -> Int?,
    to pieces: inout [WordMerge.Piece]
  ) {
    guard original[old] != clean[new] else { return }
    let change = RecordedChange(old, new).trimmed(from: original, to: clean)
    pieces.append(WordMerge.Piece(change: change, number: number()))
  }

  /// The end of a change of a merged side in the true text; nil if it is not known where in a difference that is.
  private func place(of end: Int, _ differences: [RecordedChange]) -> Int? {
    let next = index(of: end, differences)
    let isInside =
      next < differences.count && differences[next].old.lowerBound < end
      && end < differences[next].old.upperBound && !differences[next].new.isEmpty
    return isInside ? nil : moved(end, differences)
  }

  /// What neither a change nor a difference touches in a block.
  private func kept(_ part: Part) -> [Kept] {
    var kept: [Kept] = []
    var (oldAt, newAt) = (part.old.lowerBound, part.new.lowerBound)
    func look(until end: Int) {
      guard oldAt < end else { return }
      let shift = newAt - oldAt
      let common = oldAt..<end
      let touched =
        oldDifferences.within(common)
        + newDifferences.within(common.moved(by: shift)).map { $0.moved(by: -shift) }
      var at = oldAt
      for range in touched.sorted(by: { $0.lowerBound < $1.lowerBound }) + [end..<end] {
        if range.lowerBound > at {
          let free = at..<range.lowerBound
          kept.append(
            Kept(
              old: free,
              trueOld: moved(free, oldDifferences),
              trueNew: moved(free.moved(by: shift), newDifferences)
            )
          )
        }
        at = max(at, range.upperBound)
      }
    }
    for piece in part.pieces {
      look(until: piece.change.old.lowerBound)
      (oldAt, newAt) = (piece.change.old.upperBound, piece.change.new.upperBound)
    }
    look(until: part.old.upperBound)
    return kept
  }

  /// A range that no difference touches but at its ends, in the true text.
  private func moved(_ range: Range<Int>, _ differences: [RecordedChange]) -> Range<Int> {
    let next = differences.partitioningIndex { $0.old.upperBound > range.lowerBound }
    guard next > 0 else { return range }
    let last = differences[next - 1]
    return range.moved(by: last.new.upperBound - last.old.upperBound)
  }

  /// Whether changes of a block cut no emphasis and no link, and are read as meant in marks.
  private func areReadable(_ pieces: [WordMerge.Piece], in part: Part) -> Bool {
    let (old, new) = (Array(original[part.trueOld]), Array(clean[part.trueNew]))
    let changes = pieces.map { piece in
      var change = piece.change
      change.old = change.old.moved(by: -part.trueOld.lowerBound)
      change.new = change.new.moved(by: -part.trueNew.lowerBound)
      change.attribution = piece.number.map { Array("@\($0)".utf8) }
      return change
    }
    let isWhole = pieces.allSatisfy { piece in
      original[piece.change.old].unbalancedSign(references.old) == nil
        && clean[piece.change.new].unbalancedSign(references.new) == nil
    }
    func cutsNone(of units: [WordUnit], _ side: KeyPath<RecordedChange, Range<Int>>) -> Bool {
      units.allSatisfy { unit in
        changes.allSatisfy { change in
          let range = change[keyPath: side]
          return !unit.isMade(in: range) || range.holds(unit.range)
        }
      }
    }
    return isWhole && cutsNone(of: WordUnit.all(in: old), \.old)
      && cutsNone(of: WordUnit.all(in: new), \.new)
      && TrackEngine.areReadable(
        changes.cutEqually(old, new),
        from: old,
        to: new,
        as: Pandoc.language
      )
  }

  /// The tracked change that a change found by words is most of, or else is nearest to.
  private func number(of change: RecordedChange, among pieces: ArraySlice<WordMerge.Piece>) -> Int?
  {
    pieces.max { closeness(of: change, to: $0) < closeness(of: change, to: $1) }?.number
  }

  /// How much a change found by words has of a tracked one; less than 0 if it is somewhere else.
  private func closeness(of change: RecordedChange, to piece: WordMerge.Piece) -> Int {
    func common(_ range: Range<Int>, _ other: Range<Int>, _ differences: [RecordedChange]) -> Int {
      let start = moved(other.lowerBound, differences)
      let end = max(start, moved(other.upperBound, differences, isEnd: true))
      return min(range.upperBound, end) - max(range.lowerBound, start)
    }
    return max(
      common(change.old, piece.change.old, oldDifferences),
      common(change.new, piece.change.new, newDifferences)
    )
  }

  /// A part of the merged sides, and where it is in the true texts.
  private struct Part {
    var old: Range<Int>
    var new: Range<Int>
    var trueOld: Range<Int>
    var trueNew: Range<Int>
    /// The changes of the merged sides that begin in it.
    var pieces: ArraySlice<WordMerge.Piece>
    /// The changes of the true texts if it is definitions of footnotes that only one side has.
    var definitions: [WordMerge.Piece]?
  }

  /// The parts of the merged sides, in order: blocks of text, and definitions of footnotes.
  private func parts() -> [Part] {
    guard let sections else {
      return blocks(
        of: Part(
          old: merge.original.indices,
          new: merge.clean.indices,
          trueOld: original.indices,
          trueNew: clean.indices,
          pieces: merge.pieces[...]
        )
      )
    }
    var rest = merge.pieces[...]
    return sections.flatMap { merged, section -> [Part] in
      let part = Part(
        old: merged.old,
        new: merged.new,
        trueOld: section.old,
        trueNew: section.new,
        pieces: rest.beginning(in: merged.old, merged.new),
        definitions: section.isText ? nil : section.definitions
      )
      rest = rest[part.pieces.endIndex...]
      return section.isText ? blocks(of: part) : [part]
    }
  }

  /// The blocks of a text: they end behind blank lines that are in no change, and that both true texts have.
  private func blocks(of text: Part) -> [Part] {
    var blocks: [Part] = []
    var rest = text
    func end(_ old: Int, _ new: Int, _ trueOld: Int, _ trueNew: Int) {
      var block = rest
      block.old = rest.old.lowerBound..<old
      block.new = rest.new.lowerBound..<new
      block.trueOld = rest.trueOld.lowerBound..<trueOld
      block.trueNew = rest.trueNew.lowerBound..<trueNew
      if old < text.old.upperBound || new < text.new.upperBound {
        block.pieces = rest.pieces.beginning(in: block.old, block.new)
      }
      blocks.append(block)
      rest.old = old..<text.old.upperBound
      rest.new = new..<text.new.upperBound
      rest.trueOld = trueOld..<text.trueOld.upperBound
      rest.trueNew = trueNew..<text.trueNew.upperBound
      rest.pieces = rest.pieces[block.pieces.endIndex...]
    }
    var (oldAt, newAt) = (text.old.lowerBound, text.new.lowerBound)
    func look(until end: Int) {
      var at = oldAt
      while at + 1 < end {
        if merge.original[at] == UInt8(ascii: "\n"), merge.original[at + 1] == UInt8(ascii: "\n") {
          let (old, new) = (at + 2, at + 2 - oldAt + newAt)
          if isKept(old, oldDifferences), isKept(new, newDifferences) { cut(old, new) }
        }
        at += 1
      }
    }
    func cut(_ old: Int, _ new: Int) {
      let (trueOld, trueNew) = (moved(old, oldDifferences), moved(new, newDifferences))
      guard trueOld >= rest.trueOld.lowerBound, trueOld <= text.trueOld.upperBound,
        trueNew >= rest.trueNew.lowerBound, trueNew <= text.trueNew.upperBound
      else { return }
      end(old, new, trueOld, trueNew)
    }
    for piece in text.pieces {
      look(until: piece.change.old.lowerBound)
      (oldAt, newAt) = (piece.change.old.upperBound, piece.change.new.upperBound)
    }
    look(until: text.old.upperBound)
    end(
      text.old.upperBound,
      text.new.upperBound,
      text.trueOld.upperBound,
      text.trueNew.upperBound
    )
    return blocks
  }

  /// Whether an offset of a merged side is in no difference and at the edge of none.
  private func isKept(_ offset: Int, _ differences: [RecordedChange]) -> Bool {
    let next = index(of: offset, differences)
    return next == differences.count || offset < differences[next].old.lowerBound
  }

  /// The first difference that does not end before an offset; logarithmic.
  private func index(of offset: Int, _ differences: [RecordedChange]) -> Int {
    differences.partitioningIndex { $0.old.upperBound >= offset }
  }

  /// An offset of a merged side in the true text; in a difference, the same place from its beginning, as far as it goes.
  private func moved(_ offset: Int, _ differences: [RecordedChange], isEnd: Bool = false) -> Int {
    let next = index(of: offset, differences)
    let last = next > 0 ? differences[next - 1] : nil
    let shift = (last?.new.upperBound ?? 0) - (last?.old.upperBound ?? 0)
    guard next < differences.count, differences[next].old.lowerBound < offset else {
      return offset + shift
    }
    let difference = differences[next]
    if isEnd || difference.old.upperBound == offset {
      return difference.new.upperBound
        - min(difference.new.count, difference.old.upperBound - offset)
    }
    return difference.new.lowerBound + min(difference.new.count, offset - difference.old.lowerBound)
  }

  // MARK: Comments

  /// The threads of the document, in the order in which they begin in the text.
  func remarks(_ comments: WordComments, _ people: WordPeople, _ first: Int) -> [Remark] {
    var remarks: [Remark] = []
    for thread in comments.threads {
      let number = first + thread[0]
      let start =
        merge.places[.start(number)] ?? merge.places[.end(number)] ?? merge.places.last
        ?? (old: merge.original.endOfText, new: merge.clean.endOfText)
      let end =
        merge.places[.end(number)].map {
          (old: max($0.old, start.old), new: max($0.new, start.new))
        } ?? start
      remarks.append(
        Remark(
          range(start.old, end.old, oldDifferences),
          range(start.new, end.new, newDifferences),
          thread.map { people.text(of: comments.all[$0]) }
        )
      )
    }
    return remarks.sorted {
      ($0.new.lowerBound, $0.old.lowerBound) < ($1.new.lowerBound, $1.old.lowerBound)
    }
  }

  private func range(_ start: Int, _ end: Int, _ differences: [RecordedChange]) -> Range<Int> {
    let lower = moved(start, differences)
    return lower..<max(lower, start == end ? lower : moved(end, differences, isEnd: true))
  }
}

extension [Sentinel: (old: Int, new: Int)] {
  /// The last place of all, where a comment goes whose place is not known.
  fileprivate var last: (old: Int, new: Int)? { values.max { $0.new < $1.new } }
}

extension ArraySlice<WordMerge.Piece> {
  /// Those of its first ones that begin in a stretch of both sides.
  fileprivate func beginning(in old: Range<Int>, _ new: Range<Int>) -> Self {
    prefix {
      $0.change.old.lowerBound < old.upperBound || $0.change.new.lowerBound < new.upperBound
    }
  }
}

extension [RecordedChange] {
  /// The stretches of the first text that they replace within another stretch; empty ones also at its ends.
  fileprivate func within(_ stretch: Range<Int>) -> [Range<Int>] {
    let first = partitioningIndex { $0.old.upperBound >= stretch.lowerBound }
    return self[first...].prefix { $0.old.lowerBound <= stretch.upperBound }.map { $0.old }
  }
}
