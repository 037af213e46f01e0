import CLibrary
import JSONRPC

/// The processes of the user's that talk to this server over its socket, each with messages on lines.
///
/// Nothing here waits, so that no caller can hold the editor up. One call of a caller is answered before its next is
/// read. A caller that sends too much, or takes nothing, is hung up on.
final class Callers {
  /// What comes of a caller.
  enum News: Equatable {
    /// A call, and the open document that it is about; nil if its file is not open here.
    case call(from: Int, [UInt8], about: DocumentKey?)
    case left(Int)
  }

  private struct Caller {
    let number: Int
    let descriptor: Int32
    var framing = LineFraming(maximumLength: Callers.longestMessage)
    /// Whether there may be a message in what was received.
    var hasInput = false
    /// Whether a call of it is not answered yet.
    var isAsking = false
    var unsent: ArraySlice<UInt8> = []
    /// When it took something of that, or was to begin with it, in milliseconds.
    var tookAt = 0
    /// Whether its next message is to be read.
    var isListenedTo: Bool { !isAsking && unsent.isEmpty }
  }

  /// More wait until one is gone.
  static let most = 64
  /// In bytes; it holds the edits of one document.
  static let longestMessage = 1 << 24
  /// How much may wait for one that does not take it, in bytes.
  static let mostUnsent = 1 << 26
  /// How long one may take nothing of that, in milliseconds.
  static let patience = 10_000

  private let path: Path
  private let listener: Int32
  private var callers: [Caller] = []
  private var lastNumber = 0
  private let reader: CallReader

  /// Listens in a folder, from which sockets of servers that are gone are removed.
  ///
  /// - Throws: `Platform.Failure` if that cannot be done.
  init(in folder: Path) throws(Platform.Failure) {
    reader = try CallReader()
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
      // That one is gone is told in any case, but on macOS only to who asks for something.
      let events = caller.isListenedTo ? POLLIN : caller.unsent.isEmpty ? POLLHUP : POLLOUT
      return pollfd(fd: caller.descriptor, events: Int16(events), revents: 0)
    }
    if callers.count < Callers.most {
      all.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
    }
    all.append(pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0))
    return all
  }

  /// When ``receive(at:about:)`` has something to do though nothing comes, in milliseconds; nil if never.
  var deadline: Int? {
    callers.compactMap { caller in
      if caller.isListenedTo { return caller.hasInput ? .min : nil }
      return caller.unsent.isEmpty ? nil : caller.tookAt + Callers.patience
    }
    .min()
  }

  /// Takes what has come, and sends what is still to be sent.
  ///
  /// - Parameters:
  ///   - now: In milliseconds.
  ///   - documents: The documents that are open.
  /// - Returns: Who is gone, and at most one call, so that the client's messages come in between.
  func receive(at now: Int, about documents: () -> [DocumentKey]) -> [News] {
    var news: [News] = []
    if let read = reader.next(), let index = callers.firstIndex(where: { $0.number == read.caller })
    {
      switch read.message {
      case .call(let body, let document):
        news.append(.call(from: read.caller, body, about: document))
      case .none: callers[index].isAsking = false
      }
    }
    callers = callers.compactMap { caller in
      var caller = caller
      guard send(to: &caller, at: now), receive(from: &caller, about: documents) else {
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

  /// Sends the answer to the call of a caller; what it does not take now is sent later.
  func send(_ message: OutgoingMessage, to number: Int, at now: Int) {
    guard let index = callers.firstIndex(where: { $0.number == number }) else { return }
    callers[index].isAsking = false
    callers[index].unsent += message.line
    callers[index].tookAt = now
    // If that fails, the next turn tells.
    _ = send(to: &callers[index], at: now)
  }

  /// Returns false if the caller is gone, or sent too much.
  private func receive(from caller: inout Caller, about documents: () -> [DocumentKey]) -> Bool {
    guard caller.isListenedTo else { return !caller.isAsking || !isGone(caller) }
    if caller.hasInput, !takeMessage(of: &caller, about: documents) { return false }
    guard caller.isListenedTo, !caller.hasInput else { return true }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(caller.descriptor, &buffer, buffer.count)
    if count == 0 { return false }
    guard count > 0 else { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }
    caller.framing.append(buffer[..<count])
    return takeMessage(of: &caller, about: documents)
  }

  /// Has the next message read; returns false if that is not to be done.
  private func takeMessage(of caller: inout Caller, about documents: () -> [DocumentKey]) -> Bool {
    let frame = caller.framing.next()
    caller.hasInput = frame != nil
    switch frame {
    case .body(let body):
      caller.isAsking = true
      return reader.begin(body, from: caller.number, about: documents())
    case .tooLong: return false
    case nil: return true
    }
  }

  /// Whether a caller that waits for its answer has hung up.
  private func isGone(_ caller: Caller) -> Bool {
    var poller = pollfd(fd: caller.descriptor, events: Int16(POLLHUP), revents: 0)
    return poll(&poller, 1, 0) > 0
  }

  /// Returns false if the caller is gone, or takes nothing.
  private func send(to caller: inout Caller, at now: Int) -> Bool {
    while !caller.unsent.isEmpty {
      let count = caller.unsent.withUnsafeBytes {
        write(caller.descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 || errno == EAGAIN || errno == EWOULDBLOCK else { return false }
      if count < 0 {
        return caller.unsent.count <= Callers.mostUnsent
          && now - caller.tookAt < Callers.patience
      }
      caller.tookAt = now
      caller.unsent = caller.unsent.dropFirst(count)
    }
    return true
  }
}
