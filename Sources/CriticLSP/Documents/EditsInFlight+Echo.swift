import TrackEngine

extension EditsInFlight {
  /// Notes that a didChange begins.
  ///
  /// - Parameters:
  ///   - now: In milliseconds.
  ///   - buffer: The text before it.
  ///   - epoch: The tracker's number for the last edit of ours in that text.
  ///   - resolve: Turns sent edits into edits of a text.
  mutating func beginReport(
    at now: Int,
    on buffer: Text,
    after epoch: Int,
    _ resolve: ([TextEdit], Text) -> [Edit]
  ) {
    givenUp.removeAll { $0.forgottenAt.map { $0 < now } ?? false }
    for index in landed.indices {
      let number = landed[index].epoch ?? epoch
      landed[index].epoch = number
      if epoch == number { landed[index].isThere = true }
      if epoch < number { landed[index].isThere = false }
    }
    // Checked only if the report before may have left a part: plain typing costs nothing.
    isOnTheWay = (touchesDelimiters || mayUndoPart || isOnTheWay) && showsPart(in: buffer)
    touchesDelimiters = false
    mayUndoPart = false
    resolveMisplaced(on: buffer, resolve)
  }

  /// Whether only a part of a landed edit is in the text.
  private func showsPart(in buffer: Text) -> Bool {
    landed.contains { $0.edit.showing(in: buffer).isPart }
  }

  /// Whether an edit of ours may still come.
  private var isWaiting: Bool {
    inFlightEdit != nil || !givenUp.isEmpty || !offers.isEmpty || !repeatable.isEmpty
  }

  private mutating func resolveMisplaced(on buffer: Text, _ resolve: ([TextEdit], Text) -> [Edit]) {
    misplaced = []
    guard isWaiting else { return }
    let late = (inFlightEdit.map { [$0] } ?? []) + givenUp
    let sent = late.map(\.sent) + (repeatable.isEmpty ? [] : [repeatable])
    misplaced = sent.map { resolve($0, buffer) }
      .map { OwnEdit($0, on: buffer) }
  }

  /// Whether an edit of the buffer may be a part of one of ours, reported as it was sent.
  func isPart(_ told: Edit, of buffer: Text) -> Bool {
    awaited.contains { $0.hasPart(like: told, of: buffer) }
  }

  /// Whether an edit of the buffer has the same result as one of ours.
  func makesAll(_ told: Edit, of buffer: Text) -> Bool {
    guard !awaited.isEmpty else { return false }
    let text = buffer.applying([told])
    return awaited.contains { $0.makes(text) }
  }

  /// Our edit in flight, and those of the offered code actions.
  private var awaited: [OwnEdit] { (inFlightEdit.map { [$0.edit] } ?? []) + offers }

  /// Notes edits of the buffer, which the editor reported as one; `buffer` is the text before them.
  mutating func note(_ edits: [Edit], told: Edit, on buffer: Text) {
    touchesDelimiters = touchesDelimiters || told.touchesDelimiters(on: buffer)
    mayUndoPart =
      mayUndoPart
      || landed.contains { landed in
        landed.edit.edits.contains {
          $0.range.count == told.new.count && $0.new.count == told.range.count
        }
      }
    inFlightEdit?.edit.note(edits, on: buffer)
    for index in givenUp.indices { givenUp[index].edit.note(edits, on: buffer) }
    for index in offers.indices { offers[index].note(edits, on: buffer) }
    for index in misplaced.indices { misplaced[index].note(edits, on: buffer) }
    for index in landed.indices { landed[index].edit.note(edits, on: buffer) }
    landed.removeAll { $0.edit.weight > EditsInFlight.maxWeight }
  }

