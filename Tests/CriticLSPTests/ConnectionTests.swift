import Foundation
import JSONRPC
import TestSupport
import Testing

import struct CLibrary.pollfd

@testable import CriticLSP

@Suite("The connection to the client", .timeLimited) struct ConnectionTests {
  /// What a client can have at the other end.
  enum Kind: CaseIterable {
    case pipe
    case socket
  }

  /// Both ends of the output, closed when the test is done.
  private final class Ends {
    let reading: Int32
    let writing: Int32

    init(_ kind: Kind) throws {
      #if os(Linux)
        let stream = Int32(SOCK_STREAM.rawValue)
      #else
        let stream = SOCK_STREAM
      #endif
      (reading, writing) = try Program.privatePair {
        (kind == .pipe ? pipe(&$0) : socketpair(AF_UNIX, stream, 0, &$0)) == 0
      }
      signal(SIGPIPE, SIG_IGN)
    }

    deinit {
      Program.start.withLock {
        close(reading)
        close(writing)
      }
    }

    /// Reads as many bytes, no less.
    func read(_ count: Int) throws -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count {
        var poller = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        try #require(poll(&poller, 1, 0) > 0, "\(count - bytes.count) bytes are missing")
        var part = [UInt8](repeating: 0, count: count - bytes.count)
        let got = Foundation.read(reading, &part, part.count)
        try #require(got > 0)
        bytes += part[..<got]
      }
      return bytes
    }
  }

  private func message(_ number: Int, _ length: Int) -> OutgoingMessage {
    let text = String(repeating: "é", count: length)
    return .response(to: .number(number)) { $0.string(text) }
  }

  private func bytes(_ messages: [OutgoingMessage]) -> [UInt8] {
    messages.flatMap { $0.withFrame { Array($0) } }
  }

  /// A descriptor on which nothing comes in.
  private static let silence: Int32 = {
    var ends: [Int32] = [-1, -1]
    return pipe(&ends) == 0 ? ends[0] : -1
  }()

  @Test("What is not taken waits, and is sent in order as it is", arguments: Kind.allCases)
  func order(_ kind: Kind) throws {
    let ends = try Ends(kind)
    var connection = Connection(input: ConnectionTests.silence, output: ends.writing)
    let lengths = [0, 10, 4000, 70_000, 1, 300_000, 2, 3, 2_000_000, 5]
    let messages = lengths.enumerated().map { message($0, $1) }
    for message in messages { connection.send(message) }
    let hears = connection.isListening
    #expect(hears)
    let expected = bytes(messages)
    var sent: [UInt8] = []
    while sent.count < expected.count {
      // As little as it takes for there to be room again.
      sent += try ends.read(min(expected.count - sent.count, 5000))
      guard case .none = connection.receive(within: 0) else {
        Issue.record("something came in")
        return
      }
    }
    // To tell where two such long lists differ would take hours.
    let isSame = sent == expected
    #expect(isSame)
  }

  @Test("A descriptor that others may share is left as it was", arguments: Kind.allCases)
  func shared(_ kind: Kind) throws {
    let ends = try Ends(kind)
    let flags = fcntl(ends.writing, F_GETFL)
    var connection = Connection(input: ConnectionTests.silence, output: ends.writing)
    for number in 0..<10 { connection.send(message(number, 100_000)) }
    #expect(fcntl(ends.writing, F_GETFL) == flags)
    #expect(flags & O_NONBLOCK == 0)
    let hears = connection.isListening
    #expect(hears)
  }

  @Test(
    "A descriptor that somebody made non-blocking is written to no less",
    arguments: Kind.allCases
  )
  func nonBlocking(_ kind: Kind) throws {
    let ends = try Ends(kind)
    #expect(fcntl(ends.writing, F_SETFL, fcntl(ends.writing, F_GETFL) | O_NONBLOCK) == 0)
    var connection = Connection(input: ConnectionTests.silence, output: ends.writing)
    let message = message(1, 500_000)
    connection.send(message)
    let expected = bytes([message])
    var sent: [UInt8] = []
    while sent.count < expected.count {
      sent += try ends.read(min(expected.count - sent.count, 50_000))
      _ = connection.receive(within: 0)
    }
    // To tell where two such long lists differ would take hours.
    let isSame = sent == expected
    #expect(isSame)
  }

  @Test(
    "A client that takes nothing is listened to again when it takes more",
    arguments: Kind.allCases
  )
  func behind(_ kind: Kind) throws {
    let (ends, input) = (try Ends(kind), try Ends(kind))
    var connection = Connection(input: input.reading, output: ends.writing, mostQueued: 1_000_000)
    let message = message(1, 1_000_000)
    #expect(write(input.writing, "x", 1) == 1)
    guard case .bytes = connection.receive(within: 0) else {
      Issue.record("nothing came in")
      return
    }
    connection.send(message)
    #expect(write(input.writing, "y", 1) == 1)
    var left = message.withFrame(\.count)
    while left > 0 {
      left -= try ends.read(min(left, 1000)).count
      if case .bytes = connection.receive(within: 0) { break }
    }
    // The system holds some of the rest.
    #expect((1...1_500_000).contains(left))
  }

  @Test("At the end all is sent that is still taken", arguments: Kind.allCases)
  func finish(_ kind: Kind) throws {
    let ends = try Ends(kind)
    var connection = Connection(input: ConnectionTests.silence, output: ends.writing)
    let messages = (0..<20).map { message($0, 50_000) }
    for message in messages { connection.send(message) }
    let expected = bytes(messages)
    let reader = Thread { [reading = ends.reading] in
      var left = expected.count
      var part = [UInt8](repeating: 0, count: 7000)
      while left > 0 { left -= max(1, read(reading, &part, part.count)) }
    }
    reader.start()
    connection.finish(timeout: 30_000)
    let hears = connection.isListening
    #expect(hears)
    // What is read by then is all but what the pipe still holds.
    while !reader.isFinished { usleep(1000) }
  }

  @Test("A client that takes nothing is not waited for without end", arguments: Kind.allCases)
  func stubborn(_ kind: Kind) throws {
    let ends = try Ends(kind)
    var connection = Connection(input: ConnectionTests.silence, output: ends.writing)
    connection.send(message(1, 1_000_000))
    connection.finish(timeout: 20)
    let hears = connection.isListening
    #expect(hears)
  }

  @Test(
    "That the client has closed its end is known with the next message",
    arguments: Kind.allCases
  )
  func deaf(_ kind: Kind) throws {
    var ends: Ends? = try Ends(kind)
    let output = dup(ends?.writing ?? -1)
    defer { close(output) }
    var connection = Connection(input: ConnectionTests.silence, output: output)
    connection.send(message(1, 1_000_000))
    var hears = connection.isListening
    #expect(hears)
    ends = nil
    connection.send(message(2, 1))
    hears = connection.isListening
    #expect(!hears)
    connection.finish(timeout: 30_000)
  }

  @Test("A file is written to as well")
  func file() throws {
    let folder = try Folder()
    try folder.write("out", "")
    let descriptor = open(folder.path("out"), O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var connection = Connection(input: ConnectionTests.silence, output: descriptor)
    let messages = [message(1, 200_000), message(2, 3)]
    for message in messages { connection.send(message) }
    let isSame = try folder.bytes("out") == bytes(messages)
    #expect(isSame)
  }

  @Test("A long queue is worked off in steps that do not grow with it")
  func longQueue() {
    var queue = SendQueue()
    let message = message(1, 100)
    let length = message.withFrame { $0.count }
    // To move all of them with each would take hours.
    for _ in 0..<400_000 { queue.append(message) }
    var sent = 0
    while !queue.isEmpty {
      let count = queue.withNext { min($0.count, 60) }
      queue.remove(count)
      sent += count
      if sent % 1000 == 0 { queue.append(message) }
    }
    #expect(sent % length == 0)
    #expect(sent >= 400_000 * length)
    #expect(queue.withNext(\.count) == 0)
  }

  // MARK: - The program

  private static let initialize =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"capabilities":{}}}"#

  private func unknown(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"what"}"# }

  @Test("A client that writes and writes before it reads is answered, message by message")
  func writer() throws {
    let server = try ServerProcess()
    let count = 6000
    try server.post([ConnectionTests.initialize] + (1...count).map(unknown))
    for id in 0...count {
      let answer = try server.next { $0["method"] == nil }
      try #require(answer["id"]?.integer == id)
    }
  }

  @Test("What waits is sent before the server ends, by itself or because the client hangs up")
  func end() throws {
    for isAsked in [true, false] {
      let server = try ServerProcess()
      let count = 6000
      let last = [
        #"{"jsonrpc":"2.0","id":"last","method":"shutdown"}"#,
        #"{"jsonrpc":"2.0","method":"exit"}"#,
      ]
      try server.post(
        [ConnectionTests.initialize] + (1...count).map(unknown) + (isAsked ? last : [])
      )
      try server.hangUp()
      for id in 0...count {
        let answer = try server.next { $0["method"] == nil }
        try #require(answer["id"]?.integer == id)
      }
      if isAsked { #expect(try server.next()["id"]?.string == "last") }
      #expect(try server.exitCode() == (isAsked ? 0 : 1))
    }
  }
}
