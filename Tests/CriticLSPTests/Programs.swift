import Foundation
import JSONRPC
import Testing

/// The built program.
enum Program {
  /// How long a process may take before a test gives up on it, in seconds.
  static let patience = 30.0

  /// Held while a program is started, for until it runs it holds a copy of every descriptor that the
  /// tests have open; and while one is made or closed of which no copy may be left.
  static let start = NSLock()

  /// Makes a pair of descriptors that no program inherits.
  ///
  /// - Parameter make: Fills in both, and returns whether that succeeded.
  /// - Returns: Both.
  /// - Throws: What fails the test if there are none to be had.
  static func privatePair(_ make: (inout [Int32]) -> Bool) throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let isPrivate = start.withLock {
      make(&ends) && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
    }
    try #require(isPrivate)
    return (ends[0], ends[1])
  }

  /// Beside the test bundle, in the folder of the build's products.
  static let url: URL? = {
    let names = CommandLine.arguments.filter { $0.contains("/") }
    let places = Bundle.allBundles.map(\.bundleURL) + names.map { URL(filePath: $0) }
    for place in places {
      var folder = place.standardizedFileURL
      while folder.path.count > 1 {
        folder.deleteLastPathComponent()
        let program = folder.appending(path: "critic-lsp")
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: program.path, isDirectory: &isFolder),
          !isFolder.boolValue
        {
          return program
        }
      }
    }
    return nil
  }()
}

/// A process of the program that is never left behind.
final class RunningProgram {
  private let process = Process()
  private let ended = DispatchSemaphore(value: 0)

  var identifier: Int32 { process.processIdentifier }

  init(
    _ arguments: [String],
    in folder: URL? = nil,
    environment: [String: String] = [:],
    input: Any,
    output: Any,
    errors: Any
  ) throws {
    let program: URL = try #require(Program.url, "the program is not built")
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    process.terminationHandler = { [ended] _ in ended.signal() }
    try Program.start.withLock { try process.run() }
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// Waits for the end.
  func exitCode() throws -> Int32 {
    let result = ended.wait(timeout: .now() + Program.patience)
    try #require(result == .success, "the program does not end")
    ended.signal()
    return process.terminationStatus
  }
}

/// What a command line wrote.
struct Outcome: Equatable {
  var code: Int32
  var output: String
  var errors: String
}

/// A folder of its own for a test.
final class Folder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "critic-lsp-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url.appending(path: name)))
  }

  func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  /// The files in the folder and those below it, sorted.
  var names: [String] {
    let all = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return all.sorted()
  }

  func attributes(_ name: String) throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(atPath: path(name))
  }

  /// Runs the program here until it ends.
  func run(_ arguments: String..., input: String = "") throws -> Outcome {
    try run(arguments, input: input)
  }

  func run(
    _ arguments: [String],
    environment: [String: String] = [:],
    input: String = ""
  ) throws -> Outcome {
    let streams = try Folder()
    for name in ["out", "err"] { try streams.write(name, "") }
    try streams.write("in", input)
    let handles = [
      try FileHandle(forReadingFrom: streams.url.appending(path: "in")),
      try FileHandle(forWritingTo: streams.url.appending(path: "out")),
      try FileHandle(forWritingTo: streams.url.appending(path: "err")),
    ]
    let program = try RunningProgram(
      arguments,
      in: url,
      environment: environment,
      input: handles[0],
      output: handles[1],
      errors: handles[2]
    )
    // Foundation keeps them, and with more than 1,300 open descriptors it can crash when it starts a program.
    try Program.start.withLock { for handle in handles { try handle.close() } }
    return Outcome(
      code: try program.exitCode(),
      output: try streams.text("out"),
      errors: try streams.text("err")
    )
  }
}

/// A pipe whose ends are inherited by no program that another test starts meanwhile.
struct PrivatePipe {
  let reading: FileHandle
  let writing: FileHandle

  init() throws {
    let ends = try Program.privatePair { pipe(&$0) == 0 }
    reading = FileHandle(fileDescriptor: ends.0, closeOnDealloc: true)
    writing = FileHandle(fileDescriptor: ends.1, closeOnDealloc: true)
  }
}

/// The server as a process, over pipes.
final class ServerProcess {
  private let input: FileHandle
  private let output: FileHandle
  private let program: RunningProgram
  private var framing = Framing()

  /// What the server remembers, it remembers in `state`, or nowhere.
  init(
    _ arguments: String...,
    state: Folder? = nil,
    environment: [String: String] = [:]
  ) throws {
    // A server that has ended must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    let (toServer, fromServer) = (try PrivatePipe(), try PrivatePipe())
    (input, output) = (toServer.writing, fromServer.reading)
    program = try RunningProgram(
      state == nil && !arguments.isEmpty ? arguments + ["--stateless"] : arguments,
      environment: ["XDG_STATE_HOME": state?.url.path ?? "/nowhere"].merging(environment) { $1 },
      input: toServer.reading,
      output: fromServer.writing,
      errors: FileHandle.nullDevice
    )
    try toServer.reading.close()
    try fromServer.writing.close()
    let flags = fcntl(input.fileDescriptor, F_GETFL)
    try #require(fcntl(input.fileDescriptor, F_SETFL, flags | O_NONBLOCK) == 0)
  }

  var identifier: Int32 { program.identifier }

  func exitCode() throws -> Int32 { try program.exitCode() }

  /// Sends bytes, as the server takes them.
  func send(_ bytes: some Sequence<UInt8>) throws {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      var poller = pollfd(fd: input.fileDescriptor, events: Int16(POLLOUT), revents: 0)
      let isReady = poll(&poller, 1, Int32(Program.patience * 1000)) > 0
      try #require(isReady, "the server does not take what is sent")
      let count = bytes[sent...].withUnsafeBytes {
        write(input.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EAGAIN { continue }
      try #require(count > 0, "the server is gone")
      sent += count
    }
  }

  /// Sends messages, each in a frame.
  func post(_ bodies: String...) throws { try post(bodies) }

  func post(_ bodies: [String]) throws {
    try send(bodies.flatMap { Framing.frame(Array($0.utf8)) })
  }

  func hangUp() throws { try Program.start.withLock { try input.close() } }

  func stopListening() throws { try Program.start.withLock { try output.close() } }

  /// Waits for the next message that the server sends.
  func next() throws -> JSON {
    let deadline = Date(timeIntervalSinceNow: Program.patience)
    while true {
      if let frame = framing.next() {
        guard case .body(let body) = frame else {
          throw ResponseError.internalError("something else than messages is sent: \(frame)")
        }
        return try JSON(parsing: body)
      }
      let descriptor = output.fileDescriptor
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = Int32(max(0, deadline.timeIntervalSinceNow * 1000))
      try #require(poll(&poller, 1, left) > 0, "the server does not answer")
      let data = output.availableData
      try #require(!data.isEmpty, "the server is gone")
      framing.append(Array(data))
    }
  }

  /// Waits for the response to a request.
  func answer(to id: Int) throws -> JSON {
    try next { $0["method"] == nil && $0["id"]?.integer == id }
  }

  /// Waits for the next message of a kind.
  func next(where isMeant: (JSON) -> Bool) throws -> JSON {
    while true {
      let message = try next()
      if isMeant(message) { return message }
    }
  }
}
