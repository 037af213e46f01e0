import JSONRPC
import TrackEngine

/// The server that has a file open in an editor, as seen from another process, which has its edits made there.
final class FileOwner {
  private let connection: LineConnection
  private let file: FileNumber
  private var lastID = 0
  private var isListening = true

  /// How long a server may take to say whether it has a file open, in milliseconds.
  private static let patience = 3000
  /// How long to wait for the editor in all, in milliseconds.
  private static let longest = 10_000
  /// How long to wait before asking anew, in milliseconds; then twice as long each time.
  private static let pause = 50
  /// How often to ask an editor again that refuses an edit of a text that nobody changes.
  private static let mostRetries = 6

  /// What a user is told of a file that was changed in an editor.
  static let told = "it is open in an editor, and was changed there; it is saved when you save it"

  private init(_ connection: LineConnection, of file: FileNumber) {
    (self.connection, self.file) = (connection, file)
  }

  /// The server that has a file open; nil if none has.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - forReview: Whether it need not have its editor make edits.
  /// - Returns: The server.
  static func find(_ file: FileNumber, forReview: Bool = false) -> FileOwner? {
    all(of: file, forReview: forReview).first { _ in true }
  }

  /// The servers that have a file open, each found when it is its turn.
  private static func all(
    of file: FileNumber,
    forReview: Bool
  ) -> some Sequence<FileOwner> {
    LocalSocket.folders.lazy.flatMap { LocalSocket.all(in: $0) }.compactMap {
      (path: Path) -> FileOwner? in
      guard let connection = LineConnection(to: path) else { return nil }
      let owner = FileOwner(connection, of: file)
      guard
        case .result(let result) = owner.ask(
          "find",
          within: patience,
          { $0.member("isForReview", forReview) }
        ), !result.isNull
      else { return nil }
      return owner
    }
  }

  /// The text that the editor shows, with everything in marks; nil if no editor has the file open.
  ///
  /// - Throws: `Platform.Failure` if the editor does not give it.
  static func text(of place: FilePlace) throws(Platform.Failure) -> [UInt8]? {
    guard let file = place.number, let owner = find(file) else { return nil }
    return try owner.text(of: place.path, isMarked: true, before: Platform.now + longest)?.bytes
  }

  /// Has a file edited by the editor that has it open.
  ///
  /// - Parameters:
  ///   - place: The file.
  ///   - isProposal: Whether the edits propose something, which the writer then reviews.
  ///   - make: Makes the edits of a text; called again if the text has changed meanwhile.
  /// - Returns: Whether an editor has the file open; if not, nothing was done.
  /// - Throws: `Platform.Failure` if the editor has not made the edits, or has not said that it has; and what `make`
  ///   throws.
  static func change(
    _ place: FilePlace,
    isProposal: Bool,
    _ make: ([UInt8]) throws(Platform.Failure) -> [Edit]
  ) throws(Platform.Failure) -> Bool {
    guard let file = place.number, let owner = find(file) else { return false }
    var deadline = Platform.now + longest
    var isMarked = false
    var pause = pause
    var retries = 0
    var refused: Int?
    while let text = try owner.text(of: place.path, isMarked: isMarked, before: deadline) {
      // The editor was overtaken by its writer, of which its server knew nothing yet.
      if let state = refused, state != text.state { (pause, retries) = (FileOwner.pause, 0) }
      refused = nil
      let start = Platform.now
      let edits = try make(text.bytes)
      // It is the editor that is not waited for longer.
      deadline += Platform.now - start
      if edits.isEmpty { return true }
      var why = "is being edited, and the editor does not take this edit now"
      switch try owner.edit(place.path, edits, isProposal, of: text, before: deadline) {
      case .made: return true
      case .touchesPending: isMarked = true
      case .textHasChanged: break
      case .refused(let reason):
        refused = text.state
        retries += 1
        why = "was not changed: \(reason)"
      }
      guard Platform.now < deadline, retries <= mostRetries else {
        throw failure(place.path, why)
      }
      Platform.sleep(min(pause, deadline - Platform.now))
      pause *= 2
    }
    return false
  }

