import TrackEngine

extension Subcommand {
  /// `critic-lsp export`: writes a variant of documents.
  static let export = Subcommand(
    name: "export",
    summary: "write the clean, the original or the marked-up text of documents",
    operands: "PATH...",
    description: [
      "Writes the clean or the original text of documents, or with --to the changes in another format."
    ],
    options: [
      .clean, .original.alternative, .markup.alternative, .to, .trustHTML, .reference,
      .exportAuthor,
      .output, .suffix, .inPlace, .ext, .frontMatter,
    ],
    notes: [
      "PATH is a file, a folder or \"-\" for standard input. Everything outside the marks stays as it is, byte for"
        + " byte. " + pathsNote,
      "--front-matter keeps the other front matter, and an existing record if the document no longer has any"
        + " changes. If $SOURCE_DATE_EPOCH is set, it gives the date.",
      "--to docx makes a Word document through pandoc, 2.17 or newer, in which Word and LibreOffice show the changes and"
        + " the comments with their authors and dates. Images are looked for beside the document. Who is named nowhere"
        + " is who --author names, or \"criticmark: {author: NAME}\" in the front matter, or \"Author\". --to odt has"
        + " LibreOffice make an .odt of that.",
    ],
    examples: [
      Example("export draft.md", "every change accepted"),
      Example("export --original -o old.md draft.md", "every change rejected"),
      Example("export --suffix .clean -o out chapters", "out/a.clean.md of chapters/a.md"),
      Example("export --to docx -o draft.docx draft.md", "tracked changes and comments in Word"),
    ],
    run: export
  )

  /// What naming a folder means.
  static let pathsNote =
    "A folder stands for its Markdown files and those of the folders in it, except hidden ones, node_modules and what"
    + " git ignores. Their extensions are \(Markdown.dottedExtensions), in capitals too; --ext adds others."
    + " Files that cannot be read are reported, and the others are processed."

  private static func export(_ arguments: ParsedArguments) throws -> Int32 {
    let chosen = zip([Option.clean, .original, .markup], [Variant.clean, .original, .markup])
      .filter { arguments.has($0.0) }
    guard chosen.count < 2 else {
      throw arguments.fail("Use only one of --clean, --original and --markup.")
    }
    let format = arguments.value(of: .to).flatMap(ExportFormat.init)
    guard format == .html || !arguments.has(.trustHTML) else {
      throw arguments.fail("--trust-html is for --to html.")
    }
    guard
      format?.isOffice == true
        || [Option.reference, .exportAuthor].allSatisfy({ arguments.path(of: $0) == nil })
    else {
      throw arguments.fail("--reference and --author are for --to docx and --to odt.")
    }
    if let format { return try export(arguments, to: format) }
    let variant = chosen.first?.1 ?? .clean
    let date = arguments.has(.frontMatter) ? try Platform.date : nil
    return try DocumentJobs(arguments, suffix: .suffix).run {
      job,
      bytes throws(Platform.Failure) in
      let language = Language(of: job.source)
      if let date {
        guard let text = Array(bytes).exported(variant, as: language, recordedOn: date) else {
          throw Platform.Failure(
            description:
              "\(job.source): criticmark: in the front matter is not a mapping on one line or on lines of"
              + " its own, so nothing can be recorded there"
          )
        }
        return DocumentJobs.NewText(text, of: bytes)
      }
      return DocumentJobs.NewText(
        isUnchanged: {
          var count = 0
          // A variant only leaves text out, so equal length means equal text.
          variant.stream(bytes, as: language) { count += $0.count }
          return count == bytes.count
        },
        write: { append in variant.stream(bytes, as: language) { append($0) } }
      )
    }
  }
}

extension Subcommand {
  /// Exports documents in another format, through pandoc.
  private static func export(_ arguments: ParsedArguments, to format: ExportFormat) throws -> Int32
  {
    let flags = [Option.clean, .original, .markup, .inPlace, .frontMatter].filter(arguments.has)
    let others = flags + (arguments.path(of: .suffix) == nil ? [] : [.suffix])
    if let other = others.first {
      throw arguments.fail("Use either --to or \(other.name), not both.")
    }
    let jobs = try DocumentJobs(arguments, ending: format.ending)
    if format.isOffice, arguments.output == nil {
      guard !jobs.isSeveral else {
        throw arguments.fail(
          "There is more than one file to write; name a folder for them with -o."
        )
      }
      guard !Platform.isTerminal(1) else {
        throw arguments.fail(
          "A .\(format) document cannot be shown on a terminal; name a file with -o."
        )
      }
    }
    let options = ExportFormat.Options(
      trustsHTML: arguments.has(.trustHTML),
      reference: arguments.path(of: .reference),
      author: arguments.value(of: .exportAuthor).map(CommentHead.shown)
    )
    return try jobs.run { job, bytes throws(Platform.Failure) in
      if job.isInPlace, let target = job.target {
        throw Platform.Failure(
          description: "\(job.source) would be written over, for \(target) is the document itself;"
            + " name another file with -o"
        )
      }
      do throws(Platform.Failure) {
        let file = try format.file(of: Array(bytes), from: job.source, options)
        for remark in file.remarks { Console.complain("\(job.source): \(remark)") }
        return DocumentJobs.NewText(file.bytes, of: bytes)
      } catch {
        throw Platform.Failure(description: "\(job.source): \(error.description)")
      }
    }
  }
}

extension Subcommand.Option {
  fileprivate static let trustHTML = Self(
    "--trust-html",
    "with --to html: keep the document's own HTML, which can do anything in the reader's browser"
  )
  fileprivate static let to = Self(
    "--to",
    nil,
    .choice("FORMAT", ExportFormat.allCases.map(\.rawValue)),
    "write changes and comments into a document of Word (docx) or LibreOffice (odt), a page for any browser (html),"
      + " LaTeX with the package changes, or pandoc's JSON"
  )
  fileprivate static let reference = Self(
    "--reference",
    nil,
    .path("DOCX"),
    "with --to docx or odt: take the styles of that document, which may be an .odt, too; without it, of a.docx or a.odt"
      + " beside a.md"
  )
  fileprivate static let exportAuthor = Self(
    "--author",
    nil,
    .text("NAME"),
    "with --to docx or odt: who made the changes and wrote the comments that name nobody"
  )
  fileprivate static let clean = Self(
    "--clean",
    "every change accepted, highlights and comments removed (the default)"
  )
  fileprivate static let original = Self(
    "--original",
    "every change rejected, highlights and comments removed"
  )
  fileprivate static let markup = Self("--markup", "the text as it stands")
  fileprivate static let suffix = Self(
    "--suffix",
    nil,
    .text("SUFFIX"),
    "write a.SUFFIX.md for a.md, beside it or in the folder OUT"
  )
  fileprivate static let frontMatter = Self(
    "--front-matter",
    "record the date and the number of changes in the front matter, under criticmark:"
  )
}
