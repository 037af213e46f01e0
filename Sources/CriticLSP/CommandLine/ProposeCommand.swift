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
      "The edits are a JSON list of objects with the members old, new, and where wanted reason, after and before. old is a"
        + " piece of the clean text, as \"critic-lsp export\" writes it, that occurs once, or once right after the text"
        + " after and right before the text before. new takes its place; empty, it deletes. reason becomes a comment on"
        + " the change.",
      "Instead of edits it takes a review, as the page of \"critic-lsp export --to html\" saves it: its comments are put in,"
        + " by the reader who is named in it or by --author, and its yes and no are listed on standard error. --apply carries"
        + " them out.",
    ],
    options: [.proposer, .edits, .apply, .inPlace, .dryRun, .color],
    notes: [
      "All edits are checked before one is written. One that cannot be made is reported with its number, from 1, and the"
        + " lines of the file where old was found; then nothing is written. One that changes nothing is reported, and the"
        + " others are made. Edits must not overlap. To add text, repeat in new the text of old. A line end in old, new,"
        + " after and before means the file's own. No CriticMarkup is given in new. Front matter is not changed.",
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
    exitCodes: "0 done, 2 wrong use, or an edit that cannot be made; then nothing is written.",
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
    if ReviewFile.isReview(json) { return try propose(arguments, json, in: source, by: author) }
    guard !arguments.has(.apply) else {
      throw arguments.fail(
        "--apply is for a review; edits are proposed, and a person settles them."
      )
    }
    let proposals = try read(json, in: source, calledIn: "edits") { json throws(ResponseError) in
      try [ProposedEdit](json).map(\.proposal)
    }
    return try editDocuments(arguments, isProposal: true) { path, bytes throws(Platform.Failure) in
      try edits(proposing: proposals, by: author, in: path, bytes)
    }
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
      let made = ReviewEdits(review, in: bytes, by: reader, appliesDecisions: appliesDecisions)
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

  private static func edits(
    proposing proposals: [Proposal],
    by author: AuthorName?,
    in path: Path,
    _ bytes: [UInt8]
  ) throws(Platform.Failure) -> [Edit] {
    do throws(Proposal.Failure) {
      let outcome = try bytes.proposing(proposals, by: author)
      for problem in outcome.idle.description.split(separator: "\n") {
        Console.complain("\(path): \(problem)")
      }
      return outcome.edits
    } catch {
      let lines = error.description.split(separator: "\n").map { "\(path): \($0)" }
      throw Platform.Failure(
        description: lines.joined(separator: "\n") + "\nNothing was written."
      )
    }
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
