import JSONRPC

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The processes of the user's that talk to this server over its socket, each with messages on lines.
///
/// Nothing here waits, so that no caller can hold the editor up. A caller that sends too much, or takes nothing, is
/// hung up on.
final class Callers {
  /// What comes of a caller.
  enum News {
    case message(from: Int, [UInt8])
    case left(Int)
  }

  private struct Caller {
    let number: Int
    let descriptor: Int32
    var framing = LineFraming(maximumLength: Callers.longestMessage)
    var unsent: ArraySlice<UInt8> = []
  }

  /// More wait until one is gone.
  static let most = Connection.mostOthers
  /// In bytes; it holds the edits of one document.
  static let longestMessage = 1 << 24

  private let path: Path
  private let listener: Int32
  private var callers: [Caller] = []
  private var lastNumber = 0

  /// Listens in a folder, from which sockets of servers that are gone are removed.
  ///
  /// - Throws: `Platform.Failure` if that cannot be done.
  init(in folder: Path) throws(Platform.Failure) {
    for path in LocalSocket.all(in: folder) { LocalSocket.removeIfDead(path) }
    var path: Path
    var listener: Int32?
    var number = 0
    repeat {
      // Processes in two containers that share the folder can have the same number.
      path = folder / (Path("\(getpid())-\(number)".utf8) ?? "")
      listener = try LocalSocket.listener(at: path)
      number += 1
    } while listener == nil
    self.path = path
    self.listener = listener ?? -1
  }

  deinit {
    for caller in callers { close(caller.descriptor) }
    close(listener)
    _ = path.withCString { unlink($0) }
  }

  /// What to wait for beside the client.
  var awaited: [pollfd] {
    var all = callers.map { caller in
      let events = caller.unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
      return pollfd(fd: caller.descriptor, events: Int16(events), revents: 0)
    }
    if callers.count < Callers.most {
      all.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
    }
    return all
  }

  /// Takes what has come, and sends what is still to be sent.
  func receive() -> [News] {
    var news: [News] = []
    callers = callers.compactMap { caller in
      var caller = caller
      guard receive(from: &caller, &news), send(to: &caller) else {
        close(caller.descriptor)
        news.append(.left(caller.number))
        return nil
      }
      return caller
    }
    while callers.count < Callers.most, let descriptor = LocalSocket.nextConnection(of: listener) {
      lastNumber += 1
      callers.append(Caller(number: lastNumber, descriptor: descriptor))
    }
    return news
  }

  /// Sends a message; what the caller does not take now is sent later.
  func send(_ message: OutgoingMessage, to number: Int) {
    guard let index = callers.firstIndex(where: { $0.number == number }) else { return }
    callers[index].unsent += message.line
    if !send(to: &callers[index]) {
      close(callers[index].descriptor)
      callers.remove(at: index)
    }
  }

  /// Returns false if the caller is gone, or sent too much.
  private func receive(from caller: inout Caller, _ news: inout [News]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(caller.descriptor, &buffer, buffer.count)
    if count == 0 { return false }
    guard count > 0 else { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }
    caller.framing.append(buffer[..<count])
    while let frame = caller.framing.next() {
      guard case .body(let body) = frame else { return false }
      news.append(.message(from: caller.number, body))
    }
    return true
  }

  /// Returns false if the caller is gone.
  private func send(to caller: inout Caller) -> Bool {
    while !caller.unsent.isEmpty {
      let count = caller.unsent.withUnsafeBytes {
        write(caller.descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return errno == EAGAIN || errno == EWOULDBLOCK }
      caller.unsent = caller.unsent.dropFirst(count)
    }
    return true
  }
}
