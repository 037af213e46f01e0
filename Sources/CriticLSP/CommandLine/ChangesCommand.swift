import TrackEngine

extension Subcommand {
  /// `critic-lsp changes`: the list of changes.
  static let changes = Subcommand(
    name: "changes",
    summary: "list the changes, with their places and comments",
    operands: "PATH...",
    description: [
      "Lists additions, deletions and substitutions, highlights, and comments that stand alone, in the order of the"
        + " text: all, or those that the options select."
    ],
    options: Option.filters + [.ext, .format, .color],
    notes: [
      Option.filtersNote,
      "Lines and columns count from 1, columns in Unicode scalars (code points). Only additions, deletions and"
        + " substitutions count in the sums. docs/changes-format.md describes the members of json and jsonl.",
      pathsNote,
    ],
    examples: [
      Example("changes draft.md", ""),
      Example("changes --author anna --since 2026-11-22 draft.md", "what anna did since that day"),
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
    let filter = try ChangeFilter(arguments)
    let reports = try DocumentReports(arguments, findsOrphans: true)
    try Console.write(report.begin())
    let code = try reports.list(ChangeLister(filter)) { list, output in
      if list.isOrphan { Console.complain("\(list.path): \(SarifLog.Finding.orphan.message)") }
      return report.add(list, to: output)
    }
    try Console.write(report.end())
    return code
  }
}

/// A format of the list of changes, written change by change.
protocol ChangesReport {
  /// Whether it is coloured, and the texts in it harmless.
  var isColored: Bool { get }
  /// The output before all files.
  mutating func begin() -> [UInt8]
  /// The output before the changes of a file.
  mutating func begin(_ path: Path) -> [UInt8]
  /// The output for a change of a file.
  mutating func add(_ change: ListedChange, of path: Path) -> [UInt8]
  /// The output after the changes of a file.
  mutating func end(_ path: Path) -> [UInt8]
  /// The output after all files.
  mutating func end() -> [UInt8]
}

extension ChangesReport {
  var isColored: Bool { false }
  mutating func begin() -> [UInt8] { [] }
  mutating func begin(_ path: Path) -> [UInt8] { [] }
  mutating func end(_ path: Path) -> [UInt8] { [] }
  mutating func end() -> [UInt8] { [] }

  /// Writes the output for a file; returns why some of it is missing, if it is.
  mutating func add(_ list: DocumentList<ChangeLister>, to output: Output) -> Platform.Failure? {
    func append(_ bytes: [UInt8]) { output.append(isColored ? bytes : Console.shown(bytes)) }
    var failure: Platform.Failure?
    append(begin(list.path))
    do throws(Platform.Failure) {
      try list.each { append(add($0, of: list.path)) }
    } catch { failure = error }
    append(end(list.path))
    return failure
  }
}

extension Subcommand.Option {
  fileprivate static let format = Self(
    "--format",
    nil,
    .choice("FORMAT", ["text", "json", "jsonl", "markdown", "sarif"]),
    "text (the default), json, jsonl (one object per line for each change), markdown or sarif"
  )
}
