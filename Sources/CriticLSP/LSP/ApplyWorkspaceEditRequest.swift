import JSONRPC

/// The params of `workspace/applyEdit`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_applyEdit
struct ApplyWorkspaceEditParams: JSONWritable {
  let edit: WorkspaceEdit

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("edit", edit) }
  }
}

/// What the client says became of an edit.
struct ApplyWorkspaceEditResult: JSONReadable {
  let applied: Bool
  let failureReason: String?

  /// Reads an answer; where it does not say that the edit was made, it was not.
  init(_ json: JSON) {
    applied = json["applied"]?.bool ?? false
    failureReason = json["failureReason"]?.string
  }
}
