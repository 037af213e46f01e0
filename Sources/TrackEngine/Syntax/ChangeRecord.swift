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
  ///   - date: The day of the record, as in `2026-11-24`.
  /// - Returns: The text; exporting it again changes nothing. nil if the front matter has a `criticmark:` value
  ///   to which nothing can be added.
  public func exported(_ variant: Variant, recordedOn date: String) -> [UInt8]? {
    let reading = Reading(of: self)
    let record = ChangeRecord(of: reading.changes, in: self, date: date)
    var front = FrontMatterLines(of: reading.export(variant, of: self))
    if record.total == 0, front.hasRecord { return front.bytes }
    return front.set(record.members) ? front.bytes : nil
  }
}

/// The lines of a text's front matter, and the rest of the text.
private struct FrontMatterLines {
  /// The byte order mark that some programs write at the beginning of a UTF-8 text.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let start: [UInt8]
  /// The lines with their line ends; empty if there is no front matter.
  private var lines: [[UInt8]] = []
  private let rest: [UInt8]
  private let lineEnd: [UInt8]

  init(of bytes: [UInt8]) {
    start = bytes.starts(with: FrontMatterLines.byteOrderMark) ? FrontMatterLines.byteOrderMark : []
    let text = Array(bytes.dropFirst(start.count))
    let range = frontMatter(of: text)
    rest = Array(text[range.upperBound...])
    let first = text.firstIndex(of: Ascii.newline) ?? 0
    let isCRLF = first > 0 && text[first - 1] == Ascii.carriageReturn
    lineEnd = isCRLF ? [Ascii.carriageReturn, Ascii.newline] : [Ascii.newline]
    var at = 0
    text.withUnsafeBufferPointer { text in
      while at < range.upperBound {
        let end = text.lineEnd(after: at)
        lines.append(Array(text[at..<end]))
        at = end
      }
    }
  }

  var bytes: [UInt8] { start + lines.flatMap { $0 } + rest }

  var hasRecord: Bool {
    lines.contains { $0[...].firstRange(of: Array("changes_total:".utf8)) != nil }
  }

  /// Sets members of `criticmark:`; returns false if its value is not a mapping.
  mutating func set(_ members: [(key: String, value: String)]) -> Bool {
    if lines.isEmpty { lines = [line("---"), line("---")] }
    guard let index = lines.firstIndex(where: { $0.starts(with: "criticmark:".utf8) }) else {
      let block = [line("criticmark:")] + members.map { line("  \($0.key): \($0.value)") }
      lines.insert(contentsOf: block, at: lines.count - 1)
      return true
    }
    let value = lines[index].dropFirst("criticmark:".utf8.count).drop(while: \.isSpace)
    switch value.first {
    case nil, Ascii.newline, Ascii.carriageReturn, UInt8(ascii: "#"):
      setInBlock(members, after: index)
      return true
    case Ascii.open: return setInFlow(members, at: index)
    default: return false
    }
  }

  private mutating func setInBlock(_ members: [(key: String, value: String)], after index: Int) {
    var end = index + 1
    while end < lines.count - 1, lines[end].first.map(\.isSpace) == true { end += 1 }
    let indent = lines[index + 1..<end].first.map { Array($0.prefix(while: \.isSpace)) }
    for (key, value) in members {
      let known = lines[index + 1..<end].firstIndex {
        $0.drop(while: \.isSpace).starts(with: "\(key):".utf8)
      }
      let member = (indent ?? [Ascii.space, Ascii.space]) + line("\(key): \(value)")
      if let known {
        lines[known] = member
      } else {
        lines.insert(member, at: end)
        end += 1
      }
    }
  }

  /// Returns false if the braces do not close on the same line.
  private mutating func setInFlow(_ members: [(key: String, value: String)], at index: Int) -> Bool
  {
    for (key, value) in members {
      let line = lines[index]
      guard let open = line.firstIndex(of: Ascii.open), let close = line.lastIndex(of: Ascii.close),
        open < close
      else { return false }
      let member = Array("\(key): \(value)".utf8)
      if let known = line[open..<close].firstRange(of: Array("\(key):".utf8)) {
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
