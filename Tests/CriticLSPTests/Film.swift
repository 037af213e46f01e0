/// What went over a wire, and what was done at the keyboard, for people to look at.
struct Film {
  private var lines: [String] = []

  mutating func sent(_ text: String, at now: Int) { add("→ \(text)", now) }
  mutating func received(_ text: String, at now: Int) { add("← \(text)", now) }
  mutating func note(_ text: String, at now: Int) { add("  \(text)", now) }

  private mutating func add(_ text: String, _ now: Int) {
    let time = String(now)
    lines.append(String(repeating: " ", count: max(0, 7 - time.count)) + time + " " + text)
  }
}

extension Film: CustomStringConvertible {
  var description: String { lines.joined(separator: "\n") }
}
