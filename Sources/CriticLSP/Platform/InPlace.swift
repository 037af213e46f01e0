#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is done to another file together with a change of one, so that both are changed or neither.
protocol Companion: AnyObject {
  /// Whether the other file is to be changed, as the new contents were made last.
  var isChanging: Bool { get }
  /// Throws if the other file cannot be changed.
  func check() throws(Platform.Failure)
  /// Does what has to be done before the file is replaced; changes nothing if it throws.
  func prepare() throws(Platform.Failure)
  /// Takes that back.
  func cancel()
  /// Does the rest, when the file has been replaced.
  func finish() throws(Platform.Failure)
}

extension FilePlace {
  /// Writes the new contents of a file.
  typealias Writing = (Output) -> Void

  /// How long to wait while another process of ours changes the file, in milliseconds.
  private static let patience = 60_000
  /// How often to begin again because something else has changed the file.
  private static let attempts = 20

  /// Changes the file in one step, and loses nothing that somebody else writes meanwhile.
  ///
  /// Processes of ours do it one after the other. If another program writes to the file before it is replaced, all
  /// is done again. If it has the file open at that moment and writes to it a little later, what it appends is appended
  /// here too, and after anything else all is done again.
  ///
  /// - Parameters:
  ///   - companion: What is done to another file with it; also if the contents of this one stay.
  ///   - make: Makes the new contents of the old ones; nil if they stay. It may be called several times.
  /// - Returns: How many names (hard links) the file had, of which only this one is changed; 0 if nothing was written.
  /// - Throws: `Platform.Failure`, and what `make` throws; then nothing was written.
  func change(
    with companion: (any Companion)? = nil,
    _ make: (UnsafeBufferPointer<UInt8>) throws(Platform.Failure) -> Writing?
  ) throws(Platform.Failure) -> Int {
    var source = try locked()
    var there = FileState(source.status)
    // The file that we have put there, while something came into the old one after it was read.
    var ours: TemporaryFile?
    for _ in 0..<FilePlace.attempts {
      let old = source.status
      let bytes = try source.contents()
      defer { bytes.deallocate() }
      var failure: Platform.Failure?
      var writing: Writing?
      do throws(Platform.Failure) { writing = try make(bytes) } catch { failure = error }
      if ours != nil {
        writing = writing ?? { $0.append(bytes) }
      } else if let failure {
        throw failure
      }
      let isAccompanied = failure == nil && companion?.isChanging == true
      if isAccompanied { try companion?.check() }
      guard let writing else {
        guard isAccompanied else { return 0 }
        try companion?.prepare()
        try companion?.finish()
        return 1
      }
      try expectWritable()
      let new = try TemporaryFile(beside: self, like: old, source)
      try new.write(isSafe: true) { output in writing(output) }
      source.awaitWriters()
      guard FileState(status) == there else {
        if ours != nil {
          try companion?.finish()
          return Int(old.st_nlink)
        }
        // It may be the same file, which this process has locked itself.
        flock(source.descriptor, LOCK_UN)
        source = try locked()
        there = FileState(source.status)
        continue
      }
      if isAccompanied { try companion?.prepare() }
      do throws(Platform.Failure) {
        try new.move()
      } catch {
        companion?.cancel()
        throw error
      }
      // It is locked until it is no longer used, and the other file with it.
      defer { withExtendedLifetime(new) {} }
      source.releaseWriters()
      if let failure {
        companion?.cancel()
        throw failure
      }
      guard FileState.contents(source.status) != FileState.contents(old) else {
        try companion?.finish()
        return max(1, Int(old.st_nlink))
      }
      let later = try source.contents()
      defer { later.deallocate() }
      if later.starts(with: bytes) {
        try companion?.finish()
        try new.append(UnsafeBufferPointer(rebasing: later[bytes.count...]))
        return max(1, Int(old.st_nlink))
      }
      there = FileState(status)
      ours = new
    }
    throw Platform.Failure(
      description: "\(path) is written to by another program again and again; try it later"
    )
  }

  /// What a user is told of a file of which one of several names is changed.
  static func told(_ names: Int, of path: Path) -> String {
    "\(path) had \(names) names (hard links); only this one is changed"
  }

  /// - Throws: `Platform.Failure` if the file may not be written to.
  func expectWritable() throws(Platform.Failure) {
    guard isReadOnly else { return }
    throw Platform.Failure(description: "\(path) is read-only; make it writable first: chmod u+w")
  }

  /// Calls a closure with the contents of the file while no other process of ours changes it.
  ///
  /// - Throws: `Platform.Failure` if one does, or the file cannot be read, and what `body` throws.
  func withLock(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Platform.Failure) -> Void
  ) throws(Platform.Failure) {
    let file = try OpenFile(self)
    guard Platform.lock(file.descriptor), FileState(file.status) == FileState(status) else {
      throw Platform.Failure(description: "another program has locked \(path)")
    }
    let bytes = try file.contents()
    defer { bytes.deallocate() }
    try body(bytes)
    withExtendedLifetime(file) {}
  }

  /// Opens the file and locks it for processes of ours, until it is closed.
  private func locked() throws(Platform.Failure) -> OpenFile {
    let deadline = Platform.now + FilePlace.patience
    while true {
      let file = try OpenFile(self)
      let isLocked = Platform.lock(file.descriptor)
      // Who had the lock has perhaps put a new file in its place.
      if isLocked, FileState(file.status) == FileState(status) { return file }
      guard Platform.now < deadline else {
        throw Platform.Failure(description: "cannot write \(path): another program has locked it")
      }
      if !isLocked { Platform.sleep(2) }
    }
  }
}

extension Platform {
  /// Locks an open file, if nobody else has; where files cannot be locked, it counts as locked.
  static func lock(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK && errno != EINTR
  }
}
