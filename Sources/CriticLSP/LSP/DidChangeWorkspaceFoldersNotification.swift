import JSONRPC

/// The params of `workspace/didChangeWorkspaceFolders`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_didChangeWorkspaceFolders
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
