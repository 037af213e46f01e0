import TrackEngine

extension Subcommand {
  /// `critic-lsp lessons`: what edits have in common.
  static let lessons = Subcommand(
    name: "lessons",
    summary: "what edits have in common, over files and versions: words, reasons, decisions",
    operands: "PATH...",
    description: [
      "Finds the edits that recur: words and phrases that were replaced, deleted and added, with counts, the reasons that"
        + " comments give, examples, and how often such a proposal was accepted. Without --since these are the changes"
        + " that stand in the files. With it they are what was changed from each version in git to the next, with marks"
        + " and without, and what became of the changes that were in marks."
    ],
    options: [.lessonsSince, .lessonAuthor, .ext, .format, .output, .color],
    notes: [
      "A rule is what was done far more often than refused or undone, and whose old words hardly stand anywhere any more; a"
        + " habit, what was also left as it was; refused, what was proposed and rejected. Code, addresses, numbers,"
        + " tables and front matter do not count, nor does what only moves white space; nor do merges and versions of more than"
        + " 4 MB.",
      "markdown is a section for a style guide or an agent's instructions: what happened three times or has a reason."
        + " vale writes rules and a vocabulary for Vale into the folder OUT. jsonl has a line for each edit. docs/lessons.md"
        + " describes the formats.",
      pathsNote,
    ],
    examples: [
      Example("lessons chapters", "what the changes in marks have in common"),
      Example(
        "lessons --since v1.0 chapters",
        "what was changed since a version, commit by commit"
      ),
      Example(
        "lessons --since 2026-01-01 --author ada --format markdown .",
        "for her style guide"
      ),
      Example("lessons --since 2026-01-01 --format vale -o styles .", "rules for Vale"),
    ],
    run: tellLessons
  )

  /// How many lessons are listed, by all formats.
  private static let mostLessons = 2000

  private static func tellLessons(_ arguments: ParsedArguments) throws -> Int32 {
    let output = arguments.output
    let format = arguments.value(of: .format)
    if format == "vale" {
      guard output != nil else {
        throw arguments.fail("vale is several files; name a folder for them: -o styles.")
      }
      try arguments.expectFolderAsOutput()
    }
    var gathering = try LessonGathering(arguments)
    if format == "jsonl" {
      var lines: [UInt8] = []
      try gathering.gather { edit, path throws(Platform.Failure) in
        let line = LessonsJSON.line(edit, in: path)
        if output == nil { try Console.tell(line) } else { lines += line }
      }
      if let output { try OutputFile.write(lines, to: output) }
      return end(gathering)
    }
    try gathering.gather()
    let (lessons, count) = gathering.lessons(upTo: mostLessons)
    let report = LessonsReport(
      lessons: lessons,
      count: count,
      all: gathering.lessons,
      files: gathering.files
    )
    switch format {
    case "json": try tell(LessonsJSON.object(report), output)
    case "markdown": try tell(Array(LessonsMarkdown(report).text.utf8), output)
    case "vale":
      let style = ValeStyle(report)
      for (path, text) in style.files {
        try OutputFile.write(Array(text.utf8), to: output.map { $0 / path })
      }
    default:
      let isColored = output == nil && arguments.wantsColor(on: 1)
      let text = LessonsText(report, isColored: isColored).text
      try tell(Array(text.utf8), output, isColored: isColored)
    }
    return end(gathering)
  }

  private static func tell(
    _ text: [UInt8],
    _ output: Path?,
    isColored: Bool = false
  ) throws(Platform.Failure) {
    if let output { return try OutputFile.write(text, to: output) }
    try Console.tell(text, isColored: isColored)
  }

  private static func end(_ gathering: LessonGathering) -> Int32 {
    for failure in gathering.failures { Console.complain(failure) }
    return gathering.failures.isEmpty ? 0 : 2
  }
}

extension Subcommand.Option {
  static let lessonsSince = Self(
    "--since",
    nil,
    .text("REV|DATE"),
    "the versions in git after this revision, or from this day on, as in 2026-11-22"
  )
  static let lessonAuthor = Self(
    "--author",
    nil,
    .text("NAME"),
    "only edits by NAME: the author of a change in marks, or else of the commit"
  )
  fileprivate static let format = Self(
    "--format",
    nil,
    .choice("FORMAT", ["text", "json", "jsonl", "markdown", "vale"]),
    "text (the default), json, jsonl (one object per line for each edit), markdown or vale"
  )
}
