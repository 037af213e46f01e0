import TrackEngine

/// Where a document stands with its editor: which edit of ours is under way, and which may still show up.
///
/// What is expected of an edit is in the edit and nowhere else. What each client does with one is in
/// `docs/clients.md`. Invariant: one edit at most is under way.
struct Standing {
  /// An edit that was sent.
  struct UnderWay {
    var edit: OwnEdit
    /// The request's id; nil where the edit was our answer to a request.
    let request: Int?
    /// In milliseconds.
    let sentAt: Int
    /// As it was sent, for clients that put it into a newer text.
    let sent: [TextEdit]
    /// What the user asked for by it.
    var wish: Wish? = nil
    /// Where the caret belongs once it has landed, as an offset.
    var caret: Int? = nil
    /// When it is given up if nothing more of it comes, in milliseconds; nil while nothing speaks against it.
    var givesUpAt: Int? = nil
    /// Whether the user has gone on since it was sent.
    var isOvertaken = false
    /// When it is forgotten after it was given up, in milliseconds; nil while it was not answered.
    var forgottenAt: Int? = nil
    /// Whether another edit has done what it was to do: only where it does not belong can it come now.
    var isDone = false
  }

  /// Something that the user asked for, which waits for an edit of ours, or is under way itself.
  struct Wish {
    /// Where the caret is wanted when it is done.
    enum Aim {
      /// In the empty comment that is made.
      case comment
      /// At the next change.
      case next
    }

    var action: Review.Action
    var aim: Aim? = nil
    /// Where the user was, as an offset of the text then.
    var caret: Range<Int>? = nil
    /// How often it has come to nothing because the user had gone on.
    var tries = 0
    /// Whether the user has gone on since: what is about everything would take that in.
    var isOvertaken = false
  }

  /// What explains a text by an edit of ours.
  enum Explanation {
    /// An edit of ours has come, with what the user did beside it.
    case landing(UnderWay, beside: [Hunk])
    /// The text lies on the way from or to an edit of ours.
    case passing
    /// An edit of ours came where it does not belong; edits of the buffer take it back.
    case astray([Edit])
  }

  /// An edit that has landed.
  private struct Landed {
    var edit: OwnEdit
    /// The tracker's number for it; nil while it is only just landing.
    var epoch: Int?
    /// Whether it was not taken back since.
    var isThere = true
  }

  private(set) var underWay: UnderWay?
  /// Edits that were given up; the oldest go first.
  private(set) var givenUp: [UnderWay] = []
  /// The edits that landed last: undo and redo can take them back and forth in parts.
  private var landed: [Landed] = []
  /// What landed last, as long as it can come once more: some clients ask twice before they save.
  private var repeatable: [TextEdit] = []
  /// What code actions would do that were offered for the text as it is.
  private var offers: [OwnEdit] = []
  /// The same edits where a client would put them that takes them for edits of the text as it is.
  private var misplaced: [OwnEdit] = []
  /// Whether the report under way put in or took out what could be of marks: edits of ours do, both ways.
  private var touchesDelimiters = false
  /// Whether the report under way told a change that is as long as a part of an edit that had landed, undone.
  private var mayUndoPart = false
  /// Whether only a part of an edit that had landed was there before the report under way: undo and redo go on,
  /// with what the edit did to plain text too.
  private var isOnTheWay = false
  /// How many of our edits in a row came to nothing.
  private(set) var failures = 0
  /// Whether a change came that could not be read: the text is not known until all of it comes.
  var isOutOfStep = false

  /// How long an edit that was taken may need to show up, and one that was overtaken to be answered, in
  /// milliseconds.
  static let patience = 1000
  /// How long one that was given up is known, once it was answered, in milliseconds.
  static let memory = 10_000
  private static let maxOffers = 64
  private static let maxGivenUp = 8
  private static let maxLanded = 4
  /// As many places are looked through at each key for edits that landed.
  private static let maxWeight = 64

  // MARK: - Our edits

  /// An edit was sent.
  mutating func send(_ edit: UnderWay) {
    precondition(underWay == nil, "two edits are under way in one document")
    offers = []
    underWay = edit
  }

  /// An action was offered.
  mutating func offer(_ edit: OwnEdit) {
    if offers.count == Standing.maxOffers { offers.removeFirst() }
    offers.append(edit)
  }

  /// The edit under way was taken, as the client says: it is to show up now.
  mutating func approve(at now: Int) {
    underWay?.givesUpAt = now + Standing.patience
    underWay?.forgottenAt = now + Standing.memory
  }

  /// The user has gone on.
  mutating func goOn() {
    offers = []
    repeatable = []
  }

  /// The user has gone on while our edit is under way.
  mutating func overtake(at now: Int) {
    guard let edit = underWay, !edit.isOvertaken else { return }
    underWay?.isOvertaken = true
    underWay?.wish?.isOvertaken = true
    underWay?.givesUpAt = now + Standing.patience
  }

