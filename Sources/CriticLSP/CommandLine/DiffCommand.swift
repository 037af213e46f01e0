import TrackEngine

extension Subcommand {
  /// `critic-lsp diff`: marks up what differs between two texts.
  static let diff = Subcommand(
    name: "diff",
    summary: "mark up what differs between two documents, word by word",
    operands: "OLD NEW",
    description: [
      "Writes NEW with its differences from OLD in marks, as if OLD had been edited into NEW with changes tracked:"
        + " accepting everything gives NEW, rejecting everything gives OLD, byte for byte. Changes in OLD are rejected"
        + " first; marks in NEW stay as they are.",
      "If NEW was written without the marks of OLD, this is said on standard error, for something else may be meant: --accepted compares with its clean text, and --carry writes what"
        + " \"critic-lsp carry OLD NEW\" does, the changes and comments of OLD with what NEW changed beside.",
    ],
    options: [.changeAuthor, .output, .accepted, .carry, .git, .ext],
    notes: [
      "One of OLD and NEW may be \"-\" for standard input. With --git, OLD is a revision, HEAD if left out, and"
        + " NEW is a file of the working tree, which is compared with the same file in that revision; or a folder, of"
        + " which each Markdown file that differs is written, with -o OUT into the folder OUT. Filters that git's"
        + " attributes name are not run. The marks of OLD and NEW are read from their records, if they have some, without"
        + " --git, which compares the files."
    ],
    examples: [
      Example("diff draft-1.md draft-2.md", ""),
      Example("diff --git draft.md", "since the last commit"),
      Example("diff --git chapters", "each chapter that was changed since"),
      Example("diff --git HEAD~3 draft.md -o marked.md", "since three commits ago"),
    ],
    exitCodes: "0 equal, 1 different, 2 wrong use or failure.",
    run: diff
  )

  private static func diff(_ arguments: ParsedArguments) throws -> Int32 {
    let author = try arguments.authorName(of: .changeAuthor)
    if arguments.has(.git), let folder = arguments.operands.last, Platform.isFolder(folder) {
      return try diff(folder, arguments, author)
    }
    let (old, new) = try texts(arguments)
    let language = Language(ofOneOf: arguments.operands.reversed())
    let reading = try OldReading(arguments, language)
    if let name = arguments.operands.first { reading.tellMarks(of: old, in: new, named: "\(name)") }
    try OutputFile.write(reading.compared(old, new, author), to: arguments.output)
    return isSame(reading.text(of: old), new, language) ? 0 : 1
  }

  /// Writes the Markdown files of a folder that are not as they were in a revision: each after a comment with its
  /// name, or into the output folder.
  private static func diff(
    _ folder: Path,
    _ arguments: ParsedArguments,
    _ author: AuthorName?
  ) throws -> Int32 {
    try arguments.expectFolderAsOutput()
    let revision = try GitRevision(try self.revision(arguments), of: folder)
    let more = try arguments.extensions
    let tree = MarkdownTree(in: folder, without: IgnoredPaths(in: folder), orOf: more)
    let paths = Dictionary(uniqueKeysWithValues: tree.files.map { ($0.name, $0.path) })
    for failure in tree.failures { Console.complain("cannot read \(failure)") }
    var code: Int32 = 0
    let names = revision.names.filter { Markdown.isLookedAt(path: $0, orOf: more) }
    for name in names.union(paths.keys).sorted() {
      let old = try revision.contents(of: name) ?? []
      let new = try paths[name].map { path throws(Platform.Failure) in
        try Platform.contents(of: path)
      }
      let reading = try OldReading(arguments, Language(of: name))
      guard !isSame(reading.text(of: old), new ?? [], Language(of: name)) else { continue }
      code = 1
      reading.tellMarks(of: old, in: new ?? [], named: name.description)
      let marked = reading.compared(old, new ?? [], author)
      let output = arguments.output.map { $0 / name }
      let title = output == nil ? "<!-- \(name.description.harmless) -->\n" : ""
      try OutputFile.write(Array(title.utf8) + marked, to: output)
    }
    return tree.failures.isEmpty ? code : 2
  }

