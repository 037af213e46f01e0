import TrackEngine

extension Subcommand {
  /// `critic-lsp combine`: what several people did to copies of one text.
  static let combine = Subcommand(
    name: "combine",
    summary: "put what several people did to copies of a document into one, as their changes",
    operands: "BASE COPY...",
    description: [
      "Writes BASE with the changes and comments of every COPY, which is BASE as somebody edited it, with marks or without."
        + " Rejecting everything gives what it gives in BASE, byte for byte. Changes that are not in marks are found by"
        + " comparing. Each change says whose it is: the name on it, or that of --author, or the name of the copy's file,"
        + " without what BASE's name has too: draft-anna.md is anna's copy of draft.md. Equal changes are one, with the names"
        + " of all; threads are joined in order of date.",
      "Changes that overlap are alternatives, each with a comment that begins with [conflict]; \"changes --conflicts\" lists"
        + " them. So is a change of BASE that one copy accepted and another one rejected. What only one copy decided about a"
        + " change of BASE is done, but that an accepted change stays in marks, with a comment that says so.",
    ],
    options: [.copyAuthor, .output],
    notes: [
      "BASE or a COPY may be \"-\" for standard input, or a document of Word or LibreOffice, FILE.docx or"
        + " FILE.odt, which is imported; this needs pandoc, and for .odt LibreOffice."
        + " What would not be read as it is meant, and what a copy changes in text that BASE deletes, is left out, and told on"
        + " standard error with its line in BASE."
    ],
    examples: [
      Example("combine draft.md draft-anna.md draft-ben.md -o draft.md", ""),
      Example(
        "combine --author \"Ada=a.docx\" draft.md a.docx b.md",
        "a copy that came back from Word"
      ),
    ],
    exitCodes: "0 combined, 1 with alternatives or without some change, 2 wrong use or failure.",
    run: combine
  )

  private static func combine(_ arguments: ParsedArguments) throws -> Int32 {
    guard arguments.operands.count > 1, let base = arguments.operands.first else {
      throw arguments.fail("Name the document that was copied, and one copy or more.")
    }
    let paths = Array(arguments.operands.dropFirst())
    let named = try arguments.copyAuthors(of: paths)
    let language = Language(ofOneOf: arguments.operands)
    let authors = try paths.map { path in
      guard let author = named[path] ?? author(of: path, besides: base) else {
        throw arguments.fail("Say whose copy \(path) is: --author NAME=\(path).")
      }
      return author
    }
    var copied = try CopiedText(at: base, as: language)
    let text = copied.text
    let formats = paths.map(ExportFormat.office)
    var texts = try zip(paths, formats).map { path, format in
      format == nil ? try Sidecar.markedContents(of: path) : []
    }
    var labels = NewNoteLabels(besides: text, texts, as: language)
    texts = texts.map { labels.separating($0, as: language) }
    let copies = try paths.indices.map { index in
      let path = paths[index]
      let copy = try formats[index].map { try copied.copy(at: path, in: $0, &labels) }
      return Combination.Copy(
        copy ?? texts[index],
        by: authors[index],
        isNamed: named[path] != nil
      )
    }
    let combination = Combination(of: copies, from: text, as: language)
    try OutputFile.write(combination.text, to: arguments.output)
    var cursor = LineCursor(text)
    for left in combination.left {
      let line = cursor.place(of: left.place).line
      Console.complain(
        "\(base):\(line): left out, it would not be read as meant: \(quoted(left.marks))"
      )
    }
    if combination.conflicts > 0 {
      Console.complain("\(counted(combination.conflicts, "conflict")), told by [conflict]")
    }
    return combination.conflicts == 0 && combination.left.isEmpty ? 0 : 1
  }

  /// Who edited a copy, as its file is called: without the name of the text that was copied, if it has that too.
  private static func author(of copy: Path, besides base: Path) -> AuthorName? {
    let (name, known) = (stem(of: copy), stem(of: base))
    func isBetween(_ sign: Character) -> Bool { " -_.".contains(sign) }
    let rests: [Substring] = [
      name.hasPrefix(known) ? name.dropFirst(known.count) : "",
      name.hasSuffix(known) ? name.dropLast(known.count) : "",
    ]
    for rest in rests {
      let word = String(rest.drop(while: isBetween).reversed().drop(while: isBetween).reversed())
      if !word.isEmpty, let author = AuthorName(cleaning: word) { return author }
    }
    return AuthorName(cleaning: name)
  }

  private static func stem(of path: Path) -> String {
    path == "-" ? "" : path.name.splitAtExtension.stem.description
  }
}

