import CLibrary
import JSONRPC

/// The connection to a server of ours, over its socket, with messages on lines.
final class LineConnection {
  enum Input {
    case line([UInt8])
    /// The server is gone.
    case end
    case timeout
  }

  enum Sending {
    case sent
    /// The server is gone.
    case end
    /// The line was not sent to its end.
    case timeout
  }

  private let descriptor: Int32
  private var framing = LineFraming()

  /// Connects to a socket; nil if nobody listens there, or another user's process.
  init?(to path: Path) {
    guard let descriptor = LocalSocket.connection(to: path) else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Sends a line, until a moment in milliseconds.
  func send(_ line: [UInt8], before deadline: Int) -> Sending {
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
        guard Platform.wait(for: descriptor, POLLOUT, within: max(0, deadline - Platform.now)) > 0
        else { return .timeout }
      } else if count == 0 || errno != EINTR {
        return .end
      }
    }
    return .sent
  }

  /// Receives a line, until a moment in milliseconds.
  func receive(before deadline: Int) -> Input {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      while let frame = framing.next() {
        if case .body(let body) = frame { return .line(body) }
      }
      guard Platform.wait(for: descriptor, POLLIN, within: max(0, deadline - Platform.now)) != 0
      else { return .timeout }
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        framing.append(buffer[..<count])
      } else if count == 0 || errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK {
        return .end
      }
    }
  }
}
