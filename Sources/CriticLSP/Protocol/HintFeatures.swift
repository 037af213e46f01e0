import JSONRPC

// What is shown, or offered, while the user types.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_hover

/// The result of `textDocument/hover`.
struct Hover: JSONWritable {
  let contents: MarkupContent
  /// The range that it describes.
  let range: Range<Position>?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("contents", contents)
      $0.member("range", ifPresent: range)
    }
  }
}

/// Text to show, and its format.
struct MarkupContent: JSONWritable {
  let kind: MarkupKind
  let value: [UInt8]

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("kind", kind)
      $0.member("value", utf8: value)
    }
  }
}

/// The format of a text.
enum MarkupKind: String, JSONWritable {
  case plaintext
  case markdown
}

/// A label shown between what is in the text.
struct InlayHint: JSONWritable {
  let position: Position
  let label: String
  let tooltip: String
  let paddingLeft: Bool

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("position", position)
      $0.member("label", label)
      $0.member("tooltip", tooltip)
      $0.member("paddingLeft", ifTrue: paddingLeft)
    }
  }
}

/// A text that can be inserted.
struct CompletionItem: JSONWritable {
  let label: String
  let kind: CompletionItemKind
  let detail: String
  let insertTextFormat: InsertTextFormat?
  /// For a client that ignores the edit.
  let insertText: String?
  let textEdit: TextEdit

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("label", label)
      $0.member("kind", kind)
      $0.member("detail", detail)
      $0.member("insertTextFormat", ifPresent: insertTextFormat)
      $0.member("insertText", ifPresent: insertText)
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
