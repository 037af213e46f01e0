import JSONRPC
import TrackEngine

extension Server {
  /// Answers `textDocument/diagnostic`, once no edit of ours is in flight and the user pauses.
  ///
  /// An older request for the same document is answered at once with `unchanged`.
  func pullDiagnostics(_ params: DocumentDiagnosticParams, for id: RequestID) {
    let key = params.textDocument.key
    for (index, request) in waiting.all.enumerated().reversed() {
      guard case .diagnostics(key, let known?) = request.question else { continue }
      waiting.remove(at: index)
      respond(to: request.id, DiagnosticReport.unchanged(resultId: known))
    }
    let question = Waiting.Question.diagnostics(key, known: params.previousResultId)
    wait(Waiting(id: id, question: question))
  }

  /// The list of changes of a document, open or not.
  func diagnosticReport(of key: DocumentKey, known: String?) -> DiagnosticReport {
    if let document = documents[key] {
      let id = resultID(document.revision)
      if id == known { return .unchanged(resultId: id) }
      return .full(resultId: id, items: .open(snapshot(of: document).diagnostics))
    }
    guard let file = key.path.flatMap({ workspace.files[$0] }) else {
      return .full(resultId: nil, items: .closed([]))
    }
    let id = resultID(file.revision)
    return id == known
      ? .unchanged(resultId: id) : .full(resultId: id, items: .closed(file.diagnostics))
  }

  /// The id of a list of changes, unique across lists and sessions.
  private func resultID(_ revision: Int) -> String { "\(session)-\(revision)" }
}

typealias DiagnosticReport = DocumentDiagnosticReport<DiagnosticItems>

/// The diagnostics of an open document, or of a file that is not open.
enum DiagnosticItems: JSONWritable {
  case open(ChangeDiagnostics)
  /// JSON arrays of some items each.
  case closed([[UInt8]])

  func write(to writer: inout JSONWriter) {
    switch self {
    case .open(let list): list.write(to: &writer)
    case .closed(let lists):
      writer.array {
        for list in lists {
          for item in (try? JSON(parsing: list))?.elements.map({ $0 }) ?? [] { $0.value(item) }
        }
      }
    }
  }
}
