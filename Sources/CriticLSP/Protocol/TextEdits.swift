import JSONRPC

// Edits of texts.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textEdit

/// The replacement of a range.
struct TextEdit {
  var range: Range<Position>
  var newText: [UInt8]
}

extension TextEdit: JSONReadable, JSONWritable {
  init(_ json: JSON) throws(ResponseError) {
    range = try json.read("range")
    newText = try json.readUTF8("newText")
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", range)
      $0.member("newText", utf8: newText)
    }
  }
}

/// Edits of one version of a document.
struct TextDocumentEdit: JSONWritable {
  let textDocument: VersionedTextDocumentIdentifier
  let edits: [TextEdit]

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("textDocument", textDocument)
      $0.member("edits", edits)
    }
  }
}

/// Edits of documents.
struct WorkspaceEdit: JSONWritable {
  let documentChanges: [TextDocumentEdit]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("documentChanges", documentChanges) }
  }
}
