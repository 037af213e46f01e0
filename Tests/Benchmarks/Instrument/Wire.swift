import CLibrary

/// The client's end of a connection with a language server: as little as the floor needs that is
/// measured with it.
final class Wire {
  private let process: ChildProcess
  private let sending: Int32
  private let receiving: Int32
  private var buffer = GrowingMemory.room(for: 1 << 16)
  /// What was received and not yet looked at.
  private var start = 0
  private var end = 0

  /// Messages received that were errors.
  private(set) var errors = 0
  /// The body of the last list of changes.
  private(set) var list: [UInt8] = []
  /// Whether ``list`` is kept.
  var keepsList = false

  init(_ arguments: [String]) throws {
    var input: [Int32] = [0, 0]
    var output: [Int32] = [0, 0]
    guard pipe(&input) == 0, pipe(&output) == 0 else {
      throw Failure.system("cannot make a pipe")
    }
    for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    process = try ChildProcess(arguments, input: input[0], output: output[1])
    close(input[0])
    close(output[1])
    sending = input[1]
    receiving = output[0]
    _ = fcntl(sending, F_SETFL, O_NONBLOCK)
  }

  var memory: (now: Int, peak: Int) { process.memory }

  /// Hangs up and waits for the server's end.
  func hangUp() {
    close(sending)
    close(receiving)
    // Not every server ends when its client is gone.
    for _ in 0..<100 {
      if waitpid(process.identifier, nil, WNOHANG) != 0 { return }
      usleep(10_000)
    }
    kill(process.identifier, SIGKILL)
    _ = process.wait()
  }

  /// Sends bytes, taking in what the server has to say meanwhile, which it may have to before it
  /// listens again.
  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(sending, $0.baseAddress.map { $0 + sent }, $0.count - sent)
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        var pollers = [
          pollfd(fd: sending, events: Int16(POLLOUT), revents: 0),
          pollfd(fd: receiving, events: Int16(POLLIN), revents: 0),
        ]
        poll(&pollers, 2, -1)
        if pollers[1].revents != 0 { try receive() }
      } else {
        throw Failure.system("the server is gone")
      }
    }
  }

  /// What is waited for.
  enum Awaited {
    /// The answer to a request, whose number is found nowhere else.
    case answer(Int)
    /// The list of changes.
    case list
  }

  /// Waits for a message; those that come before it are passed over.
  func wait(for awaited: Awaited) throws {
    while true {
      while let body = try next() {
        let head = UnsafeRawBufferPointer(rebasing: body.prefix(200))
        let isList = head.contains("publishDiagnostics")
        if isList, keepsList { list = Array(body) }
        switch awaited {
        case .list: if isList { return }
        case .answer(let number):
          let tail = UnsafeRawBufferPointer(rebasing: body.suffix(64))
          guard !isList, head.contains("\(number)") || tail.contains("\(number)") else { continue }
          if head.contains("\"error\"") || tail.contains("\"error\"") { errors += 1 }
          return
        }
      }
      try receive()
    }
  }

  private func receive() throws {
    if start == end {
      start = 0
      end = 0
    } else if end == buffer.count {
      buffer.grow(keeping: start..<end)
      end -= start
      start = 0
    }
    let count = read(receiving, buffer.base + end, buffer.count - end)
    guard count > 0 else { throw Failure("the server is gone") }
    end += count
  }

  /// The body of the next message, if all of it is there; valid until more is received.
  private func next() throws -> UnsafeRawBufferPointer? {
    let bytes = UnsafeRawBufferPointer(start: buffer.base + start, count: end - start)
    guard let header = bytes.firstRange("\r\n\r\n") else { return nil }
    guard let name = bytes.firstRange("Content-Length: "), name < header else {
      throw Failure("a message without a length")
    }
    var length = 0
    for byte in bytes[(name + 16)..<header] {
      guard byte >= 0x30, byte <= 0x39 else { break }
      length = length * 10 + Int(byte & 0xF)
    }
    guard header + 4 + length <= bytes.count else { return nil }
    start += header + 4 + length
    return UnsafeRawBufferPointer(rebasing: bytes[(header + 4)..<(header + 4 + length)])
  }
}

/// Memory that grows.
private struct GrowingMemory {
  private(set) var base: UnsafeMutableRawPointer
  private(set) var count: Int

  static func room(for count: Int) -> GrowingMemory {
    GrowingMemory(
      base: UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16),
      count: count
    )
  }

  /// Makes room after what is kept, which goes to the beginning.
  mutating func grow(keeping kept: Range<Int>) {
    if kept.count > count / 2 {
      let larger = GrowingMemory.room(for: 2 * count)
      memcpy(larger.base, base + kept.lowerBound, kept.count)
      base.deallocate()
      self = larger
    } else {
      memmove(base, base + kept.lowerBound, kept.count)
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func firstRange(_ text: StaticString) -> Int? {
    guard let baseAddress,
      let found = memmem(baseAddress, count, text.utf8Start, text.utf8CodeUnitCount)
    else { return nil }
    return baseAddress.distance(to: UnsafeRawPointer(found))
  }

  fileprivate func contains(_ text: StaticString) -> Bool { firstRange(text) != nil }

  fileprivate func contains(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let baseAddress, let part = bytes.baseAddress else { return false }
      return memmem(baseAddress, count, part, bytes.count) != nil
    }
  }
}
