#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Milliseconds since a fixed moment, without jumps.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Does nothing for so many milliseconds.
  static func sleep(_ milliseconds: Int) { _ = poll(nil, 0, Int32(clamping: milliseconds)) }
}
