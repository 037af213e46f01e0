import JSONRPC
import TrackEngine

/// A command that changes a document at the user's wish, with its arguments.
struct ReviewCommand {
  var command: Command
  /// Where; nothing for those that act on the whole document.
  var range: Range<Int>?
  /// Where the user is, if that is not where it acts.
  var caret: Range<Int>?
  /// What kind of change alone, when all are accepted or rejected.
  var kind: MarkKind?
  /// What a comment says.
  var text = ""
  var category: CommentCategory?
  var fix: Review.Fix?

  /// Whether the caret is wanted in the comment that is made.
  var wantsCaret: Bool { command == .comment && text.isEmpty }

  /// Writes the arguments beside the document.
  func writeArguments(_ conversions: Conversions, to writer: inout JSONWriter) {
    if let range = range ?? caret {
      writer.key("range")
      conversions.write(range, to: &writer)
    }
    if let kind { writer.member("kind", kind.description) }
    if !text.isEmpty { writer.member("text", text) }
    if let category { writer.member("category", category.rawValue) }
    if let fix { writer.member("fix", fix.rawValue) }
  }
}

extension Server {
  /// Reads the arguments of a command.
  ///
  /// - Returns: Nil if the command is none of those that change a text; `editComment` without a new
  ///   text is none.
  /// - Throws: `ResponseError` that names the argument that is wrong.
  func reviewCommand(
    _ command: Command,
    _ arguments: JSON,
    _ document: Document
  ) throws(ResponseError) -> ReviewCommand? {
    var review = ReviewCommand(command: command)
    switch command {
    case .acceptAll, .rejectAll, .removeAnnotations:
      if command != .removeAnnotations { review.kind = try kind(arguments) }
      if saysWhere(arguments) { review.caret = try place(arguments, document) }
      return review
    case .comment:
      review.text = try text(arguments) ?? ""
      review.category = try choice("category", arguments, CommentCategory.allCases, \.rawValue)
    case .fix:
      review.fix = try choice("fix", arguments, Review.Fix.allCases, \.rawValue)
      guard review.fix != nil else { throw .invalidParams("fix must say what is to be done.") }
    case .editComment:
      guard let text = try text(arguments) else { return nil }
      review.text = text
    case .accept, .reject, .highlight, .removeComment, .joinSubstitution, .splitSubstitution: break
    default: return nil
    }
    review.range = try place(arguments, document)
    return review
  }

  /// What a command asks for, in the engine's words.
  func action(of review: ReviewCommand) -> Review.Action? {
    let range = review.range ?? 0..<0
    switch review.command {
    case .accept: return .resolve(range, .clean)
    case .reject: return .resolve(range, .original)
    case .acceptAll: return review.kind.map { .resolveKind($0, .clean) } ?? .resolveAll(.clean)
    case .rejectAll:
      return review.kind.map { .resolveKind($0, .original) } ?? .resolveAll(.original)
    case .removeAnnotations: return .removeAnnotations
    case .comment: return .comment(range, newComment(review.text, review.category))
    case .editComment: return .editComment(range, Array(review.text.utf8))
    case .highlight: return .highlight(range)
    case .removeComment: return .removeComment(range)
    case .joinSubstitution: return .join(range)
    case .splitSubstitution: return .split(range)
    case .fix: return review.fix.map { .fix(range, $0) }
    default: return nil
    }
  }

  /// A comment's text with its author and what it is about.
  func newComment(_ text: String, _ category: CommentCategory? = nil) -> [UInt8] {
    let author = settings.author.map { "@\($0): " } ?? ""
    let about = category.map { "[\($0.rawValue)] " } ?? ""
    return Array((author + about + text).utf8)
  }

  /// The argument `kind`; nil where there is none.
  func kind(_ arguments: JSON) throws(ResponseError) -> MarkKind? {
    try choice("kind", arguments, MarkKind.allCases, \.description)
  }

  /// An argument that is one of some words; nil where there is none.
  private func choice<Value>(
    _ name: String,
    _ arguments: JSON,
    _ values: [Value],
    _ word: (Value) -> String
  ) throws(ResponseError) -> Value? {
    guard let json = arguments[name], !json.isNull else { return nil }
    for value in values where word(value) == json.string { return value }
    let words = values.map { "\"\(word($0))\"" }
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    throw .invalidParams("\(name) must be \(list), not \(json).")
  }
}
