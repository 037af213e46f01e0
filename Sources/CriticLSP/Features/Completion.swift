import JSONRPC
import TrackEngine

/// The characters after which editors request completions.
let completionTriggers = ["{", "[", "@"]

/// Answers `textDocument/completion`: the five marks after a brace; categories and authors in a comment.
func completion(_ snapshot: Snapshot, _ params: TextDocumentPositionParams) -> [CompletionItem] {
  // Where the marks are beside the text, what is typed makes none.
  guard snapshot.showsMarks else { return [] }
  let offset = snapshot.offset(of: params.position)
  let stretch = snapshot.text.line(around: offset)
  let here = EnclosingMarks(in: snapshot.tracker, at: offset, within: stretch)
  guard !here.isInCode else { return [] }
  // All as snippets, because Neovim 0.11 cuts other text at the first space.
  let isSnippet = snapshot.client.completesSnippets
  return snapshot.completions(at: here).map { completion in
    // With a `filterText` Neovim 0.7 would ignore where the edit begins.
    CompletionItem(
      label: completion.label,
      kind: completion.kind,
      detail: completion.detail,
      insertTextFormat: isSnippet ? .snippet : nil,
      insertText: snapshot.client.mayBeJupyterLab ? completion.rest(at: offset) : nil,
      textEdit: snapshot.conversions.textEdit(completion.edit(isSnippet: isSnippet))
    )
  }
}

extension Snapshot {
  fileprivate func completions(at here: EnclosingMarks) -> [Completion] {
    guard let comment = here.comment else { return marks(at: here) }
    if let start = here.sign("[", from: comment) { return categories(at: here, start) }
    if let start = here.sign("@", from: comment) {
      let isFirst = here[comment..<start].allSatisfy { $0 <= 0x20 }
      return authors(at: here, start, isFirst: isFirst)
    }
    return []
  }

  private func marks(at here: EnclosingMarks) -> [Completion] {
    guard let typed = here.brace else { return [] }
    let range = here.edited(from: typed.lowerBound, closing: "}")
    return MarkKind.allCases.filter { $0.opener.starts(with: here[typed]) }.map { kind in
      let opener = String(decoding: kind.opener, as: UTF8.self)
      let closer = String(decoding: kind.closer, as: UTF8.self)
      let hasAuthor = kind == .comment && !client.cutsCompletions
      let author = hasAuthor ? String(decoding: settings.newComment(""), as: UTF8.self) : ""
      let arrow = kind == .substitution ? ["~>"] : []
      return Completion(
        label: opener + arrow.joined() + closer,
        kind: .snippet,
        detail: kind.description,
        range: range,
        parts: [opener + author] + arrow + [closer]
      )
    }
  }

  private func categories(at here: EnclosingMarks, _ start: Int) -> [Completion] {
    let range = here.edited(from: start, closing: "]")
    let space = here.isBeforeSpace(range.upperBound) ? "" : " "
    return CommentCategory.allCases.map { category in
      Completion(
        label: "[\(category.rawValue)]",
        kind: .keyword,
        detail: "category",
        range: range,
        parts: ["[\(category.rawValue)]\(space)"]
      )
    }
  }

  /// The authors of comments, and the user; at the beginning of a comment, followed by a colon.
  private func authors(at here: EnclosingMarks, _ start: Int, isFirst: Bool) -> [Completion] {
    let range = here.edited(from: start, closing: nil)
    let whole = whole
    var names = whole.reading.authors(in: whole.bytes, except: range.lowerBound)
    if let author = settings.author { names.insert(CommentHead.written(author)) }
    let colon = isFirst && !here.isBeforeColon ? ": " : ""
    return names.sorted().map { name in
      Completion(
        label: "@\(name)",
        kind: .reference,
        detail: "author",
        range: range,
        parts: ["@\(name)\(colon)"]
      )
    }
  }
}

private struct Completion {
  /// Begins with what is typed, because clients filter by it; not longer than the inserted text, which Neovim
  /// 0.12 would cut.
  var label: String
  var kind: CompletionItemKind
  var detail: String
  /// The range to replace, in offsets of the buffer.
  var range: Range<Int>
  /// The text to insert, with a tab stop between the parts.
  var parts: [String]

