/// The files and folders in a folder that git ignores; what is in an ignored folder is, too.
struct IgnoredPaths: Equatable {
  /// From the folder on; the path of a folder ends in a slash.
  let paths: Set<Path>

  init(_ paths: Set<Path> = []) { self.paths = paths }

  /// Reads what git writes; see ``arguments(in:)``.
  init(output: [UInt8]) {
    paths = Set(output.split(separator: 0).compactMap { Path($0) })
  }

  /// Asks git; nothing is ignored if there is no git, or no repository.
  init(in folder: Path) {
    self.init(output: (try? git(IgnoredPaths.arguments(in: folder))) ?? [])
  }

  /// What git is asked with.
  static func arguments(in folder: Path) -> [Path] {
    ["-C", folder, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]
  }

  /// Whether a path is ignored, in folders that are not.
  func contains(_ path: Path, isFolder: Bool) -> Bool {
    !paths.isEmpty && paths.contains(isFolder ? path + "/" : path)
  }

  /// Whether a file is ignored, or a folder that it is in.
  ///
  /// - Parameters:
  ///   - file: Its path.
  ///   - top: The folder that was asked about.
  /// - Returns: Whether it is.
  func holds(_ file: Path, in top: Path) -> Bool {
    guard !paths.isEmpty, var name = file.from(top) else { return false }
    var isFolder = false
    while !name.bytes.isEmpty {
      if contains(name, isFolder: isFolder) { return true }
      name = name.folder.withoutSlash
      isFolder = true
    }
    return false
  }
}
