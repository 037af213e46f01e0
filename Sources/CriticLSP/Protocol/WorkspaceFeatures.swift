import JSONRPC

// Settings, folders, files, commands and edits of the workspace.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspaceFeatures

/// The params of `workspace/configuration`.
struct ConfigurationParams: JSONWritable {
  let items: [ConfigurationItem]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("items", items) }
  }
}

/// A section of the configuration, of a folder or of none.
struct ConfigurationItem: JSONWritable {
  let scopeUri: String?
  let section: String

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("scopeUri", ifPresent: scopeUri)
      $0.member("section", section)
    }
  }
}

/// The params of `workspace/didChangeConfiguration`.
struct DidChangeConfigurationParams {
  /// Some or all of the client's settings.
  let settings: JSON?

  init(_ json: JSON?) { settings = json?["settings"] }
}

/// Which settings to report.
struct DidChangeConfigurationRegistrationOptions: JSONWritable {
  let section: String

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("section", section) }
  }
}

/// A folder that is open in the editor.
struct WorkspaceFolder: JSONReadable {
  let uri: String

  init(_ json: JSON) throws(ResponseError) { uri = try json.read("uri") }
}

/// The params of `workspace/didChangeWorkspaceFolders`.
struct DidChangeWorkspaceFoldersParams: JSONReadable {
  let event: WorkspaceFoldersChangeEvent

  init(_ json: JSON) throws(ResponseError) { event = try json.read("event") }
}

/// Which folders were added and removed; invalid ones are left out.
struct WorkspaceFoldersChangeEvent: JSONReadable {
  let added: [WorkspaceFolder]
  let removed: [WorkspaceFolder]

  init(_ json: JSON) {
    added = json["added"]?.readable() ?? []
    removed = json["removed"]?.readable() ?? []
  }
}

/// The params of `workspace/didChangeWatchedFiles`.
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

/// The params of `workspace/willRenameFiles` and `workspace/didRenameFiles`.
struct RenameFilesParams: JSONReadable {
  /// Invalid ones are left out.
  let files: [FileRename]

  init(_ json: JSON) { files = json["files"]?.readable() ?? [] }
}

/// A file or folder under its old name and its new one.
struct FileRename: JSONReadable {
  let oldUri: String
  let newUri: String

  init(_ json: JSON) throws(ResponseError) {
    oldUri = try json.read("oldUri")
    newUri = try json.read("newUri")
  }
}

/// The params of `workspace/didDeleteFiles`.
struct DeleteFilesParams: JSONReadable {
  /// Invalid ones are left out.
  let files: [FileDelete]

  init(_ json: JSON) { files = json["files"]?.readable() ?? [] }
}

/// A file or folder that is gone.
struct FileDelete: JSONReadable {
  let uri: String

  init(_ json: JSON) throws(ResponseError) { uri = try json.read("uri") }
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

/// The params of `workspace/executeCommand`.
struct ExecuteCommandParams: JSONReadable {
  let command: String
  let arguments: JSON?

  init(_ json: JSON) throws(ResponseError) {
    command = try json.read("command")
    arguments = json["arguments"]
  }
}

/// The params of `workspace/applyEdit`.
struct ApplyWorkspaceEditParams: JSONWritable {
  let edit: WorkspaceEdit
  /// What the user is told that it is.
  let label: String?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("label", ifPresent: label)
      $0.member("edit", edit)
    }
  }
}

/// The answer to `workspace/applyEdit`.
struct ApplyWorkspaceEditResult {
  let applied: Bool
  let failureReason: String?

  /// Reads an answer; without `applied` the edit counts as not made.
  init(_ json: JSON) {
    applied = json["applied"]?.bool ?? false
    failureReason = json["failureReason"]?.string
  }
}

/// The params of `workspace/textDocumentContent` and of `workspace/textDocumentContent/refresh`, of LSP 3.18.
struct TextDocumentContentParams: JSONReadable, JSONWritable {
  let uri: String

  init(uri: String) { self.uri = uri }

  init(_ json: JSON) throws(ResponseError) { uri = try json.read("uri") }

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("uri", uri) }
  }
}

/// The answer to `workspace/textDocumentContent`.
struct TextDocumentContentResult: JSONWritable {
  /// In UTF-8.
  let text: [UInt8]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("text", utf8: text) }
  }
}
