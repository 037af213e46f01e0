import TrackEngine

extension Subcommand {
  /// `critic-lsp merge-driver`: merges two versions of a document, for git.
  static let mergeDriver = Subcommand(
    name: "merge-driver",
    summary: "merge two versions of a document word by word, for git",
    operands: "BASE OURS THEIRS",
    description: [
      "Merges OURS and THEIRS, which were both made of BASE, and writes the result to OURS, as git wants it. What only one"
        + " of them changes is as it is there, marks and comments included; nothing of it is marked. Comments that both add"
        + " at one place follow each other by date.",
      "Where they change the same words, both texts are kept as alternatives in marks, each with a comment that begins"
        + " with [conflict], and the code is 1, at which git stops. What cannot be in marks is between lines as git writes"
        + " them.",
    ],
    options: [.ours, .theirs, .mergedPath, .output],
    notes: [
      "docs/combine.md says how git is told of it. Marks are changed as a whole: that one side accepts a change and the"
        + " other one edits it is a conflict, too."
    ],
    examples: [
      Example(
        "merge-driver --path draft.tex .merge_base .merge_ours .merge_theirs",
        "as git calls it, which names temporary files"
      ),
      Example("merge-driver base.md anna.md ben.md -o draft.md", "by hand"),
    ],
    exitCodes: "0 merged, 1 with alternatives, 2 wrong use or failure; then nothing is written.",
    run: merge
  )

  private static func merge(_ arguments: ParsedArguments) throws -> Int32 {
    let paths = arguments.operands
    guard paths.count == 3 else {
      throw arguments.fail("Name three documents: what both were made of, ours and theirs.")
    }
    let names = Merge.Names(
      ours: try arguments.mergeName(of: .ours),
      theirs: try arguments.mergeName(of: .theirs)
    )
    let texts = try paths.map { path throws(Platform.Failure) in try Platform.contents(of: path) }
    let language = Language(ofOneOf: arguments.path(of: .mergedPath).map { [$0] } ?? paths)
    let merge = Merge(of: texts[1], and: texts[2], from: texts[0], as: language, names)
    let output = arguments.path(of: .output) ?? paths[1]
    if output == "-" || output != paths[1] || merge.text != texts[1] {
      try OutputFile.write(merge.text, to: output == "-" ? nil : output)
    }
    guard merge.conflicts > 0 else { return 0 }
    Console.complain("\(output): \(counted(merge.conflicts, "conflict")), told by [conflict]")
    return 1
  }
}

extension ParsedArguments {
  /// The name that alternatives are given, as near as a comment can have it.
  fileprivate func mergeName(of option: Subcommand.Option) throws(UsageFailure) -> AuthorName {
    let value = value(of: option) ?? String(option.name.dropFirst(2))
    guard let name = AuthorName(cleaning: value) else {
      throw fail("\(option.name) is a name, as in main, not \"\(value)\".")
    }
    return name
  }
}

extension Subcommand.Option {
  fileprivate static let ours = Self(
    "--ours",
    nil,
    .text("NAME"),
    "what the alternatives of OURS are called; ours, if it is not given"
  )
  fileprivate static let theirs = Self(
    "--theirs",
    nil,
    .text("NAME"),
    "what the alternatives of THEIRS are called; theirs, if it is not given"
  )
  fileprivate static let mergedPath = Self(
    "--path",
    nil,
    .path("PATH"),
    "what the file is called that is merged, which tells its language; BASE, if it is not given"
  )
}
