import TrackEngine

/// What is kept of a document between sessions: what its text and its original were, and what the user said.
struct Baseline: Equatable {
  /// The document's key.
  var document: DocumentKey
  /// Whether the user turned tracking on or off by hand; nil if they never did.
  var choice: Bool?
  /// Whether changes in it are recorded.
  var isRecorded = false
  /// The text that was last opened or saved.
  var text: TextHash?
  /// The original text, see `Tracker.original`; nil if nothing is recorded or the text is too long.
  var original: TextHash?
  /// The sessions that have it open, or ended without closing it.
  var holders: [String] = []

  /// Longer texts have no original here, in bytes.
  static let maxLength = 1 << 22

  init(document: DocumentKey) { self.document = document }
}

// MARK: - The file

extension Baseline {
  private static let heading = "critic-lsp document 1"

  /// Reads the file; nil if it is none of ours, or of a later version.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard lines.first == Baseline.heading else { return nil }
    var named: DocumentKey?
    self.init(document: .other(""))
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { return nil }
      switch words[0] {
      case "document": named = DocumentKey(uri: words[1])
      case "choice": choice = words[1] == "on"
      case "recorded": isRecorded = words[1] == "yes"
      case "text": text = TextHash(words[1])
      case "original": original = TextHash(words[1])
      case "open": holders.append(words[1])
      default: return nil
      }
    }
    guard let named else { return nil }
    document = named
  }

  /// The contents of the file.
  var bytes: [UInt8] {
    var lines = [Baseline.heading, "document \(document.uri)"]
    if let choice { lines.append("choice \(choice ? "on" : "off")") }
    lines.append("recorded \(isRecorded ? "yes" : "no")")
    if let text { lines.append("text \(text)") }
    if let original { lines.append("original \(original)") }
    lines += holders.map { "open \($0)" }
    return Array(lines.map { "\($0)\n" }.joined().utf8)
  }
}
