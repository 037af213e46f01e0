/// The YAML at the end of a text in which Roughdraft keeps who made changes and comments, and what was answered.
struct Endmatter {
  /// What is said of a mark, by its id.
  struct Entry {
    var id = ""
    var author: String?
    var date: String?
    /// The mark that a comment answers.
    var answered: String?
    /// The text of a comment that is not in the text, or not all of it.
    var body: String?
    /// The names of what else is said.
    var others: [String] = []
    /// Whether it is one of the comments.
    var isComment = false
  }

  /// The block with the blank line before it.
  let range: Range<Int>
  /// In the order of the block.
  private(set) var entries: [Entry] = []

  /// Finds the endmatter of a text: after its last line of `---`, nothing but `comments:` and `suggestions:`.
  init?(of bytes: [UInt8]) {
    let lines = bytes[...].lines
    // Without a blank line before it the rule would make a heading of the text.
    guard let rule = lines.lastIndex(where: { $0.trimmedEnd == "---" }), rule > 0,
      lines[rule - 1].trimmedEnd.isEmpty
    else { return nil }
    range = lines[rule - 1].startIndex..<bytes.endIndex
    guard read(lines[(rule + 1)...]), !entries.isEmpty else { return nil }
  }

  /// Where the entry of each id is; of two with one id the last counts, as in YAML.
  private var places: [String: Int] = [:]

  /// The entry of a mark.
  subscript(id: String) -> Entry? { places[id].map { entries[$0] } }

  private mutating func read(_ lines: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    var section = ""
    // How far ids and what is said of them are indented.
    var (ids, members) = (0, 0)
    var name = ""
    var written = ""
    func isDeeper(_ indent: Int) -> Bool { members > 0 && indent > members && !name.isEmpty }
    for line in lines {
      let text = line.trimmedEnd
      let rest = String(text.drop { $0 == " " })
      let indent = text.count - rest.count
      if rest.isEmpty || isDeeper(indent) {
        written += "\n" + text
        continue
      }
      guard set(name, written) else { return false }
      name = ""
      let (key, value) = Endmatter.pair(rest)
      guard let key else { return false }
      if indent == 0 {
        guard ["comments", "suggestions"].contains(key), value.isEmpty else { return false }
        section = key
        (ids, members) = (0, 0)
      } else if !section.isEmpty, value.isEmpty, ids == 0 || indent == ids {
        (ids, members) = (indent, 0)
        places[key] = entries.count
        entries.append(Entry(id: key, isComment: section == "comments"))
      } else if ids > 0, indent > ids, members == 0 || indent == members, !value.isEmpty {
        (members, name, written) = (indent, key, value)
      } else {
        return false
      }
    }
    return set(name, written)
  }

  /// Keeps a member of the last entry; false if its value is of a form that is not read here.
  private mutating func set(_ name: String, _ written: String) -> Bool {
    if name.isEmpty { return true }
    guard let value = Endmatter.scalar(written) else { return false }
    let last = entries.count - 1
    switch name {
    case "by": entries[last].author = value
    case "at": entries[last].date = value
    case "re": entries[last].answered = value
    case "body": entries[last].body = value
    default: entries[last].others.append(name)
    }
    return true
  }

  /// The key and the value of a line; no key if it has none.
  private static func pair(_ line: String) -> (key: String?, value: String) {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return (nil, "") }
    let value = line[line.index(after: colon)...]
    guard value.isEmpty || value.first == " " else { return (nil, "") }
    return (String(line[..<colon]), String(value.drop { $0 == " " }))
  }

  /// The value of a plain or quoted scalar, whose lines may be folded, or of a block of lines; nil for other forms.
  private static func scalar(_ written: String) -> String? {
    var lines = written.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard let first = lines.first else { return nil }
    switch first.first {
    case "\"":
      let text = folded(lines)
      guard text.count > 1, text.last == "\"" else { return nil }
      return unescaped(text.dropFirst().dropLast())
    case "'":
      let text = folded(lines)
      guard text.count > 1, text.last == "'" else { return nil }
      return String(text.dropFirst().dropLast()).replacing("''", with: "'")
    case "|":
      let indent = lines.dropFirst().first?.prefix { $0 == " " }.count ?? 0
      guard first == "|-" || first == "|" else { return nil }
      return lines.dropFirst().map { String($0.dropFirst(indent)) }.joined(separator: "\n")
    case "[", "{", ">", "&", "*", "!": return nil
    default: return folded(lines)
    }
  }

  /// The lines of a scalar as one, but for those with blank lines between them.
  private static func folded(_ lines: [String]) -> String {
    var text = ""
    var breaks = 0
    for line in lines.map({ String($0.drop { $0 == " " }) }) {
      if line.isEmpty {
        breaks += 1
      } else if text.hasSuffix("\\"), breaks == 0 {
        text = "\(text.dropLast())\(line)"
      } else {
        let separator = breaks > 0 ? String(repeating: "\n", count: breaks) : " "
        text += text.isEmpty ? line : "\(separator)\(line)"
        breaks = 0
      }
    }
    return text
  }

  private static func unescaped(_ text: Substring) -> String? {
    var result = ""
    var rest = text[...]
    while let next = rest.popFirst() {
      guard next == "\\" else {
        result.append(next)
        continue
      }
      switch rest.popFirst() {
      case "n": result += "\n"
      case "t": result += "\t"
      case "\"": result += "\""
      case "\\": result += "\\"
      case " ": result += " "
      default: return nil
      }
    }
    return result
  }
}

extension ArraySlice<UInt8> {
  /// The text of a line without its end and the white space before that.
  fileprivate var trimmedEnd: String {
    let line = withoutLineBreak
    let blank = line.reversed().prefix(while: \.isSpace).count
    return String(decoding: line.dropLast(blank), as: UTF8.self)
  }
}
