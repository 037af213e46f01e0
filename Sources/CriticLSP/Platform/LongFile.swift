import CLibrary

/// A file that is too long to be held in memory; read stretch by stretch, and not to be written to meanwhile.
final class LongFile: Sendable {
  /// The length, in bytes.
  let count: Int
  private let path: Path
  private let descriptor: Int32
  private let state: FileState?

  /// Opens a file; nil if it is shorter than `shortest` bytes, or no file.
  init?(_ path: Path, shortest: Int) throws(Platform.Failure) {
    // Who writes to a pipe would notice that it was opened.
    guard path != "-", let length = Platform.length(of: path), length >= shortest else {
      return nil
    }
    self.path = path
    descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw Platform.failure("cannot read \(path)") }
    let status = Platform.status(of: descriptor)
    state = FileState(status)
    count = Int(status?.st_size ?? 0)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The bytes of a range.
  ///
  /// - Throws: `Platform.Failure` if they cannot be read or are not there any more.
  func read(_ range: Range<Int>) throws(Platform.Failure) -> [UInt8] {
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, length in
      while length < range.count {
        let rest = buffer.baseAddress.map { $0 + length }
        let got = pread(descriptor, rest, range.count - length, off_t(range.lowerBound + length))
        if got < 0, errno == EINTR { continue }
        hasFailed = got < 0
        guard got > 0 else { return }
        length += got
      }
    }
    if hasFailed { throw Platform.failure("cannot read \(path)") }
    guard bytes.count == range.count else { throw changed }
    return bytes
  }

  /// Throws `Platform.Failure` if somebody has written to the file since it was opened.
  func expectUnchanged() throws(Platform.Failure) {
    guard FileState(Platform.status(of: descriptor)) == state else { throw changed }
  }

  private var changed: Platform.Failure {
    Platform.Failure(description: "cannot read \(path): it was changed while it was read")
  }
}
