import CLibrary

/// A new file beside the one that it is to replace; removed if it does not, even if the process is ended meanwhile.
///
/// It is locked as long as its process lives. Where there is one without a lock, its process was killed, and the next
/// one to write in that folder removes it.
final class TemporaryFile {
  private let place: FilePlace
  private let name: Path
  private let descriptor: Int32
  private let old: (status: stat, file: OpenFile?)?
  /// Whether it has become the file that it was made for.
  private(set) var isMoved = false

  /// - Parameters:
  ///   - place: The file to replace.
  ///   - status: What is known of it, if it is there.
  ///   - file: The same file, if it can be read.
  ///   - mode: Who may use it if there is no old one.
  /// - Throws: `Platform.Failure` if no file can be made there.
  init(
    beside place: FilePlace,
    like status: stat?,
    _ file: OpenFile?,
    mode: mode_t = 0o666
  ) throws(Platform.Failure) {
    self.place = place
    old = status.map { ($0, file) }
    // The new file must not be readable by more users than the old one, not even for a moment.
    let mode: mode_t = status == nil ? mode : 0o600
    (descriptor, name) = TemporaryFiles.shared.with { $0.make(in: place.folder, mode) }
    guard descriptor >= 0 else { throw Platform.failure("cannot write beside \(place.path)") }
  }

  deinit {
    guard descriptor >= 0 else { return }
    TemporaryFiles.shared.with { $0.remove(descriptor) }
    close(descriptor)
  }

  /// Writes the contents, and gives it the owner, the mode, the access rules and the attributes of the old file.
  func write(
    isSafe: Bool,
    _ body: (Output) throws(Platform.Failure) -> Void
  ) throws(Platform.Failure) {
    let output = Output(descriptor)
    try body(output)
    guard output.finish() else { throw Platform.failure("cannot write \(place.path)") }
    // Last, because writing clears the set-user-ID bit.
    if let old { try resemble(old.status, old.file) }
    guard !isSafe || fsync(descriptor) == 0 else {
      throw Platform.failure("cannot write \(place.path)")
    }
  }

  /// Puts it in the place of the old file.
  ///
  /// - Parameter other: A file that is put in its own place first; no signal ends the process between the two.
  /// - Throws: `Platform.Failure` if that fails; then the other one may be there, which its `isMoved` says.
  func move(after other: TemporaryFile? = nil) throws(Platform.Failure) {
    let failure = TemporaryFiles.shared.with { files -> Platform.Failure? in
      for file in [other, self].compactMap({ $0 }) {
        guard file.rename() else { return Platform.failure("cannot write \(file.place.path)") }
        files.forget(file.descriptor)
        file.isMoved = true
      }
      return nil
    }
    if let failure { throw failure }
  }

  private func rename() -> Bool {
    name.withCString { from in
      place.name.withCString { to in renameat(place.folder, from, place.folder, to) == 0 }
    }
  }

  /// Appends to it, also when others do.
  func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(Platform.Failure) {
    guard Platform.send(bytes, to: descriptor), fsync(descriptor) == 0 else {
      throw Platform.failure("cannot write \(place.path)")
    }
  }

  /// Takes over what the system keeps about the old file, as far as permitted; never lets in more users.
  private func resemble(_ status: stat, _ file: OpenFile?) throws(Platform.Failure) {
    var mode = status.st_mode & 0o7777
    // First, because a change of owner clears the set-user-ID bit.
    if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
      mode &= ~(S_ISUID | S_ISGID)
      if fchown(descriptor, uid_t.max, status.st_gid) != 0 {
        // The file keeps our own group, which must not get more rights than everybody.
        mode = mode & ~0o070 | (mode & 0o007) << 3
      }
    }
    // Without its list of access rules the mode alone could let in users that the list keeps out.
    let hasRules = try file.map { file throws(Platform.Failure) in
      try Platform.copyAttributes(of: file.descriptor, to: descriptor, place.path)
    }
    if hasRules != true { mode &= ~0o077 }
    _ = fchmod(descriptor, mode)
  }
}

/// The temporary files that this process has now, by their descriptors, and its temporary folders.
struct TemporaryFiles {
  static let shared = Guarded(TemporaryFiles())

  private var files: [Int32: (folder: Int32, name: Path)] = [:]
  private var folders: Set<Path> = []
  /// The programs that work in them, each in a process group of its own, which has the same number.
  private var programs: [Path: pid_t] = [:]
  private var count = 0
  /// Folders in which no dead process has left a file.
  private var tidied: Set<FileNumber> = []

  private static let prefix = Path(".critic-lsp-")