/// The text that was copied, and the documents of Word and LibreOffice that were made of it, each once.
private struct CopiedText {
  /// It, with its marks.
  let text: [UInt8]
  private let path: Path
  private let language: Language
  /// It, if it is such a document itself.
  private let origin: Origin?
  /// What was made of it for copies in a format.
  private var made: [ExportFormat: (origin: Origin, unedited: [UInt8])] = [:]

  /// A document that was edited, and the labels of its footnotes.
  private typealias Origin = (document: WordDocument, labels: NoteLabels)

  /// Reads the text, or imports it.
  ///
  /// - Parameters:
  ///   - path: Its file.
  ///   - language: Its language.
  /// - Throws: `Platform.Failure` if it cannot be read, or pandoc cannot be used.
  init(at path: Path, as language: Language) throws {
    (self.path, self.language) = (path, language)
    guard ExportFormat.office(named: path) != nil else {
      (text, origin) = (try Sidecar.markedContents(of: path), nil)
      return
    }
    let document = try CopiedText.document(at: path)
    let labels = NoteLabels(of: document)
    (text, origin) = (try CopiedText.imported(document, path, labels), (document, labels))
  }

  /// A copy of Word or LibreOffice, laid out as the text is that was copied.
  ///
  /// Where pandoc breaks a line or how far it indents a list is no change of whoever edited a Word document: what differs
  /// from the text that comes back from Word unedited is theirs, and only that is put into the text. So it is with how
  /// footnotes are numbered.
  ///
  /// - Parameters:
  ///   - copy: Its file.
  ///   - format: What that is.
  ///   - labels: Those of footnotes that the text has not.
  /// - Returns: The copy.
  /// - Throws: `Platform.Failure` if it cannot be read, or pandoc cannot be used.
  mutating func copy(
    at copy: Path,
    in format: ExportFormat,
    _ labels: inout NewNoteLabels
  ) throws -> [UInt8] {
    func edited(_ origin: Origin) throws -> (text: [UInt8], document: WordDocument) {
      let document = try CopiedText.document(at: copy)
      let known = origin.labels.labels(
        of: document,
        copiedFrom: origin.document,
        others: &labels
      )
      return (try CopiedText.imported(document, copy, known), document)
    }
    if let origin { return try edited(origin).text }
    let (origin, unedited) = try made(for: format)
    let (imported, document) = try edited(origin)
    guard let images = try CopiedImages(in: text, unedited, of: origin.document) else {
      return text.taking(imported, from: unedited, as: language)
    }
    let restored = try images.restored(in: imported, of: document)
    return text.taking(restored.edited, from: restored.unedited, as: language)
  }

  /// The document that was made of the text in a format, and what comes back from it unedited.
  private mutating func made(for format: ExportFormat) throws -> (Origin, [UInt8]) {
    if let known = made[format] { return known }
    let bytes = try format.file(of: text, from: path, ExportFormat.Options()).bytes
    let document = try WordDocument(bytes, named: path)
    let labels = NoteLabels(of: document, madeOf: text)
    let unedited = try WordImport(document, withDates: true, labels: labels).text
    made[format] = ((document, labels), unedited)
    return ((document, labels), unedited)
  }

  private static func document(at path: Path) throws -> WordDocument {
    try WordDocument(try Sidecar.markedContents(of: path), named: path)
  }

  /// A document as Markdown; what is lost is told.
  private static func imported(
    _ document: WordDocument,
    _ path: Path,
    _ labels: NoteLabels
  ) throws -> [UInt8] {
    let imported = try WordImport(document, withDates: true, labels: labels)
    for note in imported.notes { Console.complain("\(path): \(note)") }
    return imported.text
  }
}

extension ParsedArguments {
  /// Who edited copies, as the options say.
  fileprivate func copyAuthors(of paths: [Path]) throws(UsageFailure) -> [Path: AuthorName] {
    var authors: [Path: AuthorName] = [:]
    for value in values(of: .copyAuthor) {
      guard let sign = value.firstIndex(of: "="), let author = AuthorName(String(value[..<sign]))
      else {
        throw fail("--author is a name and a copy, as in anna=draft-anna.md, not \"\(value)\".")
      }
      let name = value[value.index(after: sign)...]
      guard let path = paths.first(where: { $0.description == name }) else {
        throw fail("\(name) is none of the copies.")
      }
      authors[path] = author
    }
    return authors
  }
}

extension Subcommand.Option {
  fileprivate static let copyAuthor = Self(
    "--author",
    nil,
    .text("NAME=COPY"),
    "who edited a copy: named on changes on which nobody is"
  ).repeated
}
