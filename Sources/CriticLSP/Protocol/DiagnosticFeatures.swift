import JSONRPC

// The lists of changes, sent and asked for.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#diagnostic

/// A diagnostic: an entry of the list that the editor shows for a document.
///
/// `Message` writes a string, and `Related` an array of ``DiagnosticRelatedInformation``.
struct Diagnostic<Message: JSONWritable, Related: JSONWritable>: JSONWritable {
  let range: Range<Position>
  let severity: DiagnosticSeverity
  let code: String
  let source: StaticString
  let message: Message
  let tags: [DiagnosticTag]
  let relatedInformation: Related?

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", range)
      $0.member("severity", severity)
      $0.member("code", code)
      $0.member("source", source)
      $0.member("message", message)
      if !tags.isEmpty { $0.member("tags", tags) }
      $0.member("relatedInformation", ifPresent: relatedInformation)
    }
  }
}

/// The severity of a diagnostic.
enum DiagnosticSeverity: Int, JSONWritable {
  case error = 1
  case warning
  case information
  case hint
}

/// How the text of a diagnostic may be shown.
enum DiagnosticTag: Int, JSONWritable {
  case unnecessary = 1
  case deprecated

  /// The tags for deleted text, which clients strike through.
  static let struckThrough: [DiagnosticTag] = [.deprecated]
  /// The tags for what is done with, which clients show dim.
  static let dim: [DiagnosticTag] = [.unnecessary]
}

/// A related location of a diagnostic.
struct DiagnosticRelatedInformation: JSONWritable {
  let location: Location
  let message: [UInt8]

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("location", location)
      $0.member("message", utf8: message)
    }
  }
}

/// A diagnostic as a client sends it back.
struct ShownDiagnostic: JSONReadable {
  /// As the client sent it.
  let json: JSON
  let range: Range<Position>
  let source: String
  let code: String

  init(_ json: JSON) throws(ResponseError) {
    self.json = json
    range = try json.read("range")
    source = try json.read("source")
    code = try json.read("code")
  }
}

/// The params of `textDocument/publishDiagnostics`.
///
/// `Diagnostics` writes an array.
struct PublishDiagnosticsParams<Diagnostics: JSONWritable>: JSONWritable {
  let uri: String
  let version: Int
  let diagnostics: Diagnostics

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("version", version)
      $0.member("diagnostics", diagnostics)
    }
  }
}

/// The params of `textDocument/diagnostic`.
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
