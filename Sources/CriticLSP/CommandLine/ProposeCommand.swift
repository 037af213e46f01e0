import JSONRPC
import TrackEngine

extension Subcommand {
  /// `critic-lsp propose`: edits of the clean text, as changes.
  static let propose = Subcommand(
    name: "propose",
    summary: "propose edits, each with a reason, as changes that a person settles",
    operands: "FILE",
    description: [
      "Puts edits of the clean text into marks: accepting every change gives the clean text with the edits made, rejecting"
        + " every change gives what it gave before. Each edit is a change of its own; other changes stay as they are. The"
        + " new text goes to standard output.",
      "The edits are a JSON list of objects with the members old, new, and where wanted reason, after, before and lines."
        + " old is a piece of the clean text, as \"critic-lsp export\" writes it, that occurs once, or once right after the"
        + " text after and right before the text before, or once in the lines of the clean text, as in [12, 14]. new takes"
        + " its place; empty, it deletes. reason becomes a comment on the change.",
      "insert_after or insert_before in place of old: new is put right after or before that text. lines without old:"
        + " new takes the place of those lines. \"replace_all\": true: every place of old is meant, and each becomes a"
        + " change.",
      "Instead of edits it takes a review, as the page of \"critic-lsp export --to html\" saves it: its comments are put in,"
        + " by the reader who is named in it or by --author, and its yes and no are listed on standard error. --apply carries"
        + " them out.",
    ],
    options: [.proposer, .edits, .partial, .apply, .output, .inPlace, .dryRun, .color],
    notes: [
      "All edits are checked before one is written. One that cannot be made is reported with its number, from 1, and the"
        + " lines of the file where old was found, or where a text is that is spelled like it; then nothing is written,"
        + " unless --partial is given. One that changes nothing is reported, and the others are made. Edits must not"
        + " overlap. A line end in them means the file's own. No CriticMarkup is given in new. Front matter is not"
        + " changed.",
      inEditorNote,
    ],
    examples: [
      Example("propose draft.md --author ai:model --edits edits.json --in-place", ""),
      Example("propose draft.md --dry-run < edits.json", "what would be written"),
      Example(
        "propose draft.md --in-place --apply < draft.review.json",
        "what a reader of the page says"
      ),
    ],
    exitCodes:
      "0 done, 1 done, but with --partial some edits were left out, 2 wrong use, or an edit that cannot be made; then"
      + " nothing is written.",
    run: propose
  )

  private static func propose(_ arguments: ParsedArguments) throws -> Int32 {
    let path = try arguments.onlyDocument()
    let source = arguments.path(of: .edits) ?? "-"
    if path == "-", source == "-" {
      throw arguments.fail(
        "Only one of the two can be standard input; name the file of the edits: --edits EDITS."
      )
    }
    let author = try arguments.authorName(of: .proposer)
    let json = try json(in: source)
    if ReviewFile.isReview(json) {
      guard !arguments.has(.partial) else {
        throw arguments.fail("--partial is for edits; a review is put in as a whole.")
      }
      return try propose(arguments, json, in: source, by: author)
    }
    guard !arguments.has(.apply) else {
      throw arguments.fail(
        "--apply is for a review; edits are proposed, and a person settles them."
      )
    }
    let proposals = try read(json, in: source, calledIn: "edits") { json throws(ResponseError) in
      try [ProposedEdit](json).map(\.proposal)
    }
    let isPartial = arguments.has(.partial)
    // A file that somebody writes meanwhile is read again; only the last time counts.
    let last = Guarded(Proposal.Outcome())
    let code = try editDocuments(arguments, isProposal: true) {
      path,
      bytes throws(Platform.Failure) in
      let outcome = try propose(proposals, by: author, isPartial, in: path, bytes)
      last.with { $0 = outcome }
      return outcome.edits
    }
    guard code == 0 else { return code }
    let outcome = last.with { $0 }
    complain(of: outcome.idle, in: path)
    complain(of: outcome.left, in: path)
    return outcome.left.problems.isEmpty ? 0 : 1
  }

  /// Puts a review into a document.
  private static func propose(
    _ arguments: ParsedArguments,
    _ json: JSON,
    in source: Path,
    by author: AuthorName?
  ) throws -> Int32 {
    let review = try read(json, in: source, calledIn: "review") { json throws(ResponseError) in
      try ReviewFile(json)
    }
    let reader = author ?? AuthorName(review.author)
    guard reader != nil || review.author.isEmpty else {
      throw arguments.fail("\"\(review.author)\" cannot be a name here; give one: --author NAME.")
    }
    let appliesDecisions = arguments.has(.apply)
    return try editDocuments(arguments) { path, bytes throws(Platform.Failure) in
      let made = ReviewEdits(
        review,
        in: bytes,
        as: Language(of: path),
        by: reader,
        appliesDecisions: appliesDecisions
      )
      guard made.problems.isEmpty else {
        throw Platform.Failure(
          description: made.problems.map { "\(path): \($0)" }.joined(separator: "\n")
            + "\nNothing was written."
        )
      }
      for decision in made.decisions { Console.complain("\(path): \(decision)") }
      return made.edits
    }
  }

  /// Reads JSON from a file.
  private static func json(in path: Path) throws(Platform.Failure) -> JSON {
    let bytes = try Platform.contents(of: path)
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      var cursor = LineCursor(bytes)
      let place = cursor.place(of: error.offset)
      throw Platform.Failure(
        description:
          "\(name(of: path)):\(place.line):\(place.column): this is no JSON: \(error.reason)"
      )
    }
  }

  /// Reads what the JSON of a file says.
  private static func read<Value>(
    _ json: JSON,
    in path: Path,
    calledIn name: String,
    _ body: (JSON) throws(ResponseError) -> Value
  ) throws(Platform.Failure) -> Value {
    do throws(ResponseError) {
      return try body(json)
    } catch {
      throw Platform.Failure(description: "\(self.name(of: path)): \(error.inside(name).message)")
    }
  }

  private static func name(of path: Path) -> String {
    path == "-" ? "standard input" : path.description
  }

  private static func propose(
    _ proposals: [Proposal],
    by author: AuthorName?,
    _ isPartial: Bool,
    in path: Path,
    _ bytes: [UInt8]
  ) throws(Platform.Failure) -> Proposal.Outcome {
    do throws(Proposal.Failure) {
      return try bytes.proposing(
        proposals,
        as: Language(of: path),
        by: author,
        isPartial: isPartial
      )
    } catch {
      throw Platform.Failure(
        description: error.lines.map { "\(path): \($0)" }.joined(separator: "\n")
          + "\nNothing was written."
      )
    }
  }

  private static func complain(of failure: Proposal.Failure, in path: Path) {
    for problem in failure.lines { Console.complain("\(path): \(problem)") }
  }
}

extension Subcommand.Option {
  /// The author of the proposals.
  fileprivate static let proposer = Self(
    "--author",
    nil,
    .text("NAME"),
    "who proposes: each change gets a comment {>>@NAME: reason<<}, or {>>@NAME<<} where there is no reason"
  )
  fileprivate static let partial = Self(
    "--partial",
    "make the edits that can be made, and report the others"
  )
  fileprivate static let apply = Self(
    "--apply",
    "accept the changes that a review says yes to, and reject those that it says no to"
  )
  fileprivate static let edits = Self(
    "--edits",
    nil,
    .path("EDITS"),
    "the file of the edits; \"-\", the default, is standard input"
  )
}
