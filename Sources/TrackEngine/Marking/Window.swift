/// A stretch of the settled text that is written anew: the changes in it and the marks they touch.
struct Window {
  /// The range of the settled text; it cuts no mark.
  var old: Range<Int>
  /// The range of the buffer that stands for it.
  var new: Range<Int>
  /// Which of the pending changes lie in it.
  var changes: Range<Int>
  /// What it holds, in order.
  var pieces: [Piece] = []
}

/// Finds the windows of the pending changes and rebuilds what they hold.
struct Rebuilding {
  let settled: Settled
  let buffer: Text
  let pending: [Pending]
  private let meanings: [Meaning]

  /// Works out what changes mean, which lies before `end` in the settled text.
  init(_ pending: [Pending], in settled: Settled, _ buffer: Text, upTo end: Int) {
    self.settled = settled
    self.buffer = buffer
    meanings = pending.indices.map { index in
      Meaning(of: index, of: pending, in: settled, buffer, upTo: end)
    }
    let untyped = meanings.flatMap(\.untyped)
    self.pending = untyped.isEmpty ? pending : pending.map { $0.without(untyped) }
  }

  /// The windows, in order, with their pieces.
  func windows() -> [Window] {
    var windows: [Window] = []
    for index in pending.indices {
      let range = reach(of: index)
      if let last = windows.last, range.lowerBound <= last.old.upperBound {
        // A change that means text far before itself can reach over windows already made.
        var joined = windows.removeLast()
        joined.old =
          min(
            joined.old.lowerBound,
            range.lowerBound
          )..<max(joined.old.upperBound, range.upperBound)
        joined.changes = joined.changes.lowerBound..<index + 1
        while let before = windows.last, before.old.upperBound >= joined.old.lowerBound {
          windows.removeLast()
          joined.old = min(before.old.lowerBound, joined.old.lowerBound)..<joined.old.upperBound
          joined.changes = before.changes.lowerBound..<joined.changes.upperBound
        }
        windows.append(joined)
      } else {
        windows.append(Window(old: range, new: 0..<0, changes: index..<index + 1))
      }
    }
    return windows.map { rebuilt($0) }
  }

  /// The same window over more of the settled text, which must cut no mark and meet no other change.
  func widened(_ window: Window, to old: Range<Int>) -> Window {
    var window = window
    window.old = old
    return rebuilt(window)
  }

  /// What a change touches: its text, the marks it cuts, and the changes it lies against.
  func reach(of index: Int) -> Range<Int> {
    let change = pending[index]
    var low = change.old.lowerBound
    var high = change.old.upperBound
    for range in meanings[index].gone {
      low = min(low, range.lowerBound)
      high = max(high, range.upperBound)
    }
    while true {
      let known = low..<high
      if low > 0, let mark = settled.mark(at: low - 1).map({ settled.reading.marks[$0] }),
        mark.end > low || mark.kind.isChange
      {
        low = mark.start
        high = max(high, mark.end > known.lowerBound ? mark.end : high)
      }
      if high < settled.bytes.count,
        let mark = settled.mark(at: high).map({ settled.reading.marks[$0] }),
        mark.start < high || mark.kind.isChange
      {
        high = mark.end
      }
      if low..<high == known { return known }
    }
  }

  private func rebuilt(_ window: Window) -> Window {
    var window = window
    let toBuffer = pending[window.changes].toBuffer
    window.new = toBuffer.map(window.old, start: .before, end: .after)
    var rebuild = Rebuild(
      settled: settled,
      buffer: buffer,
      atoms: Atoms(settled, in: window.old),
      changes: pending[window.changes],
      meanings: meanings[window.changes],
      toBuffer: toBuffer
    )
    window.pieces = rebuild.pieces(of: window.old)
    return window
  }
}

/// Walks over a window's settled text and puts what stays, what is deleted and what was typed into
/// pieces.
private struct Rebuild {
  let settled: Settled
  let buffer: Text
  let atoms: Atoms
  /// Changes whose typed text is still to be put.
  var changes: ArraySlice<Pending>
  /// Whether a byte of the window goes, by its distance from the window's beginning.
  private var isGone: [Bool]
  /// Settled ranges that the user removed whole, as marks are: from opener to closer.
  private let removed: [Range<Int>]
  private let starts: [Int: Pending]
  private let toBuffer: OffsetMap
  private var pieces: [Piece] = []

  init(
    settled: Settled,
    buffer: Text,
    atoms: Atoms,
    changes: ArraySlice<Pending>,
    meanings: ArraySlice<Meaning>,
    toBuffer: OffsetMap
  ) {
    self.settled = settled
    self.buffer = buffer
    self.atoms = atoms
    self.changes = changes
    removed = meanings.map(\.removed)
    isGone = Array(repeating: false, count: atoms.atoms.count)
    for range in meanings.flatMap(\.gone) {
      for offset in range { isGone[offset - atoms.start] = true }
    }
    starts = Dictionary(
      uniqueKeysWithValues: changes.filter(\.isSpelled).map { ($0.old.lowerBound, $0) }
    )
    self.toBuffer = toBuffer
  }

