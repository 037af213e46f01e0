import TrackEngine

/// A writer at an editor, with the tracker and, beside it, a plain model of what comes of it.
struct Typist: SoakWriter {
  /// The text and what is known of it.
  private struct Moment {
    var text: Text
    var manuscript: Manuscript
    var settled: TextHash
  }

  /// Something that undo takes back.
  private struct Step {
    var before: Moment
    /// On the text before.
    var edits: [Edit] = []
  }

  private var tracker: Tracker
  private var manuscript: Manuscript
  /// The hash of the text that the pending changes are on.
  private var settled: TextHash
  /// An offset of the clean text.
  private var caret = 0
  private var isAfter = true
  private var done: [Step] = []
  private var undone: [Step] = []
  private var edits = 0
  private(set) var slowest = (time: 0, length: 0)
  private(set) var checks = 0

  /// Begins with a text.
  init(_ text: [UInt8]) {
    tracker = Tracker(Text(text), options: Tracker.Options(.markdown))
    manuscript = Manuscript(reading: text)
    settled = tracker.buffer.hash
  }

  var marked: Text { tracker.buffer }
  var cleanCount: Int { manuscript.clean.count }
  var isSettled: Bool { tracker.isSettled && !tracker.isHeld }

  private static let mostUndone = 64

  mutating func perform(_ step: SoakStep) throws(Drift) {
    switch step {
    case .go(let place, let isAfter):
      go(to: place)
      self.isAfter = isAfter
    case .walk(let count): go(to: caret + count)
    case .type(let text):
      begin()
      for scalar in text.unicodeScalars { try insert(Array(String(scalar).utf8)) }
    case .backspace(let count):
      begin()
      for _ in 0..<count { try replace(boundary(before: caret)..<caret, with: []) }
    case .delete(let count):
      begin()
      for _ in 0..<count { try replace(caret..<boundary(after: caret), with: []) }
    case .put(let count, let text):
      begin()
      try replace(caret..<manuscript.clean.caret(near: caret + count), with: Array(text.utf8))
    case .over(let count, let text):
      begin()
      try replace(caret..<end(of: count), with: [])
      for scalar in text.unicodeScalars { try insert(Array(String(scalar).utf8)) }
    case .wrap(let count, let delimiter):
      begin()
      let end = end(of: count)
      try change(end..<end, Array(delimiter.utf8), isLast: false)
      try change(caret..<caret, Array(delimiter.utf8))
    case .fill(let lines): try fill(lines)
    case .moveLine(let count): try moveLine(by: count)
    case .copyLines(let count, let place): try copyLines(count, to: place)
    case .undo(let count): for _ in 0..<count { try undo() }
    case .redo(let count): for _ in 0..<count { try redo() }
    case .mark(let isForced, let inParts): try mark(isForced: isForced, inParts: inParts)
    case .resolve(let count, let accepts): try resolve(count, accepts ? .clean : .original)
    case .resolveAll(let accepts): try resolveAll(accepts ? .clean : .original)
    }
  }

  // MARK: - The caret

  private mutating func go(to place: Int) {
    caret = manuscript.clean.caret(near: place)
  }

  private func boundary(before offset: Int) -> Int { manuscript.clean.boundary(before: offset) }

  private func boundary(after offset: Int) -> Int { manuscript.clean.boundary(after: offset) }

  private func end(of count: Int) -> Int {
    manuscript.clean.end(of: count, from: caret)
  }

  // MARK: - Changing the text

  private mutating func insert(_ new: [UInt8]) throws(Drift) {
    try change(caret..<caret, new)
    caret += new.count
    isAfter = true
  }

  private mutating func replace(_ range: Range<Int>, with new: [UInt8]) throws(Drift) {
    guard !range.isEmpty || !new.isEmpty else { return }
    try change(range, new)
    caret = range.lowerBound + new.count
  }

  /// Replaces a range of the clean text.
  private mutating func change(
    _ range: Range<Int>,
    _ new: [UInt8],
    isLast: Bool = true
  ) throws(Drift) {
    let start = manuscript.place(of: range.lowerBound, isAfter: range.isEmpty && isAfter)
    let end = range.isEmpty ? start : manuscript.place(of: range.upperBound, isAfter: true)
    try report(
      [Edit(start.offset..<end.offset, new)],
      isTop: start.isTop && end.isTop,
      isLast: isLast
    )
  }

  /// Makes edits as a client tells them, and as a plain editor would make them.
  private mutating func report(
    _ edits: [Edit],
    isTop: Bool,
    shown: [Manuscript.Part]? = nil,
    isLast: Bool = true
  ) throws(Drift) {
    let before = tracker.buffer
    for edit in edits.reversed() {
      manuscript.replace(edit.range, with: edit.new, isTop: isTop, shown: shown)
    }
    tracker.report(edits, isLast: isLast)
    note(edits, on: before)
    self.edits += 1
    try checkHere()
    if self.edits % 64 == 0 { try checkSettled() }
  }

