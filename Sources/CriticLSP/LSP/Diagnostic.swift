import JSONRPC

/// A diagnostic: an entry of the list that the editor shows for a document.
///
/// `Message` writes a string, and `Related` an array of ``DiagnosticRelatedInformation``.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#diagnostic
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
