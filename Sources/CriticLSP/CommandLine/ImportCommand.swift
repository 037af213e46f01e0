import TrackEngine

extension Subcommand {
  /// `critic-lsp import`: makes tracked Markdown of a document of Word or LibreOffice.
  static let `import` = Subcommand(
    name: "import",
    summary:
      "make tracked Markdown of a document of Word or LibreOffice, with its changes and comments",
    operands: "FILE",
    description: [
      "Reads a Word document (.docx) or an OpenDocument text (.odt): tracked changes become marks, and comments with their"
        + " answers become threads. Accepting"
        + " everything gives what pandoc makes of the document in which Word has accepted everything, rejecting everything"
        + " what it makes of the one in which Word has rejected it."
    ],
    options: [.dates, .output, .force],
    notes: [
      "Needs pandoc 2.17 or newer, and for .odt LibreOffice, which makes a Word document of it without running or fetching"
        + " anything that is named there. FILE may be \"-\" for standard input. With -o OUT images are written into a"
        + " folder beside OUT. What Markdown cannot say is told on standard error, with counts; docs/fidelity.md lists it.",
      "A text at OUT that is another one, as one that was edited since it was imported, is not written over without --force.",
      "Each comment says who wrote it. Changes say whose they are if several people made them; else the front matter"
        + " names the one who did.",
    ],
    examples: [
      Example("import chapter.docx -o chapter.md", ""),
      Example("import chapter.odt -o chapter.md", "from LibreOffice"),
      Example(
        "import --dates chapter.docx -o chapter.md",
        "with the date of each change and comment"
      ),
    ],
    run: importDocument
  )

  private static func importDocument(_ arguments: ParsedArguments) throws -> Int32 {
    guard arguments.operands.count == 1, let source = arguments.operands.first else {
      throw arguments.fail("Name one document of Word or LibreOffice.")
    }
    let document = try WordDocument(try Platform.contents(of: source), named: source)
    let imported = try WordImport(document, withDates: arguments.has(.dates))
    for note in imported.notes { Console.complain("\(source): \(note)") }
    guard let output = arguments.output else {
      try Console.write(imported.text)
      return 0
    }
    try OutputFile.expectAlone(output)
    let folder = imageFolder(of: output)
    let (text, images) = try imported.text.with(document.images(), in: folder)
    if !arguments.has(.force) { try expectSame(as: text, at: output, source) }
    Platform.tidyWhenEnded()
    for (name, contents) in images {
      guard let name = Path(name.utf8) else { continue }
      try Platform.replace(output.folder / name, isSafe: false) { $0.append(contents) }
    }
    try OutputFile.write(text, to: output)
    return 0
  }

  /// - Throws: `Platform.Failure` if there is another text, on which somebody may have worked.
  private static func expectSame(
    as text: [UInt8],
    at output: Path,
    _ source: Path
  ) throws(Platform.Failure) {
    guard let length = Platform.length(of: output), length > 0,
      try Platform.contents(of: output) != text
    else { return }
    throw Platform.Failure(
      description:
        "\(output) is there and differs from what \(source) gives, and may have been edited since;"
        + " import under another name, or write over it: --force"
    )
  }

  /// The folder for the images of a text: `chapter-media` beside `chapter.md`.
  private static func imageFolder(of output: Path) -> String {
    let (stem, _) = output.name.splitAtExtension
    let name = stem.description.map {
      $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : "-"
    }
    return "\(String(name))-media"
  }
}

extension [UInt8] {
  /// The text with images in a folder of another name, and those of the images that it shows, numbered as they come in it.
  fileprivate func with(
    _ images: [(name: String, contents: [UInt8])],
    in folder: String
  ) -> (text: [UInt8], images: [(name: String, contents: [UInt8])]) {
    var text = String(decoding: self, as: UTF8.self)
    let ends = [("](", ")"), ("](", " "), ("src=\"", "\"")]
    let places = images.compactMap { name, contents in
      ends.compactMap { text.firstRange(of: "\($0)\(name)\($1)")?.lowerBound }.min()
        .map { (place: $0, name: name, contents: contents) }
    }
    var shown: [(name: String, contents: [UInt8])] = []
    for (_, name, contents) in places.sorted(by: { $0.place < $1.place }) {
      let known = name.split(separator: ".").last?.lowercased() ?? ""
      // As pandoc calls it when it writes such an image.
      let ending = known == "jpeg" ? "jpg" : known
      let moved = "\(folder)/image\(shown.count + 1).\(ending)"
      for (start, end) in ends {
        text = text.replacing("\(start)\(name)\(end)", with: "\(start)\(moved)\(end)")
      }
      shown.append((moved, contents))
    }
    return (Array(text.utf8), shown)
  }
}

extension Subcommand.Option {
  fileprivate static let dates = Self("--dates", "say when each change and comment was made")
  fileprivate static let force = Self("--force", "write over OUT even if it is another text")
}