  /// Creates a file with a new name; the descriptor is negative if that fails.
  ///
  /// The name is hidden, and short, because the file's own name may have the maximum length already.
  mutating func make(in folder: Int32, _ mode: mode_t) -> (descriptor: Int32, name: Path) {
    tidy(folder)
    while true {
      count += 1
      let name = TemporaryFiles.prefix + (Path("\(getpid())-\(count)".utf8) ?? "")
      let flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let descriptor = name.withCString { openat(folder, $0, flags, mode) }
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { return (-1, name) }
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      // Another process may have tidied it away before it was locked.
      if Platform.status(of: descriptor)?.st_nlink == 0 {
        close(descriptor)
        continue
      }
      files[descriptor] = (folder, name)
      return (descriptor, name)
    }
  }

  mutating func remove(_ descriptor: Int32) {
    guard let (folder, name) = files.removeValue(forKey: descriptor) else { return }
    _ = name.withCString { unlinkat(folder, $0, 0) }
  }

  /// Notes that a file has become the one that it was made for.
  mutating func forget(_ descriptor: Int32) { files[descriptor] = nil }

  /// Makes a folder that only we can open.
  ///
  /// - Parameter parent: The folder that it is to be in.
  /// - Returns: Its path; nil if that fails, with the reason in `errno`.
  mutating func makeFolder(in parent: Path) -> Path? {
    var name = (parent / "critic-lsp-XXXXXX").withCString {
      Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
    }
    guard mkdtemp(&name) != nil else { return nil }
    let path = Path(cString: name)
    folders.insert(path)
    return path
  }

  mutating func remove(folder: Path) {
    guard folders.remove(folder) != nil else { return }
    _ = endProgram(in: folder)
    TemporaryFiles.removeTree(folder)
  }

  /// Notes a program that works in a temporary folder, in a process group of its own.
  mutating func note(_ program: pid_t, in folder: Path) { programs[folder] = program }

  /// Ends the program that works in a folder and all that it has started, so that nothing is made there anymore.
  ///
  /// - Returns: The program's status as waitpid(2) has it; 0 if there is none.
  mutating func endProgram(in folder: Path) -> Int32 {
    guard let program = programs.removeValue(forKey: folder) else { return 0 }
    kill(-program, SIGKILL)
    let status = Platform.end(of: program)
    // Two seconds at most: where nobody awaits what has ended, it never goes.
    var left = 200
    while left > 0, kill(-program, 0) == 0 {
      usleep(10_000)
      left -= 1
    }
    return status
  }

  mutating func removeAll() {
    for descriptor in files.keys { remove(descriptor) }
    for folder in folders { remove(folder: folder) }
  }

  /// Removes a file or link, or a folder with all in it, as far as that is possible.
  private static func removeTree(_ path: Path) {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      _ = path.withCString { unlink($0) }
      return
    }
    for name in (try? Platform.names(in: path)) ?? [] where name != "." && name != ".." {
      removeTree(path / name)
    }
    _ = path.withCString { rmdir($0) }
  }

  /// Removes what killed processes have left in a folder, the first time that something is written there.
  private mutating func tidy(_ folder: Int32) {
    guard let number = Platform.status(of: folder).map(FileNumber.init),
      tidied.insert(number).inserted,
      let stream = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = Path(nameOf: entry)
      guard TemporaryFiles.isOurs(name) else { continue }
      let file = name.withCString {
        openat(folder, $0, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      }
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { _ = name.withCString { unlinkat(folder, $0, 0) } }
      close(file)
    }
  }

  /// Whether a file has a name as we give them: the number of the process, and a number.
  private static func isOurs(_ name: Path) -> Bool {
    guard name.bytes.starts(with: prefix.bytes) else { return false }
    let numbers = name.bytes.dropFirst(prefix.bytes.count)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return numbers.count == 2
      && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy(digits.contains) }
  }
}

extension Platform {
  /// Has the temporary files removed when a signal ends the process, which ends by that signal all the same.
  ///
  /// To be called before there are other threads; again it does nothing.
  static func tidyWhenEnded() { tidying }

  private static let tidying: Void = {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // One that is ignored, as nohup has it, stays so.
      let old = unsafeBitCast(signal(number, SIG_DFL), to: Int.self)
      if old == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      } else {
        sigaddset(&signals, number)
      }
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let awaited = signals
    _ = startThread {
      var signals = awaited
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { return }
      TemporaryFiles.shared.with { files in
        files.removeAll()
        // Nobody makes another one, since this is never left.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        while true { pause() }
      }
    }
  }()
}
