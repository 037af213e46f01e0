import TrackEngine

extension Subcommand {
  /// `critic-lsp diff`: marks up what differs between two texts.
  static let diff = Subcommand(
    name: "diff",
    summary: "mark up what differs between two documents, word by word",
    usage: "[--author NAME] [-o OUT] [--git] OLD NEW",
    description: [
      "Writes NEW with its differences from OLD in marks, as if OLD had been edited into NEW with changes tracked:"
        + " accepting everything gives NEW, rejecting everything gives OLD, byte for byte. Changes in OLD are rejected"
        + " first; marks in NEW stay as they are."
    ],
    options: [.changeAuthor, .output, .git],
    notes: [
      "One of OLD and NEW may be \"-\" for standard input. With --git, OLD is a revision, HEAD if left out, and"
        + " NEW is a file of the working tree, which is compared with the same file in that revision."
    ],
    examples: [
      Example("diff draft-1.md draft-2.md", ""),
      Example("diff --git draft.md", "since the last commit"),
      Example("diff --git HEAD~3 draft.md -o marked.md", "since three commits ago"),
    ],
    exitCodes: "0 equal, 1 different, 2 wrong use or failure.",
    run: diff
  )

  private static func diff(_ arguments: ParsedArguments) throws -> Int32 {
    let (old, new) = try texts(arguments)
    let author = try arguments.authorName(of: .changeAuthor)
    let marked = comparison(of: old, and: new, author: author?.name)
    if let output = arguments.value(of: .output) {
      try Platform.replace(output, isSafe: false) { target in
        marked.withUnsafeBufferPointer(target.append)
      }
    } else {
      try Console.write(marked)
    }
    return isSame(old, new) ? 0 : 1
  }

  /// Whether the old text with everything rejected is the new one with everything accepted.
  private static func isSame(_ old: [UInt8], _ new: [UInt8]) -> Bool {
    if old == new { return true }
    // Nearly all texts have no marks, and need not be parsed again for this.
    let brace = UInt8(ascii: "{")
    guard old.contains(brace) || new.contains(brace) else { return false }
    return Reading(of: old).text(.original, of: old) == Reading(of: new).text(.clean, of: new)
  }

  private static func texts(_ arguments: ParsedArguments) throws -> (old: [UInt8], new: [UInt8]) {
    let operands = arguments.operands
    if arguments.has(.git) {
      guard (1...2).contains(operands.count), let path = operands.last, path != "-" else {
        throw arguments.fail("With --git, name a revision, which may be left out, and a file.")
      }
      let revision = operands.count == 2 ? operands[0] : "HEAD"
      let new = try Platform.contents(of: path)
      return (try contents(of: path, in: revision), new)
    }
    guard operands.count == 2 else {
      throw arguments.fail("Name two documents, the old one first.")
    }
    guard operands != ["-", "-"] else {
      throw arguments.fail("Only one document can be standard input.")
    }
    return (try Platform.contents(of: operands[0]), try Platform.contents(of: operands[1]))
  }
}

extension Subcommand.Option {
  fileprivate static let changeAuthor = Self(
    "--author",
    nil,
    .text("NAME"),
    "say on each change whose it is: {>>@NAME<<}"
  )
  fileprivate static let git = Self("--git", "compare a file with what it was in a revision of git")
}
