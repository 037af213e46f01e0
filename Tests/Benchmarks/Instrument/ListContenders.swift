import CLibrary
import JSONRPC

/// A list of changes as a server sent it for a document.
enum SentList {
  static func body(for path: String, _ arguments: [String]) throws -> [UInt8] {
    let session = try Session(arguments)
    session.wire.keepsList = true
    _ = try session.open(try File.read(path), awaitsList: true)
    defer { session.wire.hangUp() }
    return session.wire.list
  }
}

/// Writes the list of changes of a document to JSON as the server does: the same bytes, from values.
final class WriteListContender: Contender {
  private let path: String
  private let arguments: [String]
  private var body: [UInt8] = []
  private var list = List()

  init(_ path: String, _ arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  private struct List {
    var uri = ""
    var version = 0
    var entries: [Entry] = []
  }

  private struct Entry {
    var start: (line: Int, character: Int)
    var end: (line: Int, character: Int)
    var severity: Int
    var code: String
    var source: String
    var message: String
  }

  func prepare() throws {
    body = try SentList.body(for: path, arguments)
    guard let params = try JSON(parsing: body)["params"] else { return }
    list.uri = params["uri"]?.string ?? ""
    list.version = params["version"]?.integer ?? 0
    list.entries =
      params["diagnostics"]?.elements.map { entry in
        func position(_ name: String) -> (line: Int, character: Int) {
          let position = entry["range"]?[name]
          return (position?["line"]?.integer ?? 0, position?["character"]?.integer ?? 0)
        }
        return Entry(
          start: position("start"),
          end: position("end"),
          severity: entry["severity"]?.integer ?? 0,
          code: entry["code"]?.string ?? "",
          source: entry["source"]?.string ?? "",
          message: entry["message"]?.string ?? ""
        )
      } ?? []
  }

  func turn(_ results: inout Results) {
    var writer = JSONWriter()
    results.add(
      Clock.time {
        writer = JSONWriter()
        write(to: &writer)
      }
    )
    results.facts["entries"] = list.entries.count
    results.facts["bytes"] = body.count
    results.facts["same"] = writer.bytes == body ? 1 : 0
  }

  private func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("jsonrpc", "2.0")
      $0.member("method", "textDocument/publishDiagnostics")
      $0.member(
        "params",
        object: {
          $0.member("uri", list.uri)
          $0.member("version", list.version)
          $0.member(
            "diagnostics",
            array: { for entry in list.entries { write(entry, to: &$0) } }
          )
        }
      )
    }
  }

  private func write(_ entry: Entry, to writer: inout JSONWriter) {
    writer.object {
      $0.member(
        "range",
        object: {
          write(entry.start, to: &$0, "start")
          write(entry.end, to: &$0, "end")
        }
      )
      $0.member("severity", entry.severity)
      $0.member("code", entry.code)
      $0.member("source", entry.source)
      $0.member("message", entry.message)
    }
  }

  private func write(
    _ position: (line: Int, character: Int),
    to writer: inout JSONWriter,
    _ name: StaticString
  ) {
    writer.member(
      name,
      object: {
        $0.member("line", position.line)
        $0.member("character", position.character)
      }
    )
  }
}

/// Copies bytes in memory into fresh memory, as a writer that knew them beforehand would.
final class CopyContender: Contender {
  private let source: [UInt8]

  init(_ count: Int) {
    source = [UInt8](repeating: 65, count: count)
  }

  func turn(_ results: inout Results) {
    var sum: UInt8 = 0
    results.add(
      Clock.time {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: source.count, alignment: 16)
        defer { copy.deallocate() }
        source.withUnsafeBytes { bytes in
          UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: bytes)
        }
        sum = copy.load(fromByteOffset: source.count / 2, as: UInt8.self)
      }
    )
    results.facts["sum"] = Int(sum)
  }
}
