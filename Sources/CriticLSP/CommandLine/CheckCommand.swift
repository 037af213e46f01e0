import TrackEngine

extension Subcommand {
  /// `critic-lsp check`: whether a document is settled.
  static let check = Subcommand(
    name: "check",
    summary: "find unsettled changes and malformed marks, for CI and pre-commit",
    usage: "[--malformed] [--format FORMAT] PATH...",
    description: [
      "Reports every change, highlight and comment, and every malformed mark, as file:line:column: message. Prints"
        + " nothing if there are none."
    ],
    options: [.malformed, .format],
    notes: [
      "Lines and columns count from 1, columns in Unicode scalars (code points).", pathsNote,
    ],
    examples: [
      Example("check chapters", ""),
      Example("check --malformed draft.md", "only what looks like a mark but is not one"),
      Example("check --format sarif . > critic.sarif", "for code scanning"),
    ],
    exitCodes: "0 nothing found, 1 found something, 2 wrong use or unreadable file.",
    run: check
  )

  private static func check(_ arguments: ParsedArguments) throws -> Int32 {
    let isMalformedOnly = arguments.has(.malformed)
    let reports = try DocumentReports(arguments)
    var sarif =
      arguments.value(of: .format) == "sarif" ? SarifLog(rules: SarifLog.checkRules) : nil
    if let start = sarif?.begin() { try Console.write(start) }
    var hasFound = false
    let code = try reports.each(
      { path, bytes in (path: path, findings: findings(in: bytes, isMalformedOnly)) },
      { file throws(Platform.Failure) in
        hasFound = hasFound || !file.findings.isEmpty
        if let part = sarif?.add(file.findings, of: file.path) { return try Console.write(part) }
        try Console.write(
          file.findings.map { "\(file.path):\($0.line):\($0.column): \($0.message)\n" }.joined()
        )
      }
    )
    if let end = sarif?.end() { try Console.write(end) }
    return code == 0 && hasFound ? 1 : code
  }

  /// The findings in a document, in text order.
  private static func findings(in bytes: [UInt8], _ isMalformedOnly: Bool) -> [SarifLog.Finding] {
    var cursor = LineCursor(bytes)
    let reading = Reading(of: bytes)
    let malformed = reading.malformed(in: bytes)
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
      .map { found in
        let start = cursor.place(of: found.range.lowerBound)
        // The next one may begin before this one ends.
        var ends = cursor
        let end = ends.place(of: found.range.upperBound)
        return SarifLog.Finding(
          rule: found.kind.rawValue,
          message: found.sentence,
          line: start.line,
          column: start.column,
          endLine: end.line,
          endColumn: end.column
        )
      }
    if isMalformedOnly { return malformed }
    let changes = ListedChange.all(of: reading, bytes).map { change in
      let sentence = change.sentence
      return SarifLog.Finding(
        change,
        message: "\(sentence.prefix(1).lowercased())\(sentence.dropFirst()) is not settled"
      )
    }
    return (malformed + changes).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }
}

extension SarifLog {
  /// The kinds of changes, and of malformed marks.
  fileprivate static let checkRules =
    changeRules + [
      (id: "unclosed-mark", text: "A mark is never closed."),
      (id: "stray-closer", text: "A closer closes nothing."),
      (id: "undivided-substitution", text: "A substitution has no ~> in it."),
      (id: "overlapping-marks", text: "A mark begins in another and ends outside it."),
      (id: "lookalike-dash", text: "A dash only looks like the hyphen of a delimiter."),
    ]
}

extension Subcommand.Option {
  fileprivate static let malformed = Self("--malformed", "only malformed marks")
  fileprivate static let format = Self(
    "--format",
    nil,
    .choice("FORMAT", ["text", "sarif"]),
    "text (the default) or sarif"
  )
}
