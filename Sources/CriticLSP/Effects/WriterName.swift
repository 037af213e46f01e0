/// Finds the name of who writes in a folder: git's `user.name` there, else that of the system's user.
///
/// The files of git's configuration are read as git-config(1) has them; no program is started. Of conditions, those
/// on the folder (`gitdir:`) are known.
struct WriterName {
  /// Files that include each other are followed so far.
  private static let deepest = 8
  private static let maxLength = 1 << 20

  /// What is before `~/` in paths.
  private let home: Path?
  /// The folder of the repository, `….git`; nil outside of one.
  private let repository: Path?

  private init(in folder: Path) {
    home = Platform.environment("HOME").flatMap { $0.isEmpty ? nil : Path($0.utf8) }
    repository = WriterName.repository(around: folder)
  }

  /// The name; nil if neither git nor the system knows one.
  static func find(in folder: Path) -> String? {
    let finder = WriterName(in: folder)
    for file in finder.files.reversed() {
      if let name = finder.name(in: file, depth: 0), !name.isEmpty { return name }
    }
    return Platform.userName
  }

  /// Git's files, the ones that count less first.
  private var files: [Path] {
    var files: [Path] = ["/etc/gitconfig"]
    if let global = Platform.environment("GIT_CONFIG_GLOBAL") {
      files += Path(global.utf8).map { [$0] } ?? []
    } else {
      let folder = Platform.environment("XDG_CONFIG_HOME").flatMap {
        $0.isEmpty ? nil : Path($0.utf8)
      }
      if let folder = folder ?? home.map({ $0 / ".config" }) {
        files.append(folder / "git" / "config")
      }
      if let home { files.append(home / ".gitconfig") }
    }
    if let repository { files.append(common(of: repository) / "config") }
    return files
  }

  /// The folder that a worktree shares with the others.
  private func common(of repository: Path) -> Path {
    guard let line = WriterName.firstLine(of: repository / "commondir"), let path = Path(line)
    else {
      return repository
    }
    return path.isAbsolute ? path : repository / path
  }

  private func name(in file: Path, depth: Int) -> String? {
    guard depth < WriterName.deepest, let bytes = WriterName.contents(of: file) else { return nil }
    var found: String?
    for line in GitConfig(bytes).lines {
      switch line {
      case .userName(let name): found = name
      case .include(let path, let condition):
        guard condition.map({ holds($0, in: file) }) ?? true, let path = whole(path, in: file)
        else {
          continue
        }
        found = name(in: path, depth: depth + 1) ?? found
      }
    }
    return found
  }

  /// Whether a condition of an `includeIf` holds.
  private func holds(_ condition: String, in file: Path) -> Bool {
    guard let repository, let colon = condition.firstIndex(of: ":") else { return false }
    let kind = condition[..<colon]
    // The letter stands for any case.
    let isFolded = kind.hasSuffix("/i")
    guard (isFolded ? kind.dropLast(2) : kind) == "gitdir" else { return false }
    var pattern = String(condition[condition.index(after: colon)...])
    if pattern.hasPrefix("~/") || pattern.hasPrefix("./") {
      guard let path = whole(pattern, in: file) else { return false }
      pattern = "\(path)"
    } else if !pattern.hasPrefix("/") {
      pattern = "**/" + pattern
    }
    if pattern.hasSuffix("/") { pattern += "**" }
    let name = "\(repository)"
    return Glob(Array((isFolded ? pattern.lowercased() : pattern).utf8))?
      .matches(Array((isFolded ? name.lowercased() : name).utf8)) ?? false
  }

  /// A path in a file of git's, which may begin with `~/` or in the file's folder.
  private func whole(_ path: String, in file: Path) -> Path? {
    if path.hasPrefix("~/") {
      return home.flatMap { home in Path(path.dropFirst(2).utf8).map { home / $0 } }
    }
    let name = path.hasPrefix("./") ? path.dropFirst(2) : path[...]
    return Path(name.utf8).map { $0.isAbsolute ? $0 : file.folder / $0 }
  }

  /// The repository that holds a folder: `.git`, or where a file of that name leads to.
  private static func repository(around folder: Path) -> Path? {
    var folder = folder.withoutSlash
    while folder.isAbsolute {
      let git = folder / ".git"
      if contents(of: git / "HEAD") != nil { return git }
      if let line = firstLine(of: git), line.starts(with: "gitdir: ".utf8),
        let path = Path(line.dropFirst("gitdir: ".utf8.count))
      {
        return path.isAbsolute ? path : folder / path
      }
      let above = folder.folder.withoutSlash
      if above == folder { return nil }
      folder = above
    }
    return nil
  }

  private static func firstLine(of path: Path) -> ArraySlice<UInt8>? {
    contents(of: path)?.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  }

  private static func contents(of path: Path) -> [UInt8]? {
    guard let stamp = Platform.stamp(of: path), stamp.size <= maxLength else { return nil }
    return try? Platform.contents(of: path)
  }
}
