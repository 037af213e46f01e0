/// A progress line for long operations on standard error, shown only if that is a terminal.
///
/// Called from one thread at a time.
final class ProgressLine: @unchecked Sendable {
  private let count: Int
  private let noun: String
  private let start = Platform.now
  private var shownAt: Int?

  /// - Parameters:
  ///   - count: How many there are.
  ///   - noun: What they are, in the plural.
  init(of count: Int, _ noun: String = "files") {
    self.count = count
    self.noun = noun
  }

  /// Shows how many are done; at most ten times a second, and not for short operations.
  func show(_ done: Int) {
    let now = Platform.now
    guard now - (shownAt ?? start + 400) >= 100, Platform.isTerminal(2) else { return }
    shownAt = now
    Console.show("\r\(done) of \(count) \(noun)")
  }

  /// Removes the line.
  func end() {
    if shownAt != nil { Console.show("\r\u{1B}[K") }
  }
}
