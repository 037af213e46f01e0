import CLibrary
import JSONRPC

/// Reads what callers send, and finds the open document that a call is about, each on a thread of its own: neither a
/// long message nor a disk that does not answer holds the editor up.
final class CallReader: Sendable {
  /// What was read of a caller.
  struct Read: Sendable {
    let caller: Int
    let message: Message
  }

  enum Message: Sendable {
    case call([UInt8], about: DocumentKey?)
    /// No call: it is not answered.
    case none
  }

  private struct State {
    var read: [Read] = []
    var threads = 0
    /// The files of the open documents, as they were found last.
    var files: [DocumentKey: FileNumber] = [:]
  }

  /// Each caller has one call, and one that is gone can have left another at a disk.
  private static let mostThreads = 2 * Callers.most

  /// Can be read from when ``next()`` has something.
  let descriptor: Int32
  private let bell: Int32
  private let state = Guarded(State())

  init() throws(Platform.Failure) {
    (descriptor, bell) = try Platform.pipeEnds()
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(descriptor)
    close(bell)
  }

  /// Begins to read a message; returns false if too many are being read.
  func begin(_ body: [UInt8], from caller: Int, about documents: [DocumentKey]) -> Bool {
    let isFree = state.with { state in
      guard state.threads < CallReader.mostThreads else { return false }
      state.threads += 1
      return true
    }
    guard isFree else { return false }
    let isStarted = Platform.startThread { [self] in
      let read = Read(caller: caller, message: message(body, documents))
      state.with { state in
        state.threads -= 1
        state.read.append(read)
      }
      _ = write(bell, [1], 1)
    }
    if !isStarted { state.with { $0.threads -= 1 } }
    return isStarted
  }

  /// What was read first; nil if nothing was.
  func next() -> Read? {
    var ring: UInt8 = 0
    guard read(descriptor, &ring, 1) == 1 else { return nil }
    return state.with { $0.read.removeFirst() }
  }

  private func message(_ body: [UInt8], _ documents: [DocumentKey]) -> Message {
    guard case .request(_, _, let params)? = try? IncomingMessage(body: body) else { return .none }
    return .call(body, about: FileNumber(params).flatMap { document(at: $0, among: documents) })
  }

  /// The document whose file has a number; nil if none has.
  private func document(at file: FileNumber, among documents: [DocumentKey]) -> DocumentKey? {
    let open = Set(documents)
    let known = state.with { state in
      state.files = state.files.filter { open.contains($0.key) }
      return state.files
    }
    // A file that was on another disk is looked at last: that disk may not answer.
    let byLikelihood = [
      documents.filter { known[$0] == file },
      documents.filter { known[$0] != file && known[$0]?.device ?? file.device == file.device },
      documents.filter { known[$0]?.device ?? file.device != file.device },
    ]
    return byLikelihood.joined().first { key in
      guard let found = key.path.flatMap(FileNumber.init) else { return false }
      state.with { $0.files[key] = found }
      return found == file
    }
  }
}
