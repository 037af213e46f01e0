extension Subcommand {
  /// `critic-lsp editors`: where the packages for editors are installed.
  static let editors = Subcommand(
    name: "editors",
    summary: "print where the packages for editors are",
    operands: "[EDITOR]",
    description: [
      "Prints the folder with the packages and instructions for editors that was installed with this "
        + "program, or the folder of one editor: \(editorNames.joined(separator: ", "))."
    ],
    options: [],
    examples: [
      Example("editors", "each has a README.md"),
      Example(
        "editors neovim",
        "as in cp -r \"$(critic-lsp editors neovim)\" ~/.local/share/nvim/site/pack/critic/start/critic"
      ),
    ],
    operand: .choice(editorNames),
    run: { arguments in
      let names = arguments.operands.map(\.description)
      guard names.count <= 1, names.allSatisfy(editorNames.contains) else {
        throw arguments.fail(
          "editors takes the name of one: \(editorNames.joined(separator: ", "))."
        )
      }
      let path = try arguments.operands.reduce(editorsFolder(), /)
      try Console.write(path.bytes + [UInt8(ascii: "\n")])
      return 0
    }
  )

  private static let editorNames = [
    "emacs", "helix", "jupyterlab", "kakoune", "kate", "neovim", "sublime", "vim", "vscode", "zed",
  ]

  /// The folder `../share/critic-lsp/editors`, as seen from the program's.
  ///
  /// - Throws: ``Platform/Failure`` that says where to look instead, if the program was not installed with it.
  private static func editorsFolder() throws -> Path {
    guard let program = Platform.program else {
      throw Platform.Failure(
        description: "The system does not tell where this program is (is /proc mounted?)."
      )
    }
    let prefix = program.folder.withoutSlash.folder
    let folder = prefix / "share/critic-lsp/editors"
    guard Platform.isFolder(folder) else {
      throw Platform.Failure(
        description:
          "There is no \(folder): this program was copied or built without the "
          + "packages for editors. They are in the folder share/critic-lsp/editors of a release, and in "
          + "the folder editors of the repository; make install brings them along."
      )
    }
    return folder
  }
}
