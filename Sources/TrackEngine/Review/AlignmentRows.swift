/// The rows of an alignment: see ``ChangeAlignment``.
struct AlignmentRows {
  /// The last step of an alignment.
  enum Step: UInt8 {
    /// The byte is in the later text.
    case match
    /// The byte is missing.
    case gone
    /// Another byte was inserted.
    case put
    /// From the previous row, without a byte.
    case enter
    /// The change has its old text.
    case old
    /// The change has its new text.
    case new
  }

  /// What reaching each column of a row costs.
  struct Front {
    /// The first column.
    var start: Int
    var costs: [Int]
    var columns: Range<Int> { start..<start + costs.count }

    func cost(_ column: Int) -> Int? { columns.contains(column) ? costs[column - start] : nil }
  }

  private struct Row {
    /// The index of the previous row; for a join, of the last row of the new text.
    var before: Int
    /// For a join, the index of the last row of the old text.
    var other = -1
    /// The first column.
    var start: Int
    var steps: [Step]
  }

  /// Text in marks has not been accepted.
  private static let costOfMarked = 1

  private let later: FinalText
  private let target: Range<Int>
  /// Columns whose cost exceeds the best of their row by more than this are dropped.
  private let reach: Int
  private var rows: [Row]
  /// The last row.
  private(set) var front: Front
  /// The number of steps.
  private(set) var size = 0

  /// Begins at the beginning of a stretch of the later text, or after the last of other rows.
  init(_ later: FinalText, _ target: Range<Int>, _ reach: Int, from front: Front? = nil) {
    self.later = later
    self.target = target
    self.reach = reach
    let start = front?.start ?? target.lowerBound
    self.front = front ?? Front(start: start, costs: [0])
    rows = [Row(before: -1, start: start, steps: front == nil ? [.enter] : [])]
    if front == nil { put(ChangeAlignment.cost) }
  }

  /// Adds a row for each byte.
  mutating func add(_ text: ArraySlice<UInt8>, costing cost: Int, isNew: Bool = false) {
    for byte in text {
      let last = front
      let end = min(target.upperBound, last.columns.upperBound)
      var steps: [Step] = []
      var costs: [Int] = []
      steps.reserveCapacity(end + 1 - last.start)
      costs.reserveCapacity(end + 1 - last.start)
      for column in last.start...end {
        var best =
          column < last.columns.upperBound ? last.costs[column - last.start] + cost : Int.max
        var step = Step.gone
        if column > last.start, later.bytes[column - 1] == byte {
          let isMarked = isNew && later.isMarked[column - 1]
          let match =
            last.costs[column - 1 - last.start] + (isMarked ? AlignmentRows.costOfMarked : 0)
          if match <= best { (best, step) = (match, .match) }
        } else if best == Int.max {
          // Only a byte that is put in leads there.
          break
        }
        costs.append(best)
        steps.append(step)
      }
      rows.append(Row(before: rows.count - 1, start: last.start, steps: steps))
      front = Front(start: last.start, costs: costs)
      put(cost)
    }
  }

  /// Adds the rows of both sides of a change, and one in which they are joined.
  mutating func add(old: [UInt8], new: [UInt8], costing cost: Int) {
    let entry = (row: rows.count - 1, front: front)
    enter(after: entry.row, cost)
    add(old[...], costing: cost)
    let last = (row: rows.count - 1, front: front)
    front = entry.front
    enter(after: entry.row, cost)
    add(new[...], costing: cost, isNew: true)
    join(last.row, last.front)
  }

  private mutating func enter(after row: Int, _ cost: Int) {
    let steps = Array(repeating: Step.enter, count: front.costs.count)
    rows.append(Row(before: row, start: front.start, steps: steps))
    put(cost)
  }