  /// More of the edit under way has come.
  mutating func wait(at now: Int) {
    if underWay?.givesUpAt != nil { underWay?.givesUpAt = now + Standing.patience }
  }

  /// Gives up the edit under way, which may come all the same; returns it.
  mutating func giveUp() -> UnderWay? {
    guard let edit = underWay else { return nil }
    underWay = nil
    if givenUp.count == Standing.maxGivenUp { givenUp.removeFirst() }
    givenUp.append(edit)
    return edit
  }

  /// The edit of a request won't come; returns it if it was under way.
  mutating func refuse(_ request: Int) -> UnderWay? {
    givenUp.removeAll { $0.request == request }
    guard let edit = underWay, edit.request == request else { return nil }
    underWay = nil
    return edit
  }

  /// An edit that was given up was answered.
  mutating func answer(_ request: Int, at now: Int) {
    for index in givenUp.indices where givenUp[index].request == request {
      givenUp[index].forgottenAt = now + Standing.memory
    }
  }

  /// An edit came to nothing though the user did not go on; returns how many have by now.
  mutating func fail() -> Int {
    failures += 1
    return failures
  }

  /// Moves what the edit under way was asked for along with the text.
  mutating func moveWish(after edit: Edit) {
    guard let wish = underWay?.wish else { return }
    underWay?.wish?.action = wish.action.moved(after: [edit])
  }

  /// Until when a question about the text waits for the edit under way, in milliseconds.
  var quietUntil: Int? { underWay.map { $0.sentAt + Standing.patience } }

  // MARK: - What the editor tells

  /// A report begins.
  ///
  /// - Parameters:
  ///   - now: In milliseconds.
  ///   - buffer: The text.
  ///   - epoch: The tracker's number for the edit of ours that the text came after.
  ///   - resolve: Where edits as they were sent are in a text.
  mutating func beginReport(
    at now: Int,
    on buffer: Text,
    after epoch: Int,
    _ resolve: ([TextEdit], Text) -> [Edit]?
  ) {
    givenUp.removeAll { $0.forgottenAt.map { $0 < now } ?? false }
    for index in landed.indices {
      let number = landed[index].epoch ?? epoch
      landed[index].epoch = number
      if epoch == number { landed[index].isThere = true }
      if epoch < number { landed[index].isThere = false }
    }
    // Looked at only where the report before can have left a part after: plain typing costs nothing.
    isOnTheWay = (touchesDelimiters || mayUndoPart || isOnTheWay) && showsPart
    touchesDelimiters = false
    mayUndoPart = false
    resolveMisplaced(on: buffer, resolve)
  }

  /// Whether there is only a part of an edit that had landed.
  private var showsPart: Bool { landed.contains { $0.edit.showing.isPart } }

  /// Whether there is an edit of ours that can come.
  private var isWaiting: Bool {
    underWay != nil || !givenUp.isEmpty || !offers.isEmpty || !repeatable.isEmpty
  }

  private mutating func resolveMisplaced(on buffer: Text, _ resolve: ([TextEdit], Text) -> [Edit]?)
  {
    misplaced = []
    guard isWaiting else { return }
    let late = (underWay.map { [$0] } ?? []) + givenUp
    let sent = late.map(\.sent) + (repeatable.isEmpty ? [] : [repeatable])
    misplaced = sent.compactMap { resolve($0, buffer) }
      .map { OwnEdit($0, misplacedIn: buffer) }
  }

  /// Whether an edit of the buffer may be a part of one of ours, told as it was sent.
  func isPart(_ told: Edit, of buffer: Text) -> Bool {
    awaited.contains { $0.hasPart(like: told, of: buffer) }
  }

  /// Whether an edit of the buffer makes the text that one of ours makes.
  func makesAll(_ told: Edit, of buffer: Text) -> Bool {
    guard !awaited.isEmpty else { return false }
    let text = buffer.applying([told])
    return awaited.contains { $0.makes(text) }
  }

  /// Our edit under way, and those that the user can choose.
  private var awaited: [OwnEdit] { (underWay.map { [$0.edit] } ?? []) + offers }

  /// Takes in edits of the buffer, which the editor told as one; `buffer` is the text before them.
  mutating func note(_ edits: [Edit], told: Edit, on buffer: Text) {
    touchesDelimiters = touchesDelimiters || told.touchesDelimiters(on: buffer)
    mayUndoPart =
      mayUndoPart
      || landed.contains { landed in
        landed.edit.edits.contains {
          $0.range.count == told.new.count && $0.new.count == told.range.count
        }
      }
    underWay?.edit.note(edits, on: buffer)
    for index in givenUp.indices { givenUp[index].edit.note(edits, on: buffer) }
    for index in offers.indices { offers[index].note(edits, on: buffer) }
    for index in misplaced.indices { misplaced[index].note(edits, on: buffer) }
    for index in landed.indices { landed[index].edit.note(edits, on: buffer) }
    landed.removeAll { $0.edit.weight > Standing.maxWeight }
  }

