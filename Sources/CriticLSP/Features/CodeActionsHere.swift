import JSONRPC
import TrackEngine

/// What code actions are asked for.
struct CodeActionPlace {
  let document: Document
  /// The selection or the caret, in the buffer.
  let range: Range<Int>
  let context: CodeActionContext
  /// What of the document is near the selection, and where the client shows something malformed.
  let review: Review
  /// What the selection meets, or what is at the caret.
  let chosen: [Change]

  init(document: Document, range: Range<Int>, context: CodeActionContext) {
    self.document = document
    self.range = range
    self.context = context
    let around = context.malformed.map(\.range).reduce(range) { $0.union($1) }
    review = Review(document.tracker, around: around)
    chosen = review.changes(at: range)
  }

  /// All of the document, which is looked at only for what needs it, and once.
  func whole(_ known: inout Review?) -> Review {
    let review = known ?? Review(document.tracker)
    known = review
    return review
  }
}

// MARK: - Changes

extension Server {
  /// Accept and reject what is at the caret or in the selection: of an addition or a deletion that holds
  /// the selection, that part, and the whole as well.
  func changeActions(_ place: CodeActionPlace) -> [CodeAction] {
    guard !place.chosen.isEmpty, place.context.wants(.quickFix) else { return [] }
    let parts = partActions(place)
    guard !parts.isEmpty else { return wholeActions(place, place.chosen, at: place.range) }
    let caret = place.range.lowerBound..<place.range.lowerBound
    let whole = wholeActions(place, place.review.changes(at: caret), at: caret)
    var actions = client.selectsUnasked ? whole + parts : parts + whole
    for index in actions.indices { actions[index].isPreferred = index == 0 }
    return actions
  }

  private func partActions(_ place: CodeActionPlace) -> [CodeAction] {
    Variant.settled.compactMap { variant in
      guard let text = place.review.textOfPart(at: place.range, variant) else { return nil }
      // Where the caret is a selection of one character, that is all it says.
      if client.selectsUnasked, String(decoding: text, as: UTF8.self).count == 1 { return nil }
      let review = ReviewCommand(command: variant.command, range: place.range)
      return CodeAction("\(variant.verb) only \(quoted(text))", .quickFix, review)
    }
  }

  private func wholeActions(
    _ place: CodeActionPlace,
    _ chosen: [Change],
    at range: Range<Int>
  ) -> [CodeAction] {
    let titles = chosen.map { title(of: $0, in: place.review) }
    let what = titles.count == 1 ? titles[0] : "\(titles.count) changes in the selection"
    let codes = chosen.map(\.kind.description) + ["pending"]
    let diagnostics = place.context.diagnostics.filter {
      codes.contains($0.code) && $0.range.touches(place.range)
    }
    return Variant.settled.map { variant in
      let review = ReviewCommand(command: variant.command, range: range)
      var action = CodeAction("\(variant.verb) \(what)", .quickFix, review)
      action.isPreferred = variant == .clean
      action.diagnostics = diagnostics.map(\.json)
      return action
    }
  }

  /// As in `addition “very ”`.
  private func title(of change: Change, in review: Review) -> String {
    let (old, new) = review.texts(of: change)
    switch change.kind {
    case .addition: return "addition \(quoted(new))"
    case .deletion: return "deletion \(quoted(old))"
    case .substitution: return "\(quoted(old)) → \(quoted(new))"
    case .highlight: return "highlight \(quoted(new))"
    case .comment: return "comment"
    }
  }

  /// Substitutions and their halves.
  func conversionActions(_ place: CodeActionPlace) -> [CodeAction] {
    let isSubstitution = place.chosen.contains { $0.kind == .substitution }
    var actions: [CodeAction] = []
    if place.review.canJoin(at: place.range) || place.context.asksFor(.join) {
      let review = ReviewCommand(command: .joinSubstitution, range: place.range)
      actions.append(CodeAction("Join into a substitution", .join, review))
    }
    if isSubstitution || place.context.asksFor(.split) {
      let review = ReviewCommand(command: .splitSubstitution, range: place.range)
      actions.append(CodeAction("Split into a deletion and an addition", .split, review))
    }
    return actions
  }
}

