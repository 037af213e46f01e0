/// Writes notes in a dialect, with ids of its own.
struct NoteWriter {
  let dialect: Dialect
  /// The line break of a footnote's lines; nil if the text cannot have footnotes.
  let lineBreak: [UInt8]?
  /// The footnotes of what was written.
  private(set) var footnotes: [UInt8] = []
  private var numbering: IDNumbering

  init(_ dialect: Dialect, in text: AnnotatedText) {
    self.dialect = dialect
    // Behind a last line without a line break a footnote would bring it one.
    let end = text.bytes[..<(text.endmatter?.range.lowerBound ?? text.bytes.count)].lineBreakAtEnd
    lineBreak = end.isEmpty ? nil : Array(end)
    numbering = IDNumbering(besides: text)
  }

  /// What stands at a mark, and behind the last one.
  struct Metadata {
    var attributes: [UInt8] = []
    var head: [UInt8] = []
    var tail: [UInt8] = []
  }

  /// The metadata of each mark of a note that the dialect can say, and its thread.
  mutating func write(_ note: Note) -> (marks: [Metadata], thread: [UInt8]) {
    switch dialect {
    case .criticmark: return (note.marks.map { _ in Metadata() }, thread(of: note))
    case .commentator, .obsidian:
      let metadata = inline(note.attribution.author, note.attribution.date)
      let comments = note.comments.map { comment($0.text, inline($0.author, $0.date)) }
      return (note.marks.map { _ in metadata }, comments.flatMap(\.self))
    case .roughdraft: return identified(note)
    case .changedown: return footnoted(note)
    }
  }

  /// A comment that stands alone at the end of the text.
  mutating func write(loose comment: Said) -> [UInt8] {
    write(Note(marks: [], comments: [comment], range: 0..<0)).thread
  }

  private func comment(_ text: [UInt8], _ metadata: Metadata) -> [UInt8] {
    let opener = MarkKind.comment.opener(with: metadata.attributes[...], metadata.head[...])
    return opener + text + MarkKind.comment.closer + metadata.tail
  }
}

// CriticMarkup's own heads.
extension NoteWriter {
  /// The thread of a note, its first comment with the author of the marks.
  private func thread(of note: Note) -> [UInt8] {
    var comments = note.comments
    let signed = Said(author: note.attribution.author, date: note.attribution.date)
    if signed.author != nil, !note.marks.isEmpty {
      let says = comments.first.map { first in
        note.kind.isChange && !first.body.isEmpty && first.author == signed.author
          && first.date == signed.date
      }
      if says != true { comments.insert(signed, at: 0) }
    }
    return comments.flatMap { comment(headed($0), Metadata()) }
  }

  private func headed(_ said: Said) -> [UInt8] {
    guard let author = said.author else { return said.text }
    let head = Attribution(author: author, date: said.date).head
    let separator = said.text.isEmpty ? "" : said.date == nil ? ": " : " | "
    return Array((head + separator).utf8) + said.text
  }
}

// Commentator's JSON and the attributes of Track Changes.
extension NoteWriter {
  private func inline(_ author: String?, _ date: String?) -> Metadata {
    guard author != nil || date != nil else { return Metadata() }
    if dialect == .obsidian {
      return Metadata(attributes: attributes([("author", author), ("date", date)]))
    }
    let members = [
      author.map { "\"author\":\"\($0.escapedForHead)\"" },
      // What is no time stays the text that it is.
      date.map { "\"time\":\($0.secondsSince1970.map(String.init) ?? "\"\($0.escapedForHead)\"")" },
    ]
    return Metadata(
      head: Array("{\(members.compactMap(\.self).joined(separator: ","))}@@".utf8)
    )
  }

  private func attributes(_ pairs: [(name: String, value: String?)]) -> [UInt8] {
    let written = pairs.compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }
    return Array(written.joined(separator: " ").utf8)
  }
}

