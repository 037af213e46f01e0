#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Creates the missing folders of a file's path.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mode: Who may use them, before the process's own mask.
  /// - Throws: ``Failure`` that names the folder.
  static func makeFolders(above path: String, mode: mode_t = 0o777) throws(Failure) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    if isFolder(parts.joined(separator: "/")) { return }
    var folder = ""
    for (index, part) in parts.enumerated() {
      folder += index == 0 ? String(part) : "/\(part)"
      guard !folder.isEmpty, !isFolder(folder) else { continue }
      guard mkdir(folder, mode) == 0 || errno == EEXIST else {
        throw failure("cannot make the folder \(folder)")
      }
    }
  }

  /// Creates a file that only its owner may read; fails if it exists.
  static func create(_ path: String) throws(Failure) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(path, flags, 0o600)
    if descriptor >= 0 { return descriptor }
    guard errno == EEXIST else { throw failure("cannot write \(path)") }
    throw Failure(
      description: "\(path) is there already; name a new file, or remove that one first"
    )
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path leads to a pipe, a device or a folder.
  static func isOtherThanFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Whether a file may not be written to, by its mode or by us.
  static func isReadOnly(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    // The superuser may write to all files; who took the right from everybody meant them, too.
    return status.st_mode & 0o222 == 0 || access(path, W_OK) != 0
  }

  /// Whether there is no file of this name.
  static func isGone(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && isMissing
  }

  /// Which file a path leads to, so that two paths to one file can be told; nil if there is none.
  static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if status.st_nlink == 1 {
      return .number(device: UInt64(truncatingIfNeeded: status.st_dev), file: UInt64(status.st_ino))
    }
    // Replacing a hard link affects only that one name.
    return .name(realPath(of: path) ?? path)
  }

  /// The absolute path without links that a path leads to; nil if there is nothing.
  static func realPath(of path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  /// The end of a chain of symbolic links, whether or not a file is there.
  static func destination(of path: String) throws(Failure) -> String {
    var place = path
    for _ in 0..<maxLinks {
      guard let next = try link(at: place) else { return place }
      place = next.hasPrefix("/") ? next : folderPart(of: place) + next
    }
    errno = ELOOP
    throw failure("cannot write \(path)")
  }

  /// Linux's limit.
  private static let maxLinks = 40

  /// The target of a symbolic link; nil if it is not a link.
  private static func link(at path: String) throws(Failure) -> String? {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(path, &text, text.count)
    guard length >= 0 else { return nil }
    let bytes = text[..<length].map { UInt8(bitPattern: $0) }
    guard let link = String(validating: bytes, as: UTF8.self) else {
      throw Failure(
        description: "cannot write \(path): it is a link to a name that is not in UTF-8"
      )
    }
    return link
  }

  /// A path up to and including its last slash; empty if there is none.
  static func folderPart(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[...$0] } ?? ""
  }
}

/// Identifies a file on the disk.
enum FileIdentity: Hashable {
  case number(device: UInt64, file: UInt64)
  /// A file with several hard links, by the name in use.
  case name(String)
}
