import JSONRPC
import TrackEngine

/// A command that changes the text, with its arguments.
enum ReviewCommand {
  /// Accepts or rejects what is in a range.
  case resolve(Range<Int>, Variant)
  /// Accepts or rejects everything, or everything of a kind.
  case resolveAll(MarkKind?, Variant)
  /// Accepts or rejects every change by somebody.
  case resolveAuthor(String, Variant)
  case removeAnnotations
  case comment(Range<Int>, text: String, CommentCategory?)
  case editComment(Range<Int>, text: String)
  case removeComment(Range<Int>)
  case highlight(Range<Int>)
  case join(Range<Int>)
  case split(Range<Int>)
  case fix(Range<Int>, Review.Fix)

  /// The command that does it.
  var command: CriticCommand {
    switch self {
    case .resolve(_, let variant): variant == .clean ? .accept : .reject
    case .resolveAll(_, let variant), .resolveAuthor(_, let variant):
      variant == .clean ? .acceptAll : .rejectAll
    case .removeAnnotations: .removeAnnotations
    case .comment: .comment
    case .editComment: .editComment
    case .removeComment: .removeComment
    case .highlight: .highlight
    case .join: .joinSubstitution
    case .split: .splitSubstitution
    case .fix: .fix
    }
  }

  /// Where it acts; nil for commands on the whole document.
  var range: Range<Int>? {
    switch self {
    case .resolve(let range, _), .comment(let range, _, _), .editComment(let range, _),
      .removeComment(let range), .highlight(let range), .join(let range), .split(let range),
      .fix(let range, _):
      range
    case .resolveAll, .resolveAuthor, .removeAnnotations: nil
    }
  }

  /// Whether the caret should go into the comment that it adds.
  var wantsCaret: Bool {
    if case .comment(_, "", _) = self { true } else { false }
  }

  /// Whether it accepts or rejects.
  var isResolving: Bool {
    switch self {
    case .resolve, .resolveAll, .resolveAuthor: true
    case .removeAnnotations, .comment, .editComment, .removeComment, .highlight, .join, .split,
      .fix:
      false
    }
  }

  /// The engine's action for it.
  func action(_ settings: Settings) -> Review.Action {
    switch self {
    case .resolve(let range, let variant): .resolve(range, variant)
    case .resolveAll(nil, let variant): .resolveAll(variant)
    case .resolveAll(let kind?, let variant): .resolveKind(kind, variant)
    case .resolveAuthor(let author, let variant): .resolveAuthor(author, variant)
    case .removeAnnotations: .removeAnnotations
    case .comment(let range, let text, let category):
      .comment(range, settings.newComment(text, category))
    case .editComment(let range, let text): .editComment(range, Array(text.utf8))
    case .removeComment(let range): .removeComment(range)
    case .highlight(let range): .highlight(range)
    case .join(let range): .join(range)
    case .split(let range): .split(range)
    case .fix(let range, let fix): .fix(range, fix)
    }
  }
}

/// The argument object of a command that is offered to a client.
struct CommandOffer: JSONWritable {
  let uri: String
  let range: Range<Position>?
  let review: ReviewCommand?

  /// - Parameters:
  ///   - uri: The document.
  ///   - range: Where the command acts, or else where the user is.
  ///   - review: What it does to the text; nil if it changes nothing.
  init(_ uri: String, _ range: Range<Position>?, _ review: ReviewCommand? = nil) {
    self.uri = uri
    self.range = range
    self.review = review
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      writeArguments(to: &$0)
    }
  }

  /// Writes the arguments other than the document.
  func writeArguments(to writer: inout JSONWriter) {
    writer.member("range", ifPresent: range)
    switch review {
    case .resolveAll(let kind?, _)?: writer.member("kind", kind.description)
    case .resolveAuthor(let author, _)?: writer.member("author", author)
    case .comment(_, let text, let category)?:
      if !text.isEmpty { writer.member("text", text) }
      writer.member("category", ifPresent: category?.rawValue)
    case .editComment(_, let text)?: if !text.isEmpty { writer.member("text", text) }
    case .fix(_, let fix)?: writer.member("fix", fix.rawValue)
    case .resolve?, .resolveAll?, .removeAnnotations?, .removeComment?, .highlight?, .join?,
      .split?,
      nil:
      break
    }
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
