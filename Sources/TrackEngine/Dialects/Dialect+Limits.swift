/// What each dialect can say.
extension Dialect {
  /// What remains of a note where a dialect writes it, and what does not.
  ///
  /// - Parameter note: The note.
  /// - Returns: The note as it will be read; nil with the reason if it cannot name an author.
  func sayable(_ note: Note) -> (note: Note?, losses: [Loss.What]) {
    var (kept, losses) = (note, note.losses)
    for author in [note.attribution.author] + note.comments.map(\.author) {
      if let author, !canName(author) { return (nil, [.author(author)]) }
    }
    func date(_ date: String?, of author: String?) -> String? {
      guard let date else { return nil }
      let known = sayable(date, of: author)
      if known != date { losses.append(known == nil ? .date(date) : .zone(date)) }
      return known
    }
    let attribution = note.attribution
    kept.attribution.date = date(attribution.date, of: attribution.author)
    for (index, said) in note.comments.enumerated() {
      kept.comments[index].date = date(said.date, of: said.author)
      if usesHeads, said.author != nil { kept.comments[index].text = Array(said.body) }
    }
    if usesHeads, note.kind.isChange, attribution.author == nil, let first = kept.comments.first,
      let author = first.author
    {
      kept.attribution = Attribution(author: author, date: first.date)
      losses.append(.firstAuthor(author))
    }
    if note.isNested { losses.append(.nesting) }
    return (kept, losses)
  }

  /// Whether who wrote a comment is said at its beginning.
  private var usesHeads: Bool { self == .criticmark || self == .changedown }

  private func canName(_ author: String) -> Bool {
    switch self {
    case .criticmark, .changedown:
      let head = CommentHead(of: Array("@\(CommentHead.written(author))".utf8)[...])
      return head.author == author && head.isAttribution && AuthorName(author) != nil
    case .commentator: return true
    case .obsidian, .roughdraft: return author.canBeQuoted
    }
  }

  /// A date as it will be read; nil if it cannot be said.
  private func sayable(_ date: String, of author: String?) -> String? {
    switch self {
    case .criticmark, .changedown:
      guard author != nil else { return nil }
      return CommentHead(of: Array("@a | \(date)".utf8)[...]).date == date ? date : nil
    case .commentator:
      return date.secondsSince1970.flatMap(timeStamp)?.dayIfMidnight ?? date
    case .obsidian, .roughdraft: return date.canBeQuoted ? date : nil
    }
  }
}

extension String {
  /// Whether it can stand between quotation marks, where no sign is escaped.
  fileprivate var canBeQuoted: Bool {
    utf8.allSatisfy { $0 >= Ascii.space && !$0.isBrace && !$0.isCodeSign }
      && !contains("\"") && !contains("\\")
  }
}
