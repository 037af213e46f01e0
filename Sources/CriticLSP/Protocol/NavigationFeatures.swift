import JSONRPC

// What leads from one place of a text to another.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_definition

/// The result of `textDocument/definition`: links for clients that support them.
enum Definition: JSONWritable {
  case locations([Location])
  case links([LocationLink])

  func write(to writer: inout JSONWriter) {
    switch self {
    case .locations(let locations): locations.write(to: &writer)
    case .links(let links): links.write(to: &writer)
    }
  }
}

/// The params of `textDocument/references`.
struct ReferenceParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let position: Position
  /// From `context`.
  let includeDeclaration: Bool

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    position = try json.read("position")
    includeDeclaration = json["context"]?["includeDeclaration"]?.bool ?? false
  }
}

/// A highlighted range.
struct DocumentHighlight: JSONWritable {
  let range: Range<Position>
  let kind: DocumentHighlightKind

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", range)
      $0.member("kind", kind)
    }
  }
}

/// The kind of a highlight.
enum DocumentHighlightKind: Int, JSONWritable {
  case text = 1
  case read
  case write
}

/// A range that links to a URI.
struct DocumentLink: JSONWritable {
  let range: Range<Position>
  let target: String

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", range)
      $0.member("target", target)
    }
  }
}

/// The params of `textDocument/selectionRange`.
struct SelectionRangeParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let positions: [Position]

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    positions = try json.read("positions")
  }
}

/// A range with its parents.
struct SelectionRange: JSONWritable {
  /// From the innermost outwards; not empty.
  let ranges: [Range<Position>]

  func write(to writer: inout JSONWriter) { SelectionRange.write(ranges[...], to: &writer) }

  private static func write(_ ranges: ArraySlice<Range<Position>>, to writer: inout JSONWriter) {
    guard let first = ranges.first else { return }
    writer.object {
      $0.member("range", first)
      guard ranges.count > 1 else { return }
      $0.key("parent")
      write(ranges.dropFirst(), to: &$0)
    }
  }
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
