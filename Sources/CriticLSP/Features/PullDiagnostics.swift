import JSONRPC
import TrackEngine

extension Server {
  /// The answer to `textDocument/diagnostic`; it waits for our edit that is under way, and for a pause.
  ///
  /// An older question about the same document is not worth an answer of its own any more.
  func pullDiagnostics(_ params: JSON?, for id: RequestID) throws(ResponseError) -> Answer? {
    guard let uri = params?["textDocument"]?["uri"]?.string else {
      throw .invalidParams("The document's uri is missing.")
    }
    let key = key(of: uri)
    for (index, request) in waiting.enumerated().reversed() {
      guard case .diagnostics(key, let known?) = request.question else { continue }
      waiting.remove(at: index)
      send(.response(to: request.id) { $0.object { Server.writeUnchanged(known, to: &$0) } })
    }
    let known = params?["previousResultId"]?.string
    wait(Waiting(id: id, question: .diagnostics(key, known: known)))
    return nil
  }

  func diagnosticReport(of key: String, known: String?) -> Answer {
    let file = filePath(of: key).flatMap { workspace.files[$0] }
    return { [self] writer in
      writer.object {
        if let document = documents[key] {
          writeReport(of: document, known: known, to: &$0)
        } else if let file {
          writeReport(of: file, known: known, to: &$0)
        } else {
          Server.writeReport(to: &$0) { _ in }
        }
      }
    }
  }

  /// Writes the members of a `DocumentDiagnosticReport`.
  func writeReport(of document: Document, known: String?, to writer: inout JSONWriter) {
    let id = resultID(document.revision)
    if id == known { return Server.writeUnchanged(id, to: &writer) }
    let entries = shownEntries(of: document)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    Server.writeReport(id, to: &writer) {
      writeDiagnostics(entries, of: document, conversions, to: &$0)
    }
  }

  static func writeUnchanged(_ id: String, to writer: inout JSONWriter) {
    writer.member("kind", "unchanged")
    writer.member("resultId", id)
  }

  static func writeReport(
    _ id: String? = nil,
    to writer: inout JSONWriter,
    items: (inout JSONWriter) -> Void
  ) {
    writer.member("kind", "full")
    if let id { writer.member("resultId", id) }
    writer.member("items", array: items)
  }

  /// The name of a list of changes: no other list of any session has it.
  func resultID(_ revision: Int) -> String { "\(session)-\(revision)" }
}
