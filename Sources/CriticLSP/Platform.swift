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

  /// Does nothing for so many milliseconds.
  static func sleep(_ milliseconds: Int) { _ = poll(nil, 0, Int32(clamping: milliseconds)) }

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

// MARK: - Memory

extension Platform {
  /// Has long stretches of memory go back to the system as soon as they are free.
  ///
  /// Left to itself the GNU C library keeps them, once it has seen a few, for the next of their length.
  static func setUpMemory() {
    #if canImport(Glibc)
      _ = setOption(-3, 1 << 20)  // M_MMAP_THRESHOLD
    #endif
  }

  /// Gives back to the system what is free; takes milliseconds.
  static func giveMemoryBack() {
    #if canImport(Glibc)
      _ = trimMemory(0)
    #endif
  }
}

#if canImport(Glibc)
  // The module leaves out <malloc.h>.
  @_silgen_name("mallopt") private func setOption(_ parameter: Int32, _ value: Int32) -> Int32
  @_silgen_name("malloc_trim") private func trimMemory(_ kept: Int) -> Int32
#endif

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
    bytes.withUnsafeBufferPointer { send($0, to: descriptor) }
  }

  /// Writes all of `bytes`.
  ///
  /// - Returns: False if the other side is gone.
  static func send(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Bool {
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
    var contents: [UInt8] = []
    try withContents(of: path) { contents = Array($0) }
    return contents
  }

  /// Lends the bytes of a file, or of standard input for `-`; a long file is not copied.
  static func withContents(
    of path: String,
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY)
    guard descriptor >= 0 else { throw failure("cannot read \(path)") }
    defer { if path != "-" { close(descriptor) } }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let size = isFile ? Int(status.st_size) : 0
    if path != "-", size > longFile {
      guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
      else { throw failure("cannot read \(path)") }
      defer { munmap(start, size) }
      madvise(start, size, MADV_SEQUENTIAL)
      let bytes = start.assumingMemoryBound(to: UInt8.self)
      return try body(UnsafeBufferPointer(start: bytes, count: size))
    }
    guard let bytes = bytes(readFrom: descriptor, size) else {
      throw failure("cannot read \(path)")
    }
    defer { bytes.deallocate() }
    try body(bytes)
  }

  /// Files longer than this are mapped, in bytes.
  private static let longFile = 1 << 20

  /// Reads to the end, or as much as a file says it holds; nil if the system refuses.
  ///
  /// - Parameters:
  ///   - descriptor: What to read from.
  ///   - size: The length of a file; 0 if it is not known.
  /// - Returns: The bytes, which the caller gives back.
  private static func bytes(
    readFrom descriptor: Int32,
    _ size: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    var room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(size, 1 << 12))
    var length = 0
    while true {
      let count = read(descriptor, room.baseAddress.map { $0 + length }, room.count - length)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        room.deallocate()
        return nil
      }
      length += count
      if count == 0 || length == size {
        return UnsafeBufferPointer(rebasing: room[..<length])
      }
      guard length == room.count else { continue }
      let longer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * length)
      _ = longer.update(fromContentsOf: room)
      room.deallocate()
      room = longer
    }
  }

  /// Lends an output on a descriptor.
  static func withOutput(
    to descriptor: Int32,
    _ body: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    let output = Output(descriptor)
    try body(output)
    guard !output.finish() else { return }
    // A reader that has gone has seen what it wanted.
    guard let why = writeFailure else { exit(0) }
    throw Failure(description: "cannot write to standard output: \(why)")
  }

  /// Replaces a file in one step; its mode survives, and a symbolic link stays one.
  ///
  /// - Parameters:
  ///   - path: The file; made if there is none, with the folders on its way.
  ///   - isSafe: Whether the new file must be on the disk before the old one is gone.
  ///   - body: Writes the new contents.
  /// - Throws: ``Failure``; the file is then what it was.
  static func replace(
    _ path: String,
    isSafe: Bool,
    _ body: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    var target = path
    var status = stat()
    var isKnown = lstat(target, &status) == 0
    if isKnown, status.st_mode & S_IFMT == S_IFLNK {
      target = resolved(path)
      isKnown = stat(target, &status) == 0
    }
    if isKnown, status.st_mode & S_IFMT != S_IFREG {
      // A pipe or a device can't be replaced, only written to.
      return try writeThrough(to: target, body)
    }
    let temporary = "\(target).\(getpid()).critic-lsp"
    var descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666)
    if descriptor < 0, isMissing {
      try makeFolders(above: target)
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666)
    }
    guard descriptor >= 0 else { throw failure("cannot write beside \(path)") }
    if isKnown {
      _ = fchmod(descriptor, status.st_mode & 0o7777)
      _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
    let output = Output(descriptor)
    do throws(Failure) {
      try body(output)
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    let isWritten = output.finish() && (!isSafe || fsync(descriptor) == 0)
    let error = errno
    guard close(descriptor) == 0, isWritten, rename(temporary, target) == 0 else {
      let reason = isWritten ? errno : error
      unlink(temporary)
      errno = reason
      throw failure("cannot write \(path)")
    }
  }

  private static func writeThrough(
    to path: String,
    _ body: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    let descriptor = open(path, O_WRONLY)
    guard descriptor >= 0 else { throw failure("cannot write \(path)") }
    defer { close(descriptor) }
    let output = Output(descriptor)
    try body(output)
    guard output.finish() else { throw failure("cannot write \(path)") }
  }

  /// Where a link leads; the link itself if that is nowhere.
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
    var entries: [(name: String, type: Int)] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { entries.append((name, Int(entry.pointee.d_type))) }
    }
    var files: [String] = []
    for (name, type) in entries.sorted(by: { $0.name < $1.name }) {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let isKnown = type == Int(DT_DIR) || type == Int(DT_REG)
      if isKnown ? type == Int(DT_DIR) : isFolder(path) {
        // A link to a folder can lead back to where it is.
        if isKnown || !isLink(path) { files += try markdownFiles(in: path) }
      } else if isLookedAt(file: name) {
        files.append(path)
      }
    }
    return files
  }

  private static func failure(_ what: String) -> Failure {
    Failure(description: "\(what): \(reason)")
  }

  /// Why the last call failed.
  fileprivate static var reason: String { String(cString: strerror(errno)) }
  /// Whether the last call failed because there is no such file.
  fileprivate static var isMissing: Bool { errno == ENOENT || errno == ENOTDIR }
}

