/// The documents named by a command line: files, the Markdown files of folders, standard input.
struct DocumentPaths {
  /// In the order they are named; the name of a file in a folder is its path relative to that folder.
  private(set) var files: [MarkdownTree.File] = []
  /// What could not be read, with reasons.
  private(set) var failures: [String] = []
  /// Whether there may be more than one.
  let isSeveral: Bool

  /// Finds the documents, continuing past folders that cannot be read.
  ///
  /// - Parameters:
  ///   - arguments: The command line; its operands are the paths.
  ///   - findsOrphans: Whether a folder also stands for the sidecars in it whose texts are not there.
  /// - Throws: ``UsageFailure`` if there are none, `Platform.Failure` if a folder holds none.
  init(_ arguments: ParsedArguments, findsOrphans: Bool = false) throws {
    let paths = arguments.operands
    guard !paths.isEmpty else {
      throw arguments.fail("Name a file, a folder, or \"-\" for standard input.")
    }
    let more = try arguments.extensions
    isSeveral = paths.count > 1 || paths.contains(where: Platform.isFolder)
    for path in paths {
      guard Platform.isFolder(path) else {
        files.append(MarkdownTree.File(path: path, name: path == "-" ? "stdin.md" : path.name))
        continue
      }
      let tree = MarkdownTree(in: path, without: IgnoredPaths(in: path), orOf: more)
      failures += tree.failures.map { "cannot read \($0)" }
      let orphans = findsOrphans ? tree.orphans : []
      if tree.files.isEmpty, orphans.isEmpty, tree.failures.isEmpty {
        throw Platform.Failure(
          description: more.isEmpty
            ? "\(path) holds no Markdown files (\(Markdown.dottedExtensions)); --ext looks for others"
            : "\(path) holds no files of \(Markdown.dotted(Markdown.extensions + more))"
        )
      }
      files += tree.files + orphans
    }
    if paths.count > 1 { dropRepeated() }
  }

  /// Drops files that were named before, be it by a link or with their folder.
  private mutating func dropRepeated() {
    var known: Set<Path> = []
    files.removeAll { file in
      guard file.path != "-", let path = Platform.realPath(of: file.path) else { return false }
      return !known.insert(path).inserted
    }
  }
}
