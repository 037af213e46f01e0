import JSONRPC
import TrackEngine

extension Server {
  func executeCommand(_ params: JSON?) throws -> Answer {
    let name = params?["command"]?.string ?? ""
    guard let command = Command(name: name) else {
      throw ResponseError.invalidParams("There is no command \"\(name)\".")
    }
    let arguments = params?["arguments"]?.first
    guard let arguments, arguments.kind == .object else {
      throw ResponseError.invalidParams("\(name) takes one object, {uri, …}.")
    }
    let document = try document(arguments)
    switch command {
    case .accept: return try review(document, .resolve(try place(arguments, document), .clean))
    case .reject: return try review(document, .resolve(try place(arguments, document), .original))
    case .acceptAll: return try review(document, .resolveAll(.clean))
    case .rejectAll: return try review(document, .resolveAll(.original))
    case .highlight: return try review(document, .highlight(try place(arguments, document)))
    case .removeComment: return try review(document, .removeComment(try place(arguments, document)))
    case .comment: return try comment(document, arguments)
    case .toggleTracking: return try toggleTracking(document, arguments)
    case .mark: return markByCommand(document)
    case .changes: return changes(of: document)
    case .status: return status(of: document)
    case .export: return try export(document, arguments)
    }
  }

  /// Where a command acts: on its `range`, at its `position`, or on the change with its number.
  private func place(_ arguments: JSON, _ document: Document) throws(ResponseError) -> Range<Int> {
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    if let json = arguments["range"], !json.isNull {
      guard let range = conversions.range(of: json) else {
        throw .invalidParams("range must be an LSP range, {start, end}, not \(json).")
      }
      return range
    }
    if let json = arguments["position"], !json.isNull {
      guard let position = Position(json) else {
        throw .invalidParams("position must be an LSP position, {line, character}, not \(json).")
      }
      let offset = conversions.offset(of: position)
      return offset..<offset
    }
    if let json = arguments["change"], !json.isNull {
      let changes = numberedChanges(of: document)
      guard let number = json.integer, changes.indices.contains(number - 1) else {
        throw .invalidParams("change must be a number from 1 to \(changes.count), not \(json).")
      }
      return changes[number - 1].range
    }
    throw .invalidParams("One of range, position and change must say where to act.")
  }

  /// Does what the user asked for, or lets it wait for our edit that is under way.
  private func review(
    _ document: Document,
    _ action: Review.Action,
    wantsCaret: Bool = false
  ) throws(ResponseError) -> Answer {
    guard client.appliesEdits else {
      throw .requestFailed("This editor does not take edits; use the code action instead.")
    }
    var failure: Review.Failure?
    withDocument(key(of: document.uri)) { document in
      guard document.flight == nil else {
        document.queue.append(Document.Request(action: action, wantsCaret: wantsCaret))
        return
      }
      do throws(Review.Failure) {
        try review(&document, action, wantsCaret: wantsCaret)
      } catch {
        failure = error
      }
    }
    if let failure { throw .requestFailed(failure.description) }
    return { $0.null() }
  }

  /// Sends the edits that do what the user asked for.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - action: What the user asked for.
  ///   - wantsCaret: Whether the caret is wanted in the empty comment that is made.
  /// - Throws: `Review.Failure` if it can't be done.
  func review(
    _ document: inout Document,
    _ action: Review.Action,
    wantsCaret: Bool
  ) throws(Review.Failure) {
    let edits = try Review(document.tracker).edits(for: action)
    document.tracker.expect(edits)
    // What is pending can be accepted without a change of the text.
    guard !edits.isEmpty else {
      document.publishAt = now
      return
    }
    if wantsCaret { document.caretAfterLanding = placeInEmptyComment(of: edits) }
    sendEdit(edits, in: &document)
  }

