import CLibrary

/// The Markdown files and folders in a folder, listed in slices.
final class FolderReader {
  private let path: Path
  private let isStamping: Bool
  private let more: [String]
  /// The stamps of the records among the entries that were read, by the names of their files.
  private var records: [Path: FileStamp] = [:]
  /// The names of sidecars among the entries that were read, whose texts need not be there.
  private(set) var sidecars: [Path] = []
  /// Paths that could not be read, with the reasons.
  private(set) var failures: [String] = []
  #if canImport(Darwin)
    private let stream: UnsafeMutablePointer<DIR>
  #else
    private let stream: OpaquePointer
  #endif

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isStamping: Whether to get the stamps of files, which takes a system call for each.
  ///   - more: The extensions of files that are listed beside Markdown.
  /// - Throws: ``ReadingFailure`` if it cannot be opened.
  init(_ path: Path, isStamping: Bool, orOf more: [String] = []) throws(ReadingFailure) {
    guard let stream = path.withCString(opendir) else { throw ReadingFailure() }
    self.path = path
    self.isStamping = isStamping
    self.more = more
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// Lists more entries.
  ///
  /// - Parameters:
  ///   - count: The maximum number of entries.
  ///   - listing: Receives the Markdown files and the folders among them.
  /// - Returns: False at the end.
  /// - Throws: ``ReadingFailure`` if reading fails.
  func readMore(_ count: Int, into listing: inout Listing) throws(ReadingFailure) -> Bool {
    for _ in 0..<count {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw ReadingFailure() }
        for index in listing.files.indices {
          listing.files[index].record = records[listing.files[index].name]
        }
        return false
      }
      let type = Int(entry.pointee.d_type)
      withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { add($0, type, to: &listing) }
      }
    }
    return true
  }

  private func add(_ text: UnsafePointer<CChar>, _ type: Int, to listing: inout Listing) {
    let name = Path(cString: text)
    if let file = name.sidecarText, Markdown.isLookedAt(file: file.bytes, orOf: more) {
      sidecars.append(name)
      if isStamping { addRecord(text, of: file) }
      return
    }
    let isFile = Markdown.isLookedAt(file: name.bytes, orOf: more)
    let isFolder = Markdown.isLookedInto(folder: name.bytes)
    let isKnown = type != Int(DT_UNKNOWN)
    guard isFile || isFolder, isFile || !isKnown || type == Int(DT_DIR) else { return }
    if type == Int(DT_REG), !isStamping {
      listing.files.append(Listing.File(name: name, stamp: FileStamp(size: 0, modified: 0)))
      return
    }
    var status = stat()
    let folder = dirfd(stream)
    guard fstatat(folder, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return fail(name) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR where isFolder: listing.folders.append(name)
    case S_IFLNK where isFile:
      // Links to files are followed; links to folders are not, because they can form a loop.
      guard fstatat(folder, text, &status, 0) == 0 else { return fail(name) }
      guard status.st_mode & S_IFMT == S_IFREG else { return }
      listing.files.append(Listing.File(name: name, stamp: FileStamp(status)))
    case S_IFREG where isFile:
      listing.files.append(Listing.File(name: name, stamp: FileStamp(status)))
    default: break
    }
  }

  /// A record that cannot be looked at is not passed over when it is read.
  private func addRecord(_ text: UnsafePointer<CChar>, of file: Path) {
    var status = stat()
    guard fstatat(dirfd(stream), text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
    records[file] = FileStamp(status)
  }

  /// Records a failure, unless the file is gone or a link leads nowhere.
  private func fail(_ name: Path) {
    if !Platform.isMissing { failures.append("\(path / name): \(Platform.reason)") }
  }
}

extension Path {
  /// The name of an entry of a folder.
  init(nameOf entry: UnsafeMutablePointer<dirent>) {
    self = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { Path(cString: $0) }
    }
  }
}

extension FileStamp {
  init(_ status: stat) {
    let time = Platform.writingTime(of: status)
    self.init(size: Int(status.st_size), modified: time[0] * 1_000_000_000 + time[1])
  }
}
