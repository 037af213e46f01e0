import TrackEngine

/// A writer at an editor whose text has no marks, with a projection after it and, beside it, a plain model.
struct BesideTypist: SoakWriter {
  private var projection: Projection
  /// What the editor holds.
  private var text: [UInt8]
  /// The text with everything rejected.
  private var original: [UInt8]
  private var caret = 0
  /// For each step that undo takes back, the edits that do so, each on the text after the one before it.
  private var done: [[Edit]] = []
  private var undone: [[Edit]] = []
  private var edits = 0
  private(set) var slowest = (time: 0, length: 0)
  private(set) var checks = 0

  init(_ text: [UInt8]) {
    projection = BesideTypist.projection(of: Text(text))
    let manuscript = Manuscript(reading: text)
    self.text = manuscript.clean
    original = manuscript.original
  }

  var marked: Text { projection.record }
  var cleanCount: Int { text.count }
  var isSettled: Bool { true }

  private static let mostUndone = 64

  private static func projection(of record: Text) -> Projection {
    Projection(record: record, options: Tracker.Options(.markdown))
  }

  mutating func perform(_ step: SoakStep) throws(Drift) {
    switch step {
    case .go(let place, _): caret = text.caret(near: place)
    case .walk(let count): caret = text.caret(near: caret + count)
    case .type(let new):
      begin()
      try type(new)
    case .backspace(let count):
      begin()
      for _ in 0..<count { try put(text.boundary(before: caret)..<caret, []) }
    case .delete(let count):
      begin()
      for _ in 0..<count { try put(caret..<text.boundary(after: caret), []) }
    case .put(let count, let new):
      begin()
      try put(caret..<text.caret(near: caret + count), Array(new.utf8))
    case .over(let count, let new):
      begin()
      try put(caret..<text.end(of: count, from: caret), [])
      try type(new)
    case .wrap(let count, let delimiter):
      begin()
      let end = text.end(of: count, from: caret)
      try change(Edit(end..<end, Array(delimiter.utf8)))
      try change(Edit(caret..<caret, Array(delimiter.utf8)))
    case .fill(let lines):
      begin()
      for edit in text.filling(lines, from: caret) { try change(edit) }
    case .moveLine(let count):
      let (line, target) = text.moving(by: count, from: caret)
      try copy(line, to: target, isMoved: true)
    case .copyLines(let count, let place):
      let target = text.lines(1, from: min(place, text.count)).lowerBound
      try copy(text.lines(count, from: caret), to: target, isMoved: false)
    case .undo(let count): for _ in 0..<count { try travel(from: \.done, to: \.undone) }
    case .redo(let count): for _ in 0..<count { try travel(from: \.undone, to: \.done) }
    case .mark(let isForced, let inParts):
      try check()
      // The document is closed and opened again.
      if isForced, inParts { projection = BesideTypist.projection(of: projection.record) }
    case .resolve(let count, let accepts): try resolve(count, accepts ? .clean : .original)
    case .resolveAll(let accepts): try resolveAll(accepts ? .clean : .original)
    }
  }

  // MARK: - Changing the text

  private mutating func type(_ new: String) throws(Drift) {
    for scalar in new.unicodeScalars { try put(caret..<caret, Array(String(scalar).utf8)) }
  }

  private mutating func put(_ range: Range<Int>, _ new: [UInt8]) throws(Drift) {
    try change(Edit(range, new))
    caret = range.lowerBound + new.count
  }

  private mutating func copy(_ lines: Range<Int>, to target: Int, isMoved: Bool) throws(Drift) {
    guard target <= lines.lowerBound || target >= lines.upperBound else { return }
    let new = Array(text[lines])
    var place = target
    begin()
    if isMoved {
      try change(Edit(lines, []))
      if place >= lines.upperBound { place -= lines.count }
    }
    try change(Edit(place..<place, new))
    caret = text.caret(near: target)
  }

  private mutating func begin() {
    undone = []
    done.append([])
    if done.count > 2 * BesideTypist.mostUndone { done.removeFirst(BesideTypist.mostUndone) }
  }

