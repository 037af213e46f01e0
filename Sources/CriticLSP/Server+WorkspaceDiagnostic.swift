import JSONRPC
import TrackEngine

extension Server {
  /// The answer to `workspace/diagnostic`; it waits until the files were looked at.
  func workspaceDiagnostic(_ params: JSON?, for id: RequestID) -> Answer? {
    isAskedAboutWorkspace = true
    var known: [String: (uri: String, id: String)] = [:]
    for previous in params?["previousResultIds"]?.elements.map({ $0 }) ?? [] {
      guard let uri = previous["uri"]?.string, let id = previous["value"]?.string else { continue }
      known[key(of: uri)] = (uri, id)
    }
    let token = params?["workDoneToken"]
    wait(Waiting(id: id, question: .workspaceDiagnostics(known: known), token: token))
    return nil
  }

  /// The lists of changes of the files in the folders, open ones as the editor has them.
  ///
  /// Files with nothing to list are told of only where the client has an older list.
  func workspaceReport(known: [String: (uri: String, id: String)]) -> Answer {
    let open = documents.keys.filter { filePath(of: $0).map(workspace.looksAt) == true }
    let closed = workspace.files.compactMap { path, file in
      !file.diagnostics.isEmpty || known["file://\(path)"] != nil ? "file://\(path)" : nil
    }
    let gone = known.keys.filter { documents[$0] == nil && !isKnown($0) }
    return { [self] writer in
      writer.object {
        $0.member(
          "items",
          array: { items in
            for key in Set(open + closed + gone).sorted() {
              writeItem(key, known[key], to: &items)
            }
          }
        )
      }
    }
  }

  private func isKnown(_ key: String) -> Bool {
    filePath(of: key).map { workspace.files[$0] != nil } ?? false
  }

  private func writeItem(
    _ key: String,
    _ known: (uri: String, id: String)?,
    to writer: inout JSONWriter
  ) {
    if let document = documents[key] {
      writer.object {
        $0.member("uri", document.uri)
        $0.member("version", document.version)
        writeReport(of: document, known: known?.id, to: &$0)
      }
    } else if let path = filePath(of: key), let file = workspace.files[path] {
      writer.object {
        $0.member("uri", known?.uri ?? workspace.uri(of: path))
        $0.key("version")
        $0.null()
        writeReport(of: file, known: known?.id, to: &$0)
      }
    } else if let known {
      writer.object {
        $0.member("uri", known.uri)
        $0.key("version")
        $0.null()
        Server.writeReport(to: &$0) { _ in }
      }
    }
  }

  /// Writes the members of a report about a file that is not open.
  func writeReport(of file: WorkspaceFile, known: String?, to writer: inout JSONWriter) {
    let id = resultID(file.revision)
    if id == known { return Server.writeUnchanged(id, to: &writer) }
    Server.writeReport(id, to: &writer) {
      for item in (try? JSON(parsing: file.diagnostics))?.elements.map({ $0 }) ?? [] {
        $0.value(item)
      }
    }
  }

  /// The list of changes as JSON; empty where there is nothing to list.
  func diagnostics(
    _ entries: [ChangeEntry],
    of document: Document,
    _ conversions: Conversions
  ) -> [UInt8] {
    guard !entries.isEmpty else { return [] }
    var writer = JSONWriter()
    writer.array {
      for entry in entries { write(entry, of: document, conversions, to: &$0) }
    }
    return writer.bytes
  }
}
