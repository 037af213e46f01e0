import JSONRPC
import TrackEngine

/// A request for the diagnostics of all files, and the progress of its answer.
struct WorkspacePull {
  /// The result ids that the client has, by document key.
  let known: [String: (uri: String, id: String)]
  /// The token for partial results, if the client supports them.
  let partToken: RequestID?
  /// The keys of the documents to report, in order; nil before it begins.
  var keys: [String]?
  var next = 0

  /// About how many changes to report in one turn.
  static let entriesPerTurn = 500

  /// Without partial results, everything is in the final answer.
  var isOver: Bool { keys.map { partToken == nil || next == $0.count } ?? false }
}

extension Server {
  /// Answers `workspace/diagnostic`, once the files are scanned.
  func workspaceDiagnostic(_ params: WorkspaceDiagnosticParams, for id: RequestID) {
    isAskedAboutWorkspace = true
    var known: [String: (uri: String, id: String)] = [:]
    for previous in params.previousResultIds {
      known[key(of: previous.uri)] = (previous.uri, previous.value)
    }
    let pull = WorkspacePull(known: known, partToken: params.partialResultToken)
    wait(Waiting(id: id, question: .workspaceDiagnostics(pull), token: params.workDoneToken))
  }

  /// Sends the next partial result, if the client supports them.
  func goOn(_ pull: inout WorkspacePull) {
    let keys = pull.keys ?? self.keys(of: pull)
    pull.keys = keys
    guard let token = pull.partToken, pull.next < keys.count else { return }
    let start = pull.next
    var count = 0
    while pull.next < keys.count, count < WorkspacePull.entriesPerTurn {
      count +=
        1 + (filePath(of: keys[pull.next]).flatMap { workspace.files[$0] }?.symbols.count ?? 0)
      pull.next += 1
    }
    let part = report(on: keys[start..<pull.next], pull.known)
    notify("$/progress", ProgressParams(token: token, value: part))
  }

  /// The keys of the files with something to list, and of those for which the client has an older list.
  private func keys(of pull: WorkspacePull) -> [String] {
    let open = documents.keys.filter { filePath(of: $0).map(workspace.looksAt) == true }
    let closed = workspace.files.compactMap { path, file in
      file.diagnostics.isEmpty ? nil : "file://\(path)"
    }
    return Set(open + closed + pull.known.keys).sorted()
  }

  /// The rest of the answer.
  func workspaceReport(_ pull: WorkspacePull) -> WorkspaceDiagnosticReport<WorkspaceDiagnostics> {
    report(on: (pull.keys ?? [])[pull.next...], pull.known)
  }

  private func report(
    on keys: ArraySlice<String>,
    _ known: [String: (uri: String, id: String)]
  ) -> WorkspaceDiagnosticReport<WorkspaceDiagnostics> {
    WorkspaceDiagnosticReport(items: WorkspaceDiagnostics(server: self, keys: keys, known: known))
  }
}

/// The reports on documents, each made when it is written, which is before the next event.
struct WorkspaceDiagnostics: JSONWritable {
  fileprivate let server: Server
  fileprivate let keys: ArraySlice<String>
  fileprivate let known: [String: (uri: String, id: String)]

  func write(to writer: inout JSONWriter) {
    writer.array {
      for key in keys { item(key, known[key]).write(to: &$0) }
    }
  }

  private func item(
    _ key: String,
    _ known: (uri: String, id: String)?
  ) -> WorkspaceDocumentDiagnosticReport<DiagnosticItems> {
    let document = server.documents[key]
    let uri = document?.uri ?? known?.uri ?? filePath(of: key).map(server.workspace.uri) ?? key
    return WorkspaceDocumentDiagnosticReport(
      uri: uri,
      version: document?.version,
      report: server.diagnosticReport(of: key, known: known?.id)
    )
  }
}
