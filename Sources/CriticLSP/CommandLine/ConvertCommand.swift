import TrackEngine

extension Subcommand {
  /// `critic-lsp convert`: the dialects of CriticMarkup.
  static let convert = Subcommand(
    name: "convert",
    summary: "write who made changes and wrote comments as another tool does",
    operands: "PATH...",
    description: [
      "Writes documents for another tool: who made each change and wrote each comment, and when, is written as that tool"
        + " writes it. The dialects that they are in now are told from the text, and may be mixed. Every mark stays, and"
        + " accepting or rejecting everything gives what it gave before, byte for byte.",
      "What the dialect cannot say is told on standard error, with its line. A mark whose author it cannot name, or that"
        + " would be read as something else, stays as it is. docs/dialects.md says what each dialect can say.",
    ],
    options: [.dialect, .output, .inPlace, .ext, .dryRun, .color],
    notes: [
      "criticmark is what critic-lsp writes, a comment with a head; commentator and obsidian are the plug-ins Commentator"
        + " and Track Changes for Obsidian. PATH is a file, a folder or \"-\" for standard input. "
        + pathsNote, inEditorNote,
    ],
    examples: [
      Example("convert --to obsidian draft.md", ""),
      Example("convert --to criticmark --in-place vault", "from whichever tool they come"),
    ],
    exitCodes:
      "0 converted, 1 a mark stayed as it is, or a text or a name is not said, 2 wrong use or failure.",
    run: convert
  )

  private static func convert(_ arguments: ParsedArguments) throws -> Int32 {
    guard let dialect = arguments.value(of: .dialect).flatMap(Dialect.init) else {
      throw arguments.fail("Say what to write: --to \(Option.dialect.summary).")
    }
    // A file that somebody writes meanwhile is read again; only the last time counts.
    let told = Guarded<[Path: ConversionReport]>([:])
    let code = try editDocuments(arguments) { path, text throws(Platform.Failure) in
      let conversion = DialectConversion(of: text, as: Language(of: path), to: dialect)
      let report = ConversionReport(conversion.losses, in: path, text, dialect)
      told.with { $0[path] = report }
      return conversion.edits
    }
    let reports = told.with { $0 }.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
    for line in reports.flatMap(\.value.lines) { Console.complain(line) }
    return code == 0 && reports.contains(where: \.value.isGrave) ? 1 : code
  }
}

/// What a dialect cannot say of a document.
private struct ConversionReport {
  /// A line for each of it.
  var lines: [String] = []
  /// Whether a text or a name is not said, or a mark stayed as it is.
  let isGrave: Bool

  init(_ losses: [Loss], in path: Path, _ text: [UInt8], _ dialect: Dialect) {
    isGrave = losses.contains(where: \.isGrave)
    var cursor = LineCursor(text)
    for loss in losses {
      let line = cursor.place(of: loss.offset).line
      lines.append("\(path):\(line): \(loss.what.sentence(in: dialect))")
    }
  }
}

extension Loss.What {
  /// What is said of it.
  fileprivate func sentence(in dialect: Dialect) -> String {
    func quoted(_ text: String) -> String { CriticLSP.quoted(Array(text.utf8)) }
    return switch self {
    case .author(let name): "left as it is, \(dialect.rawValue) cannot name \(quoted(name))"
    case .unwritable: "left as it is, it would not be read as the same"
    case .footnote: "left as it is, its footnote is not about marks alone"
    case .mixed: "left as it is, several tools have written on it"
    case .endmatter: "the endmatter is left, for some marks are that it is about"
    case .line(let text): "not said: \(quoted(text))"
    case .firstAuthor(let name):
      "who made this is not said; \(quoted(name)), who comments first, is read as its author"
    case .date(let date): "not said: the date \(quoted(date))"
    case .zone(let date): "the date \(quoted(date)) is written in UTC, to the second"
    case .status(let status): "not said: that this is \(quoted(status))"
    case .member(let name): "not said: \(quoted(name))"
    case .nesting: "a mark in a mark, which not every tool reads"
    }
  }
}

extension Subcommand.Option {
  fileprivate static let dialect = Self(
    "--to",
    nil,
    .choice("DIALECT", Dialect.allCases.map(\.rawValue)),
    "criticmark, commentator, obsidian, roughdraft or changedown"
  )
}