  /// What the editor shows.
  private struct Shown {
    let bytes: [UInt8]
    let state: Int
    /// Whether what is pending is in marks in it.
    let isMarked: Bool

    init?(_ json: JSON) {
      guard let bytes = json["text"]?.utf8, let state = json["state"]?.integer else { return nil }
      (self.bytes, self.state) = (bytes, state)
      isMarked = json["isMarked"]?.bool ?? true
    }
  }

  /// The text; nil if the file is no longer open.
  private func text(
    of path: Path,
    isMarked: Bool,
    before deadline: Int
  ) throws(Platform.Failure) -> Shown? {
    switch ask("text", within: deadline - Platform.now, { $0.member("isMarked", isMarked) }) {
    case .result(let result): return Shown(result)
    case .error(let error): throw FileOwner.failure(path, "is not to be had: \(error.message)")
    // Nothing was asked of it yet, so the file is nobody's now.
    case .end, .tooLong: return nil
    case .timeout, .notSent:
      throw FileOwner.failure(path, "did not come to rest in time; nothing was changed")
    }
  }

  private enum Outcome {
    case made
    /// Nothing was done: the edits meet what the writer has typed just now.
    case touchesPending
    /// Nothing was done: the edits are of an older text.
    case textHasChanged
    /// Nothing was done: the editor does not take the edits, and says why.
    case refused(String)
  }

  private func edit(
    _ path: Path,
    _ edits: [Edit],
    _ isProposal: Bool,
    of text: Shown,
    before deadline: Int
  ) throws(Platform.Failure) -> Outcome {
    func answer(_ edits: [Edit]) -> Answer {
      let asked = OwnerCall.Edits(
        state: text.state,
        isMarked: text.isMarked,
        isProposal: isProposal,
        edits: edits
      )
      return ask("edit", within: deadline - Platform.now, asked.write)
    }
    var answered = answer(edits)
    if case .tooLong = answered { answered = answer(edits.shorterToSend(of: text.bytes)) }
    switch answered {
    case .tooLong(let length):
      let (asked, most) = (length >> 20, Callers.longestMessage >> 20)
      throw FileOwner.failure(
        path,
        "was not changed: its edits are \(asked) MB long, and an editor is sent no more than"
          + " \(most) MB at once; close it there, and try again"
      )
    case .result(let result):
      return result["touchesPending"]?.bool == true ? .touchesPending : .made
    case .error(let error) where error.code == ResponseError.contentModified("").code:
      return .textHasChanged
    case .error(let error) where error.code == ResponseError.refusedByEditor("").code:
      return .refused(error.message)
    case .error(let error): throw FileOwner.failure(path, "was not changed: \(error.message)")
    case .end:
      throw FileOwner.failure(
        path,
        "was to be changed, but its server ended before it answered; see whether the change is there"
      )
    case .notSent:
      throw FileOwner.failure(path, "was not changed: its server did not take the edits in time")
    case .timeout:
      throw FileOwner.failure(
        path,
        "was to be changed, but the editor has not answered yet; see whether the change is there"
      )
    }
  }

  private static func failure(_ path: Path, _ what: String) -> Platform.Failure {
    Platform.Failure(description: "\(path) is open in an editor: it \(what)")
  }
}

// MARK: - What was saved

extension FileOwner {
  /// Whose the text of a file is that is open in an editor.
  enum Saved {
    /// The editor saved it.
    case byEditor
    /// The editor did not; the text is what it saved since a moment, if it has.
    case byAnother([UInt8]?)
  }

  /// Asks the servers that have a file open whether their editors saved the text that is in it.
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - file: The file.
  ///   - moment: Since when it has another text, in milliseconds.
  /// - Returns: The answer; nil if no editor has it open.
  static func saved(_ text: [UInt8], in file: FileNumber, since moment: Int) -> Saved? {
    var found: Saved?
    for owner in all(of: file, forReview: true) {
      guard
        case .result(let result) = owner.ask(
          "saved",
          within: patience,
          { $0.member("text", utf8: text) }
        ),
        !result.isNull
      else { continue }
      let saved = result["text"]?.utf8
      let isSince = result["age"]?.integer.map { $0 <= max(0, Platform.now - moment) } ?? false
      // An editor can tell late what it saved, when it shows something else already.
      let isShown = isSince && result["isKnown"]?.bool == true
      if isShown || saved.map(text.isSame) == true { return .byEditor }
      if case .byAnother(_?)? = found { continue }
      found = .byAnother(isSince ? saved : nil)
    }
    return found
  }
}

