/// The help texts.
enum Help {
  static let overview = """
    critic-lsp \(version): tracked changes for Markdown, as CriticMarkup, in any editor that speaks LSP.

    Usage: critic-lsp [COMMAND]

    Without a command it is the language server, on standard input and output.

      export   take the clean, the original or the marked-up text out of documents
      demo     watch a short editing session
      serve    the language server, with a record of the session if you want one
      replay   play a recorded session again
      help     this text, or help on a command: critic-lsp help export

      --version

    Exit codes: 0 done, 1 found something, 2 wrong use or failure.

    """

  private static let topics = [
    "export": """
    Usage: critic-lsp export [--clean | --original | --markup] [-o OUT | --in-place] PATH...

    Writes documents without their marks.

      --clean      every change accepted, highlights and comments taken off (the default)
      --original   every change rejected, highlights and comments taken off
      --markup     the text as it stands

      -o OUT       write to OUT instead of standard output; a folder if there are several files
      --in-place   replace the files; only those that change, each in one step

    PATH is a file, a folder or "-" for standard input. Everything outside the marks stays as it
    is, byte for byte. A folder stands for its Markdown files and those of the folders in it, without
    hidden ones and without node_modules; what cannot be read is told, and the rest is written. The
    extensions are .md, .markdown, .mdown, .mdwn, .mkd, .mkdn, .mkdown, .qmd and .rmd, in capitals too.

    """,
    "demo": """
    Usage: critic-lsp demo

    Plays a short session against the server: a draft, what is typed, and what the buffer holds
    after each pause; then the three variants of the text.

    """,
    "serve": """
    Usage: critic-lsp serve [--record FILE] [--stateless]

    The language server, on standard input and output; the same as no command at all.

      --record FILE   write the session to FILE, a new one, for "critic-lsp replay" and for bug
                      reports; it holds the text of your documents, and of the workspace's
      --stateless     remember nothing: without it, where you turned tracking on or off is kept in
                      $XDG_STATE_HOME/critic-lsp, or ~/.local/state/critic-lsp

    """,
    "replay": """
    Usage: critic-lsp replay FILE

    Plays a session that "serve --record" wrote, and prints it with the answers of this version.
    Exit code 1 if an answer differs from the recorded one; the difference is told.

    """,
  ]

  static func text(on topic: String) -> String? { topics[topic == "--stdio" ? "serve" : topic] }
}
