/// A line on standard error that says how far a long work is, if that is a terminal.
///
/// Called from one thread at a time.
final class ProgressLine: @unchecked Sendable {
  private let count: Int
  private let start = Platform.now
  private var shownAt: Int?

  /// - Parameter count: How many files there are.
  init(of count: Int) {
    self.count = count
  }

  /// Tells that so many files are done; at most ten times a second, and not of what takes no time.
  func show(_ done: Int) {
    let now = Platform.now
    guard now - (shownAt ?? start + 400) >= 100, Platform.isTerminal(2) else { return }
    shownAt = now
    Console.show("\r\(done) of \(count) files")
  }

  /// Takes the line off.
  func end() {
    if shownAt != nil { Console.show("\r\u{1B}[K") }
  }
}
