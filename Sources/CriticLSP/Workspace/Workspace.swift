/// The Markdown files in the workspace folders, as far as they have been scanned.
///
/// Invariant: of a file that is not open only the changes are kept; the text is held for one file at a
/// time, while its changes are extracted.
struct Workspace {
  struct Folder: Equatable {
    /// As the client spells it, without a trailing slash.
    let uri: String
    /// Without a trailing slash, except the root.
    let path: Path
  }

  private(set) var folders: [Folder] = []
  /// By path.
  var files: [Path: WorkspaceFile] = [:]
  /// What is ignored in folders that say so, as they were last listed.
  private var ignored: [Path: GitIgnore] = [:]
  /// When the folders were last listed, in milliseconds.
  var listedAt: Int?
  /// Paths of files that may have changed since they were read.
  var stale: Set<Path> = []
  /// The scan in progress.
  var scan: Scan?
  /// Whether the client reports changed files.
  var isWatched = false
  var isWatchingAskedFor = false

  /// A scan of the folders for files that have changed.
  struct Scan {
    let startedAt: Int
    /// The folders to list.
    var walk = FolderWalk()
    /// All files found; nil if the folders are known and only some files are read again.
    var found: Set<Path>?
    /// The files to read, and the index of the next one.
    var files: [(path: Path, stamp: FileStamp?)] = []
    var next = 0
    /// The file last read, until its changes are extracted.
    var digest: FileDigest?
    /// Paths that could not be read, with the reasons.
    var failures: [String] = []

    /// The next effect; nil when the scan is over.
    var effect: Effect? {
      if digest != nil { return .idle }
      if let folder = walk.next { return .list(folder) }
      return next < files.count ? .read(files[next].path) : nil
    }
  }

  /// Further files and folders are ignored.
  static let maxFiles = 20_000
  static let maxFolders = 100_000

  /// How long a scan of the folders stays valid, in milliseconds; limited even if the client watches files,
  /// because it may miss some.
  var freshness: Int { isWatched ? 30_000 : 2000 }

  func isFresh(at now: Int) -> Bool {
    folders.isEmpty || stale.isEmpty && listedAt.map { now - $0 < freshness } ?? false
  }

  /// Adds a folder, unless it is already there.
  mutating func add(_ folder: Folder) {
    guard !folders.contains(where: { $0.path == folder.path }) else { return }
    folders.append(folder)
    listedAt = nil
  }

  /// Removes a folder and its files, except those that are in another folder too.
  mutating func remove(_ folder: Folder) {
    folders.removeAll { $0.path == folder.path }
    let folders = folders
    files = files.filter { path, _ in folders.contains { $0.holds(path) } }
  }

  /// The innermost folder that holds a path.
  func folder(of path: Path) -> Folder? {
    folders.filter { $0.holds(path) }.max { $0.path.bytes.count < $1.path.bytes.count }
  }

  /// Whether a path is in the workspace, passes the rules of ``Markdown``, and is not ignored.
  func looksAt(_ path: Path) -> Bool {
    folders.contains { folder in
      guard let name = path.from(folder.path), Markdown.isLookedAt(path: name) else { return false }
      var place = folder.path
      let components = name.components
      return components.indices.allSatisfy { index in
        place = Path(components[index]).map { place / $0 } ?? place
        return !isIgnored(place, isFolder: index + 1 < components.count)
      }
    }
  }

  /// Takes what a folder says is ignored, and leaves that out of what was found in it.
  mutating func take(_ listing: Listing, of folder: Path) -> Listing {
    ignored[folder] = listing.ignored.map(GitIgnore.init)
    guard !ignored.isEmpty else { return listing }
    var listing = listing
    listing.folders.removeAll { isIgnored(folder / $0, isFolder: true) }
    listing.files.removeAll { isIgnored(folder / $0.name, isFolder: false) }
    return listing
  }

  /// Whether a path is ignored, in folders that are not: the innermost folder with a rule decides.
  private func isIgnored(_ path: Path, isFolder: Bool) -> Bool {
    guard let outermost = self.folder(of: path)?.path else { return false }
    var folder = path
    repeat {
      folder = folder.folder.withoutSlash
      if let rules = ignored[folder], let name = path.from(folder),
        let decided = rules.ignores(name, isFolder: isFolder)
      {
        return decided
      }
    } while folder != outermost && folder != "/"
    return false
  }

  /// The URI of a file; begins with the URI of its folder as the client spells it.
  func uri(of path: Path) -> String {
    guard let folder = folder(of: path), let name = path.from(folder.path) else {
      return DocumentKey.file(path).uri
    }
    return "\(folder.uri)/\(PercentEncoding.encoded(name.bytes))"
  }

  /// The name of a file for users: the path relative to its folder, after the folder's name if there are
  /// several.
  func name(of path: Path) -> String {
    guard let folder = folder(of: path), let name = path.from(folder.path) else {
      return path.name.description
    }
    let isAlone = folders.count == 1 || folder.path == "/"
    return (isAlone ? name : folder.path.name / name).description
  }
}

extension Workspace.Folder {
  /// A folder by its URI; nil if it is not in the file system.
  init?(uri: String) {
    guard let path = DocumentKey(uri: uri).path else { return nil }
    self.uri = uri.hasSuffix("/") ? String(uri.dropLast()) : uri
    self.path = path.withoutSlash
  }

  func holds(_ path: Path) -> Bool { path.from(self.path) != nil }
}