// MARK: - Files in slices

/// Why something could not be read at all.
enum ReadingFailure: Error, Equatable {
  case gone
  case failed(String)

  fileprivate init() {
    self = Platform.isMissing ? .gone : .failed(Platform.reason)
  }
}

/// A folder that is listed bit by bit.
final class FolderReader {
  private let path: String
  #if canImport(Darwin)
    private let stream: UnsafeMutablePointer<DIR>
  #else
    private let stream: OpaquePointer
  #endif

  init(_ path: String) throws(ReadingFailure) {
    guard let stream = opendir(path) else { throw ReadingFailure() }
    self.path = path
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// Lists some more.
  ///
  /// - Parameters:
  ///   - count: How many entries to look at.
  ///   - listing: What those that are wanted are added to.
  ///   - isWanted: Whether a name is to be looked at; the second argument tells folders from files.
  /// - Returns: False at the end.
  func next(
    _ count: Int,
    into listing: inout Listing,
    where isWanted: (String, Bool) -> Bool
  ) -> Bool {
    for _ in 0..<count {
      guard let entry = readdir(stream) else { return false }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      // A name that is not in UTF-8 has no place in a message.
      guard let name, name != ".", name != ".." else { continue }
      add(name, Int(entry.pointee.d_type), to: &listing, isWanted)
    }
    return true
  }

  private func add(
    _ name: String,
    _ type: Int,
    to listing: inout Listing,
    _ isWanted: (String, Bool) -> Bool
  ) {
    let isFile = isWanted(name, false)
    let isKnown = type != Int(DT_UNKNOWN)
    guard isFile || isWanted(name, true), isFile || !isKnown || type == Int(DT_DIR) else { return }
    let path = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      if isWanted(name, true) { listing.folders.append(name) }
    case S_IFLNK where isFile:
      // A link to a file is as good as the file; one to a folder can lead back to where it is.
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
      listing.files.append(Listing.File(name: name, stamp: FileStamp(status)))
    case S_IFREG where isFile:
      listing.files.append(Listing.File(name: name, stamp: FileStamp(status)))
    default: break
    }
  }
}

extension FileStamp {
  fileprivate init(_ status: stat) {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    self.init(size: Int(status.st_size), modified: Int(time.tv_sec) * 1_000_000_000 + time.tv_nsec)
  }
}

/// A file that is read bit by bit.
final class FileReader {
  private let descriptor: Int32
  private(set) var bytes: [UInt8] = []

