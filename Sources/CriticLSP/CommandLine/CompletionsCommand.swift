extension Subcommand {
  /// `critic-lsp completions`: a script with which a shell completes command lines.
  static let completions = Subcommand(
    name: "completions",
    summary: "print a shell's completions",
    operands: Completions.shells.joined(separator: "|"),
    description: [
      "Prints a script that lets the shell complete commands, options and their values."
    ],
    options: [],
    examples: [
      Example(
        "completions bash > ~/.local/share/bash-completion/completions/critic-lsp",
        "for bash-completion"
      ),
      Example("completions zsh > ~/.zfunc/_critic-lsp", "with ~/.zfunc in $fpath, before compinit"),
      Example("completions fish > ~/.config/fish/completions/critic-lsp.fish", ""),
    ],
    operand: .choice(Completions.shells),
    run: { arguments in
      guard arguments.operands.count == 1,
        let script = Completions.script(for: arguments.operands[0].description)
      else {
        throw arguments.fail(
          "completions takes the name of a shell: \(Completions.shells.alternatives)."
        )
      }
      try Console.write(script)
      return 0
    }
  )
}
