import CLibrary

/// Sockets in folders that only the user can open, over which processes of the user's talk on one machine.
enum LocalSocket {
  /// The folders in which servers listen, the one that a new server takes first.
  static var folders: [Path] {
    var folders: [Path] = []
    if let runtime = Platform.environment("XDG_RUNTIME_DIR").flatMap({ Path($0.utf8) }),
      runtime.isAbsolute
    {
      folders.append(runtime / "critic-lsp")
    }
    return folders + (Platform.stateFolder.map { [$0 / "critic-lsp/sockets"] } ?? [])
  }

  /// Begins to listen at a path.
  ///
  /// - Returns: The descriptor; nil if something is there already.
  /// - Throws: `Platform.Failure` if others could open the folder, or if the path is too long for a socket.
  static func listener(at path: Path) throws(Platform.Failure) -> Int32? {
    try Platform.makeFolders(above: path, mode: 0o700)
    guard isPrivate(path.folder.withoutSlash) else {
      throw Platform.Failure(description: "others could open the folder \(path.folder)")
    }
    if !Platform.isGone(path) { return nil }
    let descriptor = try opened(path) { bind($0, $1, $2) }
    guard listen(descriptor, 16) == 0 else {
      defer { close(descriptor) }
      throw Platform.failure("cannot listen at \(path)")
    }
    return descriptor
  }

  /// Connects to the server that listens at a path; nil if none does, or another user's.
  static func connection(to path: Path) -> Int32? {
    guard isPrivate(path.folder.withoutSlash) else { return nil }
    guard let descriptor = try? opened(path, { connect($0, $1, $2) }) else { return nil }
    if isOfUser(descriptor) { return descriptor }
    close(descriptor)
    return nil
  }

  /// Takes the next connection that waits; nil if none does.
  ///
  /// Those of other users are closed.
  static func nextConnection(of listener: Int32) -> Int32? {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { return nil }
      setFlags(of: descriptor)
      if isOfUser(descriptor) { return descriptor }
      close(descriptor)
    }
  }

  /// Removes a socket at which nobody listens any more.
  static func removeIfDead(_ path: Path) {
    do throws(Platform.Failure) {
      close(try opened(path) { connect($0, $1, $2) })
    } catch {
      if error.isRefused { _ = path.withCString { unlink($0) } }
    }
  }

  /// The sockets in a folder that only the user can open.
  static func all(in folder: Path) -> [Path] {
    guard isPrivate(folder) else { return [] }
    return ((try? Platform.names(in: folder)) ?? []).sorted().map { folder / $0 }.filter { path in
      status(of: path).map { $0.st_mode & S_IFMT == S_IFSOCK } ?? false
    }
  }

  /// Whether a folder is the user's, and no link, and nobody else can open it.
  private static func isPrivate(_ folder: Path) -> Bool {
    guard let status = status(of: folder) else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }

  /// What is at a path, be it a link.
  private static func status(of path: Path) -> stat? {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0 ? status : nil
  }

  /// Whether the process at the other end is the user's.
  private static func isOfUser(_ descriptor: Int32) -> Bool {
    #if os(Linux)
      var credentials = ucred()
      var length = socklen_t(MemoryLayout.size(ofValue: credentials))
      let known = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
      return known == 0 && credentials.uid == geteuid()
    #else
      var (user, group) = (uid_t.max, gid_t.max)
      return getpeereid(descriptor, &user, &group) == 0 && user == geteuid()
    #endif
  }

  /// Opens a socket, and binds or connects it to a path.
  private static func opened(
    _ path: Path,
    _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(Platform.Failure) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // With the zero at its end.
    guard path.bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Platform.Failure(description: "the path of the socket is too long: \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
    #if canImport(Glibc)
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Platform.failure("cannot open a socket") }
    setFlags(of: descriptor)
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use(descriptor, $0, length) }
    }
    guard result == 0 else {
      let isRefused = errno == ECONNREFUSED
      var failure = Platform.failure("cannot use the socket \(path)")
      failure.isRefused = isRefused
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  /// Neither does anything wait for the other end, nor do programs that are started inherit the socket.
  private static func setFlags(of descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }
}
