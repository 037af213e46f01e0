extension Document {
  /// The state of a document.
  enum State: Int, CaseIterable {
    /// All changes are in marks, and no edit of ours is in flight.
    case settled
    /// Changes are pending, or marks that are gone are to be put back.
    case changed
    /// Changes are pending that undo or redo brought back; they are not marked until the user edits on, saves or
    /// asks for it.
    case held
    /// An edit of ours is in flight.
    case inFlight
    /// An edit of ours is in flight, and the user has edited on since it was sent.
    case overtaken
    /// A change could not be read: the text is unknown.
    case outOfStep
  }

  /// What can happen to a document.
  enum Event: CaseIterable {
    /// The text is what an edit of ours makes.
    case landing
    /// An edit of ours is half made or half undone.
    case passing
    /// An edit of ours was made in the wrong place.
    case astray
    /// The user changed the text, undid or redid.
    case edit
    /// A change could not be read.
    case unreadable
    /// The client replied that it applied our edit.
    case confirmation
    /// The client replied that it did not, or with an error.
    case refusal
    /// Our edit, or its reply, did not come in time.
    case timeout
    /// The user has paused.
    case pause
    /// `critic.mark`.
    case mark
    /// `willSaveWaitUntil` or `formatting`.
    case saveQuestion
    /// `didSave` from a client that did not ask before saving.
    case save
    /// Accept, reject, comment and so on.
    case wish
    /// The user turns tracking on or off.
    case toggle
  }

  /// What the server does about it.
  enum Step {
    case ignore
    /// Count the edit as settled; do what waited for it.
    case settle
    /// Wait for the rest of it.
    case wait
    /// Take it back with our next edit.
    case takeBack
    /// Note it as pending.
    case take
    /// Note it as pending, and give our edit ``EditsInFlight/editTimeout``.
    case overtake
    /// Mark and edit nothing until the client sends the full text.
    case suspend
    /// Give our edit ``EditsInFlight/editTimeout`` to show up.
    case startClock
    /// Forget our edit, and compute it again after a pause.
    case forget
    /// The same, but still recognize the edit if it comes late.
    case giveUp
    /// Send an edit that puts what is pending into marks.
    case mark
    /// The same, once our edit is no longer in flight.
    case markLater
    /// Answer with the edits that put what is pending into marks; they are then in flight.
    case answer
    /// Repeat the previous answer; empty if the edit in flight was a request, which comes anyway.
    case answerAgain
    /// Send an edit that does it.
    case perform
    /// Do it once our edit is no longer in flight.
    case queue
    /// Answer that it cannot be done.
    case refuse
    /// Turn tracking on or off at once.
    case toggle
    /// Turn tracking on, or off once all changes are in marks.
    case markAndToggle
    /// The same, once our edit is no longer in flight.
    case toggleLater
  }

  /// The step to take on an event: the whole table.
  ///
  /// A document is settled when it is opened.
  static func step(_ event: Event, in state: State) -> Step {
    switch event {
    case .landing: [.settle, .settle, .settle, .settle, .settle, .suspend][state]
    case .passing: [.wait, .wait, .wait, .wait, .wait, .suspend][state]
    case .astray: [.takeBack, .takeBack, .takeBack, .overtake, .overtake, .suspend][state]
    case .edit: [.take, .take, .take, .overtake, .overtake, .take][state]
    case .unreadable: [.suspend, .suspend, .suspend, .suspend, .suspend, .suspend][state]
    case .confirmation: [.ignore, .ignore, .ignore, .startClock, .startClock, .ignore][state]
    case .refusal: [.ignore, .ignore, .ignore, .forget, .forget, .ignore][state]
    case .timeout: [.ignore, .ignore, .ignore, .giveUp, .giveUp, .ignore][state]
    case .pause: [.ignore, .mark, .ignore, .ignore, .ignore, .ignore][state]
    case .mark: [.ignore, .mark, .mark, .ignore, .markLater, .ignore][state]
    case .saveQuestion: [.ignore, .answer, .answer, .answerAgain, .answer, .ignore][state]
    case .save: [.ignore, .mark, .mark, .markLater, .markLater, .ignore][state]
    case .wish: [.perform, .perform, .perform, .queue, .queue, .refuse][state]
    case .toggle:
      [.toggle, .markAndToggle, .markAndToggle, .toggleLater, .toggleLater, .toggle][state]
    }
  }
}

extension [Document.Step] {
  /// The step for a state, in the order of the states.
  fileprivate subscript(state: Document.State) -> Document.Step { self[state.rawValue] }
}
