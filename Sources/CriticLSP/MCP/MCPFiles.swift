import TrackEngine

/// The files that an agent may read and change.
struct MCPFiles: Sendable {
  /// Resolved paths of folders and files.
  private let roots: [String]

  /// - Parameter paths: Folders and Markdown files.
  /// - Throws: `Platform.Failure` that names a path that does not exist.
  init(below paths: [String]) throws(Platform.Failure) {
    var roots: [String] = []
    for path in paths {
      guard let root = Platform.realPath(of: path) else {
        throw Platform.failure("cannot serve \(path)")
      }
      roots.append(root)
    }
    self.roots = roots
  }

  /// The resolved path of a file that an agent names.
  ///
  /// - Parameter path: Absolute, or relative to one of the folders, or to the working directory.
  /// - Returns: A path without links.
  /// - Throws: `Platform.Failure` if the file does not exist, is outside the served files, or is not a Markdown
  ///   file.
  func path(of path: String) throws(Platform.Failure) -> String {
    let places = path.hasPrefix("/") ? [path] : roots.map { "\($0)/\(path)" } + [path]
    let found = places.compactMap(Platform.realPath)
    guard !found.isEmpty else {
      throw Platform.Failure(description: "\(path): there is no such file")
    }
    guard let file = found.first(where: isServed) else {
      throw Platform.Failure(
        description:
          "\(path) is outside what this server was given: \(roots.joined(separator: ", "))"
      )
    }
    if Platform.isFolder(file) {
      throw Platform.Failure(description: "\(path) is a folder; name a Markdown file")
    }
    guard Markdown.isMarkdown(file: file.split(separator: "/").last ?? ""),
      !Platform.isOtherThanFile(file)
    else {
      throw Platform.Failure(
        description: "\(path) is not a Markdown file (\(Markdown.dottedExtensions))"
      )
    }
    return file
  }

  private func isServed(_ file: String) -> Bool {
    roots.contains { file == $0 || file.hasPrefix($0.hasSuffix("/") ? $0 : "\($0)/") }
  }

  /// Edits a file, replacing it in one step.
  ///
  /// - Parameters:
  ///   - path: The path given by the agent.
  ///   - edits: Computes the edits.
  /// - Throws: `Platform.Failure`, and whatever `edits` throws; the file is then unchanged.
  func change(_ path: String, _ edits: ([UInt8]) throws -> [Edit]) throws {
    let file = try self.path(of: path)
    let bytes = try Platform.contents(of: file)
    let edits = try edits(bytes)
    guard !edits.isEmpty else { return }
    if Platform.isReadOnly(file) {
      throw Platform.Failure(description: "\(path) is read-only; nothing was written")
    }
    let new = bytes.applying(edits)
    try Platform.replace(file, isSafe: true) { output in
      new.withUnsafeBufferPointer(output.append)
    }
  }
}
