import JSONRPC

/// The params of `textDocument/documentSymbol`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_documentSymbol
struct DocumentSymbolParams: DocumentParams {
  let textDocument: TextDocumentIdentifier

  init(_ json: JSON) throws(ResponseError) { textDocument = try json.read("textDocument") }
}

/// A part of a document, with those in it.
///
/// Name and detail are strings, or what writes one in parts; the children are an array, or what writes one.
struct DocumentSymbol<Name, Detail, Children>: JSONWritable
where Name: JSONWritable, Detail: JSONWritable, Children: JSONWritable {
  let name: Name
  let detail: Detail?
  let kind: SymbolKind
  let tags: [SymbolTag]
  let range: Range<Position>
  let selectionRange: Range<Position>
  let children: Children?

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("detail", ifPresent: detail)
      $0.member("kind", kind)
      if !tags.isEmpty { $0.member("tags", tags) }
      $0.member("range", range)
      $0.member("selectionRange", selectionRange)
      $0.member("children", ifPresent: children)
    }
  }
}

/// A part of some document, as older clients know it, and as a search finds it.
///
/// The name is a string, or what writes one in parts.
struct SymbolInformation<Name: JSONWritable>: JSONWritable {
  let name: Name
  let kind: SymbolKind
  let tags: [SymbolTag]
  let location: Location
  let containerName: String?

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("kind", kind)
      if !tags.isEmpty { $0.member("tags", tags) }
      $0.member("location", location)
      $0.member("containerName", ifPresent: containerName)
    }
  }
}

/// What kind of part it is, of those that we use.
enum SymbolKind: Int, JSONWritable {
  case constructor = 9
  case variable = 13
  case string = 15
  case key = 20
  case null = 21
  case event = 24
  case `operator` = 25
}

/// How it may be shown.
enum SymbolTag: Int, JSONWritable {
  case deprecated = 1

  /// For what is deleted.
  static let struckThrough: [SymbolTag] = [.deprecated]
}