  init(_ path: String) throws(ReadingFailure) {
    // A pipe would let us wait for somebody to write into it.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReadingFailure() }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw ReadingFailure() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .failed("It is no file") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads some more into ``bytes``.
  ///
  /// - Parameter count: How many bytes at most.
  /// - Returns: False at the end.
  /// - Throws: ``ReadingFailure`` where the disk fails.
  func next(_ count: Int) throws(ReadingFailure) -> Bool {
    var failure: ReadingFailure?
    let slice = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      let got = read(descriptor, buffer.baseAddress, count)
      if got < 0 { failure = ReadingFailure() }
      length = max(0, got)
    }
    if let failure { throw failure }
    bytes.append(contentsOf: slice)
    return !slice.isEmpty
  }
}

// MARK: - What is kept from session to session

extension Platform {
  /// Where programs keep what they remember, by the XDG rules; nil where nothing says where home is.
  static var stateFolder: String? {
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state"
  }

  /// Whether there is no file of this name.
  static func isGone(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && isMissing
  }

  /// Does something while no other process does anything under the same lock.
  ///
  /// - Parameters:
  ///   - path: The lock: a file that is made and stays.
  ///   - body: What is done.
  /// - Returns: What `body` returns; nil if another process has the lock, and nothing was done.
  /// - Throws: ``Failure`` if there can be no lock, and what `body` throws.
  static func locked<Result>(
    _ path: String,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot write \(path)") }
    // The lock goes with the descriptor.
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK || errno == EINTR { return nil }
      throw failure("cannot lock \(path)")
    }
    return try body()
  }
}

/// Collects what is written to a descriptor, so that many small parts are one call.
final class Output {
  private let descriptor: Int32
  /// Short enough for malloc to have it at hand for the next file.
  private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
  private var count = 0
  private var hasFailed = false

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { room.deallocate() }

  /// Writes some bytes, now or later; after a failure it does nothing.
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.count > room.count - count { flush() }
    guard bytes.count <= room.count else {
      hasFailed = hasFailed || !Platform.send(bytes, to: descriptor)
      return
    }
    _ = UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: bytes)
    count += bytes.count
  }

  /// Writes what is still to be written; returns whether everything was.
  func finish() -> Bool {
    flush()
    return !hasFailed
  }

  private func flush() {
    let bytes = UnsafeBufferPointer(rebasing: room[..<count])
    hasFailed = hasFailed || !Platform.send(bytes, to: descriptor)
    count = 0
  }
}

// MARK: - Threads

extension Platform {
  /// How many threads can run at once.
  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Does something for every number of a range, several at a time.
  ///
  /// - Parameters:
  ///   - range: The numbers.
  ///   - count: How many threads do it, this one among them.
  ///   - body: What is to be done; called on any of the threads.
  /// - Returns: What it returned, in order.
  static func map<Value: Sendable>(
    _ range: Range<Int>,
    onThreads count: Int,
    _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let work = Work(range, body)
    let threads = (1..<max(1, min(count, range.count))).compactMap { _ in thread { work.run() } }
    work.run()
    for thread in threads { pthread_join(thread, nil) }
    return work.results.compactMap { $0 }
  }

  private static func thread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let start = Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let error = pthread_create(&thread, nil, Start.run, start.toOpaque())
    guard error == 0 else {
      start.release()
      return nil
    }
    return thread
  }

  /// What a thread does.
  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    #if canImport(Darwin)
      static let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
        Unmanaged<Start>.fromOpaque($0).takeRetainedValue().body()
        return nil
      }
    #else
      static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        if let start = $0 { Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body() }
        return nil
      }
    #endif
  }

  /// The numbers that are still to be done, and what came of the others.
  ///
  /// Invariant: everything that changes is touched under the lock alone, and `results` is read when
  /// all threads are done.
  private final class Work<Value: Sendable>: @unchecked Sendable {
    private(set) var results: [Value?]
    private var next: Int
    private let range: Range<Int>
    private let body: @Sendable (Int) -> Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ range: Range<Int>, _ body: @escaping @Sendable (Int) -> Value) {
      self.range = range
      self.body = body
      next = range.lowerBound
      results = Array(repeating: nil, count: range.count)
      pthread_mutex_init(lock, nil)
    }

    deinit {
      pthread_mutex_destroy(lock)
      lock.deallocate()
    }

    func run() {
      while let number = take() {
        let result = body(number)
        pthread_mutex_lock(lock)
        results[number - range.lowerBound] = result
        pthread_mutex_unlock(lock)
      }
    }

    private func take() -> Int? {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      guard next < range.upperBound else { return nil }
      next += 1
      return next - 1
    }
  }
}
