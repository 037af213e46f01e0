/// The place of a change in a later text.
struct ChangePlace: Equatable {
  /// Whether the text there is closer to its new text than to its old one.
  var isNew: Bool
  /// The range of the text in its place.
  var range: Range<Int>
  /// The part of the range that is the unbroken text of that side; nil if there is none.
  var matched: Range<Int>?
}

/// Finds changes in a later text, in which each of them may have been accepted, rejected or edited.
///
/// The best alignment by dynamic programming, as in Needleman and Wunsch ("A general method applicable to the
/// search for similarities in the amino acid sequence of two proteins", 1970), with a fork at each change for
/// its old and its new text. Each byte of the earlier text is a row; its columns are the offsets of the later
/// text that the alignment may have reached. Only columns near the best one are looked at, and more of them if an
/// alignment is found that costs more than was looked at (Ukkonen, "Algorithms for approximate string matching",
/// 1985). Steps are kept for a part of the rows at a time, and found again for those before it.
struct ChangeAlignment {
  static let cost = 1 << 20
  /// Slightly less, so that of equally good alignments one that edits the changes is chosen.
  private static let costInChange = cost - 1
  /// The approximate number of columns in all rows; no row has fewer than ``fewest`` if that many exist.
  private static let size = 20_000_000
  private static let fewest = 800
  /// How many columns beside the best one are looked at first.
  private static let first = 32
  /// About how many steps are kept at a time.
  private static let maxSteps = 4_000_000
  /// The longest text that is aligned in one piece.
  private static let longest = 1024

  /// What is aligned at a time.
  private enum Piece {
    case text(Range<Int>)
    case side(Int)
  }

  private let later: FinalText
  private let target: Range<Int>
  private let sides: [ProposedText.Sides]
  private let settled: [UInt8]
  private var pieces: [Piece] = []
  /// The number of rows.
  private let count: Int

  /// Aligns a stretch of a text with a stretch of a later one.
  ///
  /// - Parameters:
  ///   - sides: The changes in the stretch.
  ///   - settled: The text outside changes.
  ///   - stretch: The stretch of the settled text.
  ///   - later: The later text.
  ///   - target: The stretch of the later text.
  init(
    of sides: [ProposedText.Sides],
    in settled: [UInt8],
    _ stretch: Range<Int>,
    with later: FinalText,
    _ target: Range<Int>
  ) {
    self.sides = sides
    self.settled = settled
    self.later = later
    self.target = target
    count = sides.reduce(stretch.count + 1) { $0 + $1.old.count + $1.new.count }
    var at = stretch.lowerBound
    for (index, side) in sides.enumerated() {
      add(at..<side.place)
      pieces.append(.side(index))
      at = side.place
    }
    add(at..<stretch.upperBound)
  }

  private mutating func add(_ text: Range<Int>) {
    for start in stride(from: text.lowerBound, to: text.upperBound, by: ChangeAlignment.longest) {
      pieces.append(.text(start..<min(text.upperBound, start + ChangeAlignment.longest)))
    }
  }

  /// The places of the changes.
  func places() -> [ChangePlace] {
    let most = max(ChangeAlignment.fewest, ChangeAlignment.size / count)
    var reach = min(most, ChangeAlignment.first)
    while true {
      if let places = places(reach: reach * ChangeAlignment.cost, isCertain: reach == most) {
        return places
      }
      reach = min(most, 4 * reach)
    }
  }

  /// The places, by an alignment in which no column costs more than the best of its row by more than `reach`; nil if
  /// there may be a better one, unless any will do.
  private func places(reach: Int, isCertain: Bool) -> [ChangePlace]? {
    /// Where each part of the rows begins whose steps are kept together.
    var parts: [(piece: Int, front: AlignmentRows.Front)] = []
    var rows = AlignmentRows(later, target, reach)
    parts.append((0, rows.front))
    for index in pieces.indices {
      if rows.size > ChangeAlignment.maxSteps {
        parts.append((index, rows.front))
        rows = AlignmentRows(later, target, reach, from: rows.front)
      }
      add(pieces[index], to: &rows)
    }
    // Without better evidence, the remaining text was inserted at the end.
    let column = min(target.upperBound, rows.front.columns.upperBound - 1)
    guard isCertain || column == target.upperBound && rows.front.cost(column) ?? Int.max <= reach
    else { return nil }
    var tracing = Tracing(later: later, sides: sides, column: column)
    while let part = parts.popLast() {
      rows.trace(&tracing)
      guard let before = parts.last else { break }
      rows = AlignmentRows(
        later,
        target,
        reach,
        from: parts.count == 1 ? nil : before.front
      )
      for piece in pieces[before.piece..<part.piece] { add(piece, to: &rows) }
    }
    return tracing.places.reversed()
  }

  private func add(_ piece: Piece, to rows: inout AlignmentRows) {
    switch piece {
    case .text(let range): rows.add(settled[range], costing: ChangeAlignment.cost)
    case .side(let index):
      rows.add(
        old: sides[index].old,
        new: sides[index].new,
        costing: ChangeAlignment.costInChange
      )
    }
  }
}
