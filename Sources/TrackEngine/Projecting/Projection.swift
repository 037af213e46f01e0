/// A text without marks, and beside it the record: the same text with its marks.
///
/// The clean text is what an editor shows; its edits are carried to the record, and marked there at once. A value.
/// Invariants, checked by ``checkInvariants()``:
///
/// - Accepting every change of the record gives the clean text.
/// - Rejecting every change gives what it gave before, whatever is edited while changes are recorded; but front matter
///   is not tracked.
public struct Projection: Sendable {
  /// The record, of which nothing is pending.
  public private(set) var tracker: Tracker
  /// The clean text.
  public private(set) var text: Text
  private var stretches: ProjectedStretches
  private var history: ProjectionHistory
  /// What may read differently in the record since this was last taken.
  private var difference: Difference?
  /// What was decided, the last one last, as far as it can be taken back.
  private(set) var decisions: [Decision] = []
  /// The exchange of lines that the last edit can have begun, and the state before it.
  private var begun: (exchange: LineExchange, since: Int)?

  /// The record: the text with its marks.
  public var record: Text { tracker.buffer }
  /// How the text is tracked.
  public var options: Tracker.Options {
    get { tracker.options }
    set {
      // What one person has begun is not signed by another.
      if newValue != tracker.options { begun = nil }
      tracker.options = newValue
    }
  }

  /// Projects a record; linear.
  ///
  /// - Parameters:
  ///   - record: The text with its marks.
  ///   - isTracking: Whether changes are recorded.
  ///   - options: How the text is tracked.
  public init(
    record: Text,
    isTracking: Bool = true,
    options: Tracker.Options
  ) {
    tracker = Tracker(record, isTracking: isTracking, options: options)
    let bytes = record.bytes
    text = Text(Reading(of: bytes, as: options.language).text(.clean, of: bytes))
    stretches = ProjectedStretches(of: tracker.draft)
    history = ProjectionHistory(text.hash)
  }

  /// Takes an edit of the clean text.
  ///
  /// A text that was there before is taken for undo or redo, and has the record that it had then. Anything else is
  /// marked. Its cost is that of reading the passages around it.
  ///
  /// - Parameter edit: An edit of the clean text.
  /// - Returns: The edits of the record that were made; sorted, disjoint.
  @discardableResult
  public mutating func change(_ edit: Edit) -> [Edit] {
    let told = edit.trimmed(on: text)
    guard !told.range.isEmpty || !told.new.isEmpty else { return [] }
    var next = text
    next.replace(told.range, with: told.new)
    let decided = history.decided.following(told, on: text)
    if let state = history.state(with: next.hash, decided), let edits = goBack(to: state) {
      return edits
    }
    return record(told, makingOf: next, decided)
  }

  /// Takes edits of the clean text that are told together, each made after the one before.
  ///
  /// A command can be told in parts that mean something only together, such as a line with the words of the next one
  /// and then the removal of that. So what is recorded is what they come to, from the last text on the way on that undo
  /// or redo leads to.
  ///
  /// - Parameter told: Edits of the clean text.
  /// - Returns: The edits of the record that were made, each list to be made after the one before.
  @discardableResult
  public mutating func change(_ told: [Edit]) -> [[Edit]] {
    var (start, next) = (text, text)
    var hunks = Hunks()
    var known: Int?
    var decided = history.decided
    for edit in told {
      hunks.compose([edit], on: next)
      decided = decided.following(edit.trimmed(on: next), on: next)
      next.replace(edit.range, with: edit.new)
      if let state = history.state(with: next.hash, decided) {
        known = state
        start = next
        hunks = Hunks()
        decided = history.decided(at: state)
      }
    }
    let back = known.flatMap { goBack(to: $0) }
    guard known == nil || back != nil else { return told.map { change($0) } }
    let edits = hunks.list.reflowed(on: start, in: next).edits(in: next)
    // No state has the text that they lead to: that was looked up.
    var made = back.map { [$0] } ?? []
    if edits.count == 1 {
      made.append(record(edits[0].trimmed(on: text), makingOf: next, decided))
    } else {
      made += edits.reversed().map { change($0) }
      history.setDecided(decided)
    }
    return made
  }

