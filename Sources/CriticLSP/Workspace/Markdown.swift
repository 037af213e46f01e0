/// Which files are Markdown, and which folders are searched for them: the one rule for the workspace,
/// for links and for `export`.
enum Markdown {
  /// The extensions of Markdown files, without the dot, in lower case; the most common first.
  static let extensions = [
    "md", "markdown", "mdown", "mdwn", "mkd", "mkdn", "mkdown", "qmd", "rmd",
  ]

  /// Whether a file of this name is Markdown, or has one of some more extensions; the extension may be in capitals.
  static func isMarkdown(
    file name: some BidirectionalCollection<UInt8>,
    orOf more: [String] = []
  ) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return false
    }
    let end = name[dot...].dropFirst()
    // This bit distinguishes lower case from capitals in ASCII.
    func isEnd(_ name: String) -> Bool { name.utf8.elementsEqual(end) { $0 == $1 | 0x20 } }
    return extensions.contains(where: isEnd) || more.contains(where: isEnd)
  }

  /// Whether a file of this name is Markdown, or has one of some more extensions, and is not hidden.
  static func isLookedAt(
    file name: some BidirectionalCollection<UInt8>,
    orOf more: [String] = []
  ) -> Bool {
    name.first != UInt8(ascii: ".") && isMarkdown(file: name, orOf: more)
  }

  /// Whether a file of this path, from a named folder on, is Markdown, or has one of some more extensions, and is
  /// neither hidden nor in a folder that is not searched.
  static func isLookedAt(path: Path, orOf more: [String] = []) -> Bool {
    let names = path.components
    return names.dropLast().allSatisfy { isLookedInto(folder: $0) }
      && isLookedAt(file: names.last ?? [], orOf: more)
  }

  /// Whether to search a folder of this name: not if it is hidden or a package manager's.
  static func isLookedInto(folder name: some Collection<UInt8>) -> Bool {
    name.first != UInt8(ascii: ".") && !name.elementsEqual("node_modules".utf8)
  }

  /// Glob patterns for clients that watch files, the records beside them among these; many match case-sensitively.
  static let globs = (extensions + ["Rmd", "critic"]).map { "**/*.\($0)" }

  /// The extensions for messages: `.md, .markdown`, and so on.
  static var dottedExtensions: String { dotted(extensions) }

  static func dotted(_ extensions: [String]) -> String {
    extensions.map { ".\($0)" }.joined(separator: ", ")
  }
}
