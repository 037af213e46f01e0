import JSONRPC
import TrackEngine

extension Server {
  /// The kinds of our code actions.
  static let actionKinds = ["quickfix", "refactor.rewrite", "source"]

  /// A code action of ours.
  private struct CodeAction {
    var title: String
    var kind: String
    var isPreferred = false
    var edits: [Edit] = []
    /// What does it where the text would not say so: to accept what is pending changes no text, and
    /// to take the marks off what was just typed is what undo does too.
    var command: Command?
    var range: Range<Int>?
  }

  func codeActions(_ params: JSON?) throws(ResponseError) -> Answer {
    let document = try document(params)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    guard let range = conversions.range(of: params?["range"]) else {
      throw .invalidParams("The range is missing.")
    }
    let wanted = params?["context"]?["only"]
    let only = wanted?.kind == .array ? wanted?.elements.compactMap(\.string) : nil
    let actions = actions(for: document, range).filter { action in
      only?.contains { action.kind == $0 || action.kind.hasPrefix("\($0).") || $0.isEmpty } ?? true
    }
    withDocument(key(of: document.uri)) { document in
      for action in actions where !action.edits.isEmpty { document.tracker.offer(action.edits) }
    }
    return { [self] writer in
      writer.array {
        for action in actions { write(action, of: document, conversions, to: &$0) }
      }
    }
  }

  private func actions(for document: Document, _ range: Range<Int>) -> [CodeAction] {
    let review = Review(document.tracker, around: range)
    var actions: [CodeAction] = []
    func add(
      _ title: String,
      _ kind: String,
      _ action: Review.Action,
      _ command: Command? = nil,
      isPreferred: Bool = false
    ) {
      guard let edits = try? review.edits(for: action) else { return }
      var made = CodeAction(title: title, kind: kind, isPreferred: isPreferred, edits: edits)
      let isAmbiguous = client.appliesEdits && document.tracker.wasPending(after: edits)
      if edits.isEmpty || isAmbiguous, let command {
        made.edits = []
        made.command = command
        made.range = range
      }
      guard !made.edits.isEmpty || made.command != nil else { return }
      actions.append(made)
    }
    let chosen = review.changes(at: range).map { title(of: $0, in: review) }
    if !chosen.isEmpty {
      let what = chosen.count == 1 ? chosen[0] : "\(chosen.count) changes in the selection"
      add("Accept \(what)", "quickfix", .resolve(range, .clean), .accept, isPreferred: true)
      add("Reject \(what)", "quickfix", .resolve(range, .original), .reject)
    }
    add(commentTitle(chosen, range), "refactor.rewrite", .comment(range, newComment("")))
    if !range.isEmpty { add("Highlight the selection", "refactor.rewrite", .highlight(range)) }
    add("Remove the comment", "refactor.rewrite", .removeComment(range))
    let count = review.counts.entries
    if count > 0 {
      let all = count == 1 ? "the only change" : "all \(count) changes"
      add("Accept \(all)", "source", .resolveAll(.clean), .acceptAll)
      add("Reject \(all)", "source", .resolveAll(.original), .rejectAll)
    }
    actions.append(
      CodeAction(
        title: isRecording(document) ? "Stop tracking changes" : "Track changes",
        kind: "source",
        command: .toggleTracking
      )
    )
    return actions
  }

  /// As in `addition “very ”`.
  private func title(of change: Change, in review: Review) -> String {
    let (old, new) = review.texts(of: change)
    switch change.kind {
    case .addition: return "addition \(quoted(new))"
    case .deletion: return "deletion \(quoted(old))"
    case .substitution: return "\(quoted(old)) → \(quoted(new))"
    case .highlight: return "highlight \(quoted(new))"
    case .comment: return "comment"
    }
  }

  private func commentTitle(_ chosen: [String], _ range: Range<Int>) -> String {
    if chosen.count == 1 { return "Comment on \(chosen[0])" }
    return range.isEmpty ? "Comment here" : "Comment on the selection"
  }

  private func write(
    _ action: CodeAction,
    of document: Document,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    writer.object {
      $0.member("title", action.title)
      if !client.takesActionLiterals, let command = action.command {
        // Such a client knows commands only.
        write(command, of: document, action.range, conversions, to: &$0)
        return
      }
      $0.member("kind", action.kind)
      if action.isPreferred { $0.member("isPreferred", true) }
      if let command = action.command {
        $0.member(
          "command",
          object: {
            $0.member("title", action.title)
            write(command, of: document, action.range, conversions, to: &$0)
          }
        )
      } else {
        $0.member(
          "edit",
          object: {
            writeDocumentEdit(action.edits, document.uri, document.version, conversions, to: &$0)
          }
        )
      }
    }
  }

  private func write(
    _ command: Command,
    of document: Document,
    _ range: Range<Int>?,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    writer.member("command", command.name)
    writer.member(
      "arguments",
      array: {
        $0.object {
          $0.member("uri", document.uri)
          if let range {
            $0.key("range")
            conversions.write(range, to: &$0)
          }
        }
      }
    )
  }
}
