import CLibrary

/// A lease tells whether another program has a file open for writing, as an editor that is just saving it; Linux has
/// them, for one's own files. Elsewhere nobody is waited for.
extension OpenFile {
  /// How long to wait for a program that has the file open, in milliseconds.
  private static let patience = 2000

  /// Waits until no other program has the file open for writing, and notes who opens it from then on.
  func awaitWriters() {
    #if os(Linux)
      // What a program that opens the file would send us.
      signal(SIGIO, SIG_IGN)
      let deadline = Platform.now + OpenFile.patience
      while fcntl(descriptor, F_SETLEASE, Int32(F_RDLCK)) != 0, errno == EAGAIN,
        Platform.now < deadline
      { Platform.sleep(2) }
    #endif
  }

  /// Waits for a program that has begun to open the file since then, and lets all others open it.
  func releaseWriters() {
    #if os(Linux)
      let isWanted = fcntl(descriptor, F_GETLEASE) != Int32(F_RDLCK)
      _ = fcntl(descriptor, F_SETLEASE, Int32(F_UNLCK))
      guard isWanted else { return }
      awaitWriters()
      _ = fcntl(descriptor, F_SETLEASE, Int32(F_UNLCK))
    #endif
  }
}
