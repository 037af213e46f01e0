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
        + " first; marks in NEW stay as they are."
    ],
    options: [.changeAuthor, .output, .git, .ext],
    notes: [
      "One of OLD and NEW may be \"-\" for standard input. With --git, OLD is a revision, HEAD if left out, and"
        + " NEW is a file of the working tree, which is compared with the same file in that revision; or a folder, of"
        + " which each Markdown file that differs is written, with -o OUT into the folder OUT. Filters that git's"
        + " attributes name are not run."
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
    try write(comparison(of: old, and: new, as: language, author: author), to: arguments.output)
    return isSame(old, new, language) ? 0 : 1
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
    let tree = MarkdownTree(in: folder, without: ignoredByGit(in: folder), orOf: more)
    let paths = Dictionary(uniqueKeysWithValues: tree.files.map { ($0.name, $0.path) })
    for failure in tree.failures { Console.complain("cannot read \(failure)") }
    var code: Int32 = 0
    let names = revision.names.filter { Markdown.isLookedAt(path: $0, orOf: more) }
    for name in names.union(paths.keys).sorted() {
      let old = try revision.contents(of: name) ?? []
      let new = try paths[name].map { path throws(Platform.Failure) in
        try Platform.contents(of: path)
      }
      let language = Language(of: name)
      guard !isSame(old, new ?? [], language) else { continue }
      code = 1
      let marked = comparison(of: old, and: new ?? [], as: language, author: author)
      let output = arguments.output.map { $0 / name }
      let title = output == nil ? "<!-- \(name.description.harmless) -->\n" : ""
      try write(Array(title.utf8) + marked, to: output)
    }
    return tree.failures.isEmpty ? code : 2
  }

  private static func write(_ text: [UInt8], to output: Path?) throws(Platform.Failure) {
    guard let output else { return try Console.write(text) }
    Platform.tidyWhenEnded()
    try Platform.replace(output, isSafe: false) { $0.append(text) }
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
      let folder = path.folder.bytes.isEmpty ? "." : path.folder
      let revision = try GitRevision(name, of: folder, path.name)
      guard let old = try revision.contents(of: path.name) else {
        throw Platform.Failure(description: "\(path) is not in \(name)")
      }
      return (old, new)
    }
    guard operands.count == 2 else {
      throw arguments.fail("Name two documents, the old one first.")
    }
    return (try Platform.contents(of: operands[0]), try Platform.contents(of: operands[1]))
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
  fileprivate static let git = Self(
    "--git",
    "compare a file, or those of a folder, with a revision of git"
  )
}
