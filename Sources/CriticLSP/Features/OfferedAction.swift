import JSONRPC
import TrackEngine

/// The kinds of our code actions.
enum CodeActionKind: Equatable {
  case quickFix
  case comment
  case commentAs(CommentCategory)
  case editComment
  case removeComment
  case resolveComment
  case highlight
  case join
  case split
  case resolveAll(Variant)
  case resolveKind(Variant)
  case resolveSection(Variant)
  case removeAnnotations
  case show(Variant)
  case toggleTracking
  case done
  case reopen
  case moveMarks

  /// The name in the protocol; a kind includes those that begin with it and a dot.
  var name: String {
    switch self {
    case .quickFix: "quickfix"
    case .comment: "refactor.rewrite.critic.comment"
    case .commentAs(let category): "refactor.rewrite.critic.comment.\(category.rawValue)"
    case .editComment: "refactor.rewrite.critic.editComment"
    case .removeComment: "refactor.rewrite.critic.removeComment"
    case .resolveComment: "refactor.rewrite.critic.resolveComment"
    case .highlight: "refactor.rewrite.critic.highlight"
    case .join: "refactor.rewrite.critic.joinSubstitution"
    case .split: "refactor.rewrite.critic.splitSubstitution"
    case .resolveAll(let variant): "source.critic.\(variant.command.rawValue)All"
    case .resolveKind(let variant): "source.critic.\(variant.command.rawValue)Kind"
    case .resolveSection(let variant): "source.critic.\(variant.command.rawValue)Section"
    case .removeAnnotations: "source.critic.removeAnnotations"
    case .show(.original): "source.critic.showOriginal"
    case .show: "source.critic.showClean"
    case .toggleTracking: "source.critic.toggleTracking"
    case .done: "source.critic.done"
    case .reopen: "source.critic.reopen"
    case .moveMarks: "source.critic.marks"
    }
  }

  /// What a comment of this kind is about.
  var category: CommentCategory? {
    if case .commentAs(let category) = self { category } else { nil }
  }

  /// The names of those that a client may be offered.
  static func names(for client: Client) -> [String] {
    let parts = Variant.settled.flatMap {
      [CodeActionKind.resolveAll($0), .resolveKind($0), .resolveSection($0)]
    }
    let shown = client.opensContents ? Variant.settled.map(CodeActionKind.show) : []
    var kinds: [CodeActionKind] = [.quickFix, .comment]
    kinds += CommentCategory.allCases.map(CodeActionKind.commentAs)
    kinds += [.editComment, .removeComment, .resolveComment, .highlight, .join, .split]
    kinds += parts + [.removeAnnotations] + shown + [.toggleTracking, .done, .reopen, .moveMarks]
    return kinds.map(\.name)
  }
}

/// The category of a comment.
enum CommentCategory: String, CaseIterable {
  case tone
  case clarity
  case structure
  case grammar
  case concision
  case accuracy
}

/// A code action, independent of how the client gets it.
struct OfferedAction {
  var title: String
  var kind: CodeActionKind
  var purpose: Purpose
  /// Where the user is, if the action acts elsewhere.
  var caret: Range<Int>?
  var isPreferred = false
  /// Whether it acts only at the caret or in the selection.
  var isLocal = true
  /// Whether to compute its edits only when the user has chosen it.
  var mayWait = false
  /// Whether it adds a comment without a text, which the user fills in.
  var isBlank = false
  /// The diagnostics that it resolves, as the client sent them.
  var diagnostics: [JSON] = []
  /// How the client carries it out.
  var outcome = Outcome.command

  /// What it does.
  enum Purpose {
    case review(Review.Action)
    /// Selects the text of a comment, for the user to edit.
    case selectComment(Range<Int>)
    /// Shows a text of the document beside it.
    case show(Variant)
    case toggleTracking
    /// Says that the review is done.
    case finishReview
    /// Takes the last decision back.
    case reopen
    case moveMarks(to: MarksPlace)
  }

  enum Outcome {
    case edits([Edit])
    /// The edits, and where to put the caret, in the text after them.
    case comment([Edit], caret: Int)
    /// A command, if the text would not show what was done: accepting a pending change leaves the text as it
    /// is, and removing the marks from what was just typed looks like undo.
    case command
    /// The client requests the edits when the user has chosen it.
    case deferred
    /// It cannot be done; a sentence that says why.
    case disabled(String)
  }

  init(_ title: String, _ kind: CodeActionKind, _ action: Review.Action) {
    self.init(title, kind, .review(action))
  }

  init(_ title: String, _ kind: CodeActionKind, _ purpose: Purpose) {
    self.title = title
    self.kind = kind
    self.purpose = purpose
  }

  /// What it does to the text; nil if it changes nothing.
  var review: Review.Action? {
    if case .review(let action) = purpose { action } else { nil }
  }

  /// The command that does the same.
  var command: CriticCommand {
    switch purpose {
    case .review(let action): action.command
    case .selectComment: .editComment
    case .show: .show
    case .toggleTracking: .toggleTracking
    case .finishReview: .done
    case .reopen: .reopen
    case .moveMarks: .marks
    }
  }

  /// Where the command acts; of actions on the whole document, where the user is.
  var range: Range<Int>? {
    switch purpose {
    case .review(let action): action.range ?? caret
    case .selectComment(let range): range
    case .show, .toggleTracking, .finishReview, .reopen, .moveMarks: nil
    }
  }

  /// Which text it shows.
  var shown: Variant? {
    if case .show(let variant) = purpose { variant } else { nil }
  }

  /// Where it moves the marks.
  var place: MarksPlace? {
    if case .moveMarks(let place) = purpose { place } else { nil }
  }
}

/// The context of a request for code actions, in offsets of the buffer.
struct WantedActions {
  /// A diagnostic of ours that the client shows.
  struct Diagnostic {
    /// As the client sent it.
    var json: JSON
    var code: ChangeCode
    var range: Range<Int>
  }

  /// The kinds requested, by name; nil for all.
  private let only: [String]?
  let diagnostics: [Diagnostic]
  /// Those for malformed marks.
  var malformed: [Diagnostic] {
    diagnostics.filter { if case .malformed = $0.code { true } else { false } }
  }
  /// Whether the client asks unprompted, each time the caret moves.
  let isAutomatic: Bool
  /// Whether the client says that the user asked.
  let isInvoked: Bool

  init(_ context: CodeActionContext, _ conversions: Conversions) {
    only = context.only.isEmpty || context.only.contains("") ? nil : context.only
    isAutomatic = context.triggerKind == .automatic
    isInvoked = context.triggerKind == .invoked
    diagnostics = context.diagnostics.compactMap { shown in
      guard shown.source == "critic", let code = ChangeCode(shown.code) else { return nil }
      return Diagnostic(json: shown.json, code: code, range: conversions.offsets(of: shown.range))
    }
  }

  /// Whether a kind is wanted.
  func wants(_ kind: CodeActionKind) -> Bool { only == nil || names(kind) }

  /// Whether any of some kinds is wanted.
  func wants(any kinds: [CodeActionKind]) -> Bool { kinds.contains(where: wants) }

  /// Whether a kind of ours is requested by name: then it is offered even if it cannot be done, with the
  /// reason.
  func asksFor(_ kind: CodeActionKind) -> Bool {
    names(kind) && only?.contains { $0.contains("critic") } == true
  }

  private func names(_ kind: CodeActionKind) -> Bool {
    only?.contains { kind.name == $0 || kind.name.hasPrefix("\($0).") } ?? false
  }
}
