import JSONRPC

@testable import CriticLSP
@testable import TrackEngine

/// What became of the edits that the server gave for saving.
enum SavingOutcome: CaseIterable {
  case putIn
  /// The answer took the client too long.
  case dropped
  /// The user typed on before they were put in.
  case putInLate
}

// MARK: - The server's edits

extension ClientModel {
  /// Looks at an edit of the server.
  func take(_ arrival: Arrival) {
    let meant = arrival.edit?["textDocument"]?["version"]?.integer
    let isStale =
      switch habits.check {
      case .buffer: meant != version || hasUnsent
      case .told: meant != version
      case .nothing: false
      }
    if isStale { return refuse(arrival) }
    if habits.prompts, Int.random(in: 0..<4, using: &random) == 0 {
      film.note("the user says no", at: now)
      return reply(to: arrival.id, #""error":{"code":-32603,"message":"User cancelled"}"#)
    }
    if habits.repliesFirst { reply(to: arrival.id, #""result":{"applied":true}"#) }
    land(arrival.edit?["edits"], meantFor: arrival.base)
    if !habits.repliesFirst { reply(to: arrival.id, #""result":{"applied":true}"#) }
  }

  private func refuse(_ arrival: Arrival) {
    switch habits.refusal {
    case .pretends: reply(to: arrival.id, #""result":{"applied":true}"#)
    case .refuses:
      reply(
        to: arrival.id,
        #""result":{"applied":false,"failureReason":"document has changed","failedChange":0}"#
      )
    case .fails:
      reply(to: arrival.id, #""error":{"code":-32603,"message":"require version 0, you have 1"}"#)
    }
  }

  /// Puts edits of the server in at their lines and characters.
  ///
  /// - Parameters:
  ///   - list: LSP's `TextEdit`s.
  ///   - base: The text that the server meant.
  func land(_ list: JSON?, meantFor base: Text) {
    var edits = Conversions(text: text, encoding: encoding).edits(of: list)
    guard !edits.isEmpty else { return }
    if base != text {
      let meant = Conversions(text: base, encoding: encoding).edits(of: list)
      for index in edits.indices {
        // Two places of the old text can be one where the text has got shorter.
        if index > 0, edits[index].range.lowerBound < edits[index - 1].range.upperBound {
          let start = edits[index - 1].range.upperBound
          edits[index] = Edit(
            start..<max(start, edits[index].range.upperBound),
            edits[index].new
          )
        }
        isSpoilt = isSpoilt || text[edits[index].range] != base[meant[index].range]
      }
    }
    let before = here
    // The caret moves with each edit; the later ones are made first.
    for edit in edits.reversed() { caret = habits.caret(caret, after: edit) }
    if habits.landsAsOne {
      var shift = 0
      edits = edits.map { edit in
        defer { shift += edit.new.count - edit.range.count }
        let range = edit.range
        return Edit(range.lowerBound + shift..<range.upperBound + shift, edit.new)
      }
    } else {
      edits.reverse()
    }
    let list = edits.map { "[\($0)]" }.joined(separator: " ")
    film.note("lands \(list)", at: now)
    let changes = make(edits, asOne: habits.landsAsOne)
    caret = min(caret, text.count)
    film.note("buffer: \(buffer.debugDescription)", at: now)
    allLandings += 1
    landings = allLandings
    undone = []
    let isJoined =
      switch habits.undo {
      case .byItself: false
      case .withLastChange: true
      case .withInsertMode: isInserting
      }
    if isJoined, !history.isEmpty {
      history[history.count - 1].changes += changes
    } else {
      history.append(Step(before: before, changes: changes))
    }
  }
}

extension ClientHabits {
  /// Where the caret is after an edit of the server.
  func caret(_ caret: Int, after edit: Edit) -> Int {
    let (start, end) = (edit.range.lowerBound, edit.range.upperBound)
    if caret < start { return caret }
    if edit.range.isEmpty {
      return caret == start && !pushesCaret ? caret : caret + edit.new.count
    }
    if caret == start { return caret }
    if caret == end, keepsColumn { return caret }
    return caret >= end ? caret + edit.new.count - edit.range.count : start
  }
}

// MARK: - Saving

extension ClientModel {
  /// Saves.
  ///
  /// - Parameter outcome: What becomes of the edits that the server gives for it.
  /// - Throws: What the server answers in error.
  func save(_ outcome: SavingOutcome) throws {
    film.note("saves", at: now)
    switch habits.saving {
    case .asks, .asksBeforeTelling:
      if case .asks = habits.saving { flush() }
      let base = told
      let params = #"{"textDocument":{"uri":"\#(uri)"},"reason":1}"#
      film.sent("willSaveWaitUntil", at: now)
      let edits = try request("textDocument/willSaveWaitUntil", params)
      // What the server sent before its answer arrives before it.
      takeInbox()
      noteAnswer(edits, on: base)
      switch outcome {
      case .putIn: land(edits, meantFor: base)
      case .dropped: break
      case .putInLate:
        if !habits.holdsKeys { type("q") }
        land(edits, meantFor: base)
      }
    case .formats:
      try format()
    case .tells: break
    }
    flush()
    film.sent("didSave", at: now)
    notify("textDocument/didSave", #"{"textDocument":{"uri":"\#(uri)"}}"#)
  }

  /// Formats the document, which puts everything into marks.
  func format() throws {
    flush()
    let base = told
    film.sent("formatting", at: now)
    let edits = try request(
      "textDocument/formatting",
      #"{"textDocument":{"uri":"\#(uri)"},"options":{"tabSize":2,"insertSpaces":true}}"#
    )
    takeInbox()
    noteAnswer(edits, on: base)
    land(edits, meantFor: base)
    flush()
  }

  private func noteAnswer(_ edits: JSON, on base: Text) {
    let list = Conversions(text: base, encoding: encoding).edits(of: edits)
    film.received("answer: " + list.map { "[\($0)]" }.joined(separator: " "), at: now)
  }
}
