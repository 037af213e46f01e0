import CLibrary

/// A program that runs beside us, whose output is read in slices.
///
/// Invariant: it runs no longer than this is there.
final class BackgroundProgram {
  private let process: pid_t
  private let descriptor: Int32
  /// What it has written to standard output so far, as it was read.
  private(set) var output: [UInt8] = []
  private var hasEnded = false

  /// Starts a program, which reads nothing and whose messages nobody sees.
  ///
  /// - Parameters:
  ///   - command: The program, looked for in `$PATH`, and its arguments.
  ///   - variables: What of our environment is kept from it.
  /// - Throws: `Platform.Failure` if it is not there.
  init(_ command: [Path], without variables: Set<String>) throws(Platform.Failure) {
    let ends = try Platform.pipeEnds()
    defer { close(ends.writing) }
    do throws(Platform.Failure) {
      process = try Platform.spawn(command, without: variables, output: ends.writing)
    } catch {
      close(ends.reading)
      throw error
    }
    descriptor = ends.reading
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(descriptor)
    if !hasEnded {
      kill(process, SIGKILL)
      _ = Platform.end(of: process)
    }
  }

  /// Reads what it has written meanwhile.
  ///
  /// - Parameter count: The most bytes to read.
  /// - Returns: Whether it has ended well; nil if it runs yet, or there is more to read.
  func readMore(_ count: Int) -> Bool? {
    var hasMore = false
    output += [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      let got = read(descriptor, buffer.baseAddress, count)
      // What is freed later may change the number of the error.
      hasMore = got > 0 || got < 0 && (errno == EAGAIN || errno == EINTR)
      length = max(0, got)
    }
    if hasMore { return nil }
    hasEnded = true
    return Platform.end(of: process) == 0
  }
}
