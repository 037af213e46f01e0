import CLibrary

/// A file by its name in a folder that is held open, so that no link put in the way later leads elsewhere.
final class FilePlace {
  /// The folder's descriptor.
  let folder: Int32
  let name: Path
  /// The path as it was given, for messages.
  let path: Path

  deinit { close(folder) }

  /// Takes over an open folder.
  private init(_ folder: Int32, _ name: Path, _ path: Path) {
    (self.folder, self.name, self.path) = (folder, name, path)
  }

  /// The place that a path leads to; links are followed.
  ///
  /// - Parameter path: The file, which need not be there.
  /// - Throws: `Platform.Failure` if its folder cannot be opened.
  convenience init(_ path: Path) throws(Platform.Failure) {
    let target = try Platform.destination(of: path)
    let descriptor = target.openFolder.withCString { open($0, FilePlace.opening) }
    guard descriptor >= 0 else { throw Platform.failure("cannot open the folder of \(path)") }
    self.init(descriptor, target.name, path)
  }

  /// The place of a file in a folder or below, whatever is moved or replaced by links meanwhile; nil if there is no
  /// such file, or it is elsewhere.
  ///
  /// Every name is looked up in the folder opened before it. Links are read, and followed from the root on, never
  /// by the system; so none leads out.
  ///
  /// - Parameters:
  ///   - rest: The path from the root on; it may have links and `..` in it.
  ///   - root: An absolute path without links.
  ///   - path: The path as it was given.
  convenience init?(_ rest: Path, beneath root: Path, givenAs path: Path) {
    guard let start = FilePlace.opened(root) else { return nil }
    var folders = [start]
    defer { for folder in folders { close(folder) } }
    var names = Array(rest.components.reversed())
    var links = 0
    while let last = names.popLast(), let name = Path(last) {
      if name == "." { continue }
      if name == ".." {
        guard folders.count > 1, let folder = folders.popLast() else { return nil }
        close(folder)
        continue
      }
      let folder = folders[folders.count - 1]
      if let link = Platform.link(at: name, in: folder) {
        links += 1
        guard links <= Platform.maxLinks, let inside = link.isAbsolute ? link.from(root) : link
        else { return nil }
        if link.isAbsolute {
          for folder in folders.dropFirst() { close(folder) }
          folders = [start]
        }
        names += inside.components.reversed()
      } else if names.isEmpty {
        folders.removeLast()
        self.init(folder, name, path)
        if status == nil { return nil }
        return
      } else {
        let next = name.withCString { openat(folder, $0, FilePlace.opening | O_NOFOLLOW) }
        guard next >= 0 else { return nil }
        folders.append(next)
      }
    }
    return nil
  }

  /// Opens a folder by a path without links; nil if there is one in it by now.
  private static func opened(_ path: Path) -> Int32? {
    var folder = Path("/").withCString { open($0, opening) }
    for part in path.components {
      guard folder >= 0, let name = Path(part) else { return nil }
      let next = name.withCString { openat(folder, $0, opening | O_NOFOLLOW) }
      close(folder)
      folder = next
    }
    return folder < 0 ? nil : folder
  }

  /// The place of another name in the same folder, given as a path for messages; nil if there are no more descriptors.
  func sibling(_ name: Path, _ path: Path) -> FilePlace? {
    let folder = fcntl(folder, F_DUPFD_CLOEXEC, 0)
    return folder < 0 ? nil : FilePlace(folder, name, path)
  }

  /// Writes the file, which may not be there yet, in one step, for whom another one is.
  func writeNew(_ bytes: [UInt8], like other: FilePlace) throws(Platform.Failure) {
    try made(bytes, like: other).move()
  }

  /// Makes what is to be put there, for whom another file is.
  func made(
    _ bytes: [UInt8],
    like other: FilePlace
  ) throws(Platform.Failure) -> TemporaryFile {
    let mode = (other.status?.st_mode ?? 0o666) & 0o777
    let new = try TemporaryFile(beside: self, like: status, try? OpenFile(self), mode: mode)
    try new.write(isSafe: true) { output in output.append(bytes) }
    return new
  }

  /// Gives the file the name of another place in the same folder, whose file it replaces.
  func rename(to other: FilePlace) throws(Platform.Failure) {
    let isMoved = name.withCString { from in
      other.name.withCString { renameat(folder, from, other.folder, $0) == 0 }
    }
    guard isMoved else { throw Platform.failure("cannot write \(other.path)") }
  }

  /// Removes the file.
  func remove() throws(Platform.Failure) {
    guard name.withCString({ unlinkat(folder, $0, 0) }) == 0 else {
      throw Platform.failure("cannot remove \(path)")
    }
  }

