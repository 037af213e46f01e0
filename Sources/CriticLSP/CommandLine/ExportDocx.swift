import TrackEngine

extension Subcommand {
  /// `critic-lsp export --to docx`: writes documents as Word documents.
  static func exportDocx(_ arguments: ParsedArguments) throws -> Int32 {
    let paths = try DocumentPaths(arguments)
    let output = arguments.output
    let isIntoFolder = paths.isSeveral || output.map(Platform.isFolder) == true
    if paths.isSeveral, output == nil {
      throw arguments.fail("There is more than one file to write; name a folder for them with -o.")
    }
    if paths.isSeveral { try arguments.expectFolderAsOutput() }
    if output == nil, Platform.isTerminal(1) {
      throw arguments.fail("A Word document cannot be shown on a terminal; name a file with -o.")
    }
    Platform.tidyWhenEnded()
    var complaints = paths.failures
    for file in paths.files {
      do throws(Platform.Failure) {
        let target = output.map {
          isIntoFolder ? $0 / (file.name.splitAtExtension.stem + ".docx") : $0
        }
        try export(file.path, to: target, arguments)
      } catch {
        if error.isReaderGone { throw error }
        complaints.append(error.description)
      }
    }
    for complaint in complaints { Console.complain(complaint) }
    return complaints.isEmpty ? 0 : 2
  }

  private static func export(
    _ source: Path,
    to target: Path?,
    _ arguments: ParsedArguments
  ) throws(Platform.Failure) {
    if let target, let identity = Platform.identity(of: target),
      identity == Platform.identity(of: source)
    {
      throw Platform.Failure(
        description: "\(target) is the document itself; name another file with -o"
      )
    }
    var markup: [UInt8] = []
    try Platform.withContents(of: source) { (bytes) throws(Platform.Failure) in
      markup = Array(bytes)
    }
    let author = arguments.value(of: .exportAuthor).map(CommentHead.shown)
    let folder = source == "-" || source.folder.bytes.isEmpty ? "." : source.folder
    let export = DocxExport(
      markup: markup,
      someone: author ?? ExportFrontMatter(of: markup).author ?? "Author",
      reference: try reference(for: source, arguments),
      folder: folder
    )
    let result: DocxExport.Result
    do throws(Platform.Failure) {
      result = try export.run()
    } catch {
      throw Platform.Failure(description: "\(source): \(error)")
    }
    for remark in result.remarks { Console.complain("\(source): \(remark)") }
    guard let target else { return try Console.write(result.bytes) }
    try Platform.replace(target, isSafe: false) { output in output.append(result.bytes) }
  }

  /// The document whose styles are taken: the one that is named, or one of the same name beside the text.
  private static func reference(
    for source: Path,
    _ arguments: ParsedArguments
  ) throws(Platform.Failure) -> Path? {
    if let named = arguments.path(of: .reference) {
      guard Platform.length(of: named) != nil else {
        throw Platform.Failure(description: "there is no document \(named) to take the styles from")
      }
      return named
    }
    let beside = source.splitAtExtension.stem + ".docx"
    guard source != "-", Platform.length(of: beside) != nil else { return nil }
    var styles: [UInt8]?
    try Platform.withContents(of: beside) { (bytes) throws(Platform.Failure) in
      styles = try? ZipArchive(Array(bytes)).contents(of: "word/styles.xml")
    }
    return styles == nil ? nil : beside
  }
}

extension Subcommand.Option {
  static let reference = Self(
    "--reference",
    nil,
    .path("DOCX"),
    "with --to docx: take the styles of that document; without it, of a.docx beside a.md"
  )
  static let exportAuthor = Self(
    "--author",
    nil,
    .text("NAME"),
    "with --to docx: who made the changes and wrote the comments that name nobody"
  )
}
