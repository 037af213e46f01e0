import JSONRPC
import TrackEngine

/// A command with its arguments, which have been validated.
enum CommandTask {
  /// A change of the text.
  ///
  /// `caret` is where the user is, if the command acts elsewhere. `isBlank` tells whether it adds a comment without a
  /// text, which the user fills in.
  case review(Review.Action, caret: Range<Int>? = nil, isBlank: Bool = false)
  case selectComment(at: Range<Int>)
  case resolveAndGo(Range<Int>, Variant)
  case toggleTracking(isOn: Bool?)
  case mark(MarkRequest)
  case decideMeanwhile(MeanwhileAnswer)
  case finishReview
  case reopen
  case moveMarks(to: MarksPlace)
  case write
  case go(Direction, from: Int, kind: MarkKind?)
  case annotate(text: String, from: Int)
  case listChanges
  case tellStatus(caret: Int?)
  case export(Variant)
  case show(Variant)

  /// Which change to look for.
  enum Direction {
    case next
    case previous
    case nextUncommented
  }
}

extension CriticCommand {
  /// Reads the arguments of a command.
  ///
  /// - Parameter arguments: The arguments.
  /// - Returns: The task.
  /// - Throws: `ResponseError` that names the invalid argument.
  func task(_ arguments: CommandArguments) throws(ResponseError) -> CommandTask {
    switch self {
    case .accept: return .review(.resolve(try arguments.target(), .clean))
    case .reject: return .review(.resolve(try arguments.target(), .original))
    case .acceptAndNext: return .resolveAndGo(try arguments.target(), .clean)
    case .rejectAndNext: return .resolveAndGo(try arguments.target(), .original)
    case .acceptAll: return try resolveAll(.clean, arguments)
    case .rejectAll: return try resolveAll(.original, arguments)
    case .recordMeanwhile: return .decideMeanwhile(.record)
    case .takeAsOriginal: return .decideMeanwhile(.take)
    case .done: return .finishReview
    case .reopen: return .reopen
    case .marks: return .moveMarks(to: try arguments.place())
    case .write: return .write
    case .removeAnnotations: return .review(.removeAnnotations, caret: try arguments.caret())
    case .comment:
      let text = try arguments.text() ?? ""
      let comment = arguments.snapshot.settings.newComment(text, try arguments.category())
      return .review(.comment(try arguments.target(), comment), isBlank: text.isEmpty)
    case .editComment:
      guard let text = try arguments.text() else {
        return .selectComment(at: try arguments.target())
      }
      return .review(.editComment(try arguments.target(), Array(text.utf8)))
    case .removeComment: return .review(.removeComment(try arguments.target()))
    case .resolveComment:
      return .review(.resolveThread(try arguments.target(), try arguments.isOn()))
    case .highlight: return .review(.highlight(try arguments.target()))
    case .joinSubstitution: return .review(.join(try arguments.target()))
    case .splitSubstitution: return .review(.split(try arguments.target()))
    case .takeAlternative:
      guard let author = try arguments.author() else {
        throw .invalidParams("author is missing: whose alternative to take.")
      }
      return .review(.takeAlternative(try arguments.target(), author))
    case .fix:
      let fix = try arguments.fix()
      return .review(.fix(try arguments.target(), fix))
    case .toggleTracking: return .toggleTracking(isOn: try arguments.isOn())
    case .mark: return .mark(try arguments.markRequest())
    case .next: return try go(.next, arguments)
    case .previous: return try go(.previous, arguments)
    case .nextUncommented: return try go(.nextUncommented, arguments)
    case .annotate:
      let text = try arguments.text() ?? ""
      return .annotate(text: text, from: try arguments.caret()?.lowerBound ?? 0)
    case .changes: return .listChanges
    case .status: return .tellStatus(caret: try arguments.caret()?.lowerBound)
    case .export: return .export(try arguments.variant(of: Variant.allCases))
    case .show: return .show(try arguments.variant(of: Variant.settled))
    }
  }

  private func resolveAll(
    _ variant: Variant,
    _ arguments: CommandArguments
  ) throws(ResponseError) -> CommandTask {
    let caret = try arguments.caret()
    switch (try arguments.kind(), try arguments.author()) {
    case (nil, nil): return .review(.resolveAll(variant), caret: caret)
    case (let kind?, nil): return .review(.resolveKind(kind, variant), caret: caret)
    case (nil, let author?): return .review(.resolveAuthor(author, variant), caret: caret)
    case (_?, _?): throw .invalidParams("Either kind or author, not both.")
    }
  }

  private func go(
    _ direction: CommandTask.Direction,
    _ arguments: CommandArguments
  ) throws(ResponseError) -> CommandTask {
    .go(direction, from: try arguments.target().lowerBound, kind: try arguments.kind())
  }
}

extension Settings {
  /// The text of a new comment, with its author and category.
  func newComment(_ text: String, _ category: CommentCategory? = nil) -> [UInt8] {
    let author = author.map { "@\(CommentHead.written($0)): " } ?? ""
    let about = category.map { "[\($0.rawValue)] " } ?? ""
    return Array((author + about + text).utf8)
  }
}
