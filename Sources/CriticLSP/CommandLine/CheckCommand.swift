import TrackEngine

extension Subcommand {
  /// `critic-lsp check`: whether a document is settled.
  static let check = Subcommand(
    name: "check",
    summary: "find unsettled changes and malformed marks, for CI and pre-commit",
    operands: "PATH...",
    description: [
      "Reports every change, highlight and comment, every malformed mark, and every record in a folder whose text is not"
        + " there, as file:line:column: message. Prints nothing if there are none."
    ],
    options: [.malformed, .staged, .ext, .format],
    notes: [
      "With --staged, PATH may be left out: then it is each Markdown file below the current folder that was changed since"
        + " the last commit and staged. For a hook that git runs before a commit.",
      "Lines and columns count from 1, columns in Unicode scalars (code points).", pathsNote,
    ],
    examples: [
      Example("check chapters", ""),
      Example("check --malformed draft.md", "only what looks like a mark but is not one"),
      Example("check --staged", "what is about to be committed"),
      Example("check --format sarif . > critic.sarif", "for code scanning"),
    ],
    exitCodes: "0 nothing found, 1 found something, 2 wrong use or unreadable file.",
    run: check
  )

  private static func check(_ arguments: ParsedArguments) throws -> Int32 {
    let isMalformedOnly = arguments.has(.malformed)
    let reports = try reports(on: arguments)
    var sarif =
      arguments.value(of: .format) == "sarif" ? SarifLog(rules: SarifLog.checkRules) : nil
    if let start = sarif?.begin() { try Console.write(start) }
    var hasFound = false
    let code = try reports.list(FindingLister(isMalformedOnly: isMalformedOnly)) { list, output in
      func tell(_ finding: SarifLog.Finding) {
        hasFound = true
        let text =
          "\(list.path):\(finding.region.line):\(finding.region.column): \(finding.message)\n"
        output.append(Console.shown(sarif?.add(finding, of: list.path) ?? Array(text.utf8)))
      }
      if list.isOrphan, !isMalformedOnly { tell(.orphan) }
      do throws(Platform.Failure) {
        try list.each(tell)
        return nil
      } catch { return error }
    }
    if let end = sarif?.end() { try Console.write(end) }
    return code == 0 && hasFound ? 1 : code
  }

  private static func reports(on arguments: ParsedArguments) throws -> DocumentReports {
    guard arguments.has(.staged) else {
      return try DocumentReports(arguments, findsOrphans: true)
    }
    guard !arguments.operands.contains("-") else {
      throw arguments.fail("Standard input is not staged.")
    }
    let files = try GitIndex.files(below: arguments.operands, orOf: arguments.extensions)
    return DocumentReports(
      files.map { file in
        (file.path, { () throws(Platform.Failure) in try GitIndex.contents(of: file.blob) })
      }
    )
  }
}

/// Finds what is not settled in a document, or malformed, in text order.
struct FindingLister: DocumentLister {
  private(set) var findsMalformed = true
  var needsPlaces: Bool { !isMalformedOnly }
  private let isMalformedOnly: Bool
  private var changes = ChangeLister()

  init(isMalformedOnly: Bool) {
    self.isMalformedOnly = isMalformedOnly
  }

  var ofRecord: FindingLister {
    var lister = self
    lister.findsMalformed = false
    return lister
  }

  mutating func list(_ part: DocumentPart, _ body: (SarifLog.Finding) -> Void) {
    var cursor = LineCursor(part.bytes, line: part.line)
    var malformed = (findsMalformed ? part.reading.malformed(in: part.bytes) : [])
      .sorted { $0.range.lowerBound < $1.range.lowerBound }.lazy
      .map { found in
        let start = cursor.place(of: found.range.lowerBound)
        // The next one may begin before this one ends.
        var ends = cursor
        let region = Region(from: start, to: ends.place(of: found.range.upperBound))
        let code = ChangeCode.malformed(found.kind)
        return SarifLog.Finding(code: code, message: found.sentence, region: region)
      }.makeIterator()
    var next = malformed.next()
    func addMalformed(upTo end: (line: Int, column: Int)) {
      while let found = next, (found.region.line, found.region.column) <= end {
        body(found)
        next = malformed.next()
      }
    }
    if !isMalformedOnly {
      changes.list(part) { change in
        let (entry, region) = (change.entry, change.around.region)
        addMalformed(upTo: (region.line, region.column))
        let message =
          "\(entry.words.clause) is \(entry.isConflict ? "one of several alternatives" : "not settled")"
        body(SarifLog.Finding(code: entry.code, message: message, region: region))
      }
    }
    addMalformed(upTo: (Int.max, 0))
  }
}

extension Subcommand.Option {
  fileprivate static let malformed = Self("--malformed", "only malformed marks")
  fileprivate static let staged = Self(
    "--staged",
    "look at what is staged in git for the next commit, not at the files"
  )
  fileprivate static let format = Self(
    "--format",
    nil,
    .choice("FORMAT", ["text", "sarif"]),
    "text (the default) or sarif"
  )
}
