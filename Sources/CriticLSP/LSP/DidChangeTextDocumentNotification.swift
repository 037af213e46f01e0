import JSONRPC

/// The params of `textDocument/didChange`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_didChange
struct DidChangeTextDocumentParams<Changes> {
  let textDocument: VersionedTextDocumentIdentifier
  /// An array of ``TextDocumentContentChangeEvent``; plain JSON when received, because it may be invalid.
  let contentChanges: Changes
}

extension DidChangeTextDocumentParams: JSONReadable where Changes == JSON {
  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    contentChanges = try json.read("contentChanges")
  }
}

extension DidChangeTextDocumentParams: JSONWritable where Changes: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("textDocument", textDocument)
      $0.member("contentChanges", contentChanges)
    }
  }
}

/// A change of a text.
struct TextDocumentContentChangeEvent {
  /// Nil if `text` is the whole document.
  var range: Range<Position>?
  var text: [UInt8]
}

extension TextDocumentContentChangeEvent: JSONReadable, JSONWritable {
  /// Reads a change; an invalid range is an error, not the whole document.
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