  /// Whether the old text with everything rejected is the new one with everything accepted.
  private static func isSame(_ old: [UInt8], _ new: [UInt8], _ language: Language) -> Bool {
    if old == new { return true }
    // Nearly all texts have no marks, and need not be parsed again for this.
    let brace = UInt8(ascii: "{")
    guard old.contains(brace) || new.contains(brace) else { return false }
    return Reading(of: old, as: language).text(.original, of: old)
      == Reading(of: new, as: language).text(.clean, of: new)
  }

  private static func texts(_ arguments: ParsedArguments) throws -> (old: [UInt8], new: [UInt8]) {
    let operands = arguments.operands
    if arguments.has(.git) {
      let name = try self.revision(arguments)
      let path = operands[operands.count - 1]
      let new = try Platform.contents(of: path)
      let revision = try GitRevision(name, of: path.openFolder, path.name)
      guard let old = try revision.contents(of: path.name) else {
        throw Platform.Failure(description: "\(path) is not in \(name)")
      }
      return (old, new)
    }
    guard operands.count == 2 else {
      throw arguments.fail("Name two documents, the old one first.")
    }
    return (
      try Sidecar.markedContents(of: operands[0]), try Sidecar.markedContents(of: operands[1])
    )
  }
}

/// What is compared with the new text, if the old one has marks.
private struct OldReading {
  private enum Way {
    /// The old text with everything rejected.
    case rejected
    /// The old text with everything accepted.
    case accepted
    /// The old text, whose marks are carried onto the new one.
    case carried
  }

  private let way: Way
  private let language: Language

  init(_ arguments: ParsedArguments, _ language: Language) throws(UsageFailure) {
    self.language = language
    switch (arguments.has(.accepted), arguments.has(.carry)) {
    case (false, false): way = .rejected
    case (true, false): way = .accepted
    case (false, true): way = .carried
    case (true, true): throw arguments.fail("Either --accepted or --carry, not both.")
    }
  }

  /// The old text, as it is compared.
  func text(of old: [UInt8]) -> [UInt8] {
    way == .accepted ? Reading(of: old, as: language).text(.clean, of: old) : old
  }

  /// The new text with what differs in marks.
  func compared(_ old: [UInt8], _ new: [UInt8], _ author: AuthorName?) -> [UInt8] {
    guard way == .carried else {
      return comparison(of: text(of: old), and: new, as: language, author: author)
    }
    var options = Carrying.Options(language)
    options.author = author
    return new.applying(Carrying(of: old, onto: new, options).edits)
  }

  /// Says that the marks of the old text are rejected, if nothing else was asked for and the new one was written without
  /// them.
  func tellMarks(of old: [UInt8], in new: [UInt8], named name: String) {
    guard way == .rejected, MarkLoss.isLost(old, in: new, as: language) else { return }
    let count = Reading(of: old, as: language).changes.count
    guard count > 0 else { return }
    Console.complain(
      "\(name): \(counted(count, "mark")) of the old text rejected or left out; --accepted compares with its clean"
        + " text, --carry keeps them"
    )
  }
}

extension Subcommand {
  private static func revision(_ arguments: ParsedArguments) throws(UsageFailure) -> Path {
    let operands = arguments.operands
    guard (1...2).contains(operands.count), operands.last != "-" else {
      throw arguments.fail(
        "With --git, name a revision, which may be left out, and a file or a folder."
      )
    }
    return operands.count == 2 ? operands[0] : "HEAD"
  }
}

extension Subcommand.Option {
  static let changeAuthor = Self(
    "--author",
    nil,
    .text("NAME"),
    "say on each change whose it is: {>>@NAME<<}"
  )
  fileprivate static let accepted = Self("--accepted", "compare with OLD's clean text")
  fileprivate static let carry = Self(
    "--carry",
    "keep the marks and comments of OLD, as \"critic-lsp carry\" does"
  ).alternative
  fileprivate static let git = Self(
    "--git",
    "compare a file, or those of a folder, with a revision of git"
  )
}
