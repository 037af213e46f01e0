/// How often each of several texts occurs in another one, and where first.
///
/// One pass for all of them: the automaton of A. Aho and M. Corasick, "Efficient String Matching" (1975). Linear
/// in the lengths of all texts together, for any texts.
struct Occurrences {
  /// How often a text occurs, and where it begins first, by its index; an empty text does not occur.
  private(set) var found: [(count: Int, first: Int)] = []
  /// How many characters were compared, and how many states were visited, which is the cost.
  private(set) var steps = 0

  /// The state after each character that continues a state, by the two.
  private var next: [UInt64: Int32] = [:]
  /// The states after the first characters.
  private var first = [Int32](repeating: 0, count: 256)
  /// For each state, the one for the longest proper end of its text that begins a text.
  private var shorter: [Int32] = [0]
  private var depth: [Int32] = [0]
  /// The character that leads to a state, and the state before it.
  private var origin: [(state: Int32, byte: UInt8)] = [(0, 0)]

  init(of texts: [[UInt8]], in text: [UInt8]) {
    let ends = texts.map { add($0) }
    let states = statesByDepth
    for state in states { link(state) }
    // How often each state is reached, and where its text ends first.
    var visits = [(count: Int, end: Int)](repeating: (0, Int.max), count: depth.count)
    var state: Int32 = 0
    for (offset, byte) in text.enumerated() {
      state = self.state(after: state, byte)
      visits[Int(state)].count += 1
      visits[Int(state)].end = min(visits[Int(state)].end, offset + 1)
    }
    for state in states.reversed() {
      let end = Int(shorter[Int(state)])
      visits[end].count += visits[Int(state)].count
      visits[end].end = min(visits[end].end, visits[Int(state)].end)
    }
    found = zip(texts, ends).map { text, state in
      let (count, end) = visits[Int(state)]
      return text.isEmpty || count == 0 ? (0, 0) : (count, end - text.count)
    }
  }

  /// The state at the end of a text, which is made where it is missing.
  private mutating func add(_ text: [UInt8]) -> Int32 {
    var state: Int32 = 0
    for byte in text {
      steps += 1
      if let known = known(state, byte) {
        state = known
        continue
      }
      let new = Int32(depth.count)
      depth.append(depth[Int(state)] + 1)
      shorter.append(0)
      origin.append((state, byte))
      if state == 0 { first[Int(byte)] = new } else { next[key(state, byte)] = new }
      state = new
    }
    return state
  }

  /// All states but the first, shallow ones first.
  private var statesByDepth: [Int32] {
    var starts = [Int](repeating: 0, count: Int(depth.max() ?? 0) + 2)
    for depth in depth.dropFirst() { starts[Int(depth) + 1] += 1 }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    var states = [Int32](repeating: 0, count: depth.count - 1)
    for (state, depth) in depth.enumerated().dropFirst() {
      states[starts[Int(depth)]] = Int32(state)
      starts[Int(depth)] += 1
    }
    return states
  }

  private mutating func link(_ state: Int32) {
    let (before, byte) = origin[Int(state)]
    if before != 0 { shorter[Int(state)] = self.state(after: shorter[Int(before)], byte) }
  }

  private mutating func state(after state: Int32, _ byte: UInt8) -> Int32 {
    var state = state
    while true {
      steps += 1
      if let known = known(state, byte) { return known }
      if state == 0 { return 0 }
      state = shorter[Int(state)]
    }
  }

  private func known(_ state: Int32, _ byte: UInt8) -> Int32? {
    if state != 0 { return next[key(state, byte)] }
    return first[Int(byte)] == 0 ? nil : first[Int(byte)]
  }

  private func key(_ state: Int32, _ byte: UInt8) -> UInt64 { UInt64(state) << 8 | UInt64(byte) }
}
