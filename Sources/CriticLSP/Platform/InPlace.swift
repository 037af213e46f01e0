import CLibrary

/// What is done to another file together with a change of one, so that both are changed or neither.
protocol Companion: AnyObject {
  /// Whether the other file is to be changed, as the new contents were made last.
  var isChanging: Bool { get }
  /// Throws if the other file cannot be changed.
  func check() throws(Platform.Failure)
  /// Makes what is to be put beside the file just before that is replaced; nothing that others can read is changed.
  ///
  /// - Returns: The new file; nil if there is nothing to put.
  func prepare() throws(Platform.Failure) -> TemporaryFile?
  /// Forgets what was prepared last, and was not put in its place.
  func discard()
  /// Throws if somebody has changed the other file since it was prepared.
  func expectUnchanged() throws(Platform.Failure)
  /// Notes that what was prepared has been put in its place.
  func notePut()
  /// Takes back what was put.
  func cancel()
  /// Does the rest, when the file has been replaced.
  func finish() throws(Platform.Failure)
}

extension FilePlace {
  /// Writes the new contents of a file.
  typealias Writing = (Output) -> Void

  /// How long to wait while another process of ours changes the file, in milliseconds.
  static let patience = 60_000
  /// How long a server waits, in which an editor's messages wait meanwhile, in milliseconds.
  static let serverPatience = 1_000
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
  ///   - patience: How long to wait while another process of ours changes the file, in milliseconds.
  ///   - make: Makes the new contents of the old ones; nil if they stay. It may be called several times.
  /// - Returns: How many names (hard links) the file had, of which only this one is changed; 0 if nothing was written.
  /// - Throws: `Platform.Failure`, and what `make` throws; then nothing was written.
  func change(
    with companion: (any Companion)? = nil,
    within patience: Int = FilePlace.patience,
    _ make: (UnsafeBufferPointer<UInt8>) throws(Platform.Failure) -> Writing?
  ) throws(Platform.Failure) -> Int {
    var source = try locked(within: patience)
    var there = FileState(source.status)
    // The file that we have put there, while something came into the old one after it was read.
    var ours: TemporaryFile?
    // They are locked until all is done, and the other file with them.
    defer { withExtendedLifetime((source, ours)) {} }
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
      let partner = failure == nil && companion?.isChanging == true ? companion : nil
      if writing == nil, partner == nil { return 0 }
      try partner?.check()
      let new = try writing.map { (writing) throws(Platform.Failure) in
        try made(writing, of: source)
      }
      let beside = try partner?.prepare()
      if new != nil { source.awaitWriters() }
      // From here on nobody is waited for until the new file is there.
      guard FileState(status) == there else {
        partner?.discard()
        if ours != nil {
          try companion?.finish()
          return Int(old.st_nlink)
        }
        // It may be the same file, which this process has locked itself.
        flock(source.descriptor, LOCK_UN)
        source = try locked(within: patience)
        there = FileState(source.status)
        continue
      }
      try partner?.expectUnchanged()
      do throws(Platform.Failure) {
        if let new { try new.move(after: beside) } else { try beside?.move() }
      } catch {
        if beside?.isMoved == true { partner?.notePut() }
        if ours == nil { partner?.cancel() }
        throw error
      }
      partner?.notePut()
      guard let new else {
        try partner?.finish()
        return 1
      }
      defer { withExtendedLifetime(new) {} }
      source.releaseWriters()
      if partner == nil { companion?.cancel() }
      if let failure { throw failure }
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

  /// Makes the file that is to replace an open one.
  private func made(
    _ writing: Writing,
    of source: OpenFile
  ) throws(Platform.Failure) -> TemporaryFile {
    try expectWritable()
    let new = try TemporaryFile(beside: self, like: source.status, source)
    try new.write(isSafe: true) { output in writing(output) }
    return new
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
  private func locked(within patience: Int) throws(Platform.Failure) -> OpenFile {
    let deadline = Platform.now + patience
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
