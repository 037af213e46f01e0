/// The comments in a footnote of ChangeDown's, a line each: `@bo 2026-11-23: Why?`.
struct FootnoteThread {
  var comments: [Said] = []
  /// The lines that are no comments: approvals, revisions and the like.
  var others: [String] = []

  /// Reads a footnote from the line after its first one.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - signed: Who made the change, and when: a plain first line is what they say of it.
  init(_ lines: ArraySlice<UInt8>, signed: Attribution? = nil) {
    var isInComment = false
    for line in lines.lines {
      let text = line.withoutLineBreak.trimmedBlank
      if text.isEmpty { continue }
      if let comment = FootnoteThread.comment(text) {
        comments.append(comment)
        isInComment = true
      } else if isInComment, FootnoteThread.isContinuation(text) {
        comments[comments.count - 1].text += lineBreak
        comments[comments.count - 1].text += text
      } else if let signed, comments.isEmpty, others.isEmpty, FootnoteThread.isContinuation(text) {
        comments.append(Said(author: signed.author, date: signed.date, text: Array(text)))
        isInComment = true
      } else {
        others.append(String(decoding: text, as: UTF8.self))
        isInComment = false
      }
      lineBreak = Array(line.lineBreakAtEnd)
    }
  }

  private var lineBreak: [UInt8] = []

  /// Reads `@bo 2026-11-23: Why?`; what may stand in brackets before the colon begins the text.
  private static func comment(_ line: ArraySlice<UInt8>) -> Said? {
    guard line.first == UInt8(ascii: "@") else { return nil }
    let name = line.prefix { !$0.isSpace }
    let rest = line[name.endIndex...].trimmedBlank
    guard name.count > 1, let end = rest.endOfDate else { return nil }
    var text = rest[end...].trimmedBlank
    var label: ArraySlice<UInt8> = []
    if text.first == Ascii.bracket, let close = text.firstIndex(of: UInt8(ascii: "]")) {
      label = text[...close]
      text = text[(close + 1)...]
    }
    guard text.first == Ascii.colon else { return nil }
    text = text.dropFirst().trimmedBlank
    return Said(
      author: CommentHead.shown(String(decoding: name, as: UTF8.self)),
      date: String(decoding: rest[..<end], as: UTF8.self),
      text: label.isEmpty ? Array(text) : Array(label) + [Ascii.space] + Array(text)
    )
  }

  /// Whether a line can go on with a comment: those that do not are known by their first word.
  private static func isContinuation(_ line: ArraySlice<UInt8>) -> Bool {
    let word = line.prefix { !$0.isSpace }
    let isKey = word.last == Ascii.colon && word.first?.isLowercase == true
    return !isKey && word.first != UInt8(ascii: "@") && word.first != Ascii.bracket
      && !["resolved", "open", "revised"].contains(String(decoding: word, as: UTF8.self))
  }

  /// The lines of a comment in a footnote, indented; nil if they would not be read as this comment.
  static func lines(of comment: Said, _ lineBreak: [UInt8]) -> [UInt8]? {
    guard let author = comment.author, let date = comment.date, isTime(date),
      !comment.text.isEmpty
    else { return nil }
    let indent = [UInt8](repeating: Ascii.space, count: 4)
    let head = "@\(CommentHead.written(author)) \(date): "
    var lines: [UInt8] = []
    for line in comment.text[...].lines {
      lines += indent + (lines.isEmpty ? Array(head.utf8) : [])
      lines += line.withoutLineBreak
      lines += lineBreak
    }
    return FootnoteThread(lines[...]).comments == [comment] ? lines : nil
  }

  /// Whether ChangeDown reads a date of a comment: a day, perhaps with a time to the minute or the second.
  private static func isTime(_ date: String) -> Bool {
    let isWhole = Array(date.utf8)[...].endOfDate == date.utf8.count
    return isWhole && [10, 16, 17, 19, 20].contains(date.utf8.count) && !date.contains("+")
  }
}

extension UInt8 {
  fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
