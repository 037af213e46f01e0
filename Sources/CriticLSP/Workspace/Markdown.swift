/// Which files hold Markdown, and which folders are looked into for them: the one rule of the
/// workspace, of links and of `export`.
enum Markdown {
  /// What the names of Markdown files end in, after a dot, in lower case; the commonest first.
  static let extensions = [
    "md", "markdown", "mdown", "mdwn", "mkd", "mkdn", "mkdown", "qmd", "rmd",
  ]

  /// Whether a file of this name holds Markdown, whether its extension is in capitals or not.
  static func isMarkdown(file name: some StringProtocol) -> Bool {
    let name = Substring(name)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return false
    }
    let end = name.utf8[dot...].dropFirst()
    // The bit that tells capitals from small letters.
    return extensions.contains { $0.utf8.elementsEqual(end) { $0 == $1 | 0x20 } }
  }

  /// Whether a file of this name holds Markdown and is not hidden.
  static func isLookedAt(file name: some StringProtocol) -> Bool {
    !name.hasPrefix(".") && isMarkdown(file: name)
  }

  /// Whether a folder of this name is looked into: neither a hidden one nor one of a package manager.
  static func isLookedInto(folder name: some StringProtocol) -> Bool {
    !name.hasPrefix(".") && name != "node_modules"
  }

  /// Patterns for clients that watch files; many tell capitals from small letters.
  static let globs = (extensions + ["Rmd"]).map { "**/*.\($0)" }

  /// The extensions as they are told to people: `.md`, `.markdown` ….
  static var dottedExtensions: String { extensions.map { ".\($0)" }.joined(separator: ", ") }
}
