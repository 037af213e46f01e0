import JSONRPC
import TrackEngine

extension Subcommand {
  /// `critic-lsp decisions`: what became of proposed changes.
  static let decisions = Subcommand(
    name: "decisions",
    summary: "report what became of each proposed change",
    operands: "PROPOSED FINAL",
    description: [
      "Compares a document that has proposed changes with its final version, and reports for each change of"
        + " PROPOSED whether it was accepted, rejected, edited (and to what), or is pending, that is, still in marks."
        + " Only the two files are needed."
    ],
    options: [.format, .color],
    notes: [
      "FINAL may have other edits and other changes. The text in it between the texts around a change decides: the new"
        + " text means accepted, the old text rejected, any other text edited. A change in marks with another text is"
        + " pending. A highlight, or a comment that stands alone, is either still there (pending) or gone"
        + " (settled).",
      "Lines and columns are those of PROPOSED. One of the files may be \"-\" for standard input. docs/changes-format.md"
        + " describes the members of jsonl: those of \"critic-lsp changes\", decision, and final, the text that is"
        + " there now.",
    ],
    examples: [
      Example("decisions proposed.md final.md", ""),
      Example("decisions --format jsonl proposed.md final.md", "for a program that learns from it"),
    ],
    run: tellDecisions
  )

  private static func tellDecisions(_ arguments: ParsedArguments) throws -> Int32 {
    let paths = arguments.operands
    guard paths.count == 2 else {
      throw arguments.fail("Name two files: the one with the proposed changes, and the final one.")
    }
    let proposed = try Sidecar.markedContents(of: paths[0])
    let final = try Sidecar.markedContents(of: paths[1])
    let language = Language(ofOneOf: paths)
    let decisions = Decision.all(of: proposed, in: final, as: language)
    let changes = ListedChange.all(of: proposed, as: language)
    let told = Array(zip(changes, decisions))
    if arguments.value(of: .format) == "jsonl" {
      try Console.tell(told.flatMap { line(of: $0, $1, in: paths[0]) })
    } else {
      let list = ChangesText(isColored: arguments.wantsColor(on: 1))
      let lines = told.map { change, decision in
        list.start(of: change, in: paths[0]) + list.plain(": \(decision.sentence)\n")
      }
      let text = lines.joined() + counts(told) + "\n"
      try Console.tell(Array(text.utf8), isColored: list.isColored)
    }
    return 0
  }

  /// As in `3 changes, 2 accepted, 0 rejected, 1 edited, 0 pending`.
  private static func counts(_ told: [(ListedChange, Decision)]) -> String {
    let outcomes = told.filter { $0.0.entry.isChange }.map(\.1.outcome)
    let parts = [Decision.Outcome.accepted, .rejected, .edited, .pending].map { outcome in
      "\(outcomes.count { $0 == outcome }) \(outcome.rawValue)"
    }
    return ([counted(outcomes.count, "change")] + parts).joined(separator: ", ")
  }

  private static func line(
    of change: ListedChange,
    _ decision: Decision,
    in path: Path
  ) -> [UInt8] {
    var writer = JSONWriter()
    change.write(to: &writer, in: path, more: decision.writeMembers)
    return writer.bytes + Array("\n".utf8)
  }
}

extension Subcommand.Option {
  fileprivate static let format = Self(
    "--format",
    nil,
    .choice("FORMAT", ["text", "jsonl"]),
    "text (the default) or jsonl (one object per line for each change)"
  )
}
