import JSONRPC
import TrackEngine

extension Server {
  /// Answers `textDocument/diagnostic`, once no edit of ours is in flight and the user pauses.
  ///
  /// An older request for the same document is answered at once with `unchanged`.
  func pullDiagnostics(_ params: DocumentDiagnosticParams, for id: RequestID) {
    let key = params.textDocument.key
    for (index, request) in waiting.all.enumerated().reversed() {
      guard case .diagnostics(key, let known?, _) = request.question else { continue }
      waiting.remove(at: index)
      respond(to: request.id, DiagnosticReport.unchanged(resultId: known))
    }
    let question = Waiting.Question.diagnostics(key, known: params.previousResultId, nil)
    wait(Waiting(id: id, question: question))
  }

  /// Begins the list of an open document; nil if it is short, or if the client has the list.
  func beginList(of document: Document, known: String?) -> ListMaking? {
    resultID(document.revision) == known ? nil : ListMaking(of: document, client)
  }

  /// Has the lists that are asked for made of the documents as they are, and none while they are changed.
  func beginLists() {
    for index in waiting.all.indices {
      guard case .diagnostics(let key, let known, let making) = waiting.all[index].question else {
        continue
      }
      let document = documents[key].flatMap { isQuiet($0) ? $0 : nil }
      guard document?.revision != making?.revision else { continue }
      let new = document.flatMap { beginList(of: $0, known: known) }
      waiting.note(.diagnostics(key, known: known, new), at: index)
    }
  }

  /// The list of changes of a document, open or not.
  ///
  /// - Parameters:
  ///   - key: The document.
  ///   - known: The id of the list that the client has.
  ///   - making: What has made the list, if the document is long.
  /// - Returns: The list, or that it is the one that the client has.
  func diagnosticReport(
    of key: DocumentKey,
    known: String?,
    _ making: ListMaking?
  ) -> DiagnosticReport {
    if let document = documents[key] {
      let id = resultID(making?.revision ?? document.revision)
      if id == known { return .unchanged(resultId: id) }
      let list = making?.list ?? [snapshot(of: document).diagnostics]
      return .full(resultId: id, items: .open(list))
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
  case open([ChangeDiagnostics])
  /// JSON arrays of some items each.
  case closed([[UInt8]])

  func write(to writer: inout JSONWriter) {
    switch self {
    case .open(let lists): writer.array { for list in lists { list.writeItems(to: &$0) } }
    case .closed(let lists):
      writer.array {
        for list in lists {
          for item in (try? JSON(parsing: list))?.elements.map({ $0 }) ?? [] { $0.value(item) }
        }
      }
    }
  }
}
