/// A folder that only we can open, for files that another program reads and writes; removed with all in it.
///
/// It is removed also if SIGINT, SIGTERM or SIGHUP ends the process meanwhile, after the program that `Platform.run` has
/// started in it was ended.
final class TemporaryFolder: Sendable {
  /// It is absolute.
  let path: Path

  /// Makes one in `$TMPDIR`, else in `/tmp`.
  ///
  /// - Throws: `Platform.Failure` if none can be made there.
  init() throws(Platform.Failure) {
    Platform.tidyWhenEnded()
    let named = Platform.environment("TMPDIR").flatMap { Path($0.utf8) }
    let parent = named.flatMap { $0.isAbsolute ? $0 : nil } ?? "/tmp"
    guard let path = TemporaryFiles.shared.with({ $0.makeFolder(in: parent) }) else {
      throw Platform.failure("cannot make a folder in \(parent)")
    }
    self.path = path
  }

  deinit { TemporaryFiles.shared.with { $0.remove(folder: path) } }
}