  /// Explains the text by an edit of ours; nil if it is the user's.
  ///
  /// - Parameters:
  ///   - buffer: The text.
  ///   - isOver: Whether the report is over; before that, only whole landings and parts of them count.
  ///   - isTracking: Whether offers count: with tracking off there is nothing to settle.
  ///   - isKnown: Whether the text was there before.
  ///   - resolve: Where edits as they were sent are in a text.
  /// - Returns: The explanation; linear in our edits and in what has changed since.
  mutating func explain(
    _ buffer: Text,
    isOver: Bool,
    isTracking: Bool,
    isKnown: @autoclosure () -> Bool,
    _ resolve: ([TextEdit], Text) -> [Edit]?
  ) -> Explanation? {
    guard isWaiting else { return nil }
    // What the user typed before an edit of ours came can be told with it.
    if !isOver, !touchesDelimiters { resolveMisplaced(on: buffer, resolve) }
    let waiting = ((underWay.map { [$0] } ?? []) + givenUp.reversed()).enumerated()
      .filter { !$0.element.isDone }
    if let found = waiting.first(where: { $0.element.edit.makes(buffer) }) {
      return .landing(land(found.offset, on: buffer, resolve), beside: [])
    }
    if isTracking, let offer = offers.last(where: { $0.makes(buffer) }) {
      // An action that is told step by step can come by the end of another.
      offers = offers.filter { $0.goesOn(from: offer) }
      remember(offer)
      let edit = UnderWay(edit: offer, request: nil, sentAt: 0, sent: [])
      return .landing(edit, beside: [])
    }
    if isOver, touchesDelimiters {
      for late in waiting.map(\.element) {
        let takingBack = late.edit.takingBackStray(in: buffer) { resolve(late.sent, $0) }
        if let takingBack { return .astray(takingBack) }
      }
    }
    let shown = waiting.map(\.element.edit.showing)
    if isOver, let index = shown.firstIndex(where: { $0.extent == .whole }) {
      let edit = land(waiting[index].offset, on: buffer, resolve)
      return .landing(edit, beside: shown[index].beside)
    }
    // A part of what is not expected any more, or was never asked for, is less likely than undo.
    if isOver, underWay == nil, isKnown() { return nil }
    if (shown + offers.map(\.showing)).contains(where: \.isPart) { return .passing }
    if isOver {
      let showings = misplaced.lazy.map(\.showing)
      if let showing = showings.first(where: { $0.extent != .nothing && $0.beside.isEmpty }) {
        return .astray(showing.takingBack)
      }
    }
    return nil
  }

  /// Takes an edit that has come off the list: the one under way first, then the others from the last on.
  private mutating func land(
    _ index: Int,
    on buffer: Text,
    _ resolve: ([TextEdit], Text) -> [Edit]?
  ) -> UnderWay {
    var edit: UnderWay
    if index == 0, let current = underWay {
      edit = current
      underWay = nil
    } else {
      edit = givenUp.remove(at: givenUp.count - 1 - (underWay == nil ? index : index - 1))
    }
    failures = 0
    for index in givenUp.indices where givenUp[index].edit.showing.extent != .nothing {
      givenUp[index].isDone = true
    }
    // Clients that tell whole lines have it as an answer.
    if edit.request == nil, edit.edit.makes(buffer) { edit.edit.land() }
    remember(edit.edit)
    // Only an answer can be taken twice: a request has one version.
    repeatable = edit.request == nil ? edit.sent : []
    resolveMisplaced(on: buffer, resolve)
    return edit
  }

  private mutating func remember(_ edit: OwnEdit) {
    guard edit.weight <= Standing.maxWeight else { return }
    if landed.count == Standing.maxLanded { landed.removeFirst() }
    landed.append(Landed(edit: edit))
  }

  /// What a text that ``explain(_:isOver:isTracking:isKnown:_:)`` does not know is, if it was not there before.
  func news(isOver: Bool) -> Tracker.News {
    guard touchesDelimiters || isOnTheWay else {
      return mayUndoPart && showsPart ? .partUndone : .edit
    }
    if showsPart { return .passing }
    guard isOver, underWay == nil else { return .edit }
    // Clients that compare whole texts tell undo, and what was typed after it, as one change. What came
    // later was taken back before.
    var news = Tracker.News.edit
    for landed in landed.reversed() where landed.isThere {
      guard let beside = landed.edit.besideNothing else { break }
      news = .undone(landed.edit, beside: beside)
    }
    return news
  }
}
