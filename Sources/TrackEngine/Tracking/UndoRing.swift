/// The recent states of a document in the order of their making, found again by the text they had.
///
/// An entry holds a hash and what differs in the hunks, never a copy of the text. The oldest go first.
///
/// One text can be that of several states: typing a word and accepting its addition both end in the
/// plain word. Which of them the user came back to is told by where they are and where they go: undo
/// goes on to the nearest state before, redo to the nearest after. And a text can come about anew:
/// who types a word that they have deleted before is not undoing. Coming back over one of our edits
/// goes to the very next state, or to the one before the deletion that it marked, or puts in or takes out
/// marks on the way; what does none of it stays on this side of it.
struct UndoRing: Sendable {
  private struct Entry {
    var hash: TextHash
    /// Without its hunks.
    var state: Tracker.State
    /// Whether no changes are pending.
    var isSettled: Bool
    /// The number of the state that it came from.
    var origin: Int
    /// Whether it came about by typing: by edits that neither put in nor took out what could be marks.
    var isTyped: Bool

    init(_ state: Tracker.State, _ hash: TextHash, from origin: Int, isTyped: Bool) {
      self.hash = hash
      self.state = state
      self.state.hunks = []
      isSettled = state.hunks.isEmpty
      self.origin = origin
      self.isTyped = isTyped
    }
  }

  private var entries: [Entry] = []
  /// The hunks of the entries.
  private var hunks = HunkHistory()
  /// The number that the first of `entries` has.
  private var first = 0
  private var numbers: [TextHash: [Int]] = [:]
  /// The number of the present state.
  private(set) var here = 0
  private var isGoingBack = true
  private let capacity: Int

  /// A ring of so many states and up to as many more; `capacity` is a multiple of
  /// ``HunkHistory/interval``.
  init(capacity: Int = 4096) {
    self.capacity = capacity
  }

  /// Adds a new state, which is then the present one.
  ///
  /// Where the present state has that text already, it is replaced: nothing is to be undone between.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - hash: That of its text.
  ///   - origin: The number of the state that it came from.
  ///   - isTyped: Whether it came about by edits that neither put in nor took out what could be marks.
  mutating func add(
    _ state: Tracker.State,
    _ hash: TextHash,
    from origin: Int,
    isTyped: Bool = true
  ) {
    if isHere(hash) { return update(state) }
    let number = first + entries.count
    entries.append(Entry(state, hash, from: origin, isTyped: isTyped))
    hunks.append(state.hunks)
    numbers[hash, default: []].append(number)
    here = number
    isGoingBack = true
    guard entries.count > 2 * capacity else { return }
    // Half at a time, so that adding stays cheap.
    for (index, entry) in entries.prefix(capacity).enumerated() {
      numbers[entry.hash]?.removeAll { $0 == first + index }
      if numbers[entry.hash]?.isEmpty == true { numbers[entry.hash] = nil }
    }
    entries.removeFirst(capacity)
    hunks.removeFirst(capacity)
    first += capacity
  }

  /// Goes to the state that had a text; nil if there is none to go back to.
  ///
  /// - Parameters:
  ///   - buffer: The text that the buffer has come to.
  ///   - epoch: The epoch to stay in; nil if the edits that led here put in or took out marks.
  ///   - origin: The number of the state that the report began with.
  /// - Returns: The state as it was remembered.
  mutating func go(to buffer: Text, within epoch: Int?, from origin: Int) -> Tracker.State? {
    // What is between two changes of one report is no state in which the user typed something, and one that
    // has gone back already has taken back what they typed.
    let start = entries[max(origin, first) - first]
    let isTyping = here >= origin && !start.isSettled && !start.state.isHeld && start.isTyped
    let known = (numbers[buffer.hash] ?? []).filter { number in
      let entry = entries[number - first]
      if [here, origin].contains(where: { isStep($0, number) || isStep(number, $0) }) {
        return true
      }
      if let epoch { return entry.state.epoch == epoch || isBackOverOurs(to: number) }
      // Who has just typed something undoes that first, before going back to half of a burst.
      return !isTyping || entry.isSettled || entry.state.epoch == start.state.epoch
    }
    // The states that led here and those that came of it, before others that only had that text too.
    func nearest(_ back: Int?, _ onward: Int?) -> Int? {
      isGoingBack ? back ?? onward : onward ?? back
    }
    let next =
      nearest(ancestor(among: known), known.first { leads(here, to: $0) })
      ?? nearest(known.last { $0 < here }, known.first { $0 > here })
    guard let next = next ?? known.last else { return nil }
    if next != here { isGoingBack = next < here }
    here = next
    return state(next, of: buffer)
  }

  /// Goes back to the state with a number, which had the text `buffer`; nil if it is forgotten.
  mutating func go(backTo number: Int, _ buffer: Text) -> Tracker.State? {
    guard number >= first, number < here, entries[number - first].hash == buffer.hash else {
      return nil
    }
    here = number
    return state(number, of: buffer)
  }

  private func state(_ number: Int, of buffer: Text) -> Tracker.State {
    var state = entries[number - first].state
    if !entries[number - first].isSettled { state.hunks = hunks.hunks(number - first, in: buffer) }
    return state
  }

  /// Whether the present state has this text.
  func isHere(_ hash: TextHash) -> Bool {
    here - first < entries.count && entries[here - first].hash == hash
  }

  /// Whether one of the states with this text has pending changes.
  func wasPending(_ hash: TextHash) -> Bool {
    numbers[hash]?.contains { !entries[$0 - first].isSettled } ?? false
  }

  /// Whether one state came out of the other: by one edit, or by a deletion and ours that put as much into its
  /// mark, for editors can make one step of both.
  ///
  /// An edit of ours that only put back what was there leads to where the user was: eating the same
  /// delimiter again is not undoing that.
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

  /// Whether an edit of ours once led from a state to the text that is the present one's.
  ///
  /// The user may have come back to it on another way, as by one step of undo over typing and its marks.
  private func isBackOverOurs(to number: Int) -> Bool {
    guard here - first < entries.count else { return false }
    let epoch = entries[number - first].state.epoch
    return numbers[entries[here - first].hash]?.contains {
      entries[$0 - first].state.epoch != epoch && step(before: $0) == number
    } ?? false
  }

  /// The nearest of some states, in their order, out of which the present one came.
  private func ancestor(among known: [Int]) -> Int? {
    guard let lowest = known.first else { return nil }
    let known = Set(known)
    return line(of: here).dropFirst().prefix { $0 >= lowest }.first(where: known.contains)
  }

  /// The state that another text had before the state with this number came about.
  private func step(before number: Int) -> Int? {
    guard number >= first else { return nil }
    return line(of: number).first { entries[$0 - first].hash != entries[number - first].hash }
  }

  /// Whether one state came out of another, however many steps ago.
  private func leads(_ before: Int, to after: Int) -> Bool {
    after > before && line(of: after).first { $0 <= before } == before
  }

  /// A state, the one that it came from, and so on.
  private func line(of number: Int) -> some Sequence<Int> {
    sequence(first: number) { number in
      let origin = entries[number - first].origin
      return origin < number && origin >= first ? origin : nil
    }
  }

  /// Notes that the pending changes of the present state wait.
  mutating func hold() { entries[here - first].state.isHeld = true }

  /// Replaces the present state.
  private mutating func update(_ state: Tracker.State) {
    guard here >= first, here - first < entries.count else { return }
    let known = entries[here - first]
    entries[here - first] = Entry(state, known.hash, from: known.origin, isTyped: known.isTyped)
    hunks.replace(here - first, with: state.hunks)
  }
}
