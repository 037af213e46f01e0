import JSONRPC
import TrackEngine

/// A command with its arguments, which have been validated.
enum CommandTask {
  /// `caret` is where the user is, if the command acts elsewhere.
  case review(ReviewCommand, caret: Range<Int>?)
  case selectComment(at: Range<Int>)
  case resolveAndGo(Range<Int>, Variant)
  case toggleTracking(isOn: Bool?)
  case mark(MarkRequest)
  case decideMeanwhile(MeanwhileAnswer)
  case go(Direction, from: Int, kind: MarkKind?)
  case annotate(text: String, from: Int)
  case listChanges
  case tellStatus
  case export(Variant)

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
    case .accept: return .review(.resolve(try arguments.place(), .clean), caret: nil)
    case .reject: return .review(.resolve(try arguments.place(), .original), caret: nil)
    case .acceptAndNext: return .resolveAndGo(try arguments.place(), .clean)
    case .rejectAndNext: return .resolveAndGo(try arguments.place(), .original)
    case .acceptAll: return try resolveAll(.clean, arguments)
    case .rejectAll: return try resolveAll(.original, arguments)
    case .recordMeanwhile: return .decideMeanwhile(.record)
    case .takeAsOriginal: return .decideMeanwhile(.take)
    case .removeAnnotations: return .review(.removeAnnotations, caret: try arguments.caret())
    case .comment:
      let text = try arguments.text() ?? ""
      let category = try arguments.category()
      return .review(.comment(try arguments.place(), text: text, category), caret: nil)
    case .editComment:
      guard let text = try arguments.text() else {
        return .selectComment(at: try arguments.place())
      }
      return .review(.editComment(try arguments.place(), text: text), caret: nil)
    case .removeComment: return .review(.removeComment(try arguments.place()), caret: nil)
    case .highlight: return .review(.highlight(try arguments.place()), caret: nil)
    case .joinSubstitution: return .review(.join(try arguments.place()), caret: nil)
    case .splitSubstitution: return .review(.split(try arguments.place()), caret: nil)
    case .fix:
      let fix = try arguments.fix()
      return .review(.fix(try arguments.place(), fix), caret: nil)
    case .toggleTracking: return .toggleTracking(isOn: try arguments.isOn())
    case .mark: return .mark(try arguments.markRequest())
    case .next: return try go(.next, arguments)
    case .previous: return try go(.previous, arguments)
    case .nextUncommented: return try go(.nextUncommented, arguments)
    case .annotate:
      let text = try arguments.text() ?? ""
      return .annotate(text: text, from: try arguments.caret()?.lowerBound ?? 0)
    case .changes: return .listChanges
    case .status: return .tellStatus
    case .export: return .export(try arguments.variant())
    }
  }

  private func resolveAll(
    _ variant: Variant,
    _ arguments: CommandArguments
  ) throws(ResponseError) -> CommandTask {
    let kind = try arguments.kind()
    guard let author = try arguments.author() else {
      return .review(.resolveAll(kind, variant), caret: try arguments.caret())
    }
    guard kind == nil else { throw .invalidParams("Either kind or author, not both.") }
    return .review(.resolveAuthor(author, variant), caret: try arguments.caret())
  }

  private func go(
    _ direction: CommandTask.Direction,
    _ arguments: CommandArguments
  ) throws(ResponseError) -> CommandTask {
    .go(direction, from: try arguments.place().lowerBound, kind: try arguments.kind())
  }
}
