import JSONRPC
import TrackEngine

extension Server {
  /// As many as an editor can show; more are cut off.
  static let mostSymbols = 5000

  /// The answer to `workspace/symbol`; it waits until the files were looked at.
  func workspaceSymbol(_ params: JSON?, for id: RequestID) throws(ResponseError) -> Answer? {
    guard let query = params?["query"]?.string else {
      throw .invalidParams("query must be a string.")
    }
    wait(Waiting(id: id, question: .symbols(query), token: params?["workDoneToken"]))
    return nil
  }

  /// The changes that match a query, open documents as the editor has them.
  func symbols(matching query: String) -> Answer {
    let words = query.lowercased().split(separator: " ").map(String.init)
    var found: [(symbol: WorkspaceSymbol, uri: String, file: String)] = []
    for (path, uri, symbols) in symbolLists() {
      let file = workspace.name(of: path)
      found += symbols.filter { $0.matches(words) }.map { ($0, uri, file) }
    }
    if found.count > Server.mostSymbols {
      log("\(found.count) changes match “\(query)”; the first \(Server.mostSymbols) are told.")
    }
    let client = client
    return { writer in
      writer.array {
        for (symbol, uri, file) in found.prefix(Server.mostSymbols) {
          $0.object { symbol.write(uri, file, for: client, to: &$0) }
        }
      }
    }
  }

  /// The symbols of every file that has some, by path.
  private func symbolLists() -> [(path: String, uri: String, symbols: [WorkspaceSymbol])] {
    var lists = workspace.files.filter { !$0.value.symbols.isEmpty }.compactMap { path, file in
      documents["file://\(path)"] == nil
        ? (path: path, uri: workspace.uri(of: path), symbols: file.symbols) : nil
    }
    for (key, document) in documents {
      let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
      let entries = ChangeEntry.entries(of: document.tracker)
      let symbols = WorkspaceSymbol.symbols(of: document.tracker, entries, conversions)
      lists.append((filePath(of: key) ?? key, document.uri, symbols))
    }
    return lists.sorted { $0.path < $1.path }
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
