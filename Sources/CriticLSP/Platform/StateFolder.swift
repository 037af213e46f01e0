import CLibrary

extension Platform {
  /// The folder for persistent state, by the XDG specification; nil if there is no home folder.
  static var stateFolder: Path? {
    if let folder = folder(in: "XDG_STATE_HOME") { return folder }
    return folder(in: "HOME").map { $0 / ".local/state" }
  }

  /// An absolute path in an environment variable.
  private static func folder(in name: String) -> Path? {
    guard let path = getenv(name).map({ Path(cString: $0) }), path.isAbsolute else { return nil }
    return path
  }

  /// Calls a closure while holding a lock between processes.
  ///
  /// - Parameters:
  ///   - path: The lock file, which is created and stays.
  ///   - body: Called with the lock held.
  /// - Returns: What `body` returns; nil if another process holds the lock and `body` was not called.
  /// - Throws: ``Failure`` if the file cannot be locked, and what `body` throws.
  static func withLock<Result>(
    _ path: Path,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw failure("cannot write \(path)") }
    // Closing the descriptor is not enough: a program that is being started has a copy of it
    // for a moment.
    defer {
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK || errno == EINTR { return nil }
      throw failure("cannot lock \(path)")
    }
    return try body()
  }
}

extension Platform {
  /// A file whose lock this process holds until it ends, however it does.
  final class LifelongLock {
    /// The file's name.
    let name: String
    private let path: Path
    private let descriptor: Int32

    /// Makes a file with a new name in a folder.
    init(in folder: Path) throws(Failure) {
      var number = 0
      var descriptor: Int32
      var name: String
      var path: Path
      repeat {
        name = "\(getpid())-\(number)"
        path = folder / (Path(name.utf8) ?? "")
        descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        number += 1
      } while descriptor < 0 && errno == EEXIST
      guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw failure("cannot lock a file in \(folder)")
      }
      (self.name, self.path, self.descriptor) = (name, path, descriptor)
    }

    deinit {
      _ = path.withCString { unlink($0) }
      close(descriptor)
    }
  }

  /// Whether a process holds the lock of a file.
  static func isLocked(_ path: Path) -> Bool {
    let descriptor = path.withCString { open($0, O_RDWR | O_CLOEXEC) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Removes a file.
  static func remove(_ path: Path) throws(Failure) {
    guard path.withCString({ unlink($0) }) == 0 || isMissing else {
      throw failure("cannot remove \(path)")
    }
  }
}

extension Platform {
  /// A file in a folder.
  struct Entry {
    var name: Path
    var stamp: FileStamp
  }

  /// The files in a folder, in any order.
  static func entries(of folder: Path) throws(Failure) -> [Entry] {
    try names(in: folder).compactMap { name in
      stamp(of: folder / name).map { Entry(name: name, stamp: $0) }
    }
  }

  /// The names in a folder, in any order.
  static func names(in folder: Path) throws(Failure) -> [Path] {
    guard let stream = folder.withCString({ opendir($0) }) else {
      throw failure("cannot read \(folder)")
    }
    defer { closedir(stream) }
    var names: [Path] = []
    while let entry = readdir(stream) { names.append(Path(nameOf: entry)) }
    return names
  }

  /// The stamp of a file; nil if there is none.
  static func stamp(of path: Path) -> FileStamp? {
    status(of: path).flatMap { $0.st_mode & S_IFMT == S_IFREG ? FileStamp($0) : nil }
  }
}
