/// A file that a command writes its result to, named with `-o` or otherwise.
enum OutputFile {
  /// Writes a text to the file, or to standard output.
  static func write(_ text: [UInt8], to path: Path?) throws(Platform.Failure) {
    guard let path else { return try Console.write(text) }
    Platform.tidyWhenEnded()
    try write(to: path) { $0.append(text) }
  }

  /// Replaces the file.
  ///
  /// - Parameters:
  ///   - path: The file; created if missing, and its folders too.
  ///   - body: Writes the new contents.
  /// - Throws: `Platform.Failure`; the file is then unchanged.
  static func write(
    to path: Path,
    _ body: (Output) throws(Platform.Failure) -> Void
  ) throws(Platform.Failure) {
    try expectAlone(path)
    // Only a text that replaces the document itself has to be on the disk before the document is gone.
    try Platform.replace(path, isSafe: false, body)
  }

  /// - Throws: `Platform.Failure` if a file has its marks beside it, which would be those of another text then.
  static func expectAlone(_ path: Path) throws(Platform.Failure) {
    guard Sidecar.isBeside(path) else { return }
    throw Platform.Failure(
      description: "\(path) has its marks in \(path.sidecar);"
        + " put them back first: critic-lsp marks inline \(path)"
    )
  }
}
