import JSONRPC
import TrackEngine

/// The argument object of a command that is offered to a client.
struct CommandOffer: JSONWritable {
  let uri: String
  /// Where the command acts, or else where the user is.
  let range: Range<Position>?
  /// What it does to the text; nil if it changes nothing.
  var action: Review.Action?
  /// What a comment that it adds is about.
  var category: CommentCategory?
  /// Which text it shows.
  var shown: Variant?
  /// Where it moves the marks.
  var place: MarksPlace?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      writeArguments(to: &$0)
    }
  }

  /// Writes the arguments other than the document.
  func writeArguments(to writer: inout JSONWriter) {
    writer.member("range", ifPresent: range)
    writer.member("variant", ifPresent: shown?.rawValue)
    writer.member("marks", ifPresent: place?.rawValue)
    switch action {
    case .resolveKind(let kind, _)?: writer.member("kind", kind.description)
    case .resolveAuthor(let author, _)?, .takeAlternative(_, let author)?:
      writer.member("author", author)
    case .comment?: writer.member("category", ifPresent: category?.rawValue)
    case .resolveThread(_, let isResolved)?: writer.member("on", ifPresent: isResolved)
    case .fix(_, let fix)?: writer.member("fix", fix.rawValue)
    case .resolve?, .resolveAll?, .removeAnnotations?, .editComment?, .removeComment?, .highlight?,
      .join?, .split?, nil:
      break
    }
  }
}

extension Review.Action {
  /// The command that does it.
  var command: CriticCommand {
    switch self {
    case .resolve(_, let variant): variant.command
    case .resolveAll(let variant), .resolveKind(_, let variant), .resolveAuthor(_, let variant):
      variant == .clean ? .acceptAll : .rejectAll
    case .removeAnnotations: .removeAnnotations
    case .comment: .comment
    case .editComment: .editComment
    case .removeComment: .removeComment
    case .resolveThread: .resolveComment
    case .highlight: .highlight
    case .join: .joinSubstitution
    case .split: .splitSubstitution
    case .takeAlternative: .takeAlternative
    case .fix: .fix
    }
  }

  /// Whether it accepts or rejects.
  var isResolving: Bool {
    switch self {
    case .resolve, .resolveAll, .resolveKind, .resolveAuthor, .takeAlternative: true
    case .removeAnnotations, .comment, .editComment, .removeComment, .resolveThread, .highlight,
      .join, .split, .fix:
      false
    }
  }
}
