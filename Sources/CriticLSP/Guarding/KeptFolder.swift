import TrackEngine

/// The folder for files that are kept while a shell runs: for each of its calls a file, which is removed when the call is
/// over.
struct KeptFolder {
  private let path: Path

  /// Copies are removed that are older, in nanoseconds: of a shell that was broken off nobody tells that it is over.
  private static let longestTime = 86_400_000_000_000
  /// The most copies.
  private static let mostCopies = 16

  /// The folder; nil if there is no home folder.
  init?() {
    guard let state = Platform.stateFolder else { return nil }
    path = state / "critic-lsp" / "guard"
  }

  /// Keeps files for a call.
  ///
  /// - Throws: `Platform.Failure` if they cannot be written.
  func keep(_ files: KeptFiles, for call: TextHash) throws(Platform.Failure) {
    let file = file(of: call)
    try Platform.makeFolders(above: file, mode: 0o700)
    try tidy()
    try Platform.replace(file, isSafe: false, mode: 0o600) { $0.append(files.contents) }
  }

  /// Takes out what was kept for a call; nil if nothing was.
  ///
  /// - Throws: `Platform.Failure` if it cannot be read or removed.
  func take(_ call: TextHash) throws(Platform.Failure) -> KeptFiles? {
    let file = file(of: call)
    if Platform.isGone(file) { return nil }
    let contents = try Platform.contents(of: file)
    try Platform.remove(file)
    return KeptFiles(contents)
  }

  private func file(of call: TextHash) -> Path { path / (Path("\(call)".utf8) ?? "") }

  /// Makes room for another copy.
  private func tidy() throws(Platform.Failure) {
    let copies = try Platform.entries(of: path).sorted { $0.stamp.modified > $1.stamp.modified }
    guard let newest = copies.first?.stamp.modified else { return }
    for (index, copy) in copies.enumerated()
    where index >= KeptFolder.mostCopies - 1
      || copy.stamp.modified < newest - KeptFolder.longestTime
    {
      try Platform.remove(path / copy.name)
    }
  }
}
