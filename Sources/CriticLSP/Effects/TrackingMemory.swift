/// In which documents the user turned tracking on or off, as a text file with a line for each, latest last.
struct TrackingMemory {
  /// By document key, see `key(of:)`; each key occurs once.
  private(set) var choices: [(key: String, isOn: Bool)] = []

  private static let heading = "# critic-lsp: where tracking was turned on or off by hand"
  /// Beyond this many, the oldest are forgotten.
  static let maxChoices = 1000

  /// Reads the file; skips lines that it does not understand.
  init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[0] == "on" || words[0] == "off" else { continue }
      choices.append((CriticLSP.key(of: String(words[1])), words[0] == "on"))
    }
    keepLatest()
  }

  /// Adds new choices.
  mutating func add(_ new: [String: Bool]) {
    choices += new.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    keepLatest()
  }

  /// Forgets the documents for which `isGone` holds.
  mutating func prune(_ isGone: (String) -> Bool) { choices.removeAll { isGone($0.key) } }

  private mutating func keepLatest() {
    var seen: Set<String> = []
    choices = choices.reversed().filter { seen.insert($0.key).inserted }
      .prefix(TrackingMemory.maxChoices).reversed()
  }

  var dictionary: [String: Bool] {
    Dictionary(choices.map { ($0.key, $0.isOn) }) { _, last in last }
  }

  /// The contents of the file.
  var bytes: [UInt8] {
    let lines = choices.map { "\($0.isOn ? "on" : "off") \(TrackingMemory.escaped($0.key))" }
    return Array(([TrackingMemory.heading] + lines).map { "\($0)\n" }.joined().utf8)
  }

  /// Percent-encodes what would break the line or be decoded when read.
  private static func escaped(_ key: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = key.utf8.flatMap { byte -> [UInt8] in
      guard byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") else { return [byte] }
      return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
