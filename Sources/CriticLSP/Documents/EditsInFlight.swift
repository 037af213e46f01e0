import TrackEngine

/// Which edit of ours is in flight in a document, and which others the editor may still make.
///
/// What is expected of an edit is in the edit itself, nowhere else. What each client does with one is in
/// `docs/clients.md`. Only `EditsInFlight` and its extensions change it. Invariant: at most one edit is in
/// flight.
struct EditsInFlight {
  /// An edit that was sent.
  struct SentEdit {
    var edit: OwnEdit
    /// The request's id; nil where the edit was our answer to a request.
    let request: Int?
    /// When it was sent, in milliseconds.
    let sentAt: Int
    /// As it was sent, to recognize it where a client applies it to a newer text.
    let sent: [TextEdit]
    /// The action of the user's that it carries out.
    var wish: Wish? = nil
    /// The call of another process that it carries out.
    var call: OwnerCall.ID? = nil
    /// The marks that it puts back.
    var putBack: PutBack? = nil
    /// What it does to the record, where the marks are beside the text.
    var plan: Projection.Plan? = nil
    /// Where it moves the marks.
    var move: MarksMove? = nil
    /// Whether it is a code action's, which can accept and reject.
    var isOffered = false
    /// Where to put the caret once it has landed, as an offset.
    var caret: Int? = nil
    /// When to give it up if nothing more of it comes, in milliseconds; nil as long as it may take its time.
    var givesUpAt: Int? = nil
    /// Whether the user has edited on since it was sent.
    var isOvertaken = false
    /// When to forget it after it was given up, in milliseconds; nil until it is answered.
    var forgottenAt: Int? = nil
    /// Whether another edit has done the same: if it comes now, it comes astray.
    var isDone = false

    /// Whether it can lead to another original: it does what the user asked for, or puts marks back.
    var decides: Bool { isOffered || wish != nil || call != nil || putBack != nil }
  }

  /// An action that the user asked for, queued or in flight.
  struct Wish {
    /// Where to put the caret when it is done.
    enum Aim {
      /// In the new, empty comment.
      case comment
      /// At the next change.
      case next
    }

    var action: Review.Action
    var aim: Aim? = nil
    /// Where the user was, as an offset of the text then.
    var caret: Range<Int>? = nil
    /// How often it failed because the user edited on.
    var tries = 0
    /// Whether the user has edited on since; an action on the whole document would include those edits.
    var isOvertaken = false
  }

  /// How an edit of ours explains a text.
  enum Explanation {
    /// An edit of ours was made, with what the user did beside it.
    case landing(SentEdit, beside: [Edit])
    /// An edit of ours is half made or half undone.
    case passing
    /// An edit of ours was made in the wrong place; these edits of the buffer take it back.
    case astray([Edit])
  }

  /// An edit that has landed.
  struct Landed {
    var edit: OwnEdit
    /// The tracker's number for it; nil until the next report.
    var epoch: Int?
    /// Whether it is still in the text.
    var isThere = true
  }

  var inFlightEdit: SentEdit?
  /// Whether the user has edited on since that was sent; nil if none is in flight.
  var isOvertaken: Bool? { inFlightEdit?.isOvertaken }
  /// Edits that were given up but may still come, oldest first.
  var givenUp: [SentEdit] = []
  /// The edits that landed last, because undo and redo can go through them in parts.
  var landed: [Landed] = []
  /// The answer that landed last, while it may be made once more: some clients ask twice before they save.
  var repeatable: [TextEdit] = []
  /// The edits of the code actions offered for the current text.
  var offers: [OwnEdit] = []
  /// The edits that may still come, as made by a client that applies them to the current text.
  var misplaced: [OwnEdit] = []
  /// Whether the current report inserted or deleted parts of delimiters, as edits of ours and their undo do.
  var touchesDelimiters = false
  /// Whether a change in the current report is as long as the undo of a part of a landed edit.
  var mayUndoPart = false
  /// Whether only a part of a landed edit was there before the current report, so that undo or redo of it
  /// goes on, including what it did to plain text.
  var isOnTheWay = false
  /// How many of our edits failed in a row.
  var failures = 0

