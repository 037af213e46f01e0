import CLibrary

extension Platform {
  /// Creates the missing folders of a file's path.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mode: Who may use them, before the process's own mask.
  /// - Throws: ``Failure`` that names the folder.
  static func makeFolders(above path: Path, mode: mode_t = 0o777) throws(Failure) {
    let folder = path.folder.withoutSlash
    if folder.bytes.isEmpty || isFolder(folder) { return }
    try makeFolders(above: folder, mode: mode)
    guard folder.withCString({ mkdir($0, mode) }) == 0 || errno == EEXIST else {
      throw failure("cannot make the folder \(folder)")
    }
  }

  /// Creates a file that only its owner may read; fails if it exists.
  static func create(_ path: Path) throws(Failure) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = path.withCString { open($0, flags, 0o600) }
    if descriptor >= 0 { return descriptor }
    guard errno == EEXIST else { throw failure("cannot write \(path)") }
    throw Failure(
      description: "\(path) is there already; name a new file, or remove that one first"
    )
  }

  static func isFolder(_ path: Path) -> Bool {
    status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Whether a path leads to a pipe, a device or a folder.
  static func isOtherThanFile(_ path: Path) -> Bool {
    status(of: path).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
  }

  /// The length of a file in bytes; nil if there is none, or something else.
  static func length(of path: Path) -> Int? {
    status(of: path).flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int($0.st_size) : nil }
  }

  /// Whether there is no file of this name.
  static func isGone(_ path: Path) -> Bool {
    var status = stat()
    return path.withCString { lstat($0, &status) } != 0 && isMissing
  }

  /// Which file a path leads to, so that two paths to one file can be told; nil if there is none.
  static func identity(of path: Path) -> FileIdentity? {
    guard let status = status(of: path) else { return nil }
    if status.st_nlink == 1 {
      return .number(device: UInt64(truncatingIfNeeded: status.st_dev), file: UInt64(status.st_ino))
    }
    // Replacing a hard link affects only that one name.
    return .name(realPath(of: path) ?? path)
  }

  /// The absolute path without links that a path leads to; nil if there is nothing.
  static func realPath(of path: Path) -> Path? {
    guard let real = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return Path(cString: real)
  }

  /// The end of a chain of symbolic links, whether or not a file is there.
  static func destination(of path: Path) throws(Failure) -> Path {
    var place = path
    for _ in 0..<maxLinks {
      guard let next = link(at: place, in: AT_FDCWD) else { return place }
      place = next.isAbsolute ? next : place.folder / next
    }
    errno = ELOOP
    throw failure("cannot write \(path)")
  }

  /// Linux's limit.
  static let maxLinks = 40

  /// The target of a symbolic link; nil if it is not a link.
  static func link(at path: Path, in folder: Int32) -> Path? {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = path.withCString { readlinkat(folder, $0, &text, text.count) }
    return length < 0 ? nil : Path(text[..<length].map { UInt8(bitPattern: $0) })
  }

  /// What is known of the file that a path leads to; nil if there is none.
  static func status(of path: Path) -> stat? {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? status : nil
  }

  /// What is known of an open file; nil if that cannot be told.
  static func status(of descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }
}

/// Identifies a file on the disk.
enum FileIdentity: Hashable {
  case number(device: UInt64, file: UInt64)
  /// A file with several hard links, by the name in use.
  case name(Path)
}
