import TrackEngine

/// Carries the changes of a merge over to the texts that accepting and rejecting must give.
///
/// In blocks in which the merged
/// texts differ from those, the changes are found by comparing words.
struct WordRepair {
  private let merge: WordMerge
  private let original: [UInt8]
  private let clean: [UInt8]
  /// From the merged sides to the true ones.
  private let oldDifferences: [RecordedChange]
  private let newDifferences: [RecordedChange]

  init(_ merge: WordMerge, from original: [UInt8], to clean: [UInt8]) {
    (self.merge, self.original, self.clean) = (merge, original, clean)
    oldDifferences =
      merge.original == original
      ? [] : RecordedChange.found(from: merge.original, to: original, as: Pandoc.language)
    newDifferences =
      merge.clean == clean
      ? [] : RecordedChange.found(from: merge.clean, to: clean, as: Pandoc.language)
  }

  /// The changes between the true texts.
  func pieces() -> [WordMerge.Piece] {
    var result: [WordMerge.Piece] = []
    var pieces = merge.pieces[...]
    var (oldAt, newAt) = (0, 0)
    for cut in cuts() {
      let (old, new) = (oldAt..<cut.old, newAt..<cut.new)
      (oldAt, newAt) = (cut.old, cut.new)
      let inside = pieces.prefix {
        $0.change.old.lowerBound < old.upperBound || $0.change.new.lowerBound < new.upperBound
      }
      let own = cut.old == merge.original.count && cut.new == merge.clean.count ? pieces : inside
      pieces = pieces[own.endIndex...]
      let trueOld = moved(old.lowerBound, oldDifferences)..<moved(old.upperBound, oldDifferences)
      let trueNew = moved(new.lowerBound, newDifferences)..<moved(new.upperBound, newDifferences)
      if merge.original[old] == original[trueOld], merge.clean[new] == clean[trueNew] {
        let (oldShift, newShift) = (
          trueOld.lowerBound - old.lowerBound, trueNew.lowerBound - new.lowerBound
        )
        result += own.map { piece in
          let change = RecordedChange(
            piece.change.old.lowerBound + oldShift..<piece.change.old.upperBound + oldShift,
            piece.change.new.lowerBound + newShift..<piece.change.new.upperBound + newShift
          )
          return WordMerge.Piece(change: change, number: piece.number)
        }
        continue
      }
      let (oldText, newText) = (Array(original[trueOld]), Array(clean[trueNew]))
      for found in RecordedChange.found(from: oldText, to: newText, as: Pandoc.language) {
        let change = RecordedChange(
          found.old.lowerBound + trueOld.lowerBound..<found.old.upperBound + trueOld.lowerBound,
          found.new.lowerBound + trueNew.lowerBound..<found.new.upperBound + trueNew.lowerBound
        )
        result.append(WordMerge.Piece(change: change, number: number(of: change, among: own)))
      }
    }
    return result
  }

  /// The tracked change that a change found by words is most of, or else is nearest to.
  private func number(of change: RecordedChange, among pieces: ArraySlice<WordMerge.Piece>) -> Int?
  {
    func common(_ range: Range<Int>, _ other: Range<Int>, _ differences: [RecordedChange]) -> Int {
      let start = moved(other.lowerBound, differences)
      let end = max(start, moved(other.upperBound, differences, isEnd: true))
      return min(range.upperBound, end) - max(range.lowerBound, start)
    }
    return pieces.max { first, second in
      func closeness(_ piece: WordMerge.Piece) -> Int {
        max(
          common(change.old, piece.change.old, oldDifferences),
          common(change.new, piece.change.new, newDifferences)
        )
      }
      return closeness(first) < closeness(second)
    }?.number
  }

  /// Where the merged sides can be cut into blocks, with their ends last: behind blank lines that are in no change, and
  /// that both true texts have.
  private func cuts() -> [(old: Int, new: Int)] {
    var cuts: [(old: Int, new: Int)] = []
    var (oldAt, newAt) = (0, 0)
    func add(_ end: Int) {
      var at = oldAt
      while at + 1 < end {
        if merge.original[at] == UInt8(ascii: "\n"), merge.original[at + 1] == UInt8(ascii: "\n") {
          let (old, new) = (at + 2, at + 2 - oldAt + newAt)
          if isKept(old, oldDifferences), isKept(new, newDifferences) { cuts.append((old, new)) }
        }
        at += 1
      }
    }
    for piece in merge.pieces {
      add(piece.change.old.lowerBound)
      (oldAt, newAt) = (piece.change.old.upperBound, piece.change.new.upperBound)
    }
    add(merge.original.count)
    if cuts.last.map({ $0.old == merge.original.count && $0.new == merge.clean.count }) != true {
      cuts.append((merge.original.count, merge.clean.count))
    }
    return cuts
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
      let start = merge.places[.start(number)] ?? merge.places[.end(number)] ?? merge.places.last
      guard let start else { continue }
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
