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
    guard let rule = lines.lastIndex(where: { $0.withoutLineBreak.trimmedEnd == "---" }), rule > 0
    else { return nil }
    let isAfterBlank = lines[rule - 1].trimmedBlank.withoutLineBreak.isEmpty
    range = lines[isAfterBlank ? rule - 1 : rule].startIndex..<bytes.endIndex
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
      if rest.isEmpty { continue }
      let indent = text.count - rest.count
      if isDeeper(indent) {
        written += "\n" + rest
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
    let first = lines.removeFirst()
    switch first.first {
    case "\"":
      var text = first
      for line in lines { text = text.hasSuffix("\\") ? text.dropLast() + line : text + " " + line }
      guard text.count > 1, text.last == "\"" else { return nil }
      return unescaped(text.dropFirst().dropLast())
    case "'":
      let text = ([first] + lines).joined(separator: " ")
      guard text.count > 1, text.last == "'" else { return nil }
      return String(text.dropFirst().dropLast()).replacing("''", with: "'")
    case "|":
      return first == "|-" || first == "|" ? lines.joined(separator: "\n") : nil
    case "[", "{", ">", "&", "*", "!": return nil
    default: return ([first] + lines).joined(separator: " ")
    }
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
