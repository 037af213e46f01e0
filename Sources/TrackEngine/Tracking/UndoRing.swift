/// The recent states of a document, oldest first, found again by their text.
///
/// An entry holds a hash and the hunks, which share what is the same, never a copy of the text. The oldest are
/// dropped first.
///
/// One text can belong to several states: typing a word and accepting its addition both end in the plain word.
/// The order of states tells which one the user returned to: undo leads to the nearest earlier state, redo to
/// the nearest later one. A text can also arise anew: typing a word that was deleted before is not undo. Undo
/// or redo across one of our edits leads to the adjacent state, or to the state before the deletion that the
/// edit marked, or inserts or removes marks on the way; any other change stays on the same side of that edit.
///
/// Redo stops where undo has stopped. What undo has passed over in one change lies within a step of the
/// editor's; a change that leads there, other than by going back, is not redo, but the same change made again.
struct UndoRing: Sendable {
  private struct Entry {
    var hash: TextHash
    var state: Tracker.State
    /// Whether no changes are pending.
    var isSettled: Bool { state.pending.isEmpty }
    /// The number of the state from which it arose.
    var origin: Int
    /// Whether it arose by typing: by edits that neither inserted nor removed possible marks.
    var isTyped: Bool
    /// Whether undo has passed over it, so that redo does not stop there.
    var isPassedOver = false

    init(_ state: Tracker.State, _ hash: TextHash, from origin: Int, isTyped: Bool) {
      self.hash = hash
      self.state = state
      self.origin = origin
      self.isTyped = isTyped
    }
  }

  private var entries: [Entry] = []
  /// The number of the first of `entries`.
  private var first = 0
  private var numbers: [TextHash: [Int]] = [:]
  /// The number of the present state.
  private(set) var here = 0
  private var isGoingBack = true
  private let capacity: Int

  /// A ring of at least `capacity` states once full, and at most twice as many.
  init(capacity: Int = 4096) {
    self.capacity = capacity
  }

  /// Adds a new state and makes it the present one.
  ///
  /// If the present state already has this text, it is replaced: there is nothing to undo between them.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - hash: The hash of its text.
  ///   - origin: The number of the state from which it arose.
  ///   - isTyped: Whether it arose by edits that neither inserted nor removed possible marks.
  mutating func add(
    _ state: Tracker.State,
    _ hash: TextHash,
    from origin: Int,
    isTyped: Bool = true
  ) {
    if isHere(hash) { return update(state) }
    let number = first + entries.count
    entries.append(Entry(state, hash, from: origin, isTyped: isTyped))
    numbers[hash, default: []].append(number)
    here = number
    isGoingBack = true
    guard entries.count > 2 * capacity else { return }
    // Half at a time, so that adding remains cheap.
    for (index, entry) in entries.prefix(capacity).enumerated() {
      numbers[entry.hash]?.removeAll { $0 == first + index }
      if numbers[entry.hash]?.isEmpty == true { numbers[entry.hash] = nil }
    }
    entries.removeFirst(capacity)
    first += capacity
  }

  /// Returns to the state that had a text; nil if there is none to return to.
  ///
  /// - Parameters:
  ///   - buffer: The buffer's present text.
  ///   - epoch: The epoch to stay in; nil if the edits that led here inserted or removed marks.
  ///   - origin: The number of the state in which the report began.
  ///   - isOneChange: Whether one change of the report led here, so that undo can have been in no state between.
  /// - Returns: The stored state.
  mutating func go(
    to buffer: Text,
    within epoch: Int?,
    from origin: Int,
    isOneChange: Bool
  ) -> Tracker.State? {
    // A text between two changes of one report is not a state in which the user typed, and a report that has
    // already gone back has undone what they typed.
    let start = entries[max(origin, first) - first]
    let isTyping = here >= origin && !start.isSettled && !start.state.isHeld && start.isTyped
    let known = stops(at: buffer.hash).filter { number in
      let entry = entries[number - first]
      if [here, origin].contains(where: { isStep($0, number) || isStep(number, $0) }) {
        return true
      }
      if let epoch { return entry.state.epoch == epoch || isBackOverOurs(to: number) }
      // Directly after typing, the user undoes that first, before going back into the middle of a burst.
      return !isTyping || entry.isSettled || entry.state.epoch == start.state.epoch
        || isBackOverOurs(to: number)
    }
    // Ancestors and descendants of this state come before states that merely had the same text.
    func nearest(_ back: Int?, _ onward: Int?) -> Int? {
      isGoingBack ? back ?? onward : onward ?? back
    }
    let next =
      nearest(ancestor(among: known), known.first { leads(here, to: $0) })
      ?? nearest(known.last { $0 < here }, known.first { $0 > here })
    guard let next = next ?? known.last else { return nil }
    if next != here { isGoingBack = next < here }
    if isOneChange { passOver(to: next) }
    here = next
    return entries[next - first].state
  }

