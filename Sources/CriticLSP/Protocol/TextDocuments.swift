import JSONRPC

// Documents, and the params that name one.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocuments

/// A document that the client opens.
struct TextDocumentItem: JSONReadable {
  let uri: String
  /// Empty for clients that do not say.
  let languageId: String
  /// 0 for clients that do not count versions.
  let version: Int
  let text: [UInt8]

  init(_ json: JSON) throws(ResponseError) {
    uri = try json.read("uri")
    languageId = json["languageId"]?.string ?? ""
    version = json["version"]?.integer ?? 0
    text = try json.readUTF8("text")
  }
}

/// Identifies a document.
struct TextDocumentIdentifier: JSONReadable {
  let uri: String
  let key: DocumentKey

  init(_ json: JSON) throws(ResponseError) {
    uri = try json.read("uri")
    key = DocumentKey(uri: uri)
  }
}

/// Identifies a version of a document.
struct VersionedTextDocumentIdentifier {
  let uri: String
  /// Nil for clients that do not count versions; never nil in what we send.
  let version: Int?
}

extension VersionedTextDocumentIdentifier: JSONReadable, JSONWritable {
  init(_ json: JSON) throws(ResponseError) {
    uri = try json.read("uri")
    version = json["version"]?.integer
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("version", version)
    }
  }
}

/// Params that name a document.
protocol DocumentParams: JSONReadable {
  var textDocument: TextDocumentIdentifier { get }
}

/// Params that name a document, and nothing else that we read: of requests about all of it, and of notifications.
struct TextDocumentParams: DocumentParams {
  let textDocument: TextDocumentIdentifier

  init(_ json: JSON) throws(ResponseError) { textDocument = try json.read("textDocument") }
}

/// Params that name a range of a document.
struct TextDocumentRangeParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let range: Range<Position>

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    range = try json.read("range")
  }
}

/// Params that name a position in a document.
struct TextDocumentPositionParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let position: Position

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    position = try json.read("position")
  }
}
