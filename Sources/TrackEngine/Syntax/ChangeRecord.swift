/// The record of a document's changes that the front matter can hold, under `criticmark:`.
public struct ChangeRecord: Equatable, Sendable {
  /// The date of the record, as in `2026-11-24`.
  public var date: String
  /// The number of additions, deletions and substitutions.
  public var total: Int
  /// How many of them have a comment.
  public var commented: Int

  /// The record of a text.
  public init(of changes: [Change], in bytes: [UInt8], date: String) {
    let tracked = changes.filter(\.kind.isChange)
    self.date = date
    total = tracked.count
    commented = tracked.filter { $0.isCommented(in: bytes) }.count
  }

  fileprivate var members: [(key: String, value: String)] {
    [
      ("edit_date", date), ("changes_total", "\(total)"), ("changes_commented", "\(commented)"),
      ("changes_uncommented", "\(total - commented)"),
    ]
  }
}

extension [UInt8] {
  /// A variant of the text with a record of its changes in the front matter, which is otherwise unchanged.
  ///
  /// A text without changes keeps any record it has, since that describes changes already resolved. Linear.
  ///
  /// - Parameters:
  ///   - variant: The variant to write.
  ///   - language: The language of the text.
  ///   - date: The day of the record, as in `2026-11-24`.
  /// - Returns: The text; exporting it again changes nothing. nil if the front matter has a `criticmark:` value
  ///   to which nothing can be added.
  public func exported(
    _ variant: Variant,
    as language: Language,
    recordedOn date: String
  ) -> [UInt8]? {
    let reading = Reading(of: self, as: language)
    let record = ChangeRecord(of: reading.changes, in: self, date: date)
    var front = FrontMatterLines(of: reading.export(variant, of: self))
    if record.total == 0, front.hasRecord { return front.bytes }
    return front.set(record.members) ? front.bytes : nil
  }
}

/// The lines of a text's front matter, and the rest of the text.
private struct FrontMatterLines {
  private let format: FrontMatter.Format
  /// A byte order mark.
  private let start: [UInt8]
  /// The lines with their line ends; empty if there is no front matter.
  private var lines: [[UInt8]] = []
  private let rest: [UInt8]
  private let lineEnd: [UInt8]

  init(of text: [UInt8]) {
    let front = text.withUnsafeBufferPointer { FrontMatter(of: $0) }
    format = front?.format ?? .yaml
    start = Array(text.prefix(byteOrderMarkLength(text)))
    let end = max(start.count, front?.range.upperBound ?? 0)
    rest = Array(text[end...])
    let first = text.firstIndex(of: Ascii.newline) ?? 0
    let isCRLF = first > 0 && text[first - 1] == Ascii.carriageReturn
    lineEnd = isCRLF ? [Ascii.carriageReturn, Ascii.newline] : [Ascii.newline]
    lines = text[start.count..<end].lines.map { Array($0) }
  }

  var bytes: [UInt8] { start + lines.flatMap { $0 } + rest }

  var hasRecord: Bool {
    lines.contains { line in
      ["changes_total:", "changes_total =", "\"changes_total\":"].contains {
        line[...].firstRange(of: Array($0.utf8)[...]) != nil
      }
    }
  }

  /// Sets members of `criticmark`; returns false if its value is not a mapping.
  mutating func set(_ members: [(key: String, value: String)]) -> Bool {
    if lines.isEmpty { lines = [line("---"), line("---")] }
    return switch format {
    case .yaml: setInYAML(members)
    case .toml: setInTOML(members)
    case .json: setInJSON(members)
    }
  }

