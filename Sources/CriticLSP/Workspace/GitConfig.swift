/// A configuration file of git, as far as it says who writes; see git-config(1).
struct GitConfig {
  /// What the file says, in its order.
  enum Line: Equatable {
    /// `user.name`.
    case userName(String)
    /// `include.path`, or `includeIf.….path` with its condition, as written.
    case include(String, condition: String?)
  }

  private(set) var lines: [Line] = []

  /// Reads a file; what is no setting is passed over.
  ///
  /// Linear.
  init(_ bytes: [UInt8]) {
    var section = ""
    var subsection = ""
    for line in GitConfig.logicalLines(of: String(decoding: bytes, as: UTF8.self)) {
      if line.first == "[" {
        guard let end = line.lastIndex(of: "]") else { continue }
        let title = line[line.index(after: line.startIndex)..<end]
        let name = title.prefix { $0 != " " && $0 != "\t" }
        section = name.lowercased()
        subsection = GitConfig.value(title[name.endIndex...])
        continue
      }
      let name = line.prefix { $0 != "=" }
      guard name.endIndex < line.endIndex else { continue }
      let key = GitConfig.trimmed(name).lowercased()
      let value = GitConfig.value(line[line.index(after: name.endIndex)...])
      switch (section, key) {
      case ("user", "name") where subsection.isEmpty: lines.append(.userName(value))
      case ("include", "path") where subsection.isEmpty:
        lines.append(.include(value, condition: nil))
      case ("includeif", "path"): lines.append(.include(value, condition: subsection))
      default: break
      }
    }
  }

  /// The lines without white space at their beginning, those that end in a backslash joined with the next.
  private static func logicalLines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var goesOn = false
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if goesOn, let last = lines.last {
        lines[lines.count - 1] = last.dropLast() + line
      } else {
        lines.append(line.drop(while: \.isWhitespace))
      }
      goesOn = line.last == "\\"
    }
    return lines
  }

  /// A value without quotation marks, escapes, and the comment behind it.
  private static func value(_ text: Substring) -> String {
    var value = ""
    // How much of it is not white space that may be at its end.
    var kept = ""
    var isQuoted = false
    var isEscaped = false
    for character in text.drop(while: \.isWhitespace) {
      if isEscaped {
        value.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
        isEscaped = false
        kept = value
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
        kept = value
      } else if !isQuoted, character == "#" || character == ";" {
        break
      } else {
        value.append(character)
        if isQuoted || !character.isWhitespace { kept = value }
      }
    }
    return kept
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