  /// Returns to the record of an earlier state, if that is not forgotten; returns the edits that were made.
  private mutating func goBack(to state: Int) -> [Edit]? {
    guard let edits = edits(backTo: state) else { return nil }
    decisions.removeAll { $0.state > state }
    make(edits, history.decided(at: state))
    return edits
  }

  /// Takes any other text for the clean text: what differs was changed.
  ///
  /// Linear, except for a bounded factor.
  public mutating func change(to new: [UInt8]) {
    for edit in edits(making: new).reversed() { change(edit) }
  }

  /// Takes another text for what became of the clean text elsewhere, if they have enough in common.
  ///
  /// Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - new: The text.
  ///   - tenths: How many tenths of the shorter one they must have in common.
  /// - Returns: False if it is another text; then nothing was changed.
  public mutating func follow(to new: [UInt8], tenths: Int = 1) -> Bool {
    let edits = edits(making: new)
    let kept = text.count - edits.reduce(0) { $0 + $1.range.count }
    guard 10 * kept >= tenths * min(text.count, new.count) else { return false }
    for edit in edits.reversed() { change(edit) }
    return true
  }

  private func edits(making new: [UInt8]) -> [Edit] {
    [Edit](making: new, of: text.bytes, as: options.language)
  }

  /// Turns recording on or off; while it is off, new text is original text.
  ///
  /// Undo leads to no text from before.
  public mutating func setTracking(_ isTracking: Bool) {
    guard isTracking != tracker.isTracking else { return }
    tracker.setTracking(isTracking)
    history.addBorder()
    begun = nil
  }

  /// Returns what may read differently in the record since the last call, or since the beginning, and clears it.
  public mutating func takeDifference() -> Difference? {
    defer { difference = nil }
    return difference
  }

  /// The edits of the record that make the clean text; sorted, disjoint.
  ///
  /// Linear.
  public var hiding: [Edit] {
    let clean = VariantText(.clean, of: record.bytes, as: options.language)
    let ends = clean.kept.map(\.upperBound)
    let starts = clean.kept.map(\.lowerBound)
    return zip([0] + ends, starts + [record.count]).filter { $0 < $1 }.map { Edit($0..<$1, []) }
  }

  /// The passages of the record around a range of it, and their clean text.
  public func part(aroundRecord range: Range<Int>) -> ProjectedPart {
    let places = stretches.places(ofRecord: range)
    return ProjectedPart(places.start, places.end, of: tracker.draft)
  }

  /// The passages of the record around a range of the clean text.
  public func part(aroundClean range: Range<Int>) -> ProjectedPart {
    let places = stretches.places(ofClean: range)
    return ProjectedPart(places.start, places.end, of: tracker.draft)
  }
}

// MARK: - Decisions

extension Projection {
  /// What a decision, a comment or the like does to both texts.
  public struct Plan: Equatable, Sendable {
    /// The edits of the record.
    let edits: [Edit]
    /// The edits of the clean text; sorted, disjoint, and none if only the record is changed.
    public let cleanEdits: [Edit]
    /// The number of the state that it was made for.
    let state: Int
    /// Whether it accepts or rejects.
    let decides: Bool
    /// The number of the state after the decision that it takes back.
    var reopened: Int? = nil
  }

  /// What edits of the record do to both texts.
  ///
  /// - Parameters:
  ///   - edits: Sorted, disjoint edits of the record.
  ///   - decides: Whether they accept or reject, so that ``reopening()`` takes them back.
  /// - Returns: The plan; linear in the passages that the edits are in.
  public func plan(_ edits: [Edit], decides: Bool = false) -> Plan {
    var after = self
    let changed = after.replace(edits)?.clean ?? Difference(0..<0, 0..<0)
    let old = Array(text[changed.old])
    let new = Array(after.text[changed.new])
    let clean = [Edit](making: new, of: old, as: options.language)
    return Plan(
      edits: edits,
      cleanEdits: clean.map { $0.moved(by: changed.old.lowerBound) },
      state: history.here,
      decides: decides
    )
  }

  /// The edits of the record that lead back to that of an earlier value of this one; nil if it is forgotten.
  public func edits(backTo earlier: Projection) -> [Edit]? { edits(backTo: earlier.history.here) }