  private mutating func setInYAML(_ members: [(key: String, value: String)]) -> Bool {
    guard let index = firstLine("criticmark:") else {
      let block = [line("criticmark:")] + members.map { line("  \($0.key): \($0.value)") }
      lines.insert(contentsOf: block, at: lines.count - 1)
      return true
    }
    let value = lines[index].dropFirst("criticmark:".utf8.count).drop(while: \.isSpace)
    switch value.first {
    case nil, Ascii.newline, Ascii.carriageReturn, UInt8(ascii: "#"):
      let indent = lines[index + 1].prefix(while: \.isSpace)
      let known = String(
        decoding: indent.isEmpty ? [Ascii.space, Ascii.space] : indent,
        as: UTF8.self
      )
      setInBlock(members.map { ("\(known)\($0.key): ", $0.value) }, after: index) {
        $0.first?.isSpace == true
      }
      return true
    case Ascii.open: return setInFlow(members.map { ("\($0.key): ", $0.value) }, at: index)
    default: return false
    }
  }

  private mutating func setInTOML(_ members: [(key: String, value: String)]) -> Bool {
    // A table cannot be opened again.
    if firstLine("criticmark.") != nil { return false }
    // A date is a value in TOML, like a number.
    let members = members.map { (key: "\($0.key) = ", value: $0.value) }
    if let index = firstLine("criticmark ") ?? firstLine("criticmark=") {
      return setInFlow(members, at: index)
    }
    let index = firstLine("[criticmark]")
    if index == nil { lines.insert(line("[criticmark]"), at: lines.count - 1) }
    setInBlock(members, after: index ?? lines.count - 2) { $0.first != Ascii.bracket }
    return true
  }

  private mutating func setInJSON(_ members: [(key: String, value: String)]) -> Bool {
    let members = members.map { (key: "\"\($0.key)\": ", value: $0.value.asJSON) }
    if let index = firstLine("\"criticmark\"") { return setInFlow(members, at: index) }
    guard let index = firstLine("{"), lines[index + 1].contains(Ascii.quote) else { return false }
    let object = members.map { $0.key + $0.value }.joined(separator: ", ")
    let indent = String(decoding: lines[index + 1].prefix(while: \.isSpace), as: UTF8.self)
    lines.insert(line("\(indent)\"criticmark\": {\(object)},"), at: index + 1)
    return true
  }

  /// The first line that begins with a text; in JSON, behind its indentation.
  private func firstLine(_ text: String) -> Int? {
    lines.firstIndex { line in
      let content = format == .json ? line.drop(while: \.isSpace) : line[...]
      return content.starts(with: text.utf8)
    }
  }

  /// Sets members, each on a line of its own, in the lines after the one at an index as long as they are inside.
  private mutating func setInBlock(
    _ members: [(key: String, value: String)],
    after index: Int,
    while isInside: ([UInt8]) -> Bool
  ) {
    var end = index + 1
    while end < lines.count - 1, isInside(lines[end]) { end += 1 }
    for (key, value) in members {
      let name = key.utf8.filter { !$0.isSpace }
      let known = lines[index + 1..<end].firstIndex {
        $0.filter { !$0.isSpace }.starts(with: name)
      }
      if let known {
        lines[known] = line(key + value)
      } else {
        lines.insert(line(key + value), at: end)
        end += 1
      }
    }
  }

  /// Sets members between the first brace of a line and the last; returns false if the braces do not close on it.
  private mutating func setInFlow(_ members: [(key: String, value: String)], at index: Int) -> Bool
  {
    for (key, value) in members {
      let line = lines[index]
      guard let open = line.firstIndex(of: Ascii.open), let close = line.lastIndex(of: Ascii.close),
        open < close
      else { return false }
      let member = Array((key + value).utf8)
      if let known = line[open..<close].firstRange(of: Array(key.utf8.dropLast())[...]) {
        let end = line[known.upperBound..<close].firstIndex(of: UInt8(ascii: ",")) ?? close
        lines[index].replaceSubrange(known.lowerBound..<end, with: member)
      } else {
        let isEmpty = line[open + 1..<close].allSatisfy(\.isSpace)
        lines[index].insert(contentsOf: (isEmpty ? [] : Array(", ".utf8)) + member, at: close)
      }
    }
    return true
  }

  private func line(_ text: String) -> [UInt8] { Array(text.utf8) + lineEnd }
}

extension String {
  /// A number as it is, and anything else as a string of JSON; neither needs escapes here.
  fileprivate var asJSON: String { allSatisfy(\.isNumber) ? self : "\"\(self)\"" }
}
