import JSONRPC

/// An entry of the list that an editor shows of a document.
///
/// The message is a string, or what writes one in parts; the related information is an array of
/// ``DiagnosticRelatedInformation``, or what writes one.
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

/// How bad it is.
enum DiagnosticSeverity: Int, JSONWritable {
  case error = 1
  case warning
  case information
  case hint
}

/// How the text of an entry may be shown.
enum DiagnosticTag: Int, JSONWritable {
  case unnecessary = 1
  case deprecated

  /// For what is deleted.
  static let struckThrough: [DiagnosticTag] = [.deprecated]
}

/// What else belongs to an entry.
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

/// An entry as a client shows it and tells of it.
struct ShownDiagnostic: JSONReadable {
  /// As the client wrote it.
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