// MARK: - Comments and highlights

extension Server {
  /// Comment on what is there, answer, edit and remove comments, highlight.
  func commentActions(_ place: CodeActionPlace) -> [CodeAction] {
    let (range, context, review) = (place.range, place.context, place.review)
    let isSomewhere = !place.chosen.isEmpty || !range.isEmpty && !context.isAutomatic
    var actions: [CodeAction] = []
    if isSomewhere || !context.isAutomatic {
      let comment = ReviewCommand(command: .comment, range: range)
      actions.append(CodeAction(commentTitle(place), .comment, comment))
    }
    let hasComment = review.hasComment(at: range)
    if hasComment, client.showsDocuments {
      // It shows where the comment is and changes nothing.
      var edit = CodeAction("Edit the comment", .editComment, .editComment)
      edit.place = range
      actions.append(edit)
    }
    if hasComment || context.asksFor(.removeComment) {
      let remove = ReviewCommand(command: .removeComment, range: range)
      actions.append(CodeAction("Remove the comment", .removeComment, remove))
    }
    if !range.isEmpty && !context.isAutomatic || context.asksFor(.highlight) {
      let highlight = ReviewCommand(command: .highlight, range: range)
      actions.append(CodeAction("Highlight the selection", .highlight, highlight))
    }
    if isSomewhere, !context.isAutomatic {
      actions += CommentCategory.allCases.map { category in
        let comment = ReviewCommand(command: .comment, range: range, category: category)
        var action = CodeAction("Comment: \(category.rawValue)", .commentAs(category), comment)
        action.mayWait = true
        return action
      }
    }
    return actions
  }

  private func commentTitle(_ place: CodeActionPlace) -> String {
    if place.review.isInComment(place.range) { return "Answer the comment" }
    if place.chosen.count == 1 {
      return "Comment on \(title(of: place.chosen[0], in: place.review))"
    }
    return place.range.isEmpty ? "Comment here" : "Comment on the selection"
  }
}

// MARK: - What is malformed

extension Server {
  /// What can be done about what looks like a mark and is none, at the caret, in the selection and
  /// where the client shows it.
  func fixActions(_ place: CodeActionPlace) -> [CodeAction] {
    guard place.context.wants(.quickFix) else { return [] }
    let shown = place.context.malformed
    let all = shown.map(\.range).reduce(place.range) { $0.union($1) }
    let tracker = place.document.tracker
    let excerpt = tracker.excerpt(around: all)
    let malformed = excerpt.reading.malformed(in: excerpt.bytes)
    return malformed.flatMap { malformed -> [CodeAction] in
      let range = excerpt.place(of: malformed.range)
      let reported = shown.filter { $0.range == range && $0.code == malformed.kind.rawValue }
      guard range.touches(place.range) || !reported.isEmpty else { return [] }
      let text = excerpt.bytes[malformed.range]
      return malformed.kind.fixes.enumerated().map { index, fix in
        let review = ReviewCommand(command: .fix, range: range, fix: fix)
        var action = CodeAction(title(of: fix, text), .quickFix, review)
        action.isPreferred = index == 0
        action.diagnostics = reported.map(\.json)
        return action
      }
    }
  }

  private func title(of fix: Review.Fix, _ text: ArraySlice<UInt8>) -> String {
    let delimiter = String(decoding: text, as: UTF8.self)
    let kind = MarkKind.allCases.first { text.elementsEqual($0.opener) }
    switch fix {
    case .close: return "Close the \(kind?.description ?? "mark")"
    case .escape: return "Write “\\\(delimiter)”: it is text"
    case .remove: return "Remove “\(delimiter)”"
    case .delete: return "Make it a deletion"
    case .divide: return "Write “~>” at the end"
    case .hyphens: return "Write hyphens"
    }
  }
}

extension Range<Int> {
  /// Whether the ranges share an offset, be it an end of theirs.
  fileprivate func touches(_ other: Range<Int>) -> Bool {
    lowerBound <= other.upperBound && other.lowerBound <= upperBound
  }

  /// From where the first begins to where the last ends.
  fileprivate func union(_ other: Range<Int>) -> Range<Int> {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
