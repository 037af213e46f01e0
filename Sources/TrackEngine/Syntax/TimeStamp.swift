/// A time in seconds or milliseconds since 1970, as `2024-02-25T15:48:24Z`; nil if its year does not have four
/// digits.
func timeStamp(_ time: Int64) -> String? {
  // Larger numbers count milliseconds.
  let seconds = time.magnitude < 100_000_000_000 ? time : time / 1000
  guard (0..<253_402_300_800).contains(seconds) else { return nil }
  let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
  // Days in a year that begins in March: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  let shifted = days + 719_468
  let (era, day) = shifted.quotientAndRemainder(dividingBy: 146_097)
  let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
  let dayOfYear = day - (365 * year + year / 4 - year / 100)
  let month = (5 * dayOfYear + 2) / 153
  let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
  let isNextYear = month >= 10
  func padded(_ number: Int64, _ length: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, length - digits.count)) + digits
  }
  let date =
    padded(year + era * 400 + (isNextYear ? 1 : 0), 4) + "-"
    + padded(isNextYear ? month - 9 : month + 3, 2) + "-" + padded(dayOfMonth, 2)
  let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
  return "\(date)T\(time)Z"
}

extension String {
  /// The seconds since 1970 of a date of the Gregorian calendar, with or without a time, as `2026-11-22` and `2026-11-22T10:00:00+01:00`.
  ///
  /// Without a zone it is in UTC. Nil if it is no such date, or before 1970.
  var secondsSince1970: Int64? {
    let bytes = Array(utf8)
    guard bytes[...].endOfDate == bytes.count else { return nil }
    func number(_ start: Int, _ length: Int) -> Int64 {
      bytes[start..<start + length].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    guard (1...12).contains(month), day > 0, day <= days(in: month, of: year) else { return nil }
    // The inverse of the above.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    var seconds = (era * 146_097 + dayOfEra - 719_468) * 86_400
    func add(_ start: Int, _ sign: Int64) -> Bool {
      let (hours, minutes) = (number(start, 2), number(start + 3, 2))
      seconds += sign * (hours * 3600 + minutes * 60)
      return hours < 24 && minutes < 60
    }
    if bytes.count > 10, !add(11, 1) { return nil }
    if bytes.count > 18, bytes[16] == Ascii.colon {
      seconds += number(17, 2)
      if number(17, 2) > 59 { return nil }
    }
    if bytes.count > 16, bytes[bytes.count - 3] == Ascii.colon,
      let sign = [Ascii.plus: Int64(-1), Ascii.minus: 1][bytes[bytes.count - 6]]
    {
      if !add(bytes.count - 5, sign) { return nil }
    }
    return seconds < 0 ? nil : seconds
  }

  /// A day for its midnight in UTC, which is how a day is written where only times can be.
  var dayIfMidnight: String {
    let midnight = "T00:00:00Z"
    return hasSuffix(midnight) ? String(dropLast(midnight.count)) : self
  }
}

/// How many days a month has.
private func days(in month: Int64, of year: Int64) -> Int64 {
  if month == 2 {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return isLeap ? 29 : 28
  }
  return [4, 6, 9, 11].contains(month) ? 30 : 31
}
