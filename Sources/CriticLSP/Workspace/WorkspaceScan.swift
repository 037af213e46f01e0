extension Workspace {
  /// A scan of the folders for files that have changed: which folder to list next, then which file to read.
  struct Scan {
    /// In milliseconds.
    let startedAt: Int
    /// The folders of which it is not known yet what git ignores in them; the last one is next.
    private(set) var unasked: [Path] = []
    /// The folders to list.
    private(set) var walk = FolderWalk()
    /// All files found; nil if the folders are known and only some files are read again.
    private(set) var found: Set<Path>?
    /// The files to read.
    private(set) var files: [(path: Path, listed: Listing.File?)] = []
    /// The index of the next of them.
    private(set) var next = 0
    /// The file last read, until its changes are extracted.
    var digest: FileDigest?
    /// Paths that could not be read, with the reasons.
    private(set) var failures: [String] = []

    /// A scan of folders.
    init(of folders: [Path], at now: Int) {
      startedAt = now
      unasked = folders.reversed()
      walk = FolderWalk(folders)
      found = []
    }

    /// A scan of files in folders that are known.
    init(rereading files: [Path], at now: Int) {
      startedAt = now
      self.files = files.map { ($0, nil) }
    }

    /// The next effect; nil when the scan is over.
    var effect: Effect? {
      if digest != nil { return .idle }
      if let folder = unasked.last { return .findIgnored(folder) }
      if let folder = walk.next { return .list(folder) }
      return file.map { .read($0) }
    }

    /// The next file to read.
    var file: Path? { next < files.count ? files[next].path : nil }

    /// The files whose changes are not known yet.
    var unread: [Path] { files[next...].map(\.path) + (digest.map { [$0.path] } ?? []) }

    /// Takes out the folder that was asked about.
    mutating func nextAsked() -> Path? { unasked.popLast() }

    /// Adds a file that was found; returns false if there are too many.
    mutating func add(_ path: Path, _ listed: Listing.File, isKnown: Bool) -> Bool {
      guard found?.count ?? 0 < Workspace.maxFiles else { return false }
      if found?.insert(path).inserted == true, !isKnown { files.append((path, listed)) }
      return true
    }

    /// Continues after a folder with the folders in it; returns false if there are too many.
    mutating func advance(into folders: [Path]) -> Bool {
      walk.advance(into: folders)
      guard walk.count > Workspace.maxFolders else { return true }
      walk.stop()
      return false
    }

    /// Takes out the next file, which has been read.
    mutating func nextFile() -> (path: Path, listed: Listing.File?)? {
      guard next < files.count else { return nil }
      next += 1
      return files[next - 1]
    }

    /// Notes that a path could not be read.
    mutating func fail(_ path: Path, _ reason: String) { failures.append("\(path): \(reason)") }
  }
}
