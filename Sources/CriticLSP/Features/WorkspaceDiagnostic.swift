import JSONRPC
import TrackEngine

/// A request for the diagnostics of all files, and the progress of its answer.
struct WorkspacePull {
  /// The result ids that the client has, by document key.
  let known: [DocumentKey: (uri: String, id: String)]
  /// The token for partial results, if the client supports them.
  let partToken: RequestID?
  /// The lists of long documents that are open, each made before anything is reported; nil before it begins.
  var lists: [DocumentKey: ListMaking]?
  /// The keys of the documents to report, in order; nil before it begins.
  var keys: [DocumentKey]?
  var next = 0

  /// About how many changes to report in one turn.
  static let entriesPerTurn = 500

  /// Without partial results, everything is in the final answer.
  var isOver: Bool { keys.map { partToken == nil || next == $0.count } ?? false }
}

extension Server {
  /// Answers `workspace/diagnostic`, once the files are scanned.
  func workspaceDiagnostic(_ params: WorkspaceDiagnosticParams, for id: RequestID) {
    refreshes.includeFiles()
    var known: [DocumentKey: (uri: String, id: String)] = [:]
    for previous in params.previousResultIds {
      known[DocumentKey(uri: previous.uri)] = (previous.uri, previous.value)
    }
    let pull = WorkspacePull(known: known, partToken: params.partialResultToken)
    wait(Waiting(id: id, question: .workspaceDiagnostics(pull), token: params.workDoneToken))
  }

  /// Makes the lists of long documents, and then sends the next partial result, if the client supports them.
  func goOn(with pull: inout WorkspacePull) {
    let lists = pull.lists ?? self.lists(of: pull)
    pull.lists = lists
    if let making = lists.values.first(where: { $0.list == nil }) { return making.step() }
    sendPart(of: &pull)
  }

  private func lists(of pull: WorkspacePull) -> [DocumentKey: ListMaking] {
    var lists: [DocumentKey: ListMaking] = [:]
    for document in documents.all where isListed(document.key) {
      lists[document.key] = beginList(of: document, known: pull.known[document.key]?.id)
    }
    return lists
  }

  /// Whether an open document is one of the workspace.
  private func isListed(_ key: DocumentKey) -> Bool { key.path.map(workspace.looksAt) == true }

  private func sendPart(of pull: inout WorkspacePull) {
    let keys = pull.keys ?? self.keys(of: pull)
    pull.keys = keys
    guard let token = pull.partToken, pull.next < keys.count else { return }
    let start = pull.next
    var count = 0
    while pull.next < keys.count, count < WorkspacePull.entriesPerTurn {
      count +=
        1 + (keys[pull.next].path.flatMap { workspace.files[$0] }?.symbols.count ?? 0)
      pull.next += 1
    }
    let part = report(on: keys[start..<pull.next], pull)
    notify("$/progress", ProgressParams(token: token, value: part))
  }

  /// The keys of the files with something to list, and of those for which the client has an older list.
  private func keys(of pull: WorkspacePull) -> [DocumentKey] {
    let open = documents.keys.filter(isListed)
    let closed = workspace.files.compactMap { path, file in
      file.diagnostics.isEmpty ? nil : DocumentKey.file(path)
    }
    return Set(open + closed + pull.known.keys).sorted()
  }

  /// The rest of the answer.
  func workspaceReport(_ pull: WorkspacePull) -> WorkspaceDiagnosticReport<WorkspaceDiagnostics> {
    report(on: (pull.keys ?? [])[pull.next...], pull)
  }

  private func report(
    on keys: ArraySlice<DocumentKey>,
    _ pull: WorkspacePull
  ) -> WorkspaceDiagnosticReport<WorkspaceDiagnostics> {
    WorkspaceDiagnosticReport(items: WorkspaceDiagnostics(server: self, keys: keys, pull: pull))
  }
}

/// The reports on documents, each made when it is written, which is before the next event.
struct WorkspaceDiagnostics: JSONWritable {
  fileprivate let server: Server
  fileprivate let keys: ArraySlice<DocumentKey>
  fileprivate let pull: WorkspacePull

  func write(to writer: inout JSONWriter) {
    writer.array {
      for key in keys { item(key).write(to: &$0) }
    }
  }

  private func item(_ key: DocumentKey) -> WorkspaceDocumentDiagnosticReport<DiagnosticItems> {
    let document = server.documents[key]
    let (known, making) = (pull.known[key], pull.lists?[key])
    let uri = document?.uri ?? known?.uri ?? key.path.map(server.workspace.uri) ?? key.uri
    return WorkspaceDocumentDiagnosticReport(
      uri: uri,
      version: document.map { making?.version ?? $0.version },
      report: server.diagnosticReport(of: key, known: known?.id, making)
    )
  }
}
