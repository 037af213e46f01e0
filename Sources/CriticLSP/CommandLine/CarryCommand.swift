import TrackEngine

extension Subcommand {
  /// `critic-lsp carry`: the marks of a text on one that was written without them.
  static let carry = Subcommand(
    name: "carry",
    summary: "put the marks and comments of a document on a text written without them",
    operands: "OLD NEW",
    description: [
      "Writes NEW, a text that somebody, or some program, made of OLD's clean text, with the changes, highlights and"
        + " comments of OLD. Accepting everything gives NEW, byte for byte; rejecting everything gives what it gave in OLD:"
        + " what NEW changed beside is recorded as changes, unless --plain is given.",
      "A mark is carried only where the text that it holds is still there, at its place and with enough of what was around"
        + " it, never to the same words elsewhere; a long text in which little was changed counts as still there. A deletion"
        + " is carried where both sides are still next to each other, a comment that stands alone with the word that it stands"
        + " at. Comments go along with a line that was moved as it is, if there is no other like it; changes in it only with"
        + " --plain, since all of it is recorded as new.",
      "What is not carried is listed on standard error, with its line in OLD. --append puts it into comments at the end"
        + " of the text as well, which leaves the clean text as it is.",
    ],
    options: [.plain, .append, .changeAuthor, .output, .inPlace, .dryRun, .color],
    notes: [
      "One of OLD and NEW may be \"-\" for standard input. --in-place replaces NEW; -o OLD puts the result in the place of"
        + " OLD. Marks that NEW has itself stay as they are; those that both have are the same, and a thread has the"
        + " comments of both. Front matter and line ends are NEW's and not tracked."
    ],
    examples: [
      Example(
        "carry draft.md rewritten.md -o draft.md",
        "a rewritten text becomes tracked changes"
      ),
      Example(
        "carry --plain --append draft.md formatted.md",
        "only the marks, and what is left over"
      ),
      Example("carry - draft.md --in-place", "after: git show HEAD:./draft.md |"),
    ],
    exitCodes: "0 all is carried, 1 some is not, 2 wrong use or failure.",
    run: carry
  )

  private static func carry(_ arguments: ParsedArguments) throws -> Int32 {
    let paths = arguments.operands
    guard paths.count == 2 else {
      throw arguments.fail("Name two documents: the one with the marks, and the new text.")
    }
    if let folder = paths.first(where: Platform.isFolder) {
      throw arguments.fail("\(folder) is a folder; name a file.")
    }
    var options = Carrying.Options(Language(ofOneOf: paths.reversed()))
    options.isRecording = !arguments.has(.plain)
    options.isAppending = arguments.has(.append)
    options.author = try arguments.authorName(of: .changeAuthor)
    let old = try Sidecar.markedContents(of: paths[0])
    // A file that somebody writes meanwhile is read again; only the last time counts.
    let last = Guarded<Carrying?>(nil)
    let code = try editDocuments(arguments.with(operands: [paths[1]])) {
      [options] _, new throws(Platform.Failure) in
      let carrying = Carrying(of: old, onto: new, options)
      last.with { $0 = carrying }
      return carrying.edits
    }
    guard code == 0, let carrying = last.with({ $0 }), !carrying.left.isEmpty else { return code }
    tell(carrying, in: paths[0], options.language)
    if options.isAppending, !carrying.isAppended {
      Console.complain("\(paths[1]): no comment can be at its end; this is listed here only")
    }
    return 1
  }

  /// Lists what was not carried.
  private static func tell(_ carrying: Carrying, in path: Path, _ language: Language) {
    let old = carrying.source
    let changes = ListedChange.all(of: old, as: language)
    let list = ChangesText(isColored: false)
    for left in carrying.left {
      let entry = changes[left.index].entry
      let byline = entry.byline.map { " by \($0)" } ?? ""
      // The first comment of those that stand alone is told already, and who made a change, too.
      let comments = left.comments.filter { !$0.isAttribution(in: old) }
        .dropFirst(entry.code == .mark(.comment) ? 1 : 0)
      let answers = comments.map { "\n    \(clipped(Array(old[$0.content])))" }.joined()
      Console.complain(
        "\(list.start(of: changes[left.index], in: path))\(byline): not carried,"
          + " \(left.obstacle.reason)\(answers)"
      )
    }
    let all = counted(carrying.changes.count, "mark")
    Console.complain("\(path): \(carrying.left.count) of \(all) not carried")
  }
}

extension Subcommand.Option {
  fileprivate static let plain = Self(
    "--plain",
    "only carry marks: what NEW changed beside is not recorded"
  )
  fileprivate static let append = Self(
    "--append",
    "put what is not carried into comments at the end of the text"
  )
}
