/// A pattern of file names, as git's `wildmatch` reads it.
struct Glob: Equatable {
  private enum Token: Equatable {
    case byte(UInt8)
    /// `?`, or a set in brackets: a flag for each byte, never set for the slash.
    case set([Bool])
    /// `*`: anything without a slash.
    case name
    /// `**/`: any folders, or none.
    case folders
    /// `**` at the end: anything.
    case all
  }

  private var tokens: [Token] = []

  /// Reads a pattern; nil if it can match nothing.
  init?(_ pattern: [UInt8]) {
    var at = 0
    while at < pattern.count {
      switch pattern[at] {
      case UInt8(ascii: "*"): addStars(pattern, &at)
      case UInt8(ascii: "?"):
        tokens.append(.set((0...255).map { $0 != Path.slash }))
        at += 1
      case UInt8(ascii: "["):
        guard let set = Glob.set(pattern, &at) else { return nil }
        tokens.append(.set(set))
      case UInt8(ascii: "\\"):
        guard at + 1 < pattern.count else { return nil }
        tokens.append(.byte(pattern[at + 1]))
        at += 2
      case let byte:
        tokens.append(.byte(byte))
        at += 1
      }
    }
  }

  private mutating func addStars(_ pattern: [UInt8], _ at: inout Int) {
    let start = at
    while at < pattern.count, pattern[at] == UInt8(ascii: "*") { at += 1 }
    // git compares what is before the first special sign apart, and then begins anew.
    let isFirst = !pattern[..<start].contains { Glob.special.contains($0) }
    let isWhole = at - start > 1 && (isFirst || pattern[start - 1] == Path.slash)
    if isWhole, at == pattern.count {
      tokens.append(.all)
    } else if isWhole, pattern[at] == Path.slash {
      tokens.append(.folders)
      at += 1
    } else {
      tokens.append(.name)
    }
  }

  private static let special = Array("*?[\\".utf8)

  /// The bytes that are meant in brackets; nil if these are not closed.
  private static func set(_ pattern: [UInt8], _ at: inout Int) -> [Bool]? {
    at += 1
    var set = Array(repeating: false, count: 256)
    guard at < pattern.count else { return nil }
    let isNegated = pattern[at] == UInt8(ascii: "!") || pattern[at] == UInt8(ascii: "^")
    if isNegated { at += 1 }
    var last: UInt8?
    var isFirst = true
    while at < pattern.count, isFirst || pattern[at] != UInt8(ascii: "]") {
      isFirst = false
      if pattern[at] == UInt8(ascii: "["), at + 1 < pattern.count,
        pattern[at + 1] == UInt8(ascii: ":"), let name = className(pattern, &at)
      {
        guard let members = classes[name] else { return nil }
        for byte in UInt8.min...127 where members(byte) { set[Int(byte)] = true }
        last = nil
        continue
      }
      if pattern[at] == UInt8(ascii: "-"), let first = last, at + 1 < pattern.count,
        pattern[at + 1] != UInt8(ascii: "]")
      {
        at += 1
        guard let end = literal(pattern, &at) else { return nil }
        if first <= end { for byte in first...end { set[Int(byte)] = true } }
        last = nil
        continue
      }
      guard let byte = literal(pattern, &at) else { return nil }
      set[Int(byte)] = true
      last = byte
    }
    guard at < pattern.count else { return nil }
    at += 1
    if isNegated { set = set.map { !$0 } }
    set[Int(Path.slash)] = false
    return set
  }

  private static func literal(_ pattern: [UInt8], _ at: inout Int) -> UInt8? {
    if pattern[at] == UInt8(ascii: "\\") { at += 1 }
    guard at < pattern.count else { return nil }
    at += 1
    return pattern[at - 1]
  }

  /// The name in `[:alpha:]`, if it is whole.
  private static func className(_ pattern: [UInt8], _ at: inout Int) -> String? {
    guard let end = pattern[(at + 2)...].firstIndex(of: UInt8(ascii: "]")),
      end > at + 2, pattern[end - 1] == UInt8(ascii: ":")
    else { return nil }
    defer { at = end + 1 }
    return String(decoding: pattern[(at + 2)..<(end - 1)], as: UTF8.self)
  }

  /// Which bytes of ASCII are in a class.
  private static let classes: [String: @Sendable (UInt8) -> Bool] = [
    "alnum": { sign($0).isLetter || sign($0).isNumber },
    "alpha": { sign($0).isLetter },
    "blank": { $0 == 0x20 || $0 == 0x09 },
    "cntrl": { $0 < 0x20 || $0 == 0x7F },
    "digit": { sign($0).isNumber },
    "graph": { 0x21...0x7E ~= $0 },
    "lower": { sign($0).isLowercase },
    "print": { 0x20...0x7E ~= $0 },
    "punct": { sign($0).isPunctuation || sign($0).isSymbol },
    "space": { sign($0).isWhitespace },
    "upper": { sign($0).isUppercase },
    "xdigit": { sign($0).isHexDigit },
  ]

  private static func sign(_ byte: UInt8) -> Character { Character(UnicodeScalar(byte)) }

  /// Whether a text matches as a whole; linear in the length of the pattern times that of the text, so that no
  /// pattern can hold anybody up.
  func matches(_ text: [UInt8]) -> Bool {
    // For each token, whether it can be next; and for `.folders`, whether the text is within the name of one.
    var next = Array(repeating: false, count: tokens.count + 1)
    var within = next
    next[0] = true
    pass(&next)
    for byte in text {
      var then = Array(repeating: false, count: tokens.count + 1)
      var inside = then
      for (index, token) in tokens.enumerated() where next[index] || within[index] {
        switch token {
        case .byte(let own): if own == byte { then[index + 1] = true }
        case .set(let set): if set[Int(byte)] { then[index + 1] = true }
        case .name: if byte != Path.slash { then[index] = true }
        case .all: then[index] = true
        case .folders: if byte == Path.slash { then[index] = true } else { inside[index] = true }
        }
      }
      pass(&then)
      (next, within) = (then, inside)
    }
    return next[tokens.count]
  }

  /// Passes over tokens that can stand for nothing.
  private func pass(_ next: inout [Bool]) {
    for (index, token) in tokens.enumerated() where next[index] {
      switch token {
      case .name, .all, .folders: next[index + 1] = true
      case .byte, .set: break
      }
    }
  }
}
