import JSONRPC

/// Text to show, and its format.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#markupContent
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