  /// How long a confirmed edit may take to show up, and an overtaken one to be answered, in milliseconds.
  static let editTimeout = 1000
  /// How long an edit that was given up is still recognized after its answer, in milliseconds.
  static let lateEditTimeout = 10_000
  static let maxOffers = 64
  static let maxGivenUp = 8
  static let maxLanded = 4
  /// Landed edits are compared with the text at each key, so only those with few places are kept.
  static let maxWeight = 64

  // MARK: - Our edits

  /// Notes that an edit was sent.
  mutating func send(_ edit: SentEdit) {
    precondition(inFlightEdit == nil, "two edits are in flight in one document")
    offers = []
    inFlightEdit = edit
  }

  /// Notes that a code action with these edits was offered.
  mutating func offer(_ edit: OwnEdit) {
    if offers.count == EditsInFlight.maxOffers { offers.removeFirst() }
    offers.append(edit)
  }

  /// Notes that the client says it made the edit in flight; it must show up in time.
  mutating func confirm(at now: Int) {
    inFlightEdit?.givesUpAt = now + EditsInFlight.editTimeout
    inFlightEdit?.forgottenAt = now + EditsInFlight.lateEditTimeout
  }

  /// Forgets what could only be made of the text before the user edited on.
  mutating func forgetOffers() {
    offers = []
    repeatable = []
  }

  /// Notes that the user has edited on while our edit is in flight.
  mutating func overtake(at now: Int) {
    guard let edit = inFlightEdit, !edit.isOvertaken else { return }
    inFlightEdit?.isOvertaken = true
    inFlightEdit?.wish?.isOvertaken = true
    inFlightEdit?.givesUpAt = now + EditsInFlight.editTimeout
  }

  /// Notes that a part of the edit in flight has come, which gives the rest more time.
  mutating func wait(at now: Int) {
    if inFlightEdit?.givesUpAt != nil { inFlightEdit?.givesUpAt = now + EditsInFlight.editTimeout }
  }

  /// Gives up the edit in flight, which may still come; returns it.
  mutating func giveUp() -> SentEdit? {
    guard let edit = inFlightEdit else { return nil }
    inFlightEdit = nil
    if givenUp.count == EditsInFlight.maxGivenUp { givenUp.removeFirst() }
    givenUp.append(edit)
    return edit
  }

  /// Notes that the client refused the edit of a request; returns it if it was in flight.
  mutating func refuse(_ request: Int) -> SentEdit? {
    givenUp.removeAll { $0.request == request }
    guard let edit = inFlightEdit, edit.request == request else { return nil }
    inFlightEdit = nil
    return edit
  }

  /// Notes that an edit that was given up was answered.
  mutating func answer(_ request: Int, at now: Int) {
    for index in givenUp.indices where givenUp[index].request == request {
      givenUp[index].forgottenAt = now + EditsInFlight.lateEditTimeout
    }
  }

  /// Counts an edit that failed though the user did not edit on; returns how many did in a row.
  mutating func fail() -> Int {
    failures += 1
    return failures
  }

  /// Moves the range of the action that the edit in flight carries out along with the text.
  mutating func moveWish(after edit: Edit) {
    guard let wish = inFlightEdit?.wish else { return }
    inFlightEdit?.wish?.action = wish.action.moved(after: [edit])
  }

  /// Whether the edit of a call may still come.
  func awaits(_ call: OwnerCall.ID) -> Bool {
    inFlightEdit?.call == call || givenUp.contains { $0.call == call }
  }

  /// Until when questions about the text wait for the edit in flight, in milliseconds.
  var quietUntil: Int? { inFlightEdit.map { $0.sentAt + EditsInFlight.editTimeout } }
}
