import JSONRPC

/// A folder that is open in the editor.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_workspaceFolders
struct WorkspaceFolder: JSONReadable {
  let uri: String

  init(_ json: JSON) throws(ResponseError) { uri = try json.read("uri") }
}
