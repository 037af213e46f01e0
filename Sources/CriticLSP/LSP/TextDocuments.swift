import JSONRPC

/// A document that the client opens.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocumentItem
struct TextDocumentItem {
  let uri: String
  /// 0 for clients that do not count versions.
  let version: Int
  let text: [UInt8]
}

extension TextDocumentItem: JSONReadable, JSONWritable {
  init(_ json: JSON) throws(ResponseError) {
    uri = try json.read("uri")
    version = json["version"]?.integer ?? 0
    text = try json.readUTF8("text")
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("languageId", "markdown")
      $0.member("version", version)
      $0.member("text", utf8: text)
    }
  }
}

/// Identifies a document.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocumentIdentifier
struct TextDocumentIdentifier: JSONReadable {
  let uri: String
  let key: DocumentKey

  init(_ json: JSON) throws(ResponseError) {
    uri = try json.read("uri")
    key = DocumentKey(uri: uri)
  }
}

/// Identifies a version of a document.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#versionedTextDocumentIdentifier
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

/// Params that name a position in a document.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocumentPositionParams
struct TextDocumentPositionParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let position: Position

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    position = try json.read("position")
  }
}
