import JSONRPC

/// The params of `textDocument/diagnostic`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_pullDiagnostics
struct DocumentDiagnosticParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let previousResultId: String?

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    previousResultId = try json.readIfPresent("previousResultId")
  }
}

/// The params of `workspace/diagnostic`.
struct WorkspaceDiagnosticParams: JSONReadable {
  let previousResultIds: [PreviousResultId]
  let workDoneToken: RequestID?
  let partialResultToken: RequestID?

  init(_ json: JSON) throws(ResponseError) {
    previousResultIds = json["previousResultIds"]?.readable() ?? []
    workDoneToken = try json.readIfPresent("workDoneToken")
    partialResultToken = try json.readIfPresent("partialResultToken")
  }
}

/// The result id that the client has for a document.
struct PreviousResultId: JSONReadable {
  let uri: String
  let value: String

  init(_ json: JSON) throws(ResponseError) {
    uri = try json.read("uri")
    value = try json.read("value")
  }
}

/// The diagnostics of a document, or that they are unchanged.
///
/// `Items` writes an array.
enum DocumentDiagnosticReport<Items: JSONWritable>: JSONWritable {
  case full(resultId: String?, items: Items)
  case unchanged(resultId: String)

  func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .full(let resultId, let items):
      writer.member("kind", "full")
      writer.member("resultId", ifPresent: resultId)
      writer.member("items", items)
    case .unchanged(let resultId):
      writer.member("kind", "unchanged")
      writer.member("resultId", resultId)
    }
  }
}

/// The report on one document of the workspace.
struct WorkspaceDocumentDiagnosticReport<Items: JSONWritable>: JSONWritable {
  let uri: String
  /// Nil if it is not open.
  let version: Int?
  let report: DocumentDiagnosticReport<Items>

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("version", version)
      report.writeMembers(to: &$0)
    }
  }
}

/// The reports on many documents: a `WorkspaceDiagnosticReport` or a partial result.
///
/// `Items` writes an array.
struct WorkspaceDiagnosticReport<Items: JSONWritable>: JSONWritable {
  let items: Items

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("items", items) }
  }
}
