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
    let text = try contents(of: base)
    var labels = NewNoteLabels(besides: text, as: language)
    let copies = try paths.map { path in
      guard let author = named[path] ?? author(of: path, besides: base) else {
        throw arguments.fail("Say whose copy \(path) is: --author NAME=\(path).")
      }
      let copy = try contents(of: path, copiedFrom: text, base, language, &labels)
      return Combination.Copy(copy, by: author, isNamed: named[path] != nil)
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

  /// A copy, laid out as the text is that was copied.
  ///
  /// Where pandoc breaks a line or how far it indents a list is no change of whoever edited a Word document: what differs
  /// from the text that comes back from Word unedited is theirs, and only that is put into the text. So it is with how
  /// footnotes are numbered.
  ///
  /// - Parameters:
  ///   - copy: Its file.
  ///   - base: The text that was copied.
  ///   - path: The file of that.
  ///   - language: The language of both.
  ///   - labels: Those of footnotes that the text has not.
  /// - Returns: The copy.
  /// - Throws: `Platform.Failure` if one of both cannot be read, or pandoc cannot be used.
  private static func contents(
    of copy: Path,
    copiedFrom base: [UInt8],
    _ path: Path,
    _ language: Language,
    _ labels: inout NewNoteLabels
  ) throws -> [UInt8] {
    guard let format = ExportFormat.office(named: copy) else { return try contents(of: copy) }
    let isOffice = ExportFormat.office(named: path) != nil
    let word =
      isOffice
      ? try Platform.contents(of: path)
      : try format.file(of: base, from: path, ExportFormat.Options()).bytes
    let document = try WordDocument(word, named: path)
    let known = isOffice ? NoteLabels(of: document) : NoteLabels(of: document, madeOf: base)
    let edited = try imported(copy) {
      known.labels(of: $0, copiedFrom: document, others: &labels)
    }
    if isOffice { return edited }
    let unedited = try WordImport(document, withDates: true, labels: known).text
    return base.taking(edited, from: unedited, as: language)
  }

  /// A document as Markdown.
  private static func contents(of path: Path) throws -> [UInt8] {
    ExportFormat.office(named: path) == nil
      ? try Sidecar.markedContents(of: path) : try imported(path) { NoteLabels(of: $0) }
  }

  /// A document of Word or LibreOffice as Markdown, with some labels of its footnotes.
  private static func imported(
    _ path: Path,
    _ labels: (WordDocument) -> NoteLabels
  ) throws -> [UInt8] {
    let document = try WordDocument(try Sidecar.markedContents(of: path), named: path)
    let imported = try WordImport(document, withDates: true, labels: labels(document))
    for note in imported.notes { Console.complain("\(path): \(note)") }
    return imported.text
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
