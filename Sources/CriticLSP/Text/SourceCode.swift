/// Which documents are source code: in them changes are not tracked, for a mark would be a part of the program.
enum SourceCode {
  /// Whether a document in this language is source code.
  ///
  /// - Parameter id: A `languageId`, as LSP or an editor names it. An unknown one is text.
  /// - Returns: Whether it is.
  static func isLanguage(_ id: String) -> Bool { languages.contains(id.lowercased()) }

  /// From the list of LSP, those that are no text, and how Neovim, Emacs and Helix name them.
  /// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocumentItem
  private static let languages: Set<String> = [
    "abap", "ada", "awk", "bash", "bat", "bicep", "c", "c-sharp", "clojure", "cmake",
    "coffeescript", "conf", "cpp", "crystal", "cs", "csharp", "css", "cuda", "d", "dart", "diff",
    "dockerfile", "elixir", "elisp", "elm", "emacs-lisp", "erlang", "fish", "fortran", "fsharp",
    "git-rebase", "gitconfig", "gitrebase", "go", "gomod", "gradle", "graphql", "groovy", "haskell",
    "hcl", "ini", "java", "javascript", "javascriptreact", "js", "json", "jsonc", "json5", "jsx",
    "julia", "kotlin", "less", "lisp", "lua", "make", "makefile", "matlab", "nim", "nix",
    "objective-c", "objective-cpp", "objc", "objcpp", "ocaml", "pascal", "perl", "perl6", "php",
    "powershell", "prolog", "properties", "protobuf", "proto", "python", "r", "raku", "ruby",
    "rust", "sass", "scala", "scheme", "scss", "sh", "shaderlab", "shell", "shellscript",
    "solidity", "sql", "swift", "tcl", "terraform", "toml", "ts", "tsx", "typescript",
    "typescriptreact", "vb", "verilog", "vhdl", "vim", "viml", "xsl", "yaml", "zig", "zsh",
  ]
}