// Roughdraft's ids and attributes.
extension NoteWriter {
  private mutating func identified(_ note: Note) -> (marks: [Metadata], thread: [UInt8]) {
    var (marks, comments) = (note.marks.map { _ in Metadata() }, note.comments)
    var answered: String?
    let signed = Said(author: note.attribution.author, date: note.attribution.date)
    if signed.author != nil || signed.date != nil, !marks.isEmpty {
      if note.kind == .highlight {
        // A highlight is the place of its first comment, and has no author but that of the comment.
        comments.insert(signed, at: 0)
      } else {
        for index in marks.indices {
          let id = numbering.next("s")
          if index == marks.count - 1 { answered = id }
          marks[index].tail = tail(signed, id, answering: nil)
        }
      }
    }
    var thread: [UInt8] = []
    for said in comments {
      guard said.author != nil || said.date != nil else {
        thread += comment(said.text, Metadata())
        continue
      }
      let id = numbering.next("c")
      let metadata = Metadata(tail: tail(said, id, answering: answered))
      thread += comment(said.text, metadata)
      answered = answered ?? id
    }
    return (marks, thread)
  }

  private func tail(_ said: Said, _ id: String, answering answered: String?) -> [UInt8] {
    let pairs = [("id", id), ("by", said.author), ("at", said.date), ("re", answered)]
    return [Ascii.open] + attributes(pairs) + [Ascii.close]
  }
}

// ChangeDown's footnotes.
extension NoteWriter {
  private mutating func footnoted(_ note: Note) -> (marks: [Metadata], thread: [UInt8]) {
    var (signed, comments) = (note.attribution, note.comments)
    if note.marks.isEmpty, let first = comments.first {
      signed = Attribution(author: first.author, date: first.date)
      comments.removeFirst()
    }
    let plain = (note.marks.map { _ in Metadata() }, thread(of: note))
    guard let lineBreak, let author = signed.author, let date = signed.date,
      !date.contains(" ")
    else { return plain }
    let id = numbering.next("cn-")
    let status = note.attribution.status ?? "proposed"
    let head = "[^\(id)]: @\(CommentHead.written(author)) | \(date) | \(note.kind.footnoteType)"
    footnotes += lineBreak + Array("\(head) | \(status)".utf8) + lineBreak
    let metadata = Metadata(tail: Array("[^\(id)]".utf8))
    let lines = comments.map { FootnoteThread.lines(of: $0, lineBreak) }
    var thread: [UInt8] = []
    if note.marks.isEmpty, let first = note.comments.first {
      thread = comment(first.text, metadata)
    }
    if lines.contains(where: { $0 == nil }) {
      thread += comments.flatMap { comment(headed($0), Metadata()) }
    } else {
      footnotes += lines.compactMap(\.self).joined()
    }
    return (note.marks.map { _ in metadata }, thread)
  }
}

extension MarkKind {
  /// What ChangeDown calls it.
  fileprivate var footnoteType: String {
    switch self {
    case .addition: "ins"
    case .deletion: "del"
    case .substitution: "sub"
    case .highlight: "highlight"
    case .comment: "comment"
    }
  }
}

extension String {
  /// The text in a string of JSON that is no delimiter and begins no code.
  fileprivate var escapedForHead: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "{", "}", "`", "~", "\0"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// Numbers the marks of a text, besides those that have a number.
private struct IDNumbering {
  private var used: Set<String> = []
  private var last: [String: Int] = [:]

  init(besides text: AnnotatedText) {
    for note in text.notes {
      used.formUnion(note.ids)
      used.formUnion(note.footnotes.map { String(decoding: $0, as: UTF8.self) })
    }
    used.formUnion(text.endmatter?.entries.map(\.id) ?? [])
    used.formUnion(text.spelledFootnotes)
  }

  mutating func next(_ letters: String) -> String {
    while true {
      let number = (last[letters] ?? 0) + 1
      last[letters] = number
      let id = "\(letters)\(number)"
      if used.insert(id).inserted { return id }
    }
  }
}