  /// Continues to the right in the last row as long as the cost allows, and drops columns that cost too much.
  private mutating func put(_ cost: Int) {
    var costs = front.costs
    front.costs = []
    var steps = rows[rows.count - 1].steps
    rows[rows.count - 1].steps = []
    let most = (costs.min() ?? 0) + reach
    var index = 1
    while front.start + index <= target.upperBound {
      let put = costs[index - 1] + cost
      if index == costs.count {
        if put > most { break }
        costs.append(put)
        steps.append(.put)
      } else if put < costs[index] {
        costs[index] = put
        steps[index] = .put
      }
      index += 1
    }
    while let last = costs.last, last > most {
      costs.removeLast()
      steps.removeLast()
    }
    let worthless = costs.prefix { $0 > most }.count
    if worthless > 0 {
      costs.removeFirst(worthless)
      steps.removeFirst(worthless)
    }
    front = Front(start: front.start + worthless, costs: costs)
    rows[rows.count - 1].start = front.start
    rows[rows.count - 1].steps = steps
    size += steps.count
  }

  /// Ends a change: in each column, chooses the side that costs less.
  private mutating func join(_ oldRow: Int, _ old: Front) {
    let new = front
    let columns = old.columns.joined(with: new.columns)
    var costs: [Int] = []
    var steps: [Step] = []
    for column in columns {
      let oldCost = old.cost(column) ?? Int.max / 2
      let newCost = new.cost(column) ?? Int.max / 2
      costs.append(min(oldCost, newCost))
      steps.append(newCost < oldCost ? .new : .old)
    }
    rows.append(
      Row(before: rows.count - 1, other: oldRow, start: columns.lowerBound, steps: steps)
    )
    front = Front(start: columns.lowerBound, costs: costs)
    size += steps.count
  }

  /// Goes back from the last row to the first, at which other rows may end.
  func trace(_ tracing: inout Tracing) {
    var index = rows.count - 1
    while true {
      let row = rows[index]
      if index == 0, row.steps.isEmpty || row.steps[tracing.column - row.start] == .enter { return }
      let step = row.steps[tracing.column - row.start]
      tracing.take(step)
      if step != .put { index = step == .old ? row.other : row.before }
    }
  }
}

/// The way back through the rows of an alignment, which finds the places of the changes, last first.
struct Tracing {
  let later: FinalText
  let sides: [ProposedText.Sides]
  /// Where it is.
  private(set) var column: Int
  private(set) var places: [ChangePlace] = []
  /// The offsets of the bytes of the present change that are in the later text, last first.
  private var matched: [Int] = []
  private var end = 0
  private var isNew = false

  init(later: FinalText, sides: [ProposedText.Sides], column: Int) {
    self.later = later
    self.sides = sides
    self.column = column
  }

  mutating func take(_ step: AlignmentRows.Step) {
    switch step {
    case .match:
      column -= 1
      matched.append(column)
    case .gone: break
    case .put: column -= 1
    case .old, .new:
      isNew = step == .new
      end = column
      matched = []
    case .enter:
      let side = sides[sides.count - 1 - places.count]
      places.append(place(column..<end, of: isNew ? side.new : side.old))
      matched = []
    }
  }

  private func place(_ range: Range<Int>, of text: [UInt8]) -> ChangePlace {
    var place = ChangePlace(isNew: isNew, range: range)
    if text.isEmpty {
      if range.isEmpty { place.matched = range }
    } else if matched.count == text.count, let first = matched.last, let last = matched.first,
      last - first == text.count - 1, !isInWord(first, from: range),
      !isInWord(last + 1, from: range)
    {
      place.matched = first..<last + 1
    }
    return place
  }

  /// Whether text inserted directly beside an offset formed another word: `she` is not `he` with an insertion
  /// beside it.
  private func isInWord(_ offset: Int, from range: Range<Int>) -> Bool {
    guard range.lowerBound < offset, offset < range.upperBound else { return false }
    return later.bytes[offset - 1].isLetter && later.bytes[offset].isLetter
  }
}
