import JSONRPC

/// The params of `textDocument/foldingRange`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_foldingRange
struct FoldingRangeParams: DocumentParams {
  let textDocument: TextDocumentIdentifier

  init(_ json: JSON) throws(ResponseError) { textDocument = try json.read("textDocument") }
}

/// A range that can be folded.
struct FoldingRange: JSONWritable {
  let range: Range<Position>
  let kind: FoldingRangeKind
  /// The text to show in place of the folded range.
  let collapsedText: String?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("startLine", range.lowerBound.line)
      $0.member("startCharacter", range.lowerBound.character)
      $0.member("endLine", range.upperBound.line)
      $0.member("endCharacter", range.upperBound.character)
      $0.member("kind", kind)
      $0.member("collapsedText", ifPresent: collapsedText)
    }
  }
}

/// The kind of a folding range.
enum FoldingRangeKind: String, JSONWritable {
  case comment
  case region
}