  /// Makes an edit that undo takes back with others of its step.
  private mutating func change(_ edit: Edit) throws(Drift) {
    guard !edit.range.isEmpty || !edit.new.isEmpty else { return }
    done[done.count - 1].insert(make(edit), at: 0)
    try told(edit)
  }

  /// Makes an edit of the model; returns the one that takes it back.
  private mutating func make(_ edit: Edit) -> Edit {
    let start = edit.range.lowerBound
    let back = Edit(start..<start + edit.new.count, Array(text[edit.range]))
    text.replaceSubrange(edit.range, with: edit.new)
    return back
  }

  private mutating func told(_ edit: Edit) throws(Drift) {
    let start = Clock.now
    projection.change(edit)
    let time = Clock.now - start
    if time > slowest.time { slowest = (time, text.count) }
    edits += 1
    try checkHere(edit.range.lowerBound)
    // Whatever the length of the text, that costs about as much as the edits do.
    if edits % (1 + text.count / 1000) == 0 { try check() }
  }

  /// Undoes or redoes a step: editors tell that edit by edit, or as one.
  private mutating func travel(
    from: WritableKeyPath<BesideTypist, [[Edit]]>,
    to: WritableKeyPath<BesideTypist, [[Edit]]>
  ) throws(Drift) {
    guard let step = self[keyPath: from].popLast() else { return }
    let isOne = edits % 2 == 0
    let before = text
    var back: [Edit] = []
    for edit in step {
      back.insert(make(edit), at: 0)
      if !isOne { try told(edit) }
    }
    if isOne {
      let edit = Edit(before.indices, text).trimmed(replacing: before[...])
      if !edit.range.isEmpty || !edit.new.isEmpty { try told(edit) }
    }
    self[keyPath: to].append(back)
    caret = text.caret(near: caret)
  }

  // MARK: - Decisions

  private mutating func resolve(_ count: Int, _ variant: Variant) throws(Drift) {
    let start = projection.part(aroundClean: caret..<caret).recordOffset(ofClean: caret)
    let range = start..<min(projection.record.count, start + count)
    let bytes = projection.record.bytes
    var manuscript = Manuscript(reading: bytes)
    // What lies before, in and after the stretch is told apart without the projection.
    guard manuscript.isWhole(range), let sides = manuscript.sides(of: range, in: bytes) else {
      return
    }
    manuscript.resolve(sides, variant)
    try decide(.resolve(range, variant), manuscript)
  }

  private mutating func resolveAll(_ variant: Variant) throws(Drift) {
    var manuscript = Manuscript(reading: projection.record.bytes)
    let all = Manuscript.Sides(
      clean: manuscript.clean.indices,
      original: manuscript.original.indices
    )
    manuscript.resolve(all, variant)
    try decide(.resolveAll(variant), manuscript)
  }

  /// Carries out a decision, which is to lead to the texts of a manuscript.
  private mutating func decide(_ action: Review.Action, _ meant: Manuscript) throws(Drift) {
    guard let edits = try? Review(projection.tracker).edits(for: action), !edits.isEmpty else {
      return
    }
    let plan = projection.plan(edits)
    begin()
    for edit in plan.cleanEdits.reversed() { try change(edit) }
    guard text == meant.clean else { throw Drift("what \(action) asks for", text, meant.clean) }
    projection.carryOut(plan)
    original = meant.original
    caret = text.caret(near: caret)
    try check()
  }

  // MARK: - Checks

  /// Whether the projection and the model hold the same around an edit.
  private func checkHere(_ place: Int) throws(Drift) {
    guard projection.text.count == text.count else {
      throw Drift(what: "\(projection.text.count) bytes for \(text.count)")
    }
    let here = max(0, place - 32)..<min(text.count, place + 32)
    let found = Array(projection.text[here])
    if found != Array(text[here]) { throw Drift("what is typed", found, Array(text[here])) }
  }

  /// Whether the projection has the model's text, and the record says both; linear in the text.
  private mutating func check() throws(Drift) {
    checks += 1
    let found = projection.text.bytes
    if found != text { throw Drift("the text", found, text) }
    let record = Manuscript(reading: projection.record.bytes)
    if record.clean != text { throw Drift("the clean text of the record", record.clean, text) }
    if record.original != original {
      throw Drift("the original text of the record", record.original, original)
    }
  }
}
