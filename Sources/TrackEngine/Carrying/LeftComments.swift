/// What was not carried onto a text, as comments that stand behind its end: they hold no text of their own, so that the
/// clean text stays as it is.
///
/// Comments of a thread follow as they are, with their authors and dates, behind one that says what they were on:
///
///     {>>Not carried:
///     - highlight “the red fox” (line 3): <<}{>>@anna: which?<<}{>>
///     - comment behind “It was late” (line 5): <<}{>>@bo: how late?<<}{>>
///     - addition “very ” (line 8)<<}
struct LeftComments {
  private let items: [Item]

  /// A change that was not carried: what it is, and the comments on it and in it.
  private struct Item {
    var title: String
    var comments: [[UInt8]]
  }

  /// - Parameters:
  ///   - left: What was not carried, in the order of the text.
  ///   - changes: All changes of the text.
  ///   - text: The clean text.
  init(_ left: [Carrying.Left], _ changes: [Change], of text: VariantText) {
    let (reading, bytes) = (text.reading, text.markup)
    var cursor = LineCursor(bytes)
    items = left.map { left in
      let change = changes[left.index]
      let line = cursor.place(of: change.range.lowerBound).line
      let texts =
        switch change.kind {
        case .addition, .highlight: [change.new(in: reading, bytes)]
        case .deletion: [change.old(in: reading, bytes)]
        case .substitution: [change.old(in: reading, bytes), change.new(in: reading, bytes)]
        case .comment: [[UInt8]]()
        }
      var told = texts.map { " “\(LeftComments.plain($0))”" }.joined(separator: " →")
      if change.kind == .comment {
        let words = text.words(before: change.range.lowerBound)
        if !words.isEmpty { told = " behind “\(LeftComments.plain(words))”" }
      }
      let author = change.marks.first?.hasMetadata == true ? change.author(in: bytes) : nil
      let name = author.map { " by \(LeftComments.plain(Array($0.utf8)))" } ?? ""
      return Item(
        title: "\(change.kind)\(told)\(name) (line \(line))",
        comments: left.comments.map { Array(bytes[$0.content]) }
      )
    }
  }

  /// A text in which nothing is read as a delimiter or as code.
  private static func plain(_ text: [UInt8]) -> String {
    String(decoding: text.onOneLine, as: UTF8.self)
      .map { $0 == "{" ? "(" : $0 == "}" ? ")" : $0 == "`" || $0 == "~" ? "'" : String($0) }
      .joined()
  }

  /// A text with the comments; nil if they cannot be read at its end.
  func appended(to text: [UInt8], as language: Language) -> [UInt8]? {
    let reading = Reading(of: text, as: language)
    let claim = Claim(
      clean: reading.text(.clean, of: text),
      original: reading.text(.original, of: text)
    )
    func comments(in reading: Reading) -> Int { reading.topMarks.count { $0.kind == .comment } }
    // A thread that holds half a code span may hide what follows it.
    let forms = [false, true].map { written(isPlain: $0, lineEnd: text.firstLineBreak) }
    let count = comments(in: reading) + forms[0].count
    let edits = forms.map { [Edit(text.count..<text.count, $0.flatMap(\.self))] }
    return VerifiedEdits(edits, of: text, as: language, claim) { comments(in: $0) == count }
      .map { text.applying($0.edits) }
  }

  /// The comments as they are written.
  private func written(isPlain: Bool, lineEnd: [UInt8]) -> [[UInt8]] {
    var comments: [[UInt8]] = []
    func add(_ comment: [UInt8]) { comments.append(MarkKind.comment.around(comment)) }
    var told = Array("Not carried:".utf8)
    for item in items {
      told += lineEnd + "- \(item.title)".utf8
      guard !item.comments.isEmpty else { continue }
      add(told + ": ".utf8)
      told = []
      for comment in item.comments {
        add(isPlain ? Array(LeftComments.plain(comment).utf8) : comment)
      }
    }
    if !told.isEmpty { add(told) }
    return comments
  }
}

extension VariantText {
  /// The end of what the variant shows before an offset of the marked-up text, of the same line.
  fileprivate func words(before offset: Int) -> [UInt8] {
    let end = self.offset(ofMarkup: offset)
    var start = end
    while start > 0, !bytes[start - 1].isLineBreak, end - start < 40 { start -= 1 }
    while start > 0, start < end, !bytes[start - 1].isWhiteSpace { start += 1 }
    return Array(bytes[start..<end]).onOneLine
  }
}

extension [UInt8] {
  /// The first line break of a text, or a line feed.
  var firstLineBreak: [UInt8] {
    guard let at = firstIndex(where: \.isLineBreak) else { return [Ascii.newline] }
    return withUnsafeBufferPointer { Array($0[at..<at + $0.lineBreak(at: at)]) }
  }
}