  /// Carries out a plan, whose clean edits have been made, whatever was recorded of them since.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - beside: What the user did besides, as sorted, disjoint edits of the clean text that the plan makes.
  /// - Returns: The edits of the record that were made, each list to be made after the one before; none if the plan
  ///   is too old.
  @discardableResult
  public mutating func carryOut(_ plan: Plan, beside: [Edit] = []) -> [[Edit]] {
    guard let back = edits(backTo: plan.state) else { return [] }
    let planned = record.applying(back)
    let edits = back.followed(by: plan.edits, on: record)
    decisions.removeAll { $0.state == plan.reopened || !history.isKept($0.state) }
    let decided = DecidedText(plan.cleanEdits, at: history.here + 1)
    make(
      edits,
      plan.cleanEdits.isEmpty
        ? nil
        : history.decided(at: plan.state).adding(decided, of: plan.cleanEdits)
    )
    if plan.decides {
      let undoing = plan.edits.inverted(on: planned)
      decisions.append(Decision(state: history.here, undoing: undoing))
    }
    return [edits] + beside.reversed().map { change($0) }
  }
}

// MARK: - Recording

extension Projection {
  /// Where an edit of the clean text is recorded in marks.
  private enum Scope: CaseIterable {
    /// In tracked text, while tracking is on.
    case tracked
    /// Everywhere, for what would read as a mark by itself where nothing is tracked.
    case all
  }

  /// Records an edit of the clean text; if it ends an exchange of lines that the last edit began, from the text before
  /// that.
  ///
  /// - Parameters:
  ///   - told: The edit.
  ///   - next: The clean text after it.
  ///   - decided: What was decided, as it is in that.
  /// - Returns: The edits of the record.
  private mutating func record(
    _ told: Edit,
    makingOf next: Text,
    _ decided: [DecidedText]
  ) -> [Edit] {
    let (begun, here, known) = (begun, history.here, record)
    self.begun = LineExchange(begunBy: told, on: text).map { ($0, here) }
    guard tracker.isTracking, let begun, here == begun.since + 1,
      let replacement = begun.exchange.replacement(endedBy: told, on: text),
      let back = goBack(to: begun.since)
    else { return write(told, makingOf: next, decided) }
    let made = write(replacement.trimmed(on: text), makingOf: next, decided)
    return back.followed(by: made, on: known)
  }

  /// Writes an edit of the clean text into the record, in the first way that reads back as it must.
  ///
  /// - Parameters:
  ///   - told: The edit.
  ///   - next: The clean text after it.
  ///   - decided: What was decided, as it is in that.
  /// - Returns: The edits of the record.
  private mutating func write(
    _ told: Edit,
    makingOf next: Text,
    _ decided: [DecidedText]
  ) -> [Edit] {
    let part = part(aroundClean: told.range)
    for scope in Scope.allCases {
      let isTracked = scope == .all || tracker.isTracking
      let plain = part.edits(making: told, isTracked: isTracked)
      let known = (tracker, text, stretches, difference)
      let edits = isTracked ? marking(plain, scope) : plain
      let replaced = replace(edits)
      if text.hash == next.hash,
        replaced.map({ keepsOriginal(isTracked ? [] : plain, $0, since: known.0.draft, scope) })
          ?? true
      {
        add(next, edits, since: known.0.buffer, decided)
        return edits
      }
      (tracker, text, stretches, difference) = known
    }
    let known = record
    let original = Reading(of: known.bytes, as: options.language).text(.original, of: known.bytes)
    let anew = [UInt8](deleting: original, adding: next.bytes, as: options.language)
    let edits = [Edit(0..<known.count, anew)]
    _ = replace(edits)
    assert(text.hash == next.hash, "what was written anew is not the clean text")
    add(next, edits, since: known, decided)
    return edits
  }

  /// Notes that edits of the record have recorded an edit of the clean text.
  private mutating func add(
    _ next: Text,
    _ edits: [Edit],
    since known: Text,
    _ decided: [DecidedText]
  ) {
    text = next
    history.add(next.hash, back: edits.inverted(on: known), decided)
  }

