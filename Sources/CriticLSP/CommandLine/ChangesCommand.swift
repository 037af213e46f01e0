import TrackEngine

extension Subcommand {
  /// `critic-lsp changes`: the list of changes.
  static let changes = Subcommand(
    name: "changes",
    summary: "list the changes, with their places and comments",
    usage: "[--format FORMAT] [--color WHEN] PATH...",
    description: [
      "Lists additions, deletions and substitutions, highlights, and comments that stand alone, in the order of the"
        + " text, numbered from 1 in each file."
    ],
    options: [.format, .color],
    notes: [
      "Lines and columns count from 1, columns in Unicode scalars (code points). Only additions, deletions and"
        + " substitutions count in the sums. docs/changes-format.md describes the members of json and jsonl.",
      pathsNote,
    ],
    examples: [
      Example("changes draft.md", ""),
      Example("changes --format jsonl chapters > changes.jsonl", "for a script"),
    ],
    run: listChanges
  )

  private static func listChanges(_ arguments: ParsedArguments) throws -> Int32 {
    var report: any ChangesReport =
      switch arguments.value(of: .format) {
      case "json": ChangesJSON()
      case "jsonl": ChangesJSONLines()
      case "markdown": ChangesMarkdown()
      case "sarif": SarifLog(rules: SarifLog.changeRules)
      default: ChangesText(isColored: arguments.wantsColor(on: 1))
      }
    let reports = try DocumentReports(arguments)
    try Console.write(report.begin())
    let code = try reports.each(
      { path, bytes in (path: path, changes: ListedChange.all(of: bytes)) },
      { file throws(Platform.Failure) in try Console.write(report.add(file.changes, of: file.path))
      }
    )
    try Console.write(report.end())
    return code
  }
}

/// A format of the list of changes, written file by file.
protocol ChangesReport {
  /// The output before all files.
  mutating func begin() -> [UInt8]
  /// The output for one file.
  mutating func add(_ changes: [ListedChange], of path: String) -> [UInt8]
  /// The output after all files.
  mutating func end() -> [UInt8]
}

extension ChangesReport {
  mutating func begin() -> [UInt8] { [] }
  mutating func end() -> [UInt8] { [] }
}

extension Subcommand.Option {
  fileprivate static let format = Self(
    "--format",
    nil,
    .choice("FORMAT", ["text", "json", "jsonl", "markdown", "sarif"]),
    "text (the default), json, jsonl (one object per line for each change), markdown or sarif"
  )
}