  private func comment(_ document: Document, _ arguments: JSON) throws(ResponseError) -> Answer {
    if let json = arguments["text"], !json.isNull, json.string == nil {
      throw .invalidParams("text must be a string, not \(json).")
    }
    let text = arguments["text"]?.string ?? ""
    let place = try place(arguments, document)
    return try review(document, .comment(place, newComment(text)), wantsCaret: text.isEmpty)
  }

  /// Where, in the text after `edits`, the comment that they make takes its text.
  private func placeInEmptyComment(of edits: [Edit]) -> Int? {
    let empty = MarkKind.comment.opener + newComment("") + MarkKind.comment.closer
    var shift = 0
    for edit in edits {
      if edit.new.suffix(empty.count) == empty[...] {
        return edit.range.lowerBound + shift + edit.new.count - 3
      }
      shift += edit.new.count - edit.range.count
    }
    return nil
  }

  /// A comment's text with its author.
  func newComment(_ text: String) -> [UInt8] {
    Array((settings.author.map { "@\($0): " } ?? "").utf8) + text.utf8
  }

  private func toggleTracking(
    _ document: Document,
    _ arguments: JSON
  ) throws(ResponseError) -> Answer {
    if let json = arguments["on"], !json.isNull, json.bool == nil {
      throw .invalidParams("on must be true or false, not \(json).")
    }
    let isOn = arguments["on"]?.bool ?? !isRecording(document)
    let key = key(of: document.uri)
    trackingChoices[key] = isOn
    withDocument(key) { document in
      document.trackingChoice = isOn
      setTracking(isOn, of: &document)
    }
    return { $0.bool(isOn) }
  }

  /// Whether the user has tracking on, as far as they can tell.
  func isRecording(_ document: Document) -> Bool {
    document.tracker.isTracking && !document.stopsTracking
  }

  private func markByCommand(_ document: Document) -> Answer {
    withDocument(key(of: document.uri)) { document in
      guard document.tracker.isTracking, !document.tracker.hunks.isEmpty, document.flight == nil,
        !document.tracker.isHeld
      else { return }
      mark(&document, isForced: true)
    }
    return { $0.null() }
  }
}

// MARK: - Questions

extension Server {
  /// The list of changes without what is malformed, as it is numbered from 1.
  private func numberedChanges(of document: Document) -> [ChangeEntry] {
    ChangeEntry.entries(of: document.tracker).filter { $0.problem == nil }
  }

  private func changes(of document: Document) -> Answer {
    let entries = numberedChanges(of: document)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return { writer in
      writer.array {
        for (index, entry) in entries.enumerated() {
          $0.object {
            $0.member("number", index + 1)
            $0.member("kind", entry.code)
            $0.member("old", String(decoding: entry.old, as: UTF8.self))
            $0.member("new", String(decoding: entry.new, as: UTF8.self))
            $0.member("comments", entry.comments.map { String(decoding: $0, as: UTF8.self) })
            $0.key("range")
            conversions.write(entry.range, to: &$0)
          }
        }
      }
    }
  }

  private func status(of document: Document) -> Answer {
    let entries = numberedChanges(of: document)
    let changes = entries.filter { !$0.isPending }
    let marking = marking(of: document).rawValue
    let isRecording = isRecording(document)
    return { writer in
      writer.object {
        $0.member("tracking", isRecording)
        $0.member("marking", marking)
        $0.member("changes", changes.count)
        $0.member("commented", changes.count { !$0.comments.isEmpty })
        $0.member("pending", document.tracker.hunks.count)
      }
    }
  }

  private func export(_ document: Document, _ arguments: JSON) throws(ResponseError) -> Answer {
    var variant = Variant.clean
    if let json = arguments["variant"], !json.isNull {
      guard let known = json.string.flatMap(Variant.init) else {
        throw .invalidParams(
          "variant must be \"clean\", \"original\" or \"markup\", not \(json)."
        )
      }
      variant = known
    }
    let tracker = document.tracker
    let bytes = tracker.buffer.applying(tracker.marking().edits).bytes
    let text = Reading(of: bytes).text(variant, of: bytes)
    return { $0.string(utf8: text) }
  }
}
