extension Review {
  /// Accepts or rejects every addition, deletion and substitution by an author.
  func resolve(changesBy author: String, _ variant: Variant) throws(Failure) -> VerifiedEdits {
    let name = CommentHead.shown(author)
    let chosen = tracked.filter { $0.authors.contains(name) }
    guard !chosen.isEmpty else {
      throw Failure(description: "There are no changes by @\(author) in this document.")
    }
    return try resolved(chosen.map(\.change), variant)
  }

  /// The authors of the additions, deletions and substitutions of the stretch, with the number of each; changes
  /// without an author are not counted.
  ///
  /// Linear.
  public var authors: [String: Int] {
    tracked.flatMap(\.authors).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The author of a change; nil if nobody is named.
  public func author(of change: Change) -> String? {
    change.author(in: settled.bytes, marked.footnotes(for: settled.reading, in: settled.bytes))
  }

  private var tracked: [(change: Change, authors: [String])] {
    let footnotes = marked.footnotes(for: settled.reading, in: settled.bytes)
    return changes.filter(\.kind.isChange).map {
      ($0, $0.makers(in: settled.bytes, footnotes))
    }
  }
}

extension Draft {
  /// The footnotes of the text, if a mark of a stretch of it refers to any; in that case linear in the text.
  func footnotes(for reading: Reading, in bytes: [UInt8]) -> Footnotes? {
    reading.references(in: bytes).isEmpty ? nil : Footnotes(of: text.bytes)
  }
}

extension Tracker {
  /// The footnotes in which another tool records who made changes, if a mark of an excerpt refers to any; in
  /// that case linear in the text.
  public func footnotes(for excerpt: Excerpt) -> Footnotes? {
    draft.footnotes(for: excerpt.reading, in: excerpt.bytes)
  }
}
