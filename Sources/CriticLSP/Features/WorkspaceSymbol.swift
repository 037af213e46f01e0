import JSONRPC
import TrackEngine

/// A search of the changes in all files, and its progress.
///
/// A class, so that a turn adds to what is there, however much that is.
final class SymbolSearch {
  /// A file that has changes, or may have.
  struct Source {
    let key: DocumentKey
    let content: Content

    enum Content {
      /// The changes of a file that is not open.
      case closed([WorkspaceSymbol])
      /// A document as the editor had it when the search began; apart, for thousands of these are sorted.
      indirect case open(Snapshot)
    }
  }

  /// In lower case.
  let words: [String]
  /// The files to search, in order; nil before it begins.
  fileprivate var sources: [Source]?
  /// The index of the file to go on with, and how many of its changes have been looked at if it is not open.
  private var next = 0
  private var looked = 0
  /// What finds the changes of that file if it is open and was begun with.
  private var digest: FileDigest?
  fileprivate(set) var found: [(symbol: WorkspaceSymbol, uri: String, file: String)] = []

  /// How many changes to find: as many as an editor can show.
  static let maxSymbols = 5000
  /// How many changes to search in one turn.
  static let symbolsPerTurn = 2000
  /// How many bytes of an open document are read in the time that a change is searched in.
  private static let bytesPerSymbol = 32

  var isOver: Bool {
    sources.map { next == $0.count } ?? false || found.count > SymbolSearch.maxSymbols
  }

  init(_ query: String) {
    words = query.lowercased().split(separator: " ").map(String.init)
  }

  /// Takes out the next changes of the next file; in a long document that is open, it may have to look further for them.
  ///
  /// - Parameter most: How many changes to take out.
  /// - Returns: The file, some of its changes, and for how many changes this counts; nil at the end.
  fileprivate func takeSymbols(
    atMost most: Int
  ) -> (source: Source, symbols: ArraySlice<WorkspaceSymbol>, cost: Int)? {
    guard let sources, next < sources.count else { return nil }
    let source = sources[next]
    switch source.content {
    case .closed(let symbols):
      let some = symbols[looked...].prefix(most)
      looked = some.endIndex
      if looked == symbols.count { goOn() }
      return (source, some, 1 + some.count)
    case .open(let snapshot):
      if digest == nil { digest = FileDigest(snapshot, path: source.key.path ?? "") }
      let isMore = digest?.step() == true
      let symbols = digest?.takeSymbols() ?? []
      if !isMore { goOn() }
      return (source, symbols[...], 1 + snapshot.text.count / SymbolSearch.bytesPerSymbol)
    }
  }

  private func goOn() {
    next += 1
    looked = 0
    digest = nil
  }
}

extension Server {
  /// Answers `workspace/symbol`, once the files are scanned.
  func workspaceSymbol(_ params: WorkspaceSymbolParams, for id: RequestID) {
    let question = Waiting.Question.symbols(SymbolSearch(params.query))
    wait(Waiting(id: id, question: question, token: params.workDoneToken))
  }

  /// Searches some more changes.
  func searchFiles(for search: SymbolSearch) {
    if search.sources == nil { search.sources = symbolSources() }
    var left = SymbolSearch.symbolsPerTurn
    while !search.isOver, left > 0, let (source, symbols, cost) = search.takeSymbols(atMost: left) {
      left -= cost
      let matching = symbols.filter { $0.matches(search.words) }
      guard !matching.isEmpty else { continue }
      let uri = uri(of: source)
      let file = source.key.path.map(workspace.name) ?? source.key.name
      search.found += matching.map { ($0, uri, file) }
    }
    if search.found.count > SymbolSearch.maxSymbols {
      log("More than \(SymbolSearch.maxSymbols) changes match; the others are not listed.")
    }
  }

  private func uri(of source: SymbolSearch.Source) -> String {
    if case .open(let snapshot) = source.content { return snapshot.uri }
    return source.key.path.map(workspace.uri) ?? source.key.uri
  }

  /// The files that have changes, and the open documents as the editor has them, sorted by path.
  private func symbolSources() -> [SymbolSearch.Source] {
    var sources: [SymbolSearch.Source] = []
    for (path, file) in workspace.files
    where !file.symbols.isEmpty && documents[.file(path)] == nil {
      sources.append(SymbolSearch.Source(key: .file(path), content: .closed(file.symbols)))
    }
    for document in documents.all {
      sources.append(SymbolSearch.Source(key: document.key, content: .open(snapshot(of: document))))
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
