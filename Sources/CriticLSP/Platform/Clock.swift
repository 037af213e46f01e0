import CLibrary

extension Platform {
  /// Milliseconds since a fixed moment, from a monotonic clock.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Today, as in `2026-11-24`; the day of `$SOURCE_DATE_EPOCH` where that is set, so that what is built of the
  /// same sources is the same.
  ///
  /// - Throws: ``Failure`` if the variable is no number of seconds.
  static var date: String {
    get throws(Failure) {
      var day = tm()
      if let epoch = environment("SOURCE_DATE_EPOCH") {
        guard var seconds = time_t(epoch), gmtime_r(&seconds, &day) != nil else {
          throw Failure(description: "SOURCE_DATE_EPOCH is no number of seconds: \"\(epoch)\"")
        }
      } else {
        var seconds = time(nil)
        localtime_r(&seconds, &day)
      }
      func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      }
      return
        "\(padded(day.tm_year + 1900, 4))-\(padded(day.tm_mon + 1, 2))-\(padded(day.tm_mday, 2))"
    }
  }

  /// Sleeps for some milliseconds.
  static func sleep(_ milliseconds: Int) { _ = poll(nil, 0, Int32(clamping: milliseconds)) }
}
