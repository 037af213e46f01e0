import JSONRPC

/// The params of `textDocument/completion`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_completion
typealias CompletionParams = TextDocumentPositionParams

/// A text that can be inserted.
struct CompletionItem: JSONWritable {
  let label: String
  let kind: CompletionItemKind
  let detail: String
  let insertTextFormat: InsertTextFormat?
  let textEdit: TextEdit

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("label", label)
      $0.member("kind", kind)
      $0.member("detail", detail)
      $0.member("insertTextFormat", ifPresent: insertTextFormat)
      $0.member("textEdit", textEdit)
    }
  }
}

/// The kinds that we use, of those that every client knows.
enum CompletionItemKind: Int, JSONWritable {
  case keyword = 14
  case snippet = 15
  case reference = 18
}

/// Whether inserted text is plain or a snippet.
enum InsertTextFormat: Int, JSONWritable {
  case plainText = 1
  case snippet
}