  /// Explains the text by an edit of ours; nil if it came about by the user.
  ///
  /// - Parameters:
  ///   - buffer: The text.
  ///   - isOver: Whether this is the end of the report; before that, only whole landings and parts count.
  ///   - isTracking: Whether tracking is on; only then do offered code actions count.
  ///   - isKnown: Whether the text was there before.
  ///   - resolve: Turns sent edits into edits of a text.
  /// - Returns: The explanation; linear in our edits and in what has changed since.
  mutating func explain(
    _ buffer: Text,
    isOver: Bool,
    isTracking: Bool,
    isKnown: @autoclosure () -> Bool,
    _ resolve: ([TextEdit], Text) -> [Edit]
  ) -> Explanation? {
    guard isWaiting else { return nil }
    // A client may report our edit together with what the user typed before it.
    if !isOver, !touchesDelimiters { resolveMisplaced(on: buffer, resolve) }
    let waiting = ((inFlightEdit.map { [$0] } ?? []) + givenUp.reversed()).enumerated()
      .filter { !$0.element.isDone }
    if let found = waiting.first(where: { $0.element.edit.makes(buffer) }) {
      return .landing(land(found.offset, on: buffer, resolve), beside: [])
    }
    if isTracking, let offer = offers.last(where: { $0.makes(buffer) }) {
      // A code action reported step by step can pass through the result of another.
      offers = offers.filter { $0.goesOn(from: offer) }
      remember(offer)
      let edit = SentEdit(edit: offer, request: nil, sentAt: 0, sent: [], isOffered: true)
      return .landing(edit, beside: [])
    }
    if isOver, touchesDelimiters {
      for late in waiting.map(\.element) {
        let takingBack = late.edit.takingBackStray(in: buffer) { resolve(late.sent, $0) }
        if let takingBack { return .astray(takingBack) }
      }
    }
    let shown = waiting.map { $0.element.edit.showing(in: buffer) }
    if isOver, let index = shown.firstIndex(where: { $0.extent == .whole }) {
      let edit = land(waiting[index].offset, on: buffer, resolve)
      return .landing(edit, beside: shown[index].beside)
    }
    // Without an edit in flight a known text is more likely undo than a part of a late edit.
    if isOver, inFlightEdit == nil, isKnown() { return nil }
    if (shown + offers.map { $0.showing(in: buffer) }).contains(where: \.isPart) { return .passing }
    if isOver {
      let showings = misplaced.lazy.map { $0.showing(in: buffer) }
      if let showing = showings.first(where: { $0.extent != .nothing && $0.beside.isEmpty }) {
        return .astray(showing.takingBack)
      }
    }
    return nil
  }

  /// Removes an edit that has landed: index 0 is the one in flight, if any; then come those given up, latest
  /// first.
  private mutating func land(
    _ index: Int,
    on buffer: Text,
    _ resolve: ([TextEdit], Text) -> [Edit]
  ) -> SentEdit {
    var edit: SentEdit
    if index == 0, let current = inFlightEdit {
      edit = current
      inFlightEdit = nil
    } else {
      edit = givenUp.remove(at: givenUp.count - 1 - (inFlightEdit == nil ? index : index - 1))
    }
    failures = 0
    for index in givenUp.indices
    where givenUp[index].edit.showing(in: buffer).extent != .nothing {
      givenUp[index].isDone = true
    }
    // So it does too for clients that report whole lines.
    if edit.request == nil, edit.edit.makes(buffer) { edit.edit.land() }
    remember(edit.edit)
    // Only an answer can be made twice: a request carries the version.
    repeatable = edit.request == nil ? edit.sent : []
    resolveMisplaced(on: buffer, resolve)
    return edit
  }

  private mutating func remember(_ edit: OwnEdit) {
    guard edit.weight <= EditsInFlight.maxWeight else { return }
    if landed.count == EditsInFlight.maxLanded { landed.removeFirst() }
    landed.append(Landed(edit: edit))
  }

  /// What a text means that ``explain(_:isOver:isTracking:isKnown:_:)`` does not explain and that was not there
  /// before.
  func news(_ buffer: Text, isOver: Bool) -> Tracker.News {
    guard touchesDelimiters || isOnTheWay else {
      return mayUndoPart && showsPart(in: buffer) ? .partUndone : .edit
    }
    if showsPart(in: buffer) { return .passing }
    guard isOver, inFlightEdit == nil else { return .edit }
    // Clients that compare whole texts report undo, and what was typed after it, as one change. Undo takes
    // back the latest edit first.
    var news = Tracker.News.edit
    for landed in landed.reversed() where landed.isThere {
      guard let beside = landed.edit.besideNothing(in: buffer) else { break }
      news = .undone(landed.edit, beside: beside)
    }
    return news
  }
}