  /// Only names are looked up in a folder; for that it need not be readable.
  private static let opening: Int32 = {
    #if os(Linux)
      return O_PATH | O_DIRECTORY | O_CLOEXEC
    #else
      return O_RDONLY | O_DIRECTORY | O_CLOEXEC
    #endif
  }()

  /// What is at the place now, be it a link; nil if nothing is.
  var status: stat? {
    var status = stat()
    let isThere = name.withCString { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0
    return isThere ? status : nil
  }

  /// The size and the time of what is at the place; nil if nothing is.
  var stamp: FileStamp? { status.map { FileStamp($0) } }

  /// Which file it is; nil if there is none.
  var number: FileNumber? { status.map(FileNumber.init) }

  /// Gives the file a time of its last writing, in nanoseconds since 1970, if that is permitted.
  func setWritingTime(_ nanoseconds: Int) {
    let second = 1_000_000_000
    // It was read a moment ago.
    var times = [timespec(), timespec(tv_sec: nanoseconds / second, tv_nsec: nanoseconds % second)]
    clock_gettime(CLOCK_REALTIME, &times[0])
    _ = name.withCString { utimensat(folder, $0, times, AT_SYMLINK_NOFOLLOW) }
  }

  var isFolder: Bool { status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

  /// Whether the file may not be written to, by its mode or by us.
  var isReadOnly: Bool {
    guard let status else { return false }
    // The superuser may write to all files; who took the right from everybody meant them, too.
    return status.st_mode & 0o222 == 0 || name.withCString { faccessat(folder, $0, W_OK, 0) } != 0
  }

  /// The contents of the file.
  func contents() throws(Platform.Failure) -> [UInt8] {
    let bytes = try OpenFile(self).contents()
    defer { bytes.deallocate() }
    return Array(bytes)
  }
}

/// An open file that can be read.
final class OpenFile {
  let descriptor: Int32
  private let path: Path

  deinit { close(descriptor) }

  /// - Throws: `Platform.Failure` if there is no file that can be read, or something else than a file.
  init(_ place: FilePlace) throws(Platform.Failure) {
    // Opening a named pipe would block until its other end is opened.
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC
    descriptor = place.name.withCString { openat(place.folder, $0, flags) }
    path = place.path
    guard descriptor >= 0 else {
      let isMissing = Platform.isMissing
      var failure = Platform.failure("cannot read \(path)")
      failure.isMissing = isMissing
      throw failure
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Platform.Failure(description: "\(path) is not a file that could be replaced")
    }
  }

  var status: stat {
    var status = stat()
    fstat(descriptor, &status)
    return status
  }

  /// All of it, as long as it is now; the caller must deallocate the bytes.
  func contents() throws(Platform.Failure) -> UnsafeBufferPointer<UInt8> {
    lseek(descriptor, 0, SEEK_SET)
    guard let bytes = Platform.readBytes(from: descriptor, Int(status.st_size)) else {
      throw Platform.failure("cannot read \(path)")
    }
    return bytes
  }
}

extension FileNumber {
  init(_ status: stat) {
    self.init(
      device: Int(truncatingIfNeeded: status.st_dev),
      inode: Int(truncatingIfNeeded: status.st_ino)
    )
  }

  /// The file that a path leads to; nil if there is none.
  init?(_ path: Path) {
    guard let status = Platform.status(of: path) else { return nil }
    self.init(status)
  }
}

/// Which file it is and in what state, so far as the system tells: if equal, nobody wrote to it.
struct FileState: Equatable {
  private let numbers: [Int]

  /// The state of a file; nil if there is none.
  init?(_ status: stat?) {
    guard let status else { return nil }
    let file = FileNumber(status)
    numbers =
      [file.device, file.inode]
      + FileState.contents(status) + Platform.changeTime(of: status)
  }

  /// What of it changes when something is written.
  static func contents(_ status: stat) -> [Int] {
    [Int(status.st_size)] + Platform.writingTime(of: status)
  }
}

extension Platform {
  /// The state of a file, which no file will have that takes its place.
  ///
  /// - Parameter path: Leads to the file.
  /// - Returns: The state; nil if there is no file, or if it was changed in the last two seconds, for in the same tick of
  ///   the file system's clock another may come and get its number.
  static func settledState(of path: Path) -> FileState? {
    guard let status = status(of: path), changeTime(of: status)[0] + 2 < time(nil) else {
      return nil
    }
    return FileState(status)
  }

  /// Seconds and nanoseconds of the last writing.
  static func writingTime(of status: stat) -> [Int] {
    [status.writingTime.tv_sec, status.writingTime.tv_nsec]
  }

  /// Seconds and nanoseconds of the last change, to the contents or to what the system keeps about the file.
  static func changeTime(of status: stat) -> [Int] {
    [status.changeTime.tv_sec, status.changeTime.tv_nsec]
  }
}
