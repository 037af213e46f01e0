import JSONRPC

// How a document is opened, changed and saved.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_synchronization

/// The params of `textDocument/didOpen`.
struct DidOpenTextDocumentParams: JSONReadable {
  let textDocument: TextDocumentItem

  init(_ json: JSON) throws(ResponseError) { textDocument = try json.read("textDocument") }
}

/// The params of `textDocument/didChange`.
struct DidChangeTextDocumentParams: JSONReadable {
  let textDocument: VersionedTextDocumentIdentifier
  /// An array of ``TextDocumentContentChangeEvent``; plain JSON, because it may be invalid.
  let contentChanges: JSON

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    contentChanges = try json.read("contentChanges")
  }
}

/// A change of a text.
struct TextDocumentContentChangeEvent {
  /// Nil if `text` is the whole document.
  var range: Range<Position>?
  var text: [UInt8]
}

extension TextDocumentContentChangeEvent: JSONReadable {
  /// Reads a change; an invalid range is an error, not the whole document.
  init(_ json: JSON) throws(ResponseError) {
    range = try json.readIfPresent("range")
    text = try json.readUTF8("text")
  }
}

/// The params of `textDocument/didSave`.
struct DidSaveTextDocumentParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  /// What was saved, if the client says so.
  let text: [UInt8]?

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    text = json["text"]?.utf8
  }
}
