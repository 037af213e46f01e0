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
    case .accept, .reject, .acceptAll, .rejectAll, .removeAnnotations, .comment, .editComment,
      .removeComment, .highlight, .joinSubstitution, .splitSubstitution, .fix:
      return try review(document, command, arguments)
    case .acceptAndNext, .rejectAndNext: return try settleAndGo(command, document, arguments)
    case .toggleTracking: return try toggleTracking(document, arguments)
    case .mark: return markByCommand(document)
    case .next, .previous, .nextUncommented: return try go(command, document, arguments)
    case .annotate: return try annotate(document, arguments)
    case .changes: return changes(of: document)
    case .status: return status(of: document)
    case .export: return try export(document, arguments)
    }
  }

  /// Where a command acts: on its `range`, at its `position` or its `line` and `column`, or on the
  /// change with its number.
  func place(_ arguments: JSON, _ document: Document) throws(ResponseError) -> Range<Int> {
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
    if let json = arguments["line"], !json.isNull {
      let column = arguments["column"]
      guard let line = json.integer, let column = column?.integer, line > 0, column > 0 else {
        throw .invalidParams("line and column must both be numbers from 1.")
      }
      let offset = conversions.offset(line: line, column: column)
      return offset..<offset
    }
    if let json = arguments["change"], !json.isNull {
      let changes = numberedChanges(of: document)
      guard let number = json.integer, changes.indices.contains(number - 1) else {
        throw .invalidParams("change must be a number from 1 to \(changes.count), not \(json).")
      }
      return changes[number - 1].inside
    }
    throw .invalidParams(
      "One of range, position, line with column, and change must say where to act."
    )
  }

  /// Whether a command's arguments name a place.
  func saysWhere(_ arguments: JSON) -> Bool {
    ["range", "position", "line", "change"].contains { arguments[$0]?.isNull == false }
  }

  private func review(
    _ document: Document,
    _ command: Command,
    _ arguments: JSON
  ) throws(ResponseError) -> Answer {
    guard let review = try reviewCommand(command, arguments, document),
      let action = action(of: review)
    else { return try selectComment(document, arguments) }
    let aim: Standing.Wish.Aim? = review.wantsCaret ? .comment : nil
    try perform(action, on: document, aim: aim, caret: review.caret)
    return { $0.null() }
  }

  /// Does what the user asked for, or lets it wait for our edit that is under way.
  ///
  /// - Parameters:
  ///   - action: What the user asked for.
  ///   - document: The document.
  ///   - aim: Where the caret is wanted then.
  ///   - caret: Where the user is, as far as that is known.
  /// - Returns: The edits that were sent; nil if it waits.
  /// - Throws: `ResponseError` if it can't be done.
  @discardableResult
  func perform(
    _ action: Review.Action,
    on document: Document,
    aim: Standing.Wish.Aim? = nil,
    caret: Range<Int>? = nil
  ) throws(ResponseError) -> [Edit]? {
    guard client.appliesEdits else {
      throw .requestFailed("This editor does not take edits; use the code action instead.")
    }
    let wish = Standing.Wish(action: action, aim: aim, caret: caret)
    switch document.step(.wish) {
    case .queue:
      document.queue.append(wish)
      return nil
    case .refuse:
      throw .requestFailed("The text is not known; open the file anew.")
    default: break
    }
    do throws(Review.Failure) {
      return try perform(wish, in: document)
    } catch {
      throw .requestFailed(error.description)
    }
  }

  /// Sends the edits that do what the user asked for.
  ///
  /// - Parameters:
  ///   - wish: What the user asked for.
  ///   - document: The document; nothing of ours is under way in it.
  /// - Returns: The edits.
  /// - Throws: `Review.Failure` if it can't be done.
  @discardableResult
  func perform(
    _ wish: Standing.Wish,
    in document: Document
  ) throws(Review.Failure) -> [Edit] {
    if wish.isOvertaken, wish.action.range == nil {
      throw .overtaken
    }
    let near = Review(document.tracker, around: wish.action.range)
    let edits = try near.edits(for: wish.action)
      .fewer(in: document.tracker.buffer, sparing: wish.caret)
    // What is pending can be accepted without a change of the text.
    let caret = try caret(for: wish, near, edits, document)
    guard !edits.isEmpty else {
      document.tracker.settle()
      document.publishAt = now
      if let caret { show(caret..<caret, of: document) }
      return edits
    }
    send(document.tracker.ownEdit(edits), in: document, for: wish, caret: caret)
    return edits
  }

  /// Where the caret is wanted in the text after the edits.
  private func caret(
    for wish: Standing.Wish,
    _ review: Review,
    _ edits: [Edit],
    _ document: Document
  ) throws(Review.Failure) -> Int? {
    switch wish.aim {
    case .comment?: return placeInEmptyComment(of: edits, for: wish.action)
    case .next?:
      guard case .resolve(let range, let variant) = wish.action else { return nil }
      let end = try review.end(settling: range, variant)
      return document.tracker.after(edits).change(from: end)?.range.lowerBound
    case nil: return nil
    }
  }

  /// The argument `text`; nil where there is none.
  func text(_ arguments: JSON) throws(ResponseError) -> String? {
    guard let json = arguments["text"], !json.isNull else { return nil }
    guard let text = json.string else {
      throw .invalidParams("text must be a string, not \(json).")
    }
    return text
  }

  /// Where, in the text after `edits`, the comment that they make takes its text.
  func placeInEmptyComment(of edits: [Edit], for action: Review.Action) -> Int? {
    guard case .comment(_, let content) = action else { return nil }
    let empty = MarkKind.comment.opener + content + MarkKind.comment.closer
    return zip(edits, OffsetMap(edits).differences)
      .first { $0.0.new.suffix(empty.count) == empty[...] }
      .map { $0.1.new.upperBound - 3 }
  }

  private func toggleTracking(
    _ document: Document,
    _ arguments: JSON
  ) throws(ResponseError) -> Answer {
    if let json = arguments["on"], !json.isNull, json.bool == nil {
      throw .invalidParams("on must be true or false, not \(json).")
    }
    let isOn = arguments["on"]?.bool ?? !isRecording(document)
    choose(isOn, for: key(of: document.uri))
    document.trackingChoice = isOn
    setTracking(isOn, of: document)
    if !client.showsTracking { show("Tracking is \(isOn ? "on" : "off") now.", type: 3) }
    return { $0.bool(isOn) }
  }

  /// Whether the user has tracking on, as far as they can tell.
  func isRecording(_ document: Document) -> Bool {
    document.wantsTracking ?? document.tracker.isTracking
  }

  private func markByCommand(_ document: Document) -> Answer {
    switch document.step(.mark) {
    case .mark: mark(document, isForced: true)
    case .markLater: document.marksNext = true
    default: break
    }
    return { $0.null() }
  }
}

// MARK: - Questions

extension Server {
  /// The list of changes without what is malformed, as it is numbered from 1.
  func numberedChanges(of document: Document) -> [ChangeEntry] {
    let tracker = document.tracker
    return ChangeEntry.changes(of: tracker, in: tracker.excerpt(around: 0..<tracker.buffer.count))
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
