import JSONRPC

/// A document that the client hands over.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocumentItem
struct TextDocumentItem: JSONReadable {
  let uri: String
  /// 0 for clients that do not count.
  let version: Int
  let text: [UInt8]

  init(_ json: JSON) throws(ResponseError) {
    uri = try json.read("uri")
    version = json["version"]?.integer ?? 0
    text = try json.readUTF8("text")
  }
}

/// Which document.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocumentIdentifier
struct TextDocumentIdentifier: JSONReadable {
  let uri: String

  init(_ json: JSON) throws(ResponseError) { uri = try json.read("uri") }
}

/// Which document, and which version of it.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#versionedTextDocumentIdentifier
struct VersionedTextDocumentIdentifier {
  let uri: String
  /// Nil for clients that do not count; we always say it.
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

/// Params that say which document they are about.
protocol DocumentParams: JSONReadable {
  var textDocument: TextDocumentIdentifier { get }
}

/// Params that say which place of a document they are about.
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
