import TrackEngine

/// What code actions were requested for: a selection or a caret.
struct CodeActionTarget {
  let snapshot: Snapshot
  /// The selection or the caret, in the buffer.
  let range: Range<Int>
  let context: WantedActions
  /// The part of the document around the selection and the malformed marks that the client shows.
  let review: Review
  /// The changes in the selection or at the caret.
  let chosen: [Change]

  init(in snapshot: Snapshot, range: Range<Int>, context: WantedActions) {
    self.snapshot = snapshot
    self.range = range
    self.context = context
    let around = context.malformed.map(\.range).reduce(range) { $0.joined(with: $1) }
    review = Review(snapshot.tracker, around: around)
    chosen = review.changes(at: range)
  }

  /// The whole document, read on first use and then kept in `known`.
  func whole(_ known: inout Review?) -> Review {
    let review = known ?? Review(snapshot.tracker)
    known = review
    return review
  }
}

// MARK: - Changes

extension Snapshot {
  /// Accept and reject what is at the caret or in the selection.
  ///
  /// If an addition or deletion holds the selection, both the selected part and the whole.
  func changeActions(_ target: CodeActionTarget) -> [OfferedAction] {
    guard !target.chosen.isEmpty, target.context.wants(.quickFix) else { return [] }
    let parts = partActions(target)
    guard !parts.isEmpty else { return wholeActions(target, target.chosen, at: target.range) }
    let caret = target.range.lowerBound..<target.range.lowerBound
    let whole = wholeActions(target, target.review.changes(at: caret), at: caret)
    var actions = client.selectsUnasked ? whole + parts : parts + whole
    for index in actions.indices { actions[index].isPreferred = index == 0 }
    return actions
  }

  private func partActions(_ target: CodeActionTarget) -> [OfferedAction] {
    Variant.settled.compactMap { variant in
      guard let text = target.review.textOfPart(at: target.range, variant) else { return nil }
      // In editors that always select, one selected character is just the caret.
      if client.selectsUnasked, String(decoding: text, as: UTF8.self).count == 1 { return nil }
      let title = "\(variant.verb) only \(quoted(text))"
      return OfferedAction(title, .quickFix, .resolve(target.range, variant))
    }
  }

  private func wholeActions(
    _ target: CodeActionTarget,
    _ chosen: [Change],
    at range: Range<Int>
  ) -> [OfferedAction] {
    let titles = chosen.map { title(of: $0, in: target.review) }
    let what = titles.count == 1 ? titles[0] : "\(titles.count) changes in the selection"
    let codes = chosen.map { ChangeCode.mark($0.kind) } + [.pending]
    let diagnostics = target.context.diagnostics.filter {
      codes.contains($0.code) && $0.range.touches(target.range)
    }
    return Variant.settled.map { variant in
      let title = "\(variant.verb) \(what)"
      var action = OfferedAction(title, .quickFix, .resolve(range, variant))
      action.isPreferred = variant == .clean
      action.diagnostics = diagnostics.map(\.json)
      return action
    }
  }

  private func title(of change: Change, in review: Review) -> String {
    let (old, new) = review.texts(of: change)
    return ChangeWords(change.kind, old, new).title
  }

  /// Join and split substitutions.
  func conversionActions(_ target: CodeActionTarget) -> [OfferedAction] {
    let isSubstitution = target.chosen.contains { $0.kind == .substitution }
    var actions: [OfferedAction] = []
    if target.review.canJoin(at: target.range) || target.context.asksFor(.join) {
      actions.append(OfferedAction("Join into a substitution", .join, .join(target.range)))
    }
    if isSubstitution || target.context.asksFor(.split) {
      let title = "Split into a deletion and an addition"
      actions.append(OfferedAction(title, .split, .split(target.range)))
    }
    return actions
  }
}

// MARK: - Alternatives

