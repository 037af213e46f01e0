import JSONRPC

/// The params of `workspace/applyEdit`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_applyEdit
struct ApplyWorkspaceEditParams {
  let edit: WorkspaceEdit
}

extension ApplyWorkspaceEditParams: JSONReadable, JSONWritable {
  init(_ json: JSON) throws(ResponseError) { edit = try json.read("edit") }

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("edit", edit) }
  }
}

/// The answer to `workspace/applyEdit`.
struct ApplyWorkspaceEditResult {
  let applied: Bool
  var failureReason: String?
}

extension ApplyWorkspaceEditResult: JSONReadable, JSONWritable {
  /// Reads an answer; without `applied` the edit counts as not made.
  init(_ json: JSON) {
    applied = json["applied"]?.bool ?? false
    failureReason = json["failureReason"]?.string
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("applied", applied)
      $0.member("failureReason", ifPresent: failureReason)
    }
  }
}
