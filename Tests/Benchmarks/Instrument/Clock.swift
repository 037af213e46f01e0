import CLibrary

/// Nanoseconds since a fixed moment.
enum Clock {
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// How long something takes.
  static func time(_ body: () throws -> Void) rethrows -> Int {
    let start = now
    try body()
    return now - start
  }
}
