import JSONRPC

/// The params of `workspace/didChangeWatchedFiles`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_didChangeWatchedFiles
struct DidChangeWatchedFilesParams: JSONReadable {
  /// Invalid events are left out.
  let changes: [FileEvent]

  init(_ json: JSON) { changes = json["changes"]?.readable() ?? [] }
}

/// A change of a file.
struct FileEvent: JSONReadable {
  let uri: String
  /// Nil for unknown values.
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

/// Which files to watch.
struct DidChangeWatchedFilesRegistrationOptions: JSONWritable {
  let watchers: [FileSystemWatcher]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("watchers", watchers) }
  }
}

/// A pattern of files to watch.
struct FileSystemWatcher: JSONWritable {
  let globPattern: String

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("globPattern", globPattern) }
  }
}