// MARK: - The review

extension FileOwner {
  enum ReviewAnswer {
    /// The proposals and what was made of them; whether the writer has said that the review is done.
    case texts([[UInt8]], isDone: Bool)
    /// The file is no longer open there.
    case closed
    case timeout
  }

  /// Asks what was made of the proposals; ``reviewAnswer(before:)`` is the answer.
  ///
  /// - Parameters:
  ///   - waits: Whether to be answered when the writer says that the review is done.
  ///   - author: Who asks.
  func askForReview(waits: Bool, by author: AuthorName?) {
    let line = question("review") {
      $0.member("waits", waits)
      $0.member("author", ifPresent: author?.name)
    }
    isListening = connection.send(line, before: Platform.now + FileOwner.patience) == .sent
  }

  /// The answer, if it comes until a moment, in milliseconds; after a timeout it can be waited for again.
  func reviewAnswer(before deadline: Int) -> ReviewAnswer {
    guard isListening else { return .closed }
    switch answer(before: deadline) {
    case .timeout: return .timeout
    case .end, .error, .tooLong, .notSent: return .closed
    case .result(let result):
      guard let first = result["first"]?.utf8,
        let steps = try? [EditJSON](result["steps"] ?? result),
        let texts = TextSequence(first, steps.map(\.edit))
      else { return .closed }
      return .texts(texts.all, isDone: result["isDone"]?.bool == true)
    }
  }
}

// MARK: - Asking

extension FileOwner {
  private enum Answer {
    case result(JSON)
    case error(ResponseError)
    /// The server is gone.
    case end
    case timeout
    /// Nothing was asked: the question has more bytes than a server takes.
    case tooLong(Int)
    /// Nothing was asked: the server did not take all of the question in time.
    case notSent
  }

  private func ask(
    _ method: StaticString,
    within milliseconds: Int,
    _ members: (inout JSONWriter) -> Void = { _ in }
  ) -> Answer {
    let deadline = Platform.now + max(0, milliseconds)
    let line = question(method, members)
    // The server would hang up.
    guard line.count <= Callers.longestMessage else { return .tooLong(line.count) }
    switch connection.send(line, before: deadline) {
    case .sent: return answer(before: deadline)
    case .end: return .end
    case .timeout: return .notSent
    }
  }

  /// A question on a line.
  private func question(
    _ method: StaticString,
    _ members: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    lastID += 1
    let file = file
    let question = OutgoingMessage.request(id: lastID, method: method) { writer in
      writer.object {
        $0.member("device", file.device)
        $0.member("inode", file.inode)
        members(&$0)
      }
    }
    return question.line
  }

  /// The answer to the last question.
  private func answer(before deadline: Int) -> Answer {
    let id = lastID
    while true {
      switch connection.receive(before: deadline) {
      case .line(let body):
        guard case .response(.number(id), let result)? = try? IncomingMessage(body: body) else {
          continue
        }
        switch result {
        case .success(let json): return .result(json)
        case .failure(let error): return .error(error)
        }
      case .end: return .end
      case .timeout: return .timeout
      }
    }
  }
}

extension [Edit] {
  /// The same edits with those joined that are shorter to send as one.
  fileprivate func shorterToSend(of text: [UInt8]) -> [Edit] {
    // What an edit takes beside its new text.
    let overhead = 40
    var joined: [Edit] = []
    for edit in self {
      let last = joined.count - 1
      if last >= 0, edit.range.lowerBound - joined[last].range.upperBound <= overhead {
        joined[last].new += text[joined[last].range.upperBound..<edit.range.lowerBound] + edit.new
        joined[last].range = joined[last].range.lowerBound..<edit.range.upperBound
      } else {
        joined.append(edit)
      }
    }
    return joined
  }
}
