/// `critic-lsp replay`: plays a recorded session again.
enum ReplayCommand {
  static func run(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == 1, let path = arguments.first else {
      throw UsageFailure("replay wants the name of one file.", on: "replay")
    }
    let recorded: Transcript
    do {
      recorded = try Transcript(try Platform.contents(of: path))
    } catch let failure as Transcript.Failure {
      throw Platform.Failure(description: "\(path), \(failure.description)")
    }
    let replayed = recorded.replayed()
    try Console.write(replayed.bytes)
    guard recorded != replayed else { return 0 }
    Console.complain(difference(recorded, replayed, path))
    return 1
  }

  private static func difference(_ old: Transcript, _ new: Transcript, _ path: String) -> String {
    let count = zip(old.lines, new.lines).prefix { $0 == $1 }.count
    let was = count < old.lines.count ? "\(old.lines[count])" : "the end"
    let now = count < new.lines.count ? "\(new.lines[count])" : "the end"
    return "\(path), line \(count + 1): was\n  \(was)\nnow\n  \(now)"
  }
}
