/// The rules of a `.gitignore` file, as gitignore(5) has them.
struct GitIgnore: Equatable {
  private struct Rule: Equatable {
    var glob: Glob
    var isException: Bool
    var isForFolders: Bool
    /// Whether the whole path has to match, not only the name.
    var isPath: Bool
  }

  private var rules: [Rule] = []

  /// Reads a file.
  init(_ text: [UInt8]) {
    let hasMark = text.starts(with: [0xEF, 0xBB, 0xBF])
    for line in text.dropFirst(hasMark ? 3 : 0).split(separator: UInt8(ascii: "\n")) {
      if let rule = GitIgnore.rule(in: line) { rules.append(rule) }
    }
  }

  private static func rule(in line: ArraySlice<UInt8>) -> Rule? {
    var pattern = line
    if pattern.last == UInt8(ascii: "\r") { pattern.removeLast() }
    pattern = withoutSpaces(pattern)
    guard pattern.first != UInt8(ascii: "#") else { return nil }
    let isException = pattern.first == UInt8(ascii: "!")
    if isException { pattern.removeFirst() }
    let isForFolders = pattern.last == Path.slash
    if isForFolders { pattern.removeLast() }
    let isPath = pattern.contains(Path.slash)
    if pattern.first == Path.slash { pattern.removeFirst() }
    guard !pattern.isEmpty, let glob = Glob(Array(pattern)) else { return nil }
    return Rule(glob: glob, isException: isException, isForFolders: isForFolders, isPath: isPath)
  }

  /// A line without the spaces at its end that are not escaped.
  private static func withoutSpaces(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = line.startIndex
    var at = line.startIndex
    while at < line.endIndex {
      let isEscape = line[at] == UInt8(ascii: "\\")
      at += isEscape && at + 1 < line.endIndex ? 2 : 1
      if isEscape || line[at - 1] != UInt8(ascii: " ") { end = at }
    }
    return line[..<end]
  }

  /// Whether a file or folder is ignored, as far as these rules say.
  ///
  /// - Parameters:
  ///   - path: Its path from the folder of the rules on.
  ///   - isFolder: Whether it is a folder.
  /// - Returns: Whether it is; nil if no rule speaks of it.
  func ignores(_ path: Path, isFolder: Bool) -> Bool? {
    let name = Array(path.name.bytes)
    let whole = Array(path.bytes)
    let last = rules.last {
      ($0.isForFolders ? isFolder : true) && $0.glob.matches($0.isPath ? whole : name)
    }
    return last.map { !$0.isException }
  }
}

/// A pattern of file names, as git's `wildmatch` reads it.
private struct Glob: Equatable {
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

  private static let classes: [String: @Sendable (UInt8) -> Bool] = [
    "alnum": { isLetter($0) || isDigit($0) },
    "alpha": isLetter,
    "blank": { $0 == 0x20 || $0 == 0x09 },
    "cntrl": { $0 < 0x20 || $0 == 0x7F },
    "digit": isDigit,
    "graph": { 0x21...0x7E ~= $0 },
    "lower": { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 },
    "print": { 0x20...0x7E ~= $0 },
    "punct": { 0x21...0x7E ~= $0 && !isLetter($0) && !isDigit($0) },
    "space": { $0 == 0x20 || 0x09...0x0D ~= $0 },
    "upper": { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 },
    "xdigit": { isDigit($0) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20 },
  ]

  @Sendable private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  @Sendable private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

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
