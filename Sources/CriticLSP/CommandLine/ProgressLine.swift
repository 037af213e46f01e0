/// A progress line for long operations on standard error, shown only if that is a terminal.
///
/// Called from one thread at a time.
final class ProgressLine: @unchecked Sendable {
  private let count: Int
  private let start = Platform.now
  private var shownAt: Int?

  /// - Parameter count: The number of files.
  init(of count: Int) {
    self.count = count
  }

  /// Shows the number of finished files; at most ten times a second, and not for short operations.
  func show(_ done: Int) {
    let now = Platform.now
    guard now - (shownAt ?? start + 400) >= 100, Platform.isTerminal(2) else { return }
    shownAt = now
    Console.show("\r\(done) of \(count) files")
  }

  /// Removes the line.
  func end() {
    if shownAt != nil { Console.show("\r\u{1B}[K") }
  }
}
