import TrackEngine

/// The people who changed a Word document, and how the text names them.
struct WordPeople {
  private let origins: [WordChanges.Origin]
  private let withDates: Bool
  /// The only one who changed the text, whom front matter names; nil if there are none or several.
  private let only: String?

  init(_ document: WordDocument, withDates: Bool) {
    origins = document.changes.origins
    self.withDates = withDates
    let names = Set(origins.map { $0.author ?? "" })
    only = names.count == 1 ? names.first.flatMap { $0.isEmpty ? nil : $0 } : nil
  }

  /// The comment that says who made a change; nil if the text need not say it.
  func attribution(of change: Int?) -> [UInt8]? {
    guard let change, origins.indices.contains(change) else { return nil }
    let origin = origins[change]
    guard withDates || only == nil, let head = head(of: origin) else { return nil }
    return Array(head.utf8)
  }

  /// A comment with its head.
  func text(of comment: WordComments.Comment) -> [UInt8] {
    let body = (comment.isResolved && comment.parent == nil ? "[resolved] " : "") + comment.text
    guard let head = head(of: comment.origin) else { return Array(body.utf8) }
    return Array("\(head): \(body)".utf8)
  }

  private func head(of origin: WordChanges.Origin) -> String? {
    guard let author = origin.author.flatMap(WordPeople.name) else { return nil }
    guard withDates, let date = origin.date else { return "@\(author)" }
    return "@\(author) | \(date)"
  }

  /// A name as a head can hold it; nil if nothing of it can.
  private static func name(_ author: String) -> String? {
    let kept = author.map { sign -> Character in
      sign.isLetter || sign.isNumber || "-.:/+'@&_".contains(sign) ? sign : "_"
    }
    var name = String(kept)
    while let last = name.last, !last.isLetter, !last.isNumber { name.removeLast() }
    while let first = name.first, !first.isLetter, !first.isNumber { name.removeFirst() }
    while name.utf8.count > 60 { name.removeLast() }
    return name.isEmpty ? nil : name
  }

  /// Front matter that names the only one who changed the text.
  func adding(to frontMatter: [UInt8]) -> [UInt8] {
    guard let only else { return frontMatter }
    let quoted = only.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let line = "criticmark: {author: \"\(quoted)\"}\n"
    guard frontMatter.starts(with: "---\n".utf8) else {
      return Array("---\n\(line)---\n\n".utf8) + frontMatter
    }
    return Array(frontMatter[..<4]) + Array(line.utf8) + Array(frontMatter[4...])
  }
}