  /// What is to be inserted at an offset of the buffer to get the same without replacing anything.
  func rest(at offset: Int) -> String {
    let text = parts.joined().utf8.dropFirst(offset - range.lowerBound)
      .dropLast(range.upperBound - offset)
    return String(decoding: Array(text), as: UTF8.self)
  }

  func edit(isSnippet: Bool) -> Edit {
    guard isSnippet else { return Edit(range, Array(parts.joined().utf8)) }
    var text = ""
    for (index, part) in parts.enumerated() {
      if index > 0 { text += "$\(index)" }
      for character in part {
        if character == "$" || character == "\\" { text += "\\" }
        text.append(character)
      }
    }
    return Edit(range, Array(text.utf8))
  }
}

// MARK: - What has been typed

extension EnclosingMarks {
  /// Whether the place is in code, where there are no marks.
  fileprivate var isInCode: Bool {
    excerpt.reading.zones.contains {
      $0.range.lowerBound < offset
        && (offset < $0.range.upperBound || $0.isFenced && offset == $0.range.upperBound)
    }
  }

  /// Where the text of the comment at the place begins; the comment need not be closed.
  fileprivate var comment: Int? {
    if let mark, mark.kind == .comment {
      let content = mark.content
      return content.lowerBound <= offset && offset <= content.upperBound ? content.lowerBound : nil
    }
    let opener = excerpt.reading.malformed(in: excerpt.bytes).last {
      $0.kind == .unclosed && $0.range.upperBound <= offset
        && self[$0.range].elementsEqual(MarkKind.comment.opener)
    }
    guard let start = opener?.range.upperBound else { return nil }
    // A comment that is open for more than a line is not being typed.
    return self[start..<offset].contains { $0 == 0x0A || $0 == 0x0D } ? nil : start
  }

  /// The brace before the place, with what has been typed of the opener.
  fileprivate var brace: Range<Int>? {
    let bytes = excerpt.bytes
    for length in 1...3 where length <= offset {
      let start = offset - length
      guard bytes[start] == UInt8(ascii: "{") else { continue }
      let isText =
        start > 0 && (bytes[start - 1] == UInt8(ascii: "\\") || bytes[start - 1] == bytes[start])
      return isText ? nil : start..<offset
    }
    return nil
  }

  /// The offset of a sign before the word that ends at the place.
  fileprivate func sign(_ sign: Unicode.Scalar, from start: Int) -> Int? {
    var at = offset
    while at > start, isOfWord(excerpt.bytes[at - 1]) || isOfName(excerpt.bytes[at - 1], sign) {
      at -= 1
    }
    guard at > start, excerpt.bytes[at - 1] == UInt8(ascii: sign) else { return nil }
    // `ada@example` is an address.
    return at - 1 > start && isOfWord(excerpt.bytes[at - 2]) ? nil : at - 1
  }

  /// Whether a character stands inside names after a sign: `@ai:model`.
  private func isOfName(_ byte: UInt8, _ sign: Unicode.Scalar) -> Bool {
    sign == "@" && (byte == UInt8(ascii: ":") || byte == UInt8(ascii: "."))
  }

  private func isOfWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || Unicode.Scalar(byte).properties.isAlphabetic || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The range that a completion replaces, in offsets of the buffer: what has been typed, and the closing
  /// bracket if the editor inserted one.
  fileprivate func edited(from start: Int, closing bracket: Unicode.Scalar?) -> Range<Int> {
    let next = offset < excerpt.bytes.count ? excerpt.bytes[offset] : 0
    let isClosed = bracket.map { next == UInt8(ascii: $0) } ?? false
    return inBuffer(start..<(isClosed ? offset + 1 : offset))
  }

  /// Whether there is white space at an offset of the buffer.
  fileprivate func isBeforeSpace(_ offset: Int) -> Bool {
    let at = offset - excerpt.start
    return at < excerpt.bytes.count && excerpt.bytes[at] <= 0x20
  }

  fileprivate var isBeforeColon: Bool {
    offset < excerpt.bytes.count && excerpt.bytes[offset] == UInt8(ascii: ":")
  }
}
