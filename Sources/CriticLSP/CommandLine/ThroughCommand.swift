import TrackEngine

extension Subcommand {
  /// `critic-lsp through`: a formatter works on the clean text, and what it changes is recorded.
  static let through = Subcommand(
    name: "through",
    summary: "let a formatter work on the clean text, and record what it changes",
    operands: "FILE -- COMMAND...",
    description: [
      "Runs COMMAND, a formatter or any other program that reads a text from standard input and writes it to standard"
        + " output, on the clean text of FILE. What it changes becomes changes of FILE, as if it had been typed: accepting"
        + " everything gives what COMMAND wrote, rejecting everything gives what it gave before. Marks and comments beside"
        + " that stay as they are. The new text goes to standard output."
    ],
    options: [.changeAuthor, .output, .inPlace, .dryRun, .color],
    notes: [
      "FILE may be \"-\" for standard input, so that an editor can filter a text through it. If COMMAND fails, or writes"
        + " nothing though the text is not empty, nothing is written. Front matter is not tracked: what COMMAND makes of it"
        + " is kept without marks.",
      inEditorNote,
    ],
    examples: [
      Example("through draft.md --in-place -- mdformat -", ""),
      Example("through draft.md --dry-run -- fmt -w 72", "what it would change"),
      Example("through - -- prettier --parser markdown", "as a filter, for an editor"),
    ],
    exitCodes: "0 done, 2 wrong use, or COMMAND failed; then nothing is written.",
    takesProgram: true,
    run: through
  )

  private static func through(_ arguments: ParsedArguments) throws -> Int32 {
    _ = try arguments.onlyDocument(", before \"--\"")
    guard !arguments.program.isEmpty else {
      throw arguments.fail("Name the program after \"--\", as in: through draft.md -- mdformat -")
    }
    let (program, author) = (arguments.program, try arguments.authorName(of: .changeAuthor))
    return try editDocuments(arguments) { path, bytes throws(Platform.Failure) in
      let language = Language(of: path)
      let clean = Reading(of: bytes, as: language).text(.clean, of: bytes)
      let written = try Platform.run(program, reading: clean).output
      guard !written.isEmpty || clean.isEmpty else {
        throw Platform.Failure(description: "\(path): \(program[0]) wrote nothing")
      }
      guard let edits = bytes.edits(recordingClean: written, as: language, by: author) else {
        throw Platform.Failure(
          description: "\(path): what \(program[0]) wrote cannot be put into marks here"
        )
      }
      return edits
    }
  }
}
