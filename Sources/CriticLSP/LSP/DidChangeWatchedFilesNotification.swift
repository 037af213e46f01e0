import JSONRPC

/// The params of `workspace/didChangeWatchedFiles`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_didChangeWatchedFiles
struct DidChangeWatchedFilesParams: JSONReadable {
  /// What is no event is left out.
  let changes: [FileEvent]

  init(_ json: JSON) { changes = json["changes"]?.readable() ?? [] }
}

/// What happened to a file.
struct FileEvent: JSONReadable {
  let uri: String
  /// Nil for what LSP does not know.
  let type: FileChangeType?

  init(_ json: JSON) throws(ResponseError) {
    uri = try json.read("uri")
    type = json["type"]?.integer.flatMap(FileChangeType.init)
  }
}

/// How a file has changed.
enum FileChangeType: Int {
  case created = 1
  case changed
  case deleted
}

/// Which files to be told of.
struct DidChangeWatchedFilesRegistrationOptions: JSONWritable {
  let watchers: [FileSystemWatcher]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("watchers", watchers) }
  }
}

/// Some of them.
struct FileSystemWatcher: JSONWritable {
  let globPattern: String

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("globPattern", globPattern) }
  }
}
