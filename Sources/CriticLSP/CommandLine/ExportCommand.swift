import TrackEngine

extension Subcommand {
  /// `critic-lsp export`: writes a variant of documents.
  static let export = Subcommand(
    name: "export",
    summary: "write the clean, the original or the marked-up text of documents",
    operands: "PATH...",
    description: ["Writes documents without their marks."],
    options: [
      .clean, .original.alternative, .markup.alternative, .output, .suffix, .inPlace, .frontMatter,
    ],
    notes: [
      "PATH is a file, a folder or \"-\" for standard input. Everything outside the marks stays as it is, byte for"
        + " byte. " + pathsNote,
      "--front-matter keeps the other front matter, and an existing record if the document no longer has any"
        + " changes. If $SOURCE_DATE_EPOCH is set, it gives the date.",
    ],
    examples: [
      Example("export draft.md", "every change accepted"),
      Example("export --original -o old.md draft.md", "every change rejected"),
      Example("export --suffix .clean -o out chapters", "out/a.clean.md of chapters/a.md"),
    ],
    run: export
  )

  /// What naming a folder means.
  static let pathsNote =
    "A folder stands for its Markdown files and those of the folders in it, except hidden ones, node_modules and what"
    + " git ignores. Their extensions are \(Markdown.dottedExtensions), in capitals too."
    + " Files that cannot be read are reported, and the others are processed."

  private static func export(_ arguments: ParsedArguments) throws -> Int32 {
    let chosen = zip([Option.clean, .original, .markup], [Variant.clean, .original, .markup])
      .filter { arguments.has($0.0) }
    guard chosen.count < 2 else {
      throw arguments.fail("Use only one of --clean, --original and --markup.")
    }
    let variant = chosen.first?.1 ?? .clean
    let date = arguments.has(.frontMatter) ? try Platform.date : nil
    return try DocumentJobs(arguments, suffix: .suffix).run {
      job,
      bytes throws(Platform.Failure) in
      if let date {
        guard let text = Array(bytes).exported(variant, recordedOn: date) else {
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
          variant.stream(bytes) { count += $0.count }
          return count == bytes.count
        },
        write: { append in variant.stream(bytes) { append($0) } }
      )
    }
  }
}

extension Subcommand.Option {
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
