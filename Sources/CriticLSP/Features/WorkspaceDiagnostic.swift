import JSONRPC
import TrackEngine

/// A question for the lists of changes of all files, and how far its answer is.
struct WorkspacePull {
  /// What the client has, by document's key.
  let known: [String: (uri: String, id: String)]
  /// Where the client takes the answer in parts, if it does.
  let partToken: RequestID?
  /// The documents to tell of, in order; nil before it begins.
  var keys: [String]?
  var next = 0

  /// About as many changes are told of in one turn.
  static let entriesPerTurn = 500

  /// Without parts, all is told at once in the end.
  var isOver: Bool { keys.map { partToken == nil || next == $0.count } ?? false }
}

extension Server {
  /// The answer to `workspace/diagnostic`; it waits until the files were looked at.
  func workspaceDiagnostic(_ params: JSON?, for id: RequestID) -> Answer? {
    isAskedAboutWorkspace = true
    var known: [String: (uri: String, id: String)] = [:]
    for previous in params?["previousResultIds"]?.elements.map({ $0 }) ?? [] {
      guard let uri = previous["uri"]?.string, let id = previous["value"]?.string else { continue }
      known[key(of: uri)] = (uri, id)
    }
    let partToken = params?["partialResultToken"].flatMap(RequestID.init)
    let pull = WorkspacePull(known: known, partToken: partToken)
    let token = params?["workDoneToken"]
    wait(Waiting(id: id, question: .workspaceDiagnostics(pull), token: token))
    return nil
  }

  /// Tells a part of the answer, where the client takes parts.
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
    let part = keys[start..<pull.next]
    send(
      .notification(method: "$/progress") {
        $0.object {
          $0.member("token", token)
          $0.member("value", object: { writeItems(part, pull.known, to: &$0) })
        }
      }
    )
  }

  /// The files in the folders that have something to list, and those of which the client has an older
  /// list.
  private func keys(of pull: WorkspacePull) -> [String] {
    let open = documents.keys.filter { filePath(of: $0).map(workspace.looksAt) == true }
    let closed = workspace.files.compactMap { path, file in
      file.diagnostics.isEmpty ? nil : "file://\(path)"
    }
    return Set(open + closed + pull.known.keys).sorted()
  }

  func workspaceReport(_ pull: WorkspacePull) -> Answer {
    let rest = (pull.keys ?? [])[pull.next...]
    return { [self] writer in writer.object { writeItems(rest, pull.known, to: &$0) } }
  }

  private func writeItems(
    _ keys: ArraySlice<String>,
    _ known: [String: (uri: String, id: String)],
    to writer: inout JSONWriter
  ) {
    writer.member(
      "items",
      array: {
        for key in keys { writeItem(key, known[key], to: &$0) }
      }
    )
  }

  private func writeItem(
    _ key: String,
    _ known: (uri: String, id: String)?,
    to writer: inout JSONWriter
  ) {
    let path = filePath(of: key)
    let uri = known?.uri ?? path.map(workspace.uri) ?? key
    writer.object {
      $0.member("uri", documents[key]?.uri ?? uri)
      $0.member("version", documents[key]?.version)
      if let document = documents[key] {
        writeReport(of: document, known: known?.id, to: &$0)
      } else if let file = path.flatMap({ workspace.files[$0] }) {
        writeReport(of: file, known: known?.id, to: &$0)
      } else {
        Server.writeReport(to: &$0) { _ in }
      }
    }
  }

  /// Writes the members of a report about a file that is not open.
  func writeReport(of file: WorkspaceFile, known: String?, to writer: inout JSONWriter) {
    let id = resultID(file.revision)
    if id == known { return Server.writeUnchanged(id, to: &writer) }
    Server.writeReport(id, to: &writer) {
      for list in file.diagnostics {
        for item in (try? JSON(parsing: list))?.elements.map({ $0 }) ?? [] { $0.value(item) }
      }
    }
  }

  /// Some entries as the client is sent them, a JSON array.
  func diagnostics(
    _ entries: [ChangeEntry],
    of document: Document,
    _ conversions: Conversions
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.array {
      writeDiagnostics(entries, of: document, conversions, to: &$0)
    }
    return writer.bytes
  }
}
