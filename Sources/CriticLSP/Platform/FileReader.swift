import CLibrary

/// Why a file or folder could not be read.
enum ReadingFailure: Error, Equatable {
  case gone
  case failed(String)

  /// The reason in words.
  var description: String {
    switch self {
    case .gone: "It is gone"
    case .failed(let reason): reason
    }
  }

  init() {
    self = Platform.isMissing ? .gone : .failed(Platform.reason)
  }
}

/// A file that is read in slices.
final class FileReader {
  private let descriptor: Int32
  private(set) var bytes: [UInt8] = []

  init(_ path: Path) throws(ReadingFailure) {
    // Opening a named pipe would block until somebody writes to it.
    descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { throw ReadingFailure() }
    guard let status = Platform.status(of: descriptor) else { throw ReadingFailure() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .failed("It is not a file") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads more into ``bytes``.
  ///
  /// - Parameter count: The maximum number of bytes.
  /// - Returns: False at the end.
  /// - Throws: ``ReadingFailure`` if reading fails.
  func readMore(_ count: Int) throws(ReadingFailure) -> Bool {
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
