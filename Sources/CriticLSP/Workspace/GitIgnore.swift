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
    for line in text.withoutByteOrderMark.split(separator: UInt8(ascii: "\n")) {
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
      (isFolder || !$0.isForFolders) && $0.glob.matches($0.isPath ? whole : name)
    }
    return last.map { !$0.isException }
  }
}
