import TrackEngine

/// The files that an agent may read and change.
struct MCPFiles: Sendable {
  private let roots: [Root]

  /// A folder, or a file.
  private struct Root {
    /// The folder, or that of the file, without links.
    var folder: Path
    /// The file's name.
    var file: Path?
    var path: Path { file.map { folder / $0 } ?? folder }
  }

  /// - Parameter paths: Folders, of which the Markdown files are meant, and files.
  /// - Throws: `Platform.Failure` that names a path that does not exist.
  init(below paths: [Path]) throws(Platform.Failure) {
    var roots: [Root] = []
    for path in paths {
      guard let root = Platform.realPath(of: path) else {
        throw Platform.failure("cannot serve \(path)")
      }
      let isFolder = Platform.isFolder(root)
      roots.append(
        isFolder ? Root(folder: root) : Root(folder: root.folder.withoutSlash, file: root.name)
      )
    }
    self.roots = roots
  }

  /// The Markdown files, as an agent names them: what is ignored by git in a folder is not listed.
  ///
  /// Linear in the folders.
  var documents: [Path] {
    roots.flatMap { root -> [Path] in
      if root.file != nil { return [root.path] }
      let tree = MarkdownTree(in: root.folder, without: IgnoredPaths(in: root.folder))
      return tree.files.map { roots.count == 1 ? $0.name : $0.path }
    }.filter { (try? place(of: $0)) != nil }
  }

  /// What is served, in words.
  var told: String { roots.map(\.path.description).joined(separator: ", ") }

  /// The contents of a file; of one that is open in an editor, what the editor shows.
  ///
  /// - Parameter path: Absolute, or relative to one of the folders, or to the working directory.
  /// - Returns: The bytes.
  /// - Throws: `Platform.Failure` if there is no such file among those that are served.
  func contents(of path: Path) throws(Platform.Failure) -> [UInt8] {
    try place(of: path).shownContents()
  }

  /// Edits a file: in the editor that has it open, else by replacing it in one step.
  ///
  /// - Parameters:
  ///   - path: The path given by the agent.
  ///   - edits: Computes the edits; called again if the file has changed meanwhile.
  /// - Returns: What else is to be told; empty if nothing is.
  /// - Throws: `Platform.Failure`, also in place of what `edits` throws; the file is then unchanged.
  func change(_ path: Path, _ edits: ([UInt8]) throws -> [Edit]) throws(Platform.Failure) -> String
  {
    let edited = try place(of: path).propose { (old) throws(Platform.Failure) in
      do {
        return try edits(old)
      } catch {
        throw Platform.Failure(description: "\(error)")
      }
    }
    switch edited {
    case .inEditor:
      return "\nThe file is open in an editor, which shows it now; the writer saves it."
    case .inFile(let names): return names > 1 ? "\n\(FilePlace.told(names, of: path))." : ""
    }
  }

  /// The path of a file, without links, whatever an agent calls it.
  ///
  /// - Parameter path: The path given by the agent.
  /// - Returns: The path.
  /// - Throws: `Platform.Failure` if there is no such file among those that are served.
  func file(of path: Path) throws(Platform.Failure) -> Path {
    let file = try found(path).file
    return Platform.realPath(of: file) ?? file
  }

  /// Where a file is that an agent names.
  ///
  /// The same is said of one that is not there and one that is elsewhere, so that nothing can be learnt of the
  /// files outside.
  func place(of path: Path) throws(Platform.Failure) -> FilePlace { try found(path).place }

  private func found(_ path: Path) throws(Platform.Failure) -> (place: FilePlace, file: Path) {
    var refusal: Platform.Failure?
    for root in roots {
      for name in names(of: path, in: root.folder) {
        guard let place = FilePlace(name, beneath: root.folder, givenAs: path) else { continue }
        // A file that is served alone is known by its whole path.
        if let file = root.file, name != file || place.name != file { continue }
        do throws(Platform.Failure) {
          return (root.file == nil ? try markdown(place) : place, root.folder / name)
        } catch {
          // What a folder does not serve may be named itself.
          refusal = refusal ?? error
        }
      }
    }
    throw refusal
      ?? Platform.Failure(
        description:
          "\(path): there is no such file in what this server was given: \(told)"
      )
  }

  /// The paths from a folder on that a path may mean.
  private func names(of path: Path, in folder: Path) -> [Path] {
    let resolved = Platform.realPath(of: path.openFolder).flatMap { ($0 / path.name).from(folder) }
    return (path.isAbsolute ? [] : [path]) + (resolved.map { [$0] } ?? [])
  }

  private func markdown(_ place: FilePlace) throws(Platform.Failure) -> FilePlace {
    if place.isFolder {
      throw Platform.Failure(description: "\(place.path) is a folder; name a Markdown file")
    }
    guard Markdown.isMarkdown(file: place.name.bytes) else {
      throw Platform.Failure(
        description: "\(place.path) is not a Markdown file (\(Markdown.dottedExtensions))"
      )
    }
    return place
  }
}
