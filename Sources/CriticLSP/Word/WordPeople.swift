import TrackEngine

/// The people who changed a Word document, and how the text names them.
struct WordPeople {
  private let origins: [WordChanges.Origin]
  private let withDates: Bool
  /// The only one who changed the text, whom front matter names; nil if there are none or several, or each change is named
  /// since the text says when.
  private let only: String?

  /// - Parameters:
  ///   - document: The document.
  ///   - changes: The numbers of those of its changes that the text has.
  ///   - withDates: Whether the text says when.
  init(_ document: WordDocument, _ changes: [Int], withDates: Bool) {
    origins = document.changes.origins
    self.withDates = withDates
    let names = Set(changes.map { document.changes.origins[$0].author })
    only =
      names.count == 1 && !withDates
      ? names.first.flatMap { $0 == WordPeople.nobody ? nil : $0 } : nil
  }

  /// How many people made some changes.
  func count(of changes: [Int]) -> Int { Set(changes.map { origins[$0].author }).count }

  /// Whom Word names where it was told to name nobody, and we where the text does not.
  static let nobody = "Author"

  /// The comment that says who made a change; nil if the text need not say it.
  func attribution(of change: Int?) -> [UInt8]? {
    guard let change, origins.indices.contains(change) else { return nil }
    let origin = origins[change]
    guard only == nil, !isUnnamed(origin), let head = head(of: origin) else { return nil }
    return Array(head.utf8)
  }

  /// A comment with its head.
  func text(of comment: WordComments.Comment) -> [UInt8] {
    let body = (comment.isResolved && comment.parent == nil ? "[resolved] " : "") + comment.text
    guard !isUnnamed(comment.origin), let head = head(of: comment.origin) else {
      return Array(body.utf8)
    }
    return Array("\(head): \(body)".utf8)
  }

  /// Whether a change or comment without a name would be by the same one, so that none is needed.
  private func isUnnamed(_ origin: WordChanges.Origin) -> Bool {
    !withDates && only == nil && origin.author == WordPeople.nobody
  }

  private func head(of origin: WordChanges.Origin) -> String? {
    guard let author = origin.author.flatMap(WordPeople.name) else { return nil }
    return Attribution(author: author, date: withDates ? origin.date : nil).head
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
