extension Standing {
  /// Where a document stands.
  enum State: CaseIterable {
    /// Everything is in marks, and nothing is under way.
    case settled
    /// Something is pending.
    case changed
    /// Something is pending that came back by undo or redo: it is the user's to go on.
    case held
    /// An edit of ours is under way.
    case underWay
    /// The user has gone on since it was sent.
    case overtaken
    /// A change could not be read: the text is not known.
    case outOfStep
  }

  /// What can happen to it.
  enum Event: CaseIterable {
    /// The text is what an edit of ours makes.
    case landing
    /// The text is on the way there, or back.
    case passing
    /// An edit of ours came where it does not belong.
    case astray
    /// The user changed the text, undid or redid.
    case edit
    /// A change could not be read.
    case unreadable
    /// The client says that it applied our edit.
    case approval
    /// The client says that it did not.
    case refusal
    /// What had to come in time did not.
    case silence
    /// The user has paused.
    case pause
    /// `critic.mark`.
    case mark
    /// `willSaveWaitUntil` or `formatting`.
    case saveQuestion
    /// `didSave`, from a client that did not ask.
    case save
    /// Accept, reject, comment and the like.
    case wish
    /// Tracking is turned on or off.
    case toggle
  }

  /// What is done then.
  enum Step {
    case ignore
    /// What landed is settled; what waited is done.
    case settle
    /// More of it is waited for.
    case wait
    /// It is taken back with the next edit.
    case takeBack
    /// It is pending from now on.
    case take
    /// It is pending, and our edit has a second left.
    case overtake
    /// Nothing is marked or edited until all of the text comes.
    case suspend
    /// Our edit has a second left to show up.
    case startClock
    /// Our edit is forgotten, and worked out anew after a pause.
    case forget
    /// The same, but it is still known when it comes late.
    case giveUp
    /// An edit is sent that puts what is pending into marks.
    case mark
    /// The same, once ours is no longer under way.
    case markLater
    /// The answer is the edits that put what is pending into marks; they are under way then.
    case answer
    /// The answer is the one that was given before; an edit that was sent comes without it.
    case answerAgain
    /// It is done by an edit of ours.
    case perform
    /// It is done once ours is no longer under way.
    case queue
    /// It can't be done, which is said.
    case refuse
    /// Tracking begins or ends at once.
    case toggle
    /// Tracking begins, or ends once everything is in marks.
    case markAndToggle
    /// The same, once ours is no longer under way.
    case toggleLater
  }

  /// What is done when something happens to a document: all there is.
  ///
  /// A document that is opened is settled; one that is closed is nothing any more.
  static func step(_ event: Event, in state: State) -> Step {
    switch event {
    case .landing: [.settle, .settle, .settle, .settle, .settle, .suspend][state]
    case .passing: [.wait, .wait, .wait, .wait, .wait, .suspend][state]
    case .astray: [.takeBack, .takeBack, .takeBack, .overtake, .overtake, .suspend][state]
    case .edit: [.take, .take, .take, .overtake, .overtake, .take][state]
    case .unreadable: [.suspend, .suspend, .suspend, .suspend, .suspend, .suspend][state]
    case .approval: [.ignore, .ignore, .ignore, .startClock, .startClock, .ignore][state]
    case .refusal: [.ignore, .ignore, .ignore, .forget, .forget, .ignore][state]
    case .silence: [.ignore, .ignore, .ignore, .giveUp, .giveUp, .ignore][state]
    case .pause: [.ignore, .mark, .ignore, .ignore, .ignore, .ignore][state]
    case .mark: [.ignore, .mark, .ignore, .ignore, .markLater, .ignore][state]
    case .saveQuestion: [.ignore, .answer, .answer, .answerAgain, .answer, .ignore][state]
    case .save: [.ignore, .mark, .mark, .markLater, .markLater, .ignore][state]
    case .wish: [.perform, .perform, .perform, .queue, .queue, .refuse][state]
    case .toggle:
      [.toggle, .markAndToggle, .markAndToggle, .toggleLater, .toggleLater, .toggle][state]
    }
  }
}

extension [Standing.Step] {
  /// The step for a state, in the order of the states.
  fileprivate subscript(state: Standing.State) -> Standing.Step {
    switch state {
    case .settled: self[0]
    case .changed: self[1]
    case .held: self[2]
    case .underWay: self[3]
    case .overtaken: self[4]
    case .outOfStep: self[5]
    }
  }
}
