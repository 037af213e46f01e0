/// Hands out rising numbers.
final class Counter {
  private var last = 0

  /// A number that was not handed out before.
  func next() -> Int {
    last += 1
    return last
  }
}