  private mutating func begin() {
    undone = []
    done.append(Step(before: moment))
    if done.count > 2 * Typist.mostUndone { done.removeFirst(Typist.mostUndone) }
  }

  private var moment: Moment {
    Moment(text: tracker.buffer, manuscript: manuscript, settled: settled)
  }

  private mutating func note(_ edits: [Edit], on text: Text) {
    guard let last = done.last else { return }
    done[done.count - 1].edits =
      last.edits.isEmpty ? edits : last.edits.followed(by: edits, on: last.before.text)
  }

  private mutating func fill(_ count: Int) throws(Drift) {
    begin()
    for edit in manuscript.clean.filling(count, from: caret) {
      try change(edit.range, edit.new, isLast: false)
    }
    tracker.endReport()
  }

  /// A stretch of whole lines that cuts no mark, in the marked-up text.
  private func whole(_ lines: Range<Int>) -> Range<Int>? {
    guard !lines.isEmpty else { return nil }
    let start = manuscript.place(of: lines.lowerBound, isAfter: true).offset
    let end = manuscript.place(of: lines.upperBound, isAfter: false).offset
    return start < end && manuscript.isWhole(start..<end) ? start..<end : nil
  }

  /// The parts of the clean text in a stretch, from its beginning.
  private func shown(in range: Range<Int>) -> [Manuscript.Part] {
    manuscript.parts.compactMap { part in
      guard part.range.overlaps(range) else { return nil }
      let shown = part.range.clamped(to: range)
      let start = shown.lowerBound - range.lowerBound
      return Manuscript.Part(range: start..<start + shown.count, isTop: part.isTop)
    }
  }

  private mutating func moveLine(by count: Int) throws(Drift) {
    let (line, target) = manuscript.clean.moving(by: count, from: caret)
    try copy(line, to: target, isMoved: true)
  }

  private mutating func copyLines(_ count: Int, to place: Int) throws(Drift) {
    let place = min(place, manuscript.clean.count)
    let clean = manuscript.clean
    let target = clean.lines(1, from: place).lowerBound
    try copy(clean.lines(count, from: caret), to: target, isMoved: false)
  }

  private mutating func copy(_ lines: Range<Int>, to target: Int, isMoved: Bool) throws(Drift) {
    guard target <= lines.lowerBound || target >= lines.upperBound, let range = whole(lines) else {
      return
    }
    let place = manuscript.place(of: target, isAfter: true)
    guard manuscript.isWhole(place.offset..<place.offset),
      manuscript.parts.contains(where: { $0.range.clamped(to: range) == range })
        || takesMarks(range) && takesMarks(place.offset..<place.offset)
    else { return }
    let text = Array(tracker.buffer[range])
    let shown = shown(in: range)
    begin()
    var at = place.offset
    if isMoved {
      try report([Edit(range, [])], isTop: true)
      if at >= range.upperBound { at -= range.count }
    }
    try report([Edit(at..<at, text)], isTop: true, shown: shown)
    go(to: target)
  }

  /// Whether marks that come from there or are put there are marks: not in code, where they would be text,
  /// nor while they are half of what they were.
  private func takesMarks(_ range: Range<Int>) -> Bool {
    let excerpt = tracker.excerpt(around: range)
    return isSettled && excerpt.reading.zones.isEmpty
      && !excerpt.bytes.contains(UInt8(ascii: "`"))
  }

  // MARK: - Undo

  private mutating func undo() throws(Drift) {
    guard let step = done.popLast() else { return }
    undone.append(Step(before: moment, edits: step.edits))
    try travel(step.edits.inverted(on: step.before.text), to: step.before)
  }

  private mutating func redo() throws(Drift) {
    guard let step = undone.popLast() else { return }
    done.append(Step(before: moment, edits: step.edits))
    try travel(step.edits, to: step.before)
  }

  private mutating func travel(_ edits: [Edit], to moment: Moment) throws(Drift) {
    guard !edits.isEmpty else { return }
    tracker.report(edits)
    manuscript = moment.manuscript
    settled = moment.settled
    go(to: caret)
    guard tracker.buffer.hash == moment.text.hash else {
      throw Drift(what: "the model's undo leads elsewhere")
    }
    try checkSettled()
  }

  // MARK: - Edits of ours

