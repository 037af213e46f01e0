extension Subcommand {
  /// `critic-lsp replay`: replays a recorded session.
  static let replay = Subcommand(
    name: "replay",
    summary: "play a recorded session again",
    operands: "FILE",
    description: [
      "Plays a session that \"serve --record\" wrote, and prints it with the answers of this version."
    ],
    options: [],
    examples: [Example("replay session.txt", "")],
    exitCodes:
      "0 the same answers, 1 an answer differs from the recorded one, 2 wrong use or failure.",
    run: replay
  )

  private static func replay(_ arguments: ParsedArguments) throws -> Int32 {
    guard arguments.operands.count == 1, let path = arguments.operands.first else {
      throw arguments.fail("replay takes the name of one file.")
    }
    let recorded: Transcript
    do {
      recorded = try Transcript(try Platform.contents(of: path))
    } catch let failure as Transcript.Failure {
      throw Platform.Failure(description: "\(path), \(failure.description)")
    }
    let replayed = recorded.replayed()
    try Console.tell(replayed.bytes)
    guard recorded != replayed else { return 0 }
    Console.complain(difference(recorded, replayed, path))
    return 1
  }

  private static func difference(_ old: Transcript, _ new: Transcript, _ path: Path) -> String {
    let count = zip(old.lines, new.lines).prefix { $0 == $1 }.count
    let was = count < old.lines.count ? "\(old.lines[count])" : "the end"
    let now = count < new.lines.count ? "\(new.lines[count])" : "the end"
    return "\(path), line \(count + 1): was\n  \(was)\nnow\n  \(now)"
  }
}
