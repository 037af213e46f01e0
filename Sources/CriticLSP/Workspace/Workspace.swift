/// The Markdown files of the workspace's folders, as far as they were looked at.
///
/// Invariant: of a file that is not open only its changes are kept; its text, for one file at a time,
/// only until these are taken out of it.
struct Workspace {
  struct Folder: Equatable {
    /// As the client writes it, without a slash at its end.
    let uri: String
    /// Without a slash at its end; empty for the root of all.
    let path: String
  }

  private(set) var folders: [Folder] = []
  /// By path.
  var files: [String: WorkspaceFile] = [:]
  /// When the folders were last listed, in milliseconds.
  var listedAt: Int?
  /// Files that may have changed since they were read.
  var stale: Set<String> = []
  /// The look at the folders that is under way.
  var scan: Scan?
  /// Whether the client tells of files that change.
  var isWatched = false
  var isWatchingAskedFor = false

  /// A look at the folders and at what has changed in them.
  struct Scan {
    let startedAt: Int
    /// The way over the folders to be listed.
    var walk = FolderWalk()
    /// All files that were found; nil if the folders are known and only some files are read again.
    var found: Set<String>?
    /// The files to be read, and how far that is.
    var files: [(path: String, stamp: FileStamp?)] = []
    var next = 0
    /// The file that was read last, until its changes are taken out.
    var digest: FileDigest?
    /// What could not be read, and why.
    var failures: [String] = []

    /// What is wanted next; nil at the end.
    var effect: Effect? {
      if digest != nil { return .idle }
      if let folder = walk.next { return .list(folder.isEmpty ? "/" : folder) }
      return next < files.count ? .read(files[next].path) : nil
    }
  }

  /// More are not looked at.
  static let maxFiles = 20_000
  static let maxFolders = 100_000

  /// How long a list of the folders is good, in milliseconds; a client's watching can have holes.
  var freshness: Int { isWatched ? 30_000 : 2000 }

  func isFresh(at now: Int) -> Bool {
    folders.isEmpty || stale.isEmpty && listedAt.map { now - $0 < freshness } ?? false
  }

  /// Takes in a folder, unless it is one already.
  mutating func add(_ folder: Folder) {
    guard !folders.contains(where: { $0.path == folder.path }) else { return }
    folders.append(folder)
    listedAt = nil
  }

  /// Takes out a folder with its files, but for those that are in another one too.
  mutating func remove(_ folder: Folder) {
    folders.removeAll { $0.path == folder.path }
    let folders = folders
    files = files.filter { path, _ in folders.contains { $0.holds(path) } }
    stale = stale.filter { path in folders.contains { $0.holds(path) } }
  }

  /// The folder that a path is in; the inmost of several.
  func folder(of path: String) -> Folder? {
    folders.filter { $0.holds(path) }.max { $0.path.utf8.count < $1.path.utf8.count }
  }

  /// Whether a path is that of a file that is looked at, by its name and those of its folders.
  func looksAt(_ path: String) -> Bool {
    folders.contains { folder in
      guard folder.holds(path) else { return false }
      let parts = path.dropFirst(folder.path.count).split(separator: "/")
      return parts.dropLast().allSatisfy { Markdown.isLookedInto(folder: $0) }
        && parts.last.map { Markdown.isLookedAt(file: $0) } == true
    }
  }

  /// The URI of a file in one of the folders, in the client's spelling of the folder's.
  func uri(of path: String) -> String {
    guard let folder = folder(of: path) else { return "file://\(percentEncoded(path))" }
    return folder.uri + percentEncoded(path.dropFirst(folder.path.count))
  }

  /// The name of a file as users see it: from its folder on, that one's name first if there are more.
  func name(of path: String) -> String {
    guard let folder = folder(of: path) else {
      return path.split(separator: "/").last.map(String.init) ?? path
    }
    let name = path.dropFirst(folder.path.count + 1)
    guard folders.count > 1, let last = folder.path.split(separator: "/").last else {
      return String(name)
    }
    return "\(last)/\(name)"
  }
}

extension Workspace.Folder {
  /// A folder by its URI; nil if it is none of the file system.
  init?(uri: String) {
    guard let path = filePath(of: key(of: uri)) else { return nil }
    self.uri = uri.hasSuffix("/") ? String(uri.dropLast()) : uri
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  func holds(_ path: String) -> Bool { path.hasPrefix("\(self.path)/") }
}

/// A path as it stands in a URI.
func percentEncoded(_ path: some StringProtocol) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  let bytes = path.utf8.flatMap { byte -> [UInt8] in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
      [byte]
    default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
