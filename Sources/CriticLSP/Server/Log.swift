import JSONRPC

extension Server {
  /// Writes a line to the editor's log, without disturbing the user.
  func log(_ text: String, _ type: MessageType = .log) {
    notify("window/logMessage", ShowMessageParams(type: type, message: text))
  }

  /// Writes a line to the editor's log, unless it was written before.
  func logOnce(_ text: String, _ type: MessageType = .warning) {
    if isNew(text) { log(text, type) }
  }

  /// Logs both versions and what was agreed with the client.
  func logGreeting() {
    let name = [client.name, client.version].filter { !$0.isEmpty }.joined(separator: " ")
    let edits =
      client.appliesEdits
      ? "marked by \(settings.session.marking ?? client.defaultMarking), edits \(client.form)"
      : client.takesEdits
        ? "marked on save only, for this editor does not take edits"
        : "never marked in the text, for this editor takes no edits"
    log(
      """
      critic-lsp \(version) serves \(name.isEmpty ? "an editor without a name" : name): \
      positions in \(client.encoding.rawValue), changes \(edits), \
      the list of changes \(client.pullsDiagnostics ? "when asked for" : "sent").
      """,
      .info
    )
  }

  /// Why the editor did not make an edit of ours, in its own words; empty if it does not say.
  func reason(of answer: Result<ApplyWorkspaceEditResult, ResponseError>) -> String {
    switch answer {
    case .success(let value): value.failureReason ?? ""
    case .failure(let error): error.description
    }
  }

  /// Logs why an edit of ours was not made.
  func logRefusal(
    of document: DocumentKey,
    _ answer: Result<ApplyWorkspaceEditResult, ResponseError>
  ) {
    let reason = reason(of: answer)
    log("\(document.name): the editor did not make our edit\(reason.isEmpty ? "." : ": \(reason)")")
  }
}
