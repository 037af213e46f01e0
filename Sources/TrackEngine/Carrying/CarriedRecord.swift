// What a text changes beside the marks that are carried onto it is recorded: as if it had been typed into the old text,
// which keeps its marks; where that is not possible, as a comparison finds it.

extension MarkPlacing {
  /// The old text with the marks that are carried, and what became of its clean text as changes.
  ///
  /// - Parameters:
  ///   - changes: The changes of the old text.
  ///   - old: Its clean text.
  ///   - new: The new clean text.
  ///   - author: Who is named on each change.
  /// - Returns: The text; nil if the new text has marks of its own, if something was moved, and if not all comments would
  ///   be there.
  func recorded(
    _ changes: [Change],
    _ old: VariantText,
    _ new: VariantText,
    _ author: AuthorName?
  ) -> [UInt8]? {
    guard new.reading.marks.isEmpty, !marks.contains(where: \.isMoved) else { return nil }
    let given = left.map { changes[$0.index] }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    let language = old.reading.language
    let kept = Set(marks.filter(\.change.marks.isEmpty).flatMap(\.change.thread).map(\.start))
    var text = old.markup.applying(old.edits(removingIdentityOf: given, but: kept))
    // A byte order mark is no text that could be changed.
    let (oldMark, newMark) = (byteOrderMarkLength(text), byteOrderMarkLength(new.bytes))
    text.replaceSubrange(..<oldMark, with: new.bytes[..<newMark])
    let source = VariantText(.clean, of: text, as: language)
    let carried = carriedComments(in: old.markup, language)
    guard source.commentCounts == carried,
      let edits = source.bytes == old.bytes
        ? source.edits(recording: differences, makingOfIt: new.bytes, by: author)
        : text.edits(recordingClean: new.bytes, as: language, by: author)
    else { return nil }
    let recorded = VariantText(.clean, of: text.applying(edits), as: language)
    let found = recorded.commentCounts
    let isWhole = carried.allSatisfy { found[$0.key, default: 0] >= $0.value }
    return isWhole && recorded.bytes == new.bytes ? recorded.markup : nil
  }

  /// How often each comment is in the marks that are carried.
  private func carriedComments(in markup: [UInt8], _ language: Language) -> [[UInt8]: Int] {
    marks.reduce(into: [:]) { counts, mark in
      let inside = VariantText(.clean, of: Array(markup[mark.change.range]), as: language)
        .commentCounts
      counts.merge(inside) { $0 + $1 }
    }
  }
}

/// What differs between two texts, recorded as changes in the second one; metadata at its beginning stays without marks.
func compared(_ old: [UInt8], _ new: [UInt8], _ options: Carrying.Options) -> [UInt8] {
  let (language, author) = (options.language, options.author)
  let (oldHead, head) = (old[..<old.headLength], Array(new[..<new.headLength]))
  if !oldHead.elementsEqual(head) {
    let (oldBody, newBody) = (Array(old[oldHead.endIndex...]), Array(new[head.count...]))
    let marked = head + comparison(of: oldBody, and: newBody, as: language, author: author)
    let original =
      VariantText(.original, of: head, as: language).bytes
      + VariantText(.original, of: oldBody, as: language).bytes
    let clean = VariantText(.clean, of: new, as: language).bytes
    if Claim(clean: clean, original: original).isKept(by: marked, as: language) { return marked }
  }
  return comparison(of: old, and: new, as: language, author: author)
}

extension VariantText {
  /// The comments of changes that neither another text has nor a list of what is left.
  func lost(
    of changes: [Change],
    from text: [UInt8],
    beside left: [Carrying.Left]
  ) -> [Carrying.Left] {
    var there = VariantText(.clean, of: text, as: reading.language).commentCounts
    let told = Set(left.flatMap(\.comments).map(\.start))
    return changes.indices.compactMap { index in
      let comments = reading.comments(in: changes[index].range).filter { mark in
        guard !told.contains(mark.start) else { return false }
        let comment = Array(markup[mark.range])
        guard let count = there[comment], count > 0 else { return true }
        there[comment] = count - 1
        return false
      }
      return comments.isEmpty ? nil : Carrying.Left(index, .unwritable, comments)
    }
  }
}

extension VariantText {
  /// The edits that leave changes without metadata and comments, but for those that begin at some offsets, and remove
  /// highlights and lone comments.
  fileprivate func edits(removingIdentityOf changes: [Change], but kept: Set<Int>) -> [Edit] {
    changes.flatMap { change -> [Edit] in
      let isChange = change.kind.isChange
      var edits: [Edit] = change.marks.flatMap { mark -> [Edit] in
        guard isChange else { return [Edit(mark.opener, []), Edit(mark.closer, [])] }
        guard mark.hasMetadata else { return [] }
        return [Edit(mark.opener, mark.kind.opener), Edit(mark.closer, mark.kind.closer)]
      }
      if isChange {
        let comments = reading.comments(in: change.markRange).filter { !kept.contains($0.start) }
        edits += comments.map { Edit($0.range, []) }
      }
      edits += change.thread.map { Edit($0.range, []) }
      return edits
    }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// How often the marked-up text has each comment.
  fileprivate var commentCounts: [[UInt8]: Int] {
    reading.comments(in: markup.indices).reduce(into: [:]) {
      $0[Array(markup[$1.range]), default: 0] += 1
    }
  }
}
