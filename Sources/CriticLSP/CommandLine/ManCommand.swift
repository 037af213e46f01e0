extension Subcommand {
  /// `critic-lsp man`: prints the manual page.
  static let man = Subcommand(
    name: "man",
    summary: "print the manual page",
    description: ["Prints the manual page, critic-lsp(1), in mdoc(7)."],
    options: [],
    examples: [
      Example("man > ~/.local/share/man/man1/critic-lsp.1", "to install it"),
      Example("man | man -l -", "to read it"),
    ],
    operand: .none,
    run: { _ in
      try Console.write(ManPage.text)
      return 0
    }
  )
}

/// The manual page, generated from the commands' own descriptions.
enum ManPage {
  static var text: String {
    (head + commands + tail).map { "\($0)\n" }.joined()
  }

  private static let head = [
    ".Dd \(versionDate)", ".Dt CRITIC-LSP 1", ".Os", ".Sh NAME", ".Nm critic-lsp",
    ".Nd tracked changes for Markdown, as CriticMarkup", ".Sh SYNOPSIS", ".Nm critic-lsp",
    ".Op Ar command Op Ar argument ...", ".Sh DESCRIPTION",
    "A language server for tracked Markdown editing, and the same engine as a command-line tool.",
    "Every change is recorded as CriticMarkup:",
    ".Li {++added++} , {--deleted--} , {~~old~>new~~} , {==highlighted==}", "and",
    ".Li {>>comment<<} .", ".Pp",
    "Without a command it is the language server, on standard input and output.", ".Sh COMMANDS",
  ]

  private static var commands: [String] {
    Subcommand.all.flatMap { command -> [String] in
      var lines = [".Ss \(command.name)"]
      lines.append(".Nm critic-lsp \(command.name)")
      if !command.usage.isEmpty { lines.append(escaped(command.usage)) }
      lines += command.description.flatMap(paragraph)
      if !command.options.isEmpty {
        lines += [".Bl -tag -width indent"]
        for option in command.options {
          lines += [".It \(escaped(option.synopsis))", escaped(sentence(option.summary))]
        }
        lines += [".El"]
      }
      lines += command.notes.flatMap(paragraph)
      if let codes = command.exitCodes { lines += [".Pp", escaped("Exit codes: \(codes)")] }
      return lines
    }
  }

  private static var tail: [String] {
    var lines = [
      ".Sh ENVIRONMENT", ".Bl -tag -width indent", ".It Ev NO_COLOR", "If set, no colours.",
      ".It Ev SOURCE_DATE_EPOCH", "The date that export records, in seconds since 1970.",
      ".It Ev XDG_STATE_HOME",
      "Where the server remembers in which documents tracking was turned on or off.",
      ".El", ".Sh EXIT STATUS", "0 done, 1 found something, 2 wrong use or failure.",
      ".Sh EXAMPLES",
    ]
    for command in Subcommand.all {
      for example in command.examples {
        lines += [".Dl critic-lsp \(escaped(example.arguments))"]
      }
    }
    return lines + [".Sh SEE ALSO", ".Xr git-diff 1 , Xr pandoc 1"]
  }

  /// One line per sentence, as mdoc(7) recommends.
  private static func paragraph(_ text: String) -> [String] {
    let lines = text.replacing(". ", with: ".\n").split(separator: "\n")
    return [".Pp"] + lines.map { escaped(String($0)) }
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  /// Text with everything that roff would interpret escaped.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&\(result)" : result
  }
}