  mutating func pieces(of range: Range<Int>) -> [Piece] {
    walk(range, settled.marks(in: range), .original)
    put(upTo: range.upperBound)
    return pieces
  }

  /// Walks over plain or highlighted text and the marks in it.
  private mutating func walk(_ range: Range<Int>, _ marks: ArraySlice<Int>, _ kind: TextClass) {
    var marks = marks
    var isFirst = true
    var at = range.lowerBound
    while at < range.upperBound {
      if let spelled = starts[at] {
        put(upTo: at)
        at = max(at, spelled.old.upperBound)
        while let next = marks.first, settled.reading.marks[next].start < at {
          marks = marks.dropFirst()
        }
        if !spelled.old.isEmpty { continue }
      }
      if let next = marks.first, settled.reading.marks[next].start == at {
        walk(mark: next)
        marks = marks.dropFirst()
        at = settled.reading.marks[next].end
        continue
      }
      put(upTo: at)
      if isGone(at) {
        put(.deleted, at)
      } else {
        put(kind, at, apart: isFirst && kind == .highlighted)
        isFirst = false
      }
      at += 1
    }
  }

  private mutating func walk(mark index: Int) {
    let mark = settled.reading.marks[index]
    put(upTo: mark.start)
    switch mark.kind {
    case .comment:
      walk(comment: mark)
    case .highlight:
      let children = settled.children(of: index)
      let isShallow =
        children.isEmpty || atoms[settled.reading.marks[children[0]].start] == .delimiter
      walk(mark.content, isShallow ? children[...] : [], .highlighted)
    case .addition, .deletion, .substitution:
      walk(change: mark, index)
    }
    put(before: mark.end)
  }

  private mutating func walk(change mark: Mark, _ index: Int) {
    // Marks inside that were removed whole take their delimiters and hidden text along.
    let dropped = settled.reading.marks[index + 1..<index + 1 + mark.inner].map(\.range)
      .filter { inner in
        removed.contains { $0.holds(inner) }
      }
    let arrow = mark.arrow < 0 ? mark.kind == .deletion ? mark.end : mark.start : mark.arrow
    for offset in mark.content {
      switch atoms[offset] {
      case .delimiter: break
      case .deleted: put(.deleted, offset)
      case .added:
        put(upTo: offset)
        if !isGone(offset) { put(.added, offset) }
      case .hiddenComment:
        put(upTo: offset, asHidden: true)
        if !isGone(offset) { put(.added, offset, isHidden: true) }
      default:
        if offset > 0, atoms.atoms.indices.contains(offset - 1 - atoms.start),
          atoms[offset - 1] == .hiddenComment
        {
          put(upTo: offset, asHidden: true)
        }
        let isOld = offset < arrow
        if isOld || !dropped.contains(where: { $0.contains(offset) }) {
          put(isOld ? .deleted : .added, offset, isHidden: true)
        }
      }
    }
  }

  private mutating func walk(comment mark: Mark) {
    let isRemoved = removed.contains {
      $0.lowerBound <= mark.start && mark.end <= $0.upperBound
    }
    guard !isRemoved else { return }
    let first = pieces.count
    pieces.append(Piece(kind: .comment, runs: []))
    for offset in mark.content.lowerBound...mark.content.upperBound {
      for run in typed(upTo: offset) { pieces[first].runs.add(run) }
      if offset < mark.content.upperBound, !isGone(offset) {
        pieces[first].runs.add(settledRun(offset))
      }
    }
    for run in typed(upTo: mark.end - 1) { pieces[first].runs.add(run) }
  }

  private func isGone(_ offset: Int) -> Bool { isGone[offset - atoms.start] }

  private func settledRun(_ offset: Int) -> Run {
    let byte = offset..<offset + 1
    return Run(settled.bytes[byte], origin: toBuffer.mapWhole(byte)?.lowerBound)
  }

  private mutating func put(
    _ kind: TextClass,
    _ offset: Int,
    apart: Bool = false,
    isHidden: Bool = false
  ) {
    var run = settledRun(offset)
    run.isHidden = isHidden
    pieces.put(kind, run, apart: apart)
  }

  /// Puts what was typed at or before `offset`.
  private mutating func put(upTo offset: Int, asHidden: Bool = false) {
    while let change = changes.first, change.old.lowerBound <= offset {
      changes = changes.dropFirst()
      for part in change.typed {
        let run = Run(
          buffer[part.range],
          origin: part.range.lowerBound,
          stays: true,
          isHidden: part.isHidden || asHidden
        )
        if part.kind == .comment {
          pieces.append(Piece(kind: .comment, runs: run.bytes.isEmpty ? [] : [run]))
        } else {
          pieces.put(asHidden ? .added : part.kind, run)
        }
      }
    }
  }

  private mutating func put(before offset: Int) { put(upTo: offset - 1) }

  /// The text typed at or before `offset`, for a comment, which takes it as it is.
  private mutating func typed(upTo offset: Int) -> [Run] {
    var runs: [Run] = []
    while let change = changes.first, change.old.lowerBound <= offset {
      changes = changes.dropFirst()
      runs.append(Run(buffer[change.new], origin: change.new.lowerBound, stays: true))
    }
    return runs
  }
}
