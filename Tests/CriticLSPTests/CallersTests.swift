import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Other processes at the socket", .timeLimited) struct CallersTests {
  /// The socket of a server, and processes that call.
  private final class Line {
    let callers: Callers
    /// Short, since the path of a socket is.
    let folder = "/tmp/critic-\(UInt32.random(in: 0...UInt32.max))"
    /// What is open.
    var documents: [DocumentKey] = []
    private var connections: [Int32] = []

    init() throws {
      signal(SIGPIPE, SIG_IGN)
      let path = try #require(Path(folder.utf8))
      callers = try Callers(in: path)
    }

    deinit {
      Program.start.withLock { for connection in connections { close(connection) } }
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// Connects; callers are numbered from 1.
    func connect() throws -> Int32 {
      let folder = try #require(Path(folder.utf8))
      let path = try #require(LocalSocket.all(in: folder).first)
      let connection = try #require(LocalSocket.connection(to: path))
      connections.append(connection)
      return connection
    }

    /// What comes next; nil if nothing does for a while.
    func next(at now: Int = 0, within milliseconds: Int = 30_000) -> [Callers.News]? {
      let end = Platform.now + milliseconds
      while Platform.now < end {
        let news = callers.receive(at: now) { self.documents }
        if !news.isEmpty { return news }
        if callers.deadline != .min {
          var awaited = callers.awaited
          poll(&awaited, nfds_t(awaited.count), Int32(max(0, end - Platform.now)))
        }
      }
      return nil
    }

    func answer(_ caller: Int, length: Int = 1, at now: Int = 0) {
      let text = String(repeating: "x", count: length)
      callers.send(.response(to: .number(1)) { $0.string(text) }, to: caller, at: now)
    }
  }

  private func request(_ id: Int, _ params: String = "{}") -> [UInt8] {
    Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"text","params":\#(params)}"#.utf8)
  }

  private func send(_ lines: [[UInt8]], _ connection: Int32) {
    let bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
    #expect(write(connection, bytes, bytes.count) == bytes.count)
  }

  private func receive(_ connection: Int32) -> Int {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    return read(connection, &buffer, buffer.count)
  }

  @Test("The next call of a caller is read when the one before is answered and taken")
  func oneByOne() throws {
    let line = try Line()
    let connection = try line.connect()
    send((1...5).map { request($0) }, connection)
    var (news, taken): ([Callers.News]?, Int) = (nil, 0)
    for id in 1...5 {
      #expect(news ?? line.next() == [.call(from: 1, request(id), about: nil)])
      #expect(line.next(within: 20) == nil)
      line.answer(1, length: 1_000_000)
      (news, taken) = (nil, 0)
      while taken < 1_000_000 {
        if news == nil { news = line.next(within: 1) }
        // The system holds some of it.
        #expect(taken > 400_000 || news == nil)
        taken += max(0, receive(connection))
      }
    }
  }

  @Test("What is no call is passed over, and the next one is read")
  func noCalls() throws {
    let line = try Line()
    let connection = try line.connect()
    let nonsense = ["nonsense", "{}", "[1]", #"{"id":1}"#, #"{"jsonrpc":"2.0","method":"text"}"#]
    for _ in 0..<3 {
      send(nonsense.map { Array($0.utf8) } + [request(7)], connection)
      #expect(line.next() == [.call(from: 1, request(7), about: nil)])
      line.answer(1)
    }
  }

  @Test("One call comes in a turn, however many callers there are")
  func manyCallers() throws {
    let line = try Line()
    let connections = try (1...Callers.most).map { _ in
      let connection = try line.connect()
      #expect(line.next(within: 1) == nil)
      return connection
    }
    for connection in connections { send([request(1)], connection) }
    var asked: Set<Int> = []
    while asked.count < connections.count {
      let news = try #require(line.next())
      #expect(news.count == 1)
      guard case .call(let caller, _, _) = news[0] else {
        Issue.record("\(news)")
        return
      }
      #expect(asked.insert(caller).inserted)
    }
  }

  @Test("Who takes nothing of an answer for too long is hung up on")
  func takesNothing() throws {
    let line = try Line()
    let connection = try line.connect()
    send([request(1)], connection)
    #expect(line.next()?.count == 1)
    line.answer(1, length: 8_000_000, at: 1000)
    #expect(line.callers.deadline == 1000 + Callers.patience)
    #expect(line.next(at: 999 + Callers.patience, within: 20) == nil)
    // To take something is enough.
    #expect(receive(connection) > 0)
    #expect(line.next(at: 999 + Callers.patience, within: 20) == nil)
    #expect(line.callers.deadline == 999 + 2 * Callers.patience)
    #expect(line.next(at: 998 + 2 * Callers.patience, within: 20) == nil)
    #expect(line.next(at: 999 + 2 * Callers.patience) == [.left(1)])
    #expect(line.callers.deadline == nil)
  }

  @Test("More than a caller may leave untaken is not kept for it")
  func tooMuch() throws {
    let line = try Line()
    send([request(1)], try line.connect())
    #expect(line.next()?.count == 1)
    line.answer(1, length: Callers.mostUnsent + 10_000_000)
    #expect(line.next() == [.left(1)])
  }

  @Test("That a caller has hung up is told, whatever it waits for", arguments: [0, 1, 2])
  func hangingUp(_ answers: Int) throws {
    let line = try Line()
    let connection = try line.connect()
    send([request(1), request(2)], connection)
    #expect(line.next()?.count == 1)
    if answers > 0 { line.answer(1, length: answers == 1 ? 1 : 8_000_000) }
    if answers == 1 { #expect(line.next()?.count == 1) }
    Program.start.withLock { _ = shutdown(connection, Int32(SHUT_RDWR)) }
    #expect(line.next() == [.left(1)])
  }

  @Test("Who sends a message that is too long is hung up on")
  func tooLong() throws {
    let line = try Line()
    let connection = try line.connect()
    let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
    var sent = 0
    while sent <= Callers.longestMessage {
      let count = write(connection, part, part.count)
      sent += max(0, count)
      if count <= 0 { #expect(line.next(within: 1) == nil) }
    }
    while write(connection, [UInt8(ascii: "\n")], 1) != 1 { #expect(line.next(within: 1) == nil) }
    #expect(line.next() == [.left(1)])
  }

  @Test("A call is about the open document that its file is, whatever that is called")
  func documents() throws {
    let line = try Line()
    let folder = try Folder()
    let connection = try line.connect()
    for name in ["a.md", "b.md", "c.md"] { try folder.write(name, name) }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.md"),
      withDestinationPath: "a.md"
    )
    try FileManager.default.linkItem(atPath: folder.path("b.md"), toPath: folder.path("other.md"))
    func key(_ name: String) -> DocumentKey {
      DocumentKey(uri: URL(filePath: folder.path(name)).absoluteString)
    }
    func asked(_ name: String) throws -> DocumentKey? {
      let file = try #require(Path(folder.path(name).utf8).flatMap(FileNumber.init))
      let params = #"{"device":\#(file.device),"inode":\#(file.inode)}"#
      send([request(1, params)], connection)
      guard case .call(1, _, let document)? = line.next()?.first else {
        throw ResponseError.internalError("no call")
      }
      line.answer(1)
      _ = receive(connection)
      return document
    }
    line.documents = [key("a.md"), key("other.md"), key("gone.md"), DocumentKey(uri: "untitled:x")]
    for _ in 0..<2 {
      #expect(try asked("link.md") == key("a.md"))
      #expect(try asked("b.md") == key("other.md"))
      #expect(try asked("c.md") == nil)
    }
    // Another program puts a file in the place of an open one.
    try FileManager.default.removeItem(atPath: folder.path("a.md"))
    try FileManager.default.moveItem(atPath: folder.path("c.md"), toPath: folder.path("a.md"))
    #expect(try asked("a.md") == key("a.md"))
    line.documents = [key("other.md")]
    #expect(try asked("a.md") == nil)
    #expect(try asked("b.md") == key("other.md"))
  }
}