  /// The states with a text in which undo or redo can stop: of those that undo has passed over, only the ones
  /// that it would come to again.
  private func stops(at hash: TextHash) -> [Int] {
    guard let known = numbers[hash] else { return [] }
    guard known.contains(where: { entries[$0 - first].isPassedOver }) else { return known }
    let before = Set(line(of: here).prefix { $0 >= known[0] })
    return known.filter { !entries[$0 - first].isPassedOver || before.contains($0) }
  }

  /// Notes that undo has gone back to a state without stopping at those with pending changes on the way.
  ///
  /// What arose from one of these and was taken back lies on the way too: undo does not stop there, so it was
  /// not undo that took it back.
  private mutating func passOver(to number: Int) {
    entries[number - first].isPassedOver = false
    let passed = Array(line(of: here).dropFirst().prefix { $0 > number })
    guard let lowest = passed.last else { return }
    for state in passed where !entries[state - first].isSettled {
      entries[state - first].isPassedOver = true
    }
    for state in lowest..<here where !entries[state - first].isSettled {
      let origin = entries[state - first].origin
      if origin >= lowest, entries[origin - first].isPassedOver {
        entries[state - first].isPassedOver = true
      }
    }
  }

  /// Returns to a numbered state, which had the text `buffer`; nil if it has been dropped.
  mutating func go(backTo number: Int, _ buffer: Text) -> Tracker.State? {
    guard number >= first, number < here, entries[number - first].hash == buffer.hash else {
      return nil
    }
    here = number
    return entries[number - first].state
  }

  /// Whether the present state has this text.
  func isHere(_ hash: TextHash) -> Bool {
    here - first < entries.count && entries[here - first].hash == hash
  }

  /// Whether one of the states with this text has pending changes.
  func wasPending(_ hash: TextHash) -> Bool {
    numbers[hash]?.contains { !entries[$0 - first].isSettled } ?? false
  }

  /// Whether one state arose from the other in one step: by one edit, or by a deletion and our edit that put as
  /// much text into a mark, since editors can merge these two into one step.
  ///
  /// Our edit that only restored what was there leads back to where the user was: deleting the same delimiter
  /// again does not undo that edit.
  private func isStep(_ before: Int, _ after: Int) -> Bool {
    guard let last = step(before: after) else { return false }
    guard last == before else {
      let isLanding = entries[last - first].state.epoch != entries[after - first].state.epoch
      return isLanding && entries[last - first].isTyped && step(before: last) == before
        && entries[before - first].hash.count == entries[after - first].hash.count
    }
    guard after == here, let origin = step(before: before) else { return true }
    return entries[origin - first].hash != entries[here - first].hash
  }

  /// Whether an edit of ours once led from a state to the text of the present one.
  ///
  /// The user may have returned to it in another way, as by one undo step over typing and its marks.
  private func isBackOverOurs(to number: Int) -> Bool {
    guard here - first < entries.count else { return false }
    let epoch = entries[number - first].state.epoch
    return numbers[entries[here - first].hash]?.contains {
      entries[$0 - first].state.epoch != epoch && step(before: $0) == number
    } ?? false
  }

  /// The nearest of some sorted states from which the present one arose.
  private func ancestor(among known: [Int]) -> Int? {
    guard let lowest = known.first else { return nil }
    let known = Set(known)
    return line(of: here).dropFirst().prefix { $0 >= lowest }.first(where: known.contains)
  }

  /// The last state with a different text before the state with this number.
  private func step(before number: Int) -> Int? {
    guard number >= first else { return nil }
    return line(of: number).first { entries[$0 - first].hash != entries[number - first].hash }
  }

  /// Whether one state arose from another, in any number of steps.
  private func leads(_ before: Int, to after: Int) -> Bool {
    after > before && line(of: after).first { $0 <= before } == before
  }

  /// A state, its origin, that state's origin, and so on.
  private func line(of number: Int) -> some Sequence<Int> {
    sequence(first: number) { number in
      let origin = entries[number - first].origin
      return origin < number && origin >= first ? origin : nil
    }
  }

  /// Marks the pending changes of the present state as held.
  mutating func hold() { entries[here - first].state.isHeld = true }

  /// Replaces the present state.
  private mutating func update(_ state: Tracker.State) {
    guard here >= first, here - first < entries.count else { return }
    let known = entries[here - first]
    entries[here - first] = Entry(state, known.hash, from: known.origin, isTyped: known.isTyped)
  }
}
