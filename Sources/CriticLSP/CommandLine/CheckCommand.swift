import TrackEngine

extension Subcommand {
  /// `critic-lsp check`: whether a document is settled.
  static let check = Subcommand(
    name: "check",
    summary: "find unsettled changes and malformed marks, for CI and pre-commit",
    operands: "PATH...",
    description: [
      "Reports every change, highlight and comment, every malformed mark, and every record in a folder whose text is not"
        + " there, as file:line:column: message. Prints nothing if there are none.",
      "With --original, reports each place where rejecting all changes would not give what BASE has there: what was edited"
        + " without being recorded, by a program that does not know the marks, or while nothing was recorded. Changes of BASE"
        + " may have been accepted since. What is not in BASE is named on standard error.",
    ],
    options: [.malformed, .earlier.alternative, .staged, .ext, .format],
    notes: [
      "With --staged, PATH may be left out: then it is each Markdown file below the current folder that was changed since"
        + " the last commit and staged. For a hook that git runs before a commit.",
      "Lines and columns count from 1, columns in Unicode scalars (code points).", pathsNote,
    ],
    examples: [
      Example("check chapters", ""),
      Example("check --malformed draft.md", "only what looks like a mark but is not one"),
      Example("check --staged", "what is about to be committed"),
      Example("check --original HEAD~3 chapters", "whether every edit since is recorded"),
      Example("check --original sent.md draft.md", ""),
      Example("check --format sarif . > critic.sarif", "for code scanning"),
    ],
    exitCodes: "0 nothing found, 1 found something, 2 wrong use or unreadable file.",
    run: check
  )

  private static func check(_ arguments: ParsedArguments) throws -> Int32 {
    let isMalformedOnly = arguments.has(.malformed)
    if let name = arguments.path(of: .earlier) {
      guard !isMalformedOnly else { throw arguments.fail("Either --malformed or --original.") }
      return try checkOriginals(name, arguments)
    }
    let reports = try reports(on: arguments)
    var report = FindingsReport(isSarif: arguments.value(of: .format) == "sarif")
    try report.begin()
    let code = try reports.list(FindingLister(isMalformedOnly: isMalformedOnly)) { list, output in
      func tell(_ finding: SarifLog.Finding) { output.append(report.add(finding, of: list.path)) }
      if list.isOrphan, !isMalformedOnly { tell(.orphan) }
      do throws(Platform.Failure) {
        try list.each(tell)
        return nil
      } catch { return error }
    }
    try report.end()
    return code == 0 && report.hasFound ? 1 : code
  }

  /// Compares what rejecting all changes gives with an earlier version.
  private static func checkOriginals(
    _ name: Path,
    _ arguments: ParsedArguments
  ) throws -> Int32 {
    let reports = try reports(on: arguments)
    let version = try EarlierVersion(name, of: reports.paths)
    switch version {
    case .file where reports.paths.count > 1:
      throw arguments.fail(
        "\(name) is a file, the earlier version of one document; of several, name a revision."
      )
    case .revision where arguments.operands.contains("-"):
      throw arguments.fail("Standard input is in no revision.")
    default: break
    }
    var report = FindingsReport(isSarif: arguments.value(of: .format) == "sarif")
    try report.begin()
    let code = try reports.each { document throws(Platform.Failure) in
      (document, try version.findings(in: document, name))
    } _: { document, findings throws(Platform.Failure) in
      guard let findings else {
        Console.complain("\(document.path): not in \(name), and not compared")
        return nil
      }
      let path = document.areMarksBeside ? document.path.sidecar : document.path
      for finding in findings { try Console.write(report.add(finding, of: path)) }
      return nil
    }
    try report.end()
    return code == 0 && report.hasFound ? 1 : code
  }

  private static func reports(on arguments: ParsedArguments) throws -> DocumentReports {
    guard arguments.has(.staged) else {
      return try DocumentReports(arguments, findsOrphans: arguments.path(of: .earlier) == nil)
    }
    guard !arguments.operands.contains("-") else {
      throw arguments.fail("Standard input is not staged.")
    }
    return DocumentReports(
      try GitIndex.documents(below: arguments.operands, orOf: arguments.extensions).map { staged in
        DocumentReports.Document(
          path: staged.path,
          isFile: false,
          isBeside: staged.sidecar != nil,
          contents: staged.markedContents
        )
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
  fileprivate static let earlier = Self(
    "--original",
    nil,
    .path("BASE"),
    "only whether rejecting all changes gives BASE, a file, or what is in BASE, a revision of git"
  )
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
