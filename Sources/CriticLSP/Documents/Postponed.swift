import TrackEngine

/// What the user asked for that waits until no edit of ours is in flight.
///
/// Invariant: the ranges of the actions follow the text, and each knows whether the user has edited on since.
struct Postponed {
  /// The actions, the next one first.
  private(set) var wishes: [EditsInFlight.Wish] = []
  /// Which changes to mark.
  private(set) var marks: MarkRequest?
  /// Whether to turn tracking on or off; it is turned off only when all changes are in marks.
  private(set) var tracking: Bool?

  /// How often an action is tried while the user edits on.
  static let maxTries = 3

  /// Adds an action.
  mutating func add(_ wish: EditsInFlight.Wish) { wishes.append(wish) }

  /// Adds an action again whose edit the user overtook; returns false if that has happened too often.
  mutating func addAgain(_ wish: EditsInFlight.Wish) -> Bool {
    var wish = wish
    wish.tries += 1
    guard wish.tries < Postponed.maxTries else { return false }
    wishes.insert(wish, at: 0)
    return true
  }

  /// Forgets the actions.
  mutating func forgetWishes() { wishes = [] }

  /// Adds changes to mark; what was asked for in full is not asked for less afterwards.
  mutating func add(_ asked: MarkRequest) {
    if marks?.includesHalfTyped != true { marks = asked }
  }

  /// Sets whether to turn tracking on or off, or neither.
  mutating func setTracking(_ isOn: Bool?) { tracking = isOn }

  /// Takes out the next action.
  mutating func nextWish() -> EditsInFlight.Wish { wishes.removeFirst() }

  /// Takes out which changes to mark.
  mutating func nextMarks() -> MarkRequest? {
    defer { marks = nil }
    return marks
  }

  /// Notes that the user has edited on.
  mutating func overtake() {
    for index in wishes.indices { wishes[index].isOvertaken = true }
  }

  /// Moves the ranges of the actions along with the text.
  mutating func move(after edit: Edit) {
    for index in wishes.indices { wishes[index].action = wishes[index].action.moved(after: [edit]) }
  }
}

extension Server {
  /// Does what the user asked for while our edit was in flight, if it no longer is.
  func doWhatWaits(in document: Document) {
    document.changeTrackingIfDone()
    if let wish = document.nextWish() {
      do throws(Review.Failure) {
        try perform(wish, in: document)
      } catch {
        tell(error.description, in: document)
      }
    }
    markIfAsked(document)
  }

  /// Marks what the user asked to mark while our edit was in flight, if it no longer is.
  func markIfAsked(_ document: Document) {
    guard let asked = document.nextMarks() else { return }
    mark(document, isForced: asked.includesHalfTyped)
  }

  /// Tells why a queued action was not done.
  ///
  /// Editors may show a long line in a prompt that stops the user, so it goes to the log, and a short line says so.
  func tell(_ sentence: String, in document: Document) {
    let name = document.key.name
    guard sentence.count > Server.maxLineLength else { return show(sentence, .warning) }
    log("\(name): \(sentence)", .warning)
    show("Not done; the log says why.", .warning)
  }

  /// In characters: fits with the client's own prefix on a line of eighty.
  static let maxLineLength = 50
}
