/// Who proposes or comments, as the head of a comment says it: `@name: text`.
public struct AuthorName: Equatable, Sendable {
  /// The name as it is written, without the `@`; a space in it is `_`.
  public let name: String

  /// An attribution to somebody.
  ///
  /// - Parameter name: With or without the `@`. Nil where it is empty, or holds what would end the head: a line break, a
  ///   brace, `|`, `<`, `>`, or a colon at its end.
  public init?(_ name: String) {
    let name = name.hasPrefix("@") ? name.dropFirst() : name[...]
    guard !name.isEmpty, name.last != ":",
      !name.contains(where: { $0.isNewline || "{}<>|@\t".contains($0) })
    else { return nil }
    self.name = name.split(separator: " ").joined(separator: "_")
  }

  /// An attribution to somebody by any name, without what a head cannot hold.
  ///
  /// - Parameter name: As a system or another program has it. Nil where nothing is left of it.
  public init?(cleaning name: String) {
    var name = name.filter { !$0.isNewline && !"{}<>|@\t".contains($0) }
    while !name.isEmpty {
      if let author = AuthorName(name),
        CommentHead(of: Array("@\(author.name)".utf8)[...]).isAttribution
      {
        self = author
        return
      }
      name.removeLast()
    }
    return nil
  }

  /// A comment of theirs; without a text it says only whose the change is.
  public func head(of text: [UInt8]) -> [UInt8] {
    let line = text.onOneLine
    return Array("@\(name)".utf8) + (line.isEmpty ? [] : Array(": ".utf8) + line)
  }
}

extension [UInt8] {
  /// The text with a space in the place of each line break and the white space around it: a comment stands in a line, or in
  /// a cell of a table.
  public var onOneLine: [UInt8] {
    let lines = split(whereSeparator: \.isLineBreak).map(\.trimmedBlank)
    return Array(lines.filter { !$0.isEmpty }.joined(separator: CollectionOfOne(Ascii.space)))
  }
}
