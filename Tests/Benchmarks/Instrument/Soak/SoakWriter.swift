import TrackEngine

/// Writes in a document, and compares what comes of that with a plain model.
protocol SoakWriter {
  /// Begins with a text and its marks.
  init(_ text: [UInt8])

  /// The text with its marks.
  var marked: Text { get }
  /// The length of what a plain editor would hold.
  var cleanCount: Int { get }
  /// Whether a session could begin with `marked`.
  var isSettled: Bool { get }
  /// The slowest answer, in nanoseconds, and the length of its text.
  var slowest: (time: Int, length: Int) { get }
  /// How often everything was looked at.
  var checks: Int { get }

  /// Does a step.
  mutating func perform(_ step: SoakStep) throws(Drift)
}

/// What went wrong.
struct Drift: Error {
  /// A sentence.
  var what: String

  init(what: String) {
    self.what = what
  }

  /// Says where a text differs from what it should be, with a few words around.
  init(_ name: String, _ found: [UInt8], _ meant: [UInt8]) {
    let head = zip(found, meant).prefix { $0 == $1 }.count
    let tail = zip(found.dropFirst(head).reversed(), meant.dropFirst(head).reversed())
      .prefix { $0 == $1 }.count
    func shown(_ bytes: [UInt8]) -> String {
      let range = max(0, head - 20)..<min(bytes.count, max(head, bytes.count - tail) + 20)
      return String(decoding: bytes[range].prefix(200), as: UTF8.self).debugDescription
    }
    what = "\(name): \(shown(found)) for \(shown(meant)) at \(head)"
  }
}
