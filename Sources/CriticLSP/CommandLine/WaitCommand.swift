import JSONRPC
import TrackEngine

extension Subcommand {
  /// `critic-lsp wait`: until the writer has reviewed what was proposed.
  static let wait = Subcommand(
    name: "wait",
    summary: "wait until the writer has reviewed a document, and tell what was decided",
    operands: "FILE",
    description: [
      "Waits until the writer, who has FILE open in an editor or opens it now, says that the review is done, with"
        + " critic.done or the code action “Done reviewing”. Then it tells what became of each change that was proposed,"
        + " what the writer changed besides, and what they commented.",
      "What was proposed by \"critic-lsp propose\" or an agent while FILE was open counts from its first proposal; else"
        + " everything counts that stands in FILE when the wait begins. A writer who has said so before is not waited for.",
    ],
    options: [.timeout, .waiter, .format, .color],
    notes: [
      "FILE may be closed and opened again meanwhile. After --timeout, what was decided so far is told, and the exit code"
        + " is 1; wait again then.",
      "docs/changes-format.md describes the members of json: done; decisions, the changes that are no longer in marks,"
        + " with decision and final; changes, those that are new; comments, those that are new, each with author and"
        + " change; and counts: accepted, rejected, edited, left. A change has the id that the tool propose answered.",
    ],
    examples: [
      Example(
        "wait draft.md --author ai:model --format json",
        "after: critic-lsp propose draft.md …"
      ),
      Example("wait draft.md --timeout 100", "where a program may run for two minutes"),
    ],
    exitCodes: "0 the review is done, 1 it is not within the time, 2 wrong use or failure.",
    run: wait
  )

  private static func wait(_ arguments: ParsedArguments) throws -> Int32 {
    let path = try arguments.onlyDocument()
    guard path != "-" else { throw arguments.fail("Name a file; a writer cannot open \"-\".") }
    var patience: Int?
    if let text = arguments.value(of: .timeout) {
      guard let seconds = Double(text), seconds >= 0, seconds <= 1e9 else {
        throw arguments.fail("--timeout takes a number of seconds, not \"\(text)\".")
      }
      patience = Int(seconds * 1000)
    }
    let author = try arguments.authorName(of: .waiter)
    let place = try FilePlace(path)
    if place.isFolder { throw arguments.fail("\(path) is a folder; name a file.") }
    var wasOpen: Bool?
    let review = try AwaitedReview(of: place, by: author, within: patience) { isOpen in
      if isOpen != wasOpen {
        Console.complain(
          isOpen
            ? "\(path) is open in an editor: waiting for \(CriticCommand.done.name)"
            : "\(path) is open in no editor: waiting until it is"
        )
        wasOpen = isOpen
      }
      return true
    }
    let report = ReviewReport(of: review.texts, as: Language(of: path))
    if arguments.value(of: .format) == "json" {
      var writer = JSONWriter()
      writer.object {
        $0.member("version", ListedChange.formatVersion)
        $0.member("file", path)
        report.writeMembers(to: &$0, isDone: review.isDone)
      }
      try Console.tell(writer.bytes + Array("\n".utf8))
    } else {
      let list = ChangesText(isColored: arguments.wantsColor(on: 1))
      let text = report.text(in: path, list, isDone: review.isDone)
      try Console.tell(Array(text.utf8), isColored: list.isColored)
    }
    return review.isDone ? 0 : 1
  }
}

extension Subcommand.Option {
  fileprivate static let timeout = Self(
    "--timeout",
    nil,
    .text("SECONDS"),
    "how long to wait at most; without it, as long as it takes"
  )
  fileprivate static let waiter = Self(
    "--author",
    nil,
    .text("NAME"),
    "who waits: the writer is told"
  )
  fileprivate static let format = Self(
    "--format",
    nil,
    .choice("FORMAT", ["text", "json"]),
    "text (the default) or json (one object)"
  )
}
