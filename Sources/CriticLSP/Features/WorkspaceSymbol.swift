import JSONRPC
import TrackEngine

/// A search of the changes of all files, and how far it is.
struct SymbolSearch {
  /// The changes of a file.
  struct Source {
    let path: String
    let uri: String
    let symbols: [WorkspaceSymbol]
  }

  /// In lower case.
  let words: [String]
  /// Where to look, in order; nil before it begins.
  var sources: [Source]?
  var next = 0
  var found: [(symbol: WorkspaceSymbol, uri: String, file: String)] = []

  /// As many as an editor can show; more are not looked for.
  static let most = 5000
  /// How many changes are looked at in one turn.
  static let symbolsPerTurn = 2000

  var isOver: Bool { sources.map { next == $0.count } ?? false || found.count > SymbolSearch.most }

  init(_ query: String) {
    words = query.lowercased().split(separator: " ").map(String.init)
  }
}

extension Server {
  /// The answer to `workspace/symbol`; it waits until the files were looked at.
  func workspaceSymbol(_ params: JSON?, for id: RequestID) throws(ResponseError) -> Answer? {
    guard let query = params?["query"]?.string else {
      throw .invalidParams("query must be a string.")
    }
    let question = Waiting.Question.symbols(SymbolSearch(query))
    wait(Waiting(id: id, question: question, token: params?["workDoneToken"]))
    return nil
  }

  /// Searches some more files.
  func goOn(_ search: inout SymbolSearch) {
    let sources = search.sources ?? symbolSources()
    search.sources = sources
    var seen = 0
    while !search.isOver, seen < SymbolSearch.symbolsPerTurn {
      let source = sources[search.next]
      let file = workspace.name(of: source.path)
      search.next += 1
      seen += source.symbols.count
      search.found += source.symbols.filter { $0.matches(search.words) }
        .map { ($0, source.uri, file) }
    }
    if search.found.count > SymbolSearch.most {
      log("More than \(SymbolSearch.most) changes match; the others are not told.")
    }
  }

  /// The files that have changes, by path; open ones as the editor has them.
  private func symbolSources() -> [SymbolSearch.Source] {
    var sources: [SymbolSearch.Source] = []
    for (path, file) in workspace.files
    where !file.symbols.isEmpty && documents["file://\(path)"] == nil {
      let uri = workspace.uri(of: path)
      sources.append(SymbolSearch.Source(path: path, uri: uri, symbols: file.symbols))
    }
    for (key, document) in documents {
      let path = filePath(of: key) ?? key
      var digest = FileDigest(document, path: path, stamp: nil, client.encoding)
      while digest.step({ _, _ in nil }) {}
      let symbols = digest.file.symbols
      sources.append(SymbolSearch.Source(path: path, uri: document.uri, symbols: symbols))
    }
    return sources.sorted { $0.path < $1.path }
  }

  func symbols(found search: SymbolSearch) -> Answer {
    let client = client
    return { writer in
      writer.array {
        for (symbol, uri, file) in search.found.prefix(SymbolSearch.most) {
          $0.object { symbol.write(uri, file, for: client, to: &$0) }
        }
      }
    }
  }
}

extension WorkspaceSymbol {
  /// Writes the members of a `SymbolInformation`.
  fileprivate func write(
    _ uri: String,
    _ file: String,
    for client: Client,
    to writer: inout JSONWriter
  ) {
    writer.member("name", name)
    // LSP's `SymbolKind.String`, which every client knows.
    writer.member("kind", client.workspaceSymbolKinds.contains(kind) ? kind : 15)
    if isDeletion, client.tagsWorkspaceSymbols { writer.member("tags", [1]) }
    writer.member(
      "location",
      object: {
        $0.member("uri", uri)
        $0.member(
          "range",
          object: {
            $0.member("start", start)
            $0.member("end", end)
          }
        )
      }
    )
    writer.member("containerName", heading.map { "\(file) › \($0)" } ?? file)
  }
}
