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

/// Which list of a document the client has.
struct PreviousResultId: JSONReadable {
  let uri: String
  let value: String

  init(_ json: JSON) throws(ResponseError) {
    uri = try json.read("uri")
    value = try json.read("value")
  }
}

/// The list of a document, or that the client has it.
///
/// The items are an array, or what writes one.
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

/// The list of one document of many.
struct WorkspaceDocumentDiagnosticReport<Items: JSONWritable>: JSONWritable {
  let uri: String
  /// Nil for what is not open.
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

/// The lists of many documents: a `WorkspaceDiagnosticReport`, or a part of one.
///
/// The items are an array, or what writes one.
struct WorkspaceDiagnosticReport<Items: JSONWritable>: JSONWritable {
  let items: Items

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("items", items) }
  }
}
