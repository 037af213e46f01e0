import JSONRPC

// The outline of a document, and the search of the workspace.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_documentSymbol

/// A symbol in a document, with its children.
///
/// `Name` and `Detail` write strings, and `Children` an array of symbols.
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

/// A symbol for clients without hierarchy, and in a search of the workspace.
///
/// `Name` writes a string.
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

/// The kinds of symbols that we use.
enum SymbolKind: Int, JSONWritable {
  case constant = 14
  case string = 15
  case key = 20
  case null = 21
  case event = 24
}

/// How a symbol may be shown.
enum SymbolTag: Int, JSONWritable {
  case deprecated = 1

  /// The tags for deleted text, which clients strike through.
  static let struckThrough: [SymbolTag] = [.deprecated]
}

/// The params of `workspace/symbol`.
struct WorkspaceSymbolParams: JSONReadable {
  let query: String
  let workDoneToken: RequestID?

  init(_ json: JSON) throws(ResponseError) {
    query = try json.read("query")
    workDoneToken = try json.readIfPresent("workDoneToken")
  }
}
