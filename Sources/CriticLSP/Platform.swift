#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The operating system: the one place that touches it.
enum Platform {
  /// Why the system refused something.
  struct Failure: Error, CustomStringConvertible {
    /// What and why, in a sentence.
    var description: String
  }

  /// Milliseconds since a fixed moment, without jumps.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Makes a closed pipe an error of `write` instead of the process's end.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Whether a process is there.
  static func isRunning(_ process: Int) -> Bool {
    guard let process = pid_t(exactly: process), process > 0 else { return true }
    return kill(process, 0) == 0 || errno != ESRCH
  }

  /// Whether a descriptor is a terminal that takes colours.
  static func isColourTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && getenv("NO_COLOR") == nil && environment("TERM") != "dumb"
  }

  /// Ends the process.
  static func exit(_ code: Int32) -> Never {
    #if canImport(Glibc)
      Glibc.exit(code)
    #elseif canImport(Musl)
      Musl.exit(code)
    #else
      Darwin.exit(code)
    #endif
  }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

// MARK: - Streams

extension Platform {
  /// What comes in on a descriptor, read into the same memory again and again.
  struct Receiver: ~Copyable {
    enum Input {
      /// The bytes are there until more are received.
      case bytes(UnsafeRawBufferPointer)
      case none
      case end
    }

    private let descriptor: Int32
    /// As long as a pipe.
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
    }

    deinit {
      memory.deallocate()
    }

    /// Waits for input, for so many milliseconds at most (nil: without end).
    mutating func receive(within milliseconds: Int?) -> Input {
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let wait = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
      let ready = poll(&poller, 1, wait)
      if ready == 0 || ready < 0 && errno == EINTR { return .none }
      let count = read(descriptor, memory.baseAddress, memory.count)
      if count < 0 { return errno == EINTR || errno == EAGAIN ? .none : .end }
      return count == 0 ? .end : .bytes(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }
  }

  /// Writes all of `bytes`.
  ///
  /// - Returns: False if the other side is gone.
  @discardableResult
  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { send($0, to: descriptor) }
  }

  /// Writes all of `bytes`.
  ///
  /// - Returns: False if the other side is gone.
  static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&poller, 1, -1)
        continue
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Why the last call failed; nil if it was because the reader has gone, as `head` does.
  static var writeFailure: String? {
    errno == EPIPE ? nil : String(cString: strerror(errno))
  }

  /// Keeps standard output for the protocol: whatever else writes to it goes to standard error.
  ///
  /// - Returns: The descriptor that is standard output now.
  static func reserveStandardOutput() -> Int32 {
    let wire = dup(1)
    guard wire >= 0 else { return 1 }
    dup2(2, 1)
    return wire
  }
}

// MARK: - Files

extension Platform {
  /// All bytes of a file, or of standard input for `-`.
  static func contents(of path: String) throws(Failure) -> [UInt8] {
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY)
    guard descriptor >= 0 else { throw failure("cannot read \(path)") }
    defer { if descriptor > 0 { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot read \(path)") }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Replaces a file in one step; its mode survives, and a symbolic link stays one.
  ///
  /// - Parameters:
  ///   - path: The file; made if there is none.
  ///   - bytes: Its new contents.
  /// - Throws: ``Failure``; the file is then what it was.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let target = resolved(path)
    var status = stat()
    let isKnown = stat(target, &status) == 0
    if isKnown, status.st_mode & S_IFMT != S_IFREG {
      // A pipe or a device can't be replaced, only written to.
      return try writeThrough(bytes, to: target)
    }
    let temporary = "\(target).\(getpid()).critic-lsp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666)
    guard descriptor >= 0 else { throw failure("cannot write beside \(path)") }
    if isKnown {
      _ = fchmod(descriptor, status.st_mode & 0o7777)
      _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
    let isWritten = send(bytes, to: descriptor) && fsync(descriptor) == 0
    let error = errno
    guard close(descriptor) == 0, isWritten, rename(temporary, target) == 0 else {
      let reason = isWritten ? errno : error
      unlink(temporary)
      errno = reason
      throw failure("cannot write \(path)")
    }
  }

  private static func writeThrough(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY)
    guard descriptor >= 0 else { throw failure("cannot write \(path)") }
    defer { close(descriptor) }
    guard send(bytes, to: descriptor) else { throw failure("cannot write \(path)") }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Opens a file to be written from its beginning.
  static func create(_ path: String) throws(Failure) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    guard descriptor >= 0 else { throw failure("cannot write \(path)") }
    return descriptor
  }

  /// Makes the folders that a file's path names and that are not there.
  static func makeFolders(above path: String) throws(Failure) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folder = ""
    for (index, part) in parts.enumerated() {
      folder += index == 0 ? String(part) : "/\(part)"
      guard !folder.isEmpty, !isFolder(folder) else { continue }
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw failure("cannot make the folder \(folder)")
      }
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The Markdown files in a folder and the folders in it, sorted; hidden ones are left out.
  static func markdownFiles(in folder: String) throws(Failure) -> [String] {
    guard let stream = opendir(folder) else { throw failure("cannot read the folder \(folder)") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    var files: [String] = []
    for name in names.sorted() {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if isFolder(path) {
        // A link to a folder can lead back to where it is.
        if !isLink(path) { files += try markdownFiles(in: path) }
      } else if name.hasSuffix(".md") || name.hasSuffix(".markdown") {
        files.append(path)
      }
    }
    return files
  }

  private static func failure(_ what: String) -> Failure {
    Failure(description: "\(what): \(String(cString: strerror(errno)))")
  }
}