  private mutating func mark(isForced: Bool, inParts: Bool) throws(Drift) {
    guard !tracker.isHeld, !tracker.hunks.isEmpty else { return }
    let start = Clock.now
    var marking = tracker.marking(isForced: isForced)
    let time = Clock.now - start
    if time > slowest.time { slowest = (time, tracker.buffer.count) }
    for (edit, next) in zip(marking.edits, marking.edits.dropFirst())
    where edit.range.upperBound >= next.range.lowerBound {
      throw Drift(what: "edits touch: \(edit), \(next)")
    }
    if marking.edits.isEmpty {
      tracker.settle(marking.remaining)
    } else {
      marking = marking.withFewerEdits(of: tracker.buffer)
      tracker.rest()
      land(tracker.ownEdit(marking), inParts: inParts)
    }
    try check()
  }

  private mutating func land(_ own: OwnEdit, inParts: Bool) {
    begin()
    note(own.edits, on: tracker.buffer)
    if inParts {
      for edit in own.edits.dropFirst().reversed() { tracker.apply(tracker.meaning(of: edit)) }
      if let first = own.edits.first { tracker.apply(tracker.meaning(of: first)) }
    } else {
      tracker.apply(ours: own.edits)
    }
    tracker.land(own)
  }

  private mutating func resolve(_ count: Int, _ variant: Variant) throws(Drift) {
    try mark(isForced: true, inParts: false)
    guard isSettled else { return }
    let start = manuscript.place(of: caret, isAfter: true).offset
    let range = start..<min(tracker.buffer.count, start + count)
    // What lies before, in and after the stretch is told apart without the tracker.
    guard manuscript.isWhole(range) else { return }
    guard let edits = try? Review(tracker).edits(for: .resolve(range, variant)), !edits.isEmpty
    else {
      return
    }
    guard let sides = manuscript.sides(of: range, in: tracker.buffer.bytes) else { return }
    land(tracker.ownEdit(edits), inParts: false)
    manuscript.resolve(sides, variant)
    try check()
    go(to: caret)
  }

  private mutating func resolveAll(_ variant: Variant) throws(Drift) {
    try mark(isForced: true, inParts: false)
    guard isSettled, let edits = try? Review(tracker).edits(for: .resolveAll(variant)) else {
      return
    }
    land(tracker.ownEdit(edits.fewer(in: tracker.buffer)), inParts: false)
    let text = variant == .clean ? manuscript.clean : manuscript.original
    // Highlights and lone comments are no changes, and stay.
    let left = Manuscript(reading: tracker.buffer.bytes)
    guard left.clean == text, left.original == text else {
      throw Drift("everything \(variant)", left.clean, text)
    }
    // What was text for the code around it can read as a mark now.
    manuscript = left
    settled = tracker.buffer.hash
    go(to: caret)
  }

  // MARK: - Checks

  /// The text that the pending changes are on.
  private var settledText: Text { tracker.buffer.applying(tracker.hunks.inverted) }

  /// Whether the tracker and the model hold the same around the caret.
  private func checkHere() throws(Drift) {
    let start = max(0, caret - 16)
    let place = manuscript.place(of: start, isAfter: false).offset
    let count = min(16, manuscript.clean.count - start, tracker.buffer.count - place)
    guard count > 0, let part = manuscript.parts.first(where: { $0.range.contains(place) }) else {
      return
    }
    let end = min(place + count, part.range.upperBound)
    guard tracker.buffer[place..<end].elementsEqual(manuscript.clean[start..<start + end - place])
    else { throw Drift(what: "the model's places are wrong") }
  }

  /// Whether the pending changes are still on the text that they were on.
  private mutating func checkSettled() throws(Drift) {
    if settledText.hash != settled { try check() }
  }

  /// Whether the original and the clean text are what they should be; linear in the text.
  private mutating func check() throws(Drift) {
    checks += 1
    let text = settledText
    var now = Manuscript(reading: text.bytes)
    guard now.original == manuscript.original else {
      throw Drift("the original", now.original, manuscript.original)
    }
    for hunk in tracker.hunks {
      let start = hunk.new.lowerBound
      let place = now.parts.first { $0.range.lowerBound <= start && start <= $0.range.upperBound }
      let typed = Array(tracker.buffer[hunk.new])
      now.replace(start..<start + hunk.old.count, with: typed, isTop: place?.isTop ?? false)
    }
    guard now.clean == manuscript.clean else {
      throw Drift("the clean text", now.clean, manuscript.clean)
    }
    manuscript.move(to: now)
    settled = text.hash
  }
}

extension Tracker {
  /// Takes edits of the buffer that are reported together, the last one first.
  fileprivate mutating func report(_ edits: [Edit], isLast: Bool = true) {
    for edit in edits.reversed() { apply(meaning(of: edit)) }
    arrive()
    if isLast { endReport() }
  }
}