extension Snapshot {
  /// Take the alternatives of one author, or of all.
  func conflictActions(_ target: CodeActionTarget) -> [OfferedAction] {
    guard target.context.wants(.quickFix), let conflict = target.review.conflict(at: target.range)
    else { return [] }
    var actions = conflict.names.map { name in
      OfferedAction(
        "Take the alternative by @\(CommentHead.written(name))",
        .quickFix,
        .takeAlternative(target.range, name)
      )
    }
    if conflict.names.count > 1, let range = conflict.range {
      actions.append(OfferedAction("Take all alternatives", .quickFix, .resolve(range, .clean)))
    }
    return actions
  }
}

// MARK: - Comments and highlights

extension Snapshot {
  /// Add, answer, edit, remove and resolve comments, and highlight.
  func commentActions(_ target: CodeActionTarget) -> [OfferedAction] {
    let (range, context, review) = (target.range, target.context, target.review)
    let isSomewhere = !target.chosen.isEmpty || !range.isEmpty && !context.isAutomatic
    var actions: [OfferedAction] = []
    if isSomewhere || !context.isAutomatic {
      actions.append(comment(commentTitle(target), .comment, on: range))
    }
    let hasComment = review.hasComment(at: range)
    if hasComment, client.showsDocuments {
      // Selects the comment and changes nothing.
      actions.append(OfferedAction("Edit the comment", .editComment, .selectComment(range)))
    }
    if hasComment || context.asksFor(.removeComment) {
      actions.append(OfferedAction("Remove the comment", .removeComment, .removeComment(range)))
    }
    let isResolved = review.isResolved(at: range)
    if isResolved != nil || context.asksFor(.resolveComment) {
      let title = isResolved == true ? "Reopen the comment" : "Resolve the comment"
      let action = Review.Action.resolveThread(range, isResolved != true)
      actions.append(OfferedAction(title, .resolveComment, action))
    }
    if !range.isEmpty && !context.isAutomatic || context.asksFor(.highlight) {
      actions.append(OfferedAction("Highlight the selection", .highlight, .highlight(range)))
    }
    if isSomewhere, !context.isAutomatic {
      actions += CommentCategory.allCases.map { category in
        var action = comment("Comment: \(category.rawValue)", .commentAs(category), on: range)
        action.mayWait = true
        return action
      }
    }
    return actions
  }

  /// A comment without a text.
  private func comment(
    _ title: String,
    _ kind: CodeActionKind,
    on range: Range<Int>
  ) -> OfferedAction {
    let comment = settings.newComment("", kind.category)
    var action = OfferedAction(title, kind, .comment(range, comment))
    action.isBlank = true
    return action
  }

  private func commentTitle(_ target: CodeActionTarget) -> String {
    if target.review.isInComment(target.range) { return "Answer the comment" }
    if target.chosen.count == 1 {
      return "Comment on \(title(of: target.chosen[0], in: target.review))"
    }
    return target.range.isEmpty ? "Comment here" : "Comment on the selection"
  }
}

// MARK: - Malformed marks

extension Snapshot {
  /// Fixes for malformed marks at the caret, in the selection, and in the client's diagnostics.
  func fixActions(_ target: CodeActionTarget) -> [OfferedAction] {
    guard target.context.wants(.quickFix) else { return [] }
    let shown = target.context.malformed
    let all = shown.map(\.range).reduce(target.range) { $0.joined(with: $1) }
    let excerpt = tracker.excerpt(around: all)
    return malformed(in: excerpt).flatMap { malformed -> [OfferedAction] in
      let range = excerpt.inBuffer(malformed.range)
      let code = ChangeCode.malformed(malformed.kind)
      let reported = shown.filter { $0.range == range && $0.code == code }
      guard range.touches(target.range) || !reported.isEmpty else { return [] }
      let text = excerpt.bytes[malformed.range]
      return malformed.kind.fixes.enumerated().map { index, fix in
        var action = OfferedAction(title(of: fix, text), .quickFix, .fix(range, fix))
        action.isPreferred = index == 0 && fix.keepsText
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
    case .arrow: return "Write “~>” as the arrow"
    case .hyphens: return "Write hyphens"
    }
  }
}