  /// Whether the original text is what it must be after an edit.
  ///
  /// While tracking is on it is what it was, but for front matter and annotations, which are not tracked; while it is
  /// off it is changed by the same edit.
  ///
  /// - Parameters:
  ///   - untracked: The edits of the record that are not marked.
  ///   - changed: What may read differently.
  ///   - known: The record before.
  ///   - scope: Where edits are marked.
  /// - Returns: Whether it is; linear in the passages.
  private func keepsOriginal(
    _ untracked: [Edit],
    _ changed: ProjectedStretches.Replaced,
    since known: Draft,
    _ scope: Scope
  ) -> Bool {
    let old = known.part(changed.record.old, changed.clean.old)
      .originalBytes(after: untracked)
    let new = tracker.draft.part(changed.record.new, changed.clean.new).originalBytes
    if old == new { return true }
    guard scope == .tracked, tracker.isTracking, !options.tracksFrontMatter else { return false }
    let isFirst = changed.record.old.lowerBound == 0
    let isLast = changed.record.old.upperBound == known.text.count
    let tracked = Text(new).tracked(isFirst: isFirst, isLast: isLast)
    return Text(old).tracked(isFirst: isFirst, isLast: isLast).contains { tracked.contains($0) }
  }

  /// Edits of the record, with the marks that they get.
  private func marking(_ edits: [Edit], _ scope: Scope) -> [Edit] {
    var hunks = Hunks()
    hunks.compose(edits, on: record)
    var options = tracker.options
    if scope == .all { options.tracksFrontMatter = true }
    options.readsTypedMarks = false
    let marking = Marking(
      hunks.list,
      in: tracker.draft.applying(edits),
      options: options,
      isForced: true
    )
    return edits.followed(by: marking.edits, on: record)
  }

  /// The edits that lead back to the record of a state; nil if it is forgotten.
  func edits(backTo state: Int) -> [Edit]? {
    guard let way = history.way(backTo: state) else { return nil }
    var text = record
    var all = Hunks()
    for edits in way {
      all.compose(edits, on: text)
      text = text.applying(edits)
    }
    return all.list.edits(in: text)
  }

  /// Makes edits of the record, as a step that can be undone.
  ///
  /// - Parameters:
  ///   - edits: Sorted, disjoint edits.
  ///   - decided: What was decided, as it is in the clean text after it; nil if undo does not lead to what was before.
  private mutating func make(_ edits: [Edit], _ decided: [DecidedText]?) {
    let known = record
    let isChanged = replace(edits) != nil
    // What a decision does can have been recorded as an edit by then.
    guard isChanged || decided != nil else { return }
    history.add(text.hash, back: isChanged ? edits.inverted(on: known) : [], decided)
  }

  /// Replaces parts of the record, and the clean text accordingly; returns what may read differently in both.
  private mutating func replace(_ edits: [Edit]) -> ProjectedStretches.Replaced? {
    tracker.settle(by: edits)
    guard let changed = tracker.takeDifference() else { return nil }
    let replaced = stretches.replace(changed, in: tracker.draft)
    difference.append(replaced.record)
    let new = tracker.draft.part(replaced.record.new, replaced.clean.new).cleanBytes
    let edit = Edit(replaced.clean.old, new).trimmed(on: text)
    text.replace(edit.range, with: edit.new)
    return replaced
  }

  /// What is wrong with the invariants; nil if they hold.
  func checkInvariants() -> String? {
    let bytes = record.bytes
    if Reading(of: bytes, as: options.language).text(.clean, of: bytes) != text.bytes {
      return "the clean text"
    }
    if stretches.lengths != ProjectedStretches(of: tracker.draft).lengths { return "the stretches" }
    return tracker.draft.checkInvariants()
  }
}

extension Draft {
  /// Passages of a record, given by both of their ranges.
  fileprivate func part(_ record: Range<Int>, _ clean: Range<Int>) -> ProjectedPart.Stretch {
    let start = ProjectedStretches.Lengths(record: record.lowerBound, clean: clean.lowerBound)
    let end = ProjectedStretches.Lengths(record: record.upperBound, clean: clean.upperBound)
    return ProjectedPart(start, end, of: self).stretch(record)
  }
}

extension Text {
  /// The text without front matter, without annotations, and without both, as far as it can have any.
  fileprivate func tracked(isFirst: Bool, isLast: Bool) -> [[UInt8]] {
    let start = isFirst ? frontMatter.upperBound : 0
    let end = isLast ? max(start, annotations.lowerBound) : count
    return [start..<count, 0..<end, start..<end].map { Array(self[$0]) }
  }
}
