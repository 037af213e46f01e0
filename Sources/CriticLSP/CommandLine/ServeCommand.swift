extension Subcommand {
  /// `critic-lsp serve`: the language server.
  static let serve = Subcommand(
    name: "serve",
    summary: "the language server, with a record of the session if you want one",
    description: [
      "The language server, on standard input and output; the same as no command at all."
    ],
    options: [.record, .stateless, .stdio],
    examples: [
      Example("serve --record session.txt", "as your editor's command, to report a bug")
    ],
    exitCodes:
      "0 after shutdown and exit, 1 if the client left without them, 2 wrong use or failure.",
    operand: .none,
    run: serve
  )

  private static func serve(_ arguments: ParsedArguments) throws -> Int32 {
    Platform.tidyWhenEnded()
    if Platform.isTerminal(0) {
      Console.complain(
        "waiting for an editor's messages on standard input; \"critic-lsp help\" lists the commands"
      )
    }
    let output = try Platform.reserveStandardOutput()
    let recorder = try arguments.path(of: .record).map {
      Recorder(descriptor: try Platform.create($0), start: Platform.now)
    }
    Platform.setUpMemory()
    var loop = ServerLoop(
      input: 0,
      output: output,
      recorder: recorder,
      effects: EffectRunner(baselines: arguments.has(.stateless) ? nil : BaselineFolder.standard),
      callers: arguments.has(.stateless) ? nil : callers
    )
    return loop.run()
  }

  /// Listens in the first folder where that can be done; nil if there is none.
  private static var callers: Callers? {
    for folder in LocalSocket.folders {
      if let callers = try? Callers(in: folder) { return callers }
    }
    return nil
  }
}

extension Subcommand.Option {
  fileprivate static let record = Self(
    "--record",
    nil,
    .path("FILE"),
    "write the session to FILE, a new one, for \"critic-lsp replay\" and for bug reports; it holds the text"
      + " of your documents, and of the workspace's"
  )
  fileprivate static let stateless = Self(
    "--stateless",
    "remember nothing: without it, where you turned tracking on or off is kept in"
      + " $XDG_STATE_HOME/critic-lsp, or ~/.local/state/critic-lsp, and the original text of each document while it"
      + " is open; and cannot be asked by your other commands to edit what is open"
  )
  fileprivate static let stdio = Self(
    "--stdio",
    "no effect, since the server always uses standard input and output; many clients pass it"
  )
}
