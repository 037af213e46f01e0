/// The table of commands: each has one entry here and one file.
extension Subcommand {
  /// In the order in which help lists them.
  static let all: [Subcommand] = [
    export, `import`, accept, reject, changes, check, diff, carry, combine, mergeDriver, convert,
    through, marks, propose, wait, decisions, lessons, mcp, guardWrites, serve, replay, demo,
    editors, completions, man,
  ]

  /// The command with a name; nil if there is none.
  static func named(_ name: String) -> Subcommand? { all.first { $0.name == name } }
}

/// Options shared by several commands.
extension Subcommand.Option {
  static let output = Self(
    "--output",
    "-o",
    .path("OUT"),
    "write to OUT instead of standard output, which is \"-\"; a folder if there are several files"
  )
  static let inPlace = Self(
    "--in-place",
    "replace the files; only those that change, each in one step"
  )
  static let ext = Self(
    "--ext",
    nil,
    .text("EXT"),
    "in folders, files with this extension too, as in txt or txt,org"
  ).repeated
  static let dryRun = Self(
    "--dry-run",
    "-n",
    nil,
    "show what would change, before and after; write nothing"
  )
  static let color = Self(
    "--color",
    nil,
    .choice("WHEN", ["auto", "always", "never"]),
    "colours: auto (on a terminal, unless NO_COLOR is set), always or never"
  )

  /// A flag.
  init(_ name: String, _ summary: String) { self.init(name, nil, nil, summary) }
}
