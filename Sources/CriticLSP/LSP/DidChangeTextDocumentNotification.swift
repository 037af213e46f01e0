import JSONRPC

/// The params of `textDocument/didChange`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_didChange
struct DidChangeTextDocumentParams: JSONReadable {
  let textDocument: VersionedTextDocumentIdentifier
  /// `TextDocumentContentChangeEvent`s, unless the client sends something else.
  let contentChanges: JSON

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    contentChanges = try json.read("contentChanges")
  }
}

/// A change of a text.
struct TextDocumentContentChangeEvent {
  /// Nil where the text is all of the document's.
  var range: Range<Position>?
  var text: [UInt8]
}

extension TextDocumentContentChangeEvent: JSONReadable, JSONWritable {
  /// Reads a change; a wrong range is not taken for none.
  init(_ json: JSON) throws(ResponseError) {
    range = try json.readIfPresent("range")
    text = try json.readUTF8("text")
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", ifPresent: range)
      $0.member("text", utf8: text)
    }
  }
}
