import JSONRPC
import TrackEngine

/// A search of the changes in all files, and its progress.
struct SymbolSearch {
  /// The changes of a file.
  struct Source {
    let key: DocumentKey
    let uri: String
    let symbols: [WorkspaceSymbol]
  }

  /// In lower case.
  let words: [String]
  /// The files to search, in order; nil before it begins.
  var sources: [Source]?
  var next = 0
  var found: [(symbol: WorkspaceSymbol, uri: String, file: String)] = []

  /// How many changes to find: as many as an editor can show.
  static let maxSymbols = 5000
  /// How many changes to search in one turn.
  static let symbolsPerTurn = 2000

  var isOver: Bool {
    sources.map { next == $0.count } ?? false || found.count > SymbolSearch.maxSymbols
  }

  init(_ query: String) {
    words = query.lowercased().split(separator: " ").map(String.init)
  }
}

extension Server {
  /// Answers `workspace/symbol`, once the files are scanned.
  func workspaceSymbol(_ params: WorkspaceSymbolParams, for id: RequestID) {
    let question = Waiting.Question.symbols(SymbolSearch(params.query))
    wait(Waiting(id: id, question: question, token: params.workDoneToken))
  }

  /// Searches some more files.
  func searchFiles(for search: inout SymbolSearch) {
    let sources = search.sources ?? symbolSources()
    search.sources = sources
    var seen = 0
    while !search.isOver, seen < SymbolSearch.symbolsPerTurn {
      let source = sources[search.next]
      let file = source.key.path.map(workspace.name) ?? source.key.name
      search.next += 1
      seen += source.symbols.count
      search.found += source.symbols.filter { $0.matches(search.words) }
        .map { ($0, source.uri, file) }
    }
    if search.found.count > SymbolSearch.maxSymbols {
      log("More than \(SymbolSearch.maxSymbols) changes match; the others are not listed.")
    }
  }

  /// The files that have changes, sorted by path; open ones as the editor has them.
  private func symbolSources() -> [SymbolSearch.Source] {
    var sources: [SymbolSearch.Source] = []
    for (path, file) in workspace.files
    where !file.symbols.isEmpty && documents[.file(path)] == nil {
      let uri = workspace.uri(of: path)
      sources.append(SymbolSearch.Source(key: .file(path), uri: uri, symbols: file.symbols))
    }
    for (key, document) in documents {
      var digest = FileDigest(snapshot(of: document), path: key.path ?? "")
      while digest.step() {}
      let symbols = digest.file.symbols
      sources.append(SymbolSearch.Source(key: key, uri: document.uri, symbols: symbols))
    }
    return sources.sorted { $0.key < $1.key }
  }
}

/// The result of a search as a list of `SymbolInformation`, each made when it is written.
struct FoundSymbols: JSONWritable {
  let search: SymbolSearch
  let client: Client

  func write(to writer: inout JSONWriter) {
    writer.array {
      for (symbol, uri, file) in search.found.prefix(SymbolSearch.maxSymbols) {
        information(symbol, uri, file).write(to: &$0)
      }
    }
  }

  private func information(
    _ symbol: WorkspaceSymbol,
    _ uri: String,
    _ file: String
  ) -> SymbolInformation<String> {
    // Every client knows `string`.
    let isKnown = client.workspaceSymbolKinds.contains(symbol.kind.rawValue)
    let isTagged = symbol.isDeletion && client.tagsWorkspaceSymbols
    return SymbolInformation(
      name: symbol.name,
      kind: isKnown ? symbol.kind : .string,
      tags: isTagged ? SymbolTag.struckThrough : [],
      location: Location(uri: uri, range: symbol.range),
      containerName: symbol.heading.map { "\(file) › \($0)" } ?? file
    )
  }
}
