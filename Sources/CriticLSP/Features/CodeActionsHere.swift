import TrackEngine

/// The place for which code actions were requested.
struct CodeActionPlace {
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
    let around = context.malformed.map(\.range).reduce(range) { $0.union($1) }
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
  func changeActions(_ place: CodeActionPlace) -> [OfferedAction] {
    guard !place.chosen.isEmpty, place.context.wants(.quickFix) else { return [] }
    let parts = partActions(place)
    guard !parts.isEmpty else { return wholeActions(place, place.chosen, at: place.range) }
    let caret = place.range.lowerBound..<place.range.lowerBound
    let whole = wholeActions(place, place.review.changes(at: caret), at: caret)
    var actions = client.selectsUnasked ? whole + parts : parts + whole
    for index in actions.indices { actions[index].isPreferred = index == 0 }
    return actions
  }

  private func partActions(_ place: CodeActionPlace) -> [OfferedAction] {
    Variant.settled.compactMap { variant in
      guard let text = place.review.textOfPart(at: place.range, variant) else { return nil }
      // In editors that always select, one selected character is just the caret.
      if client.selectsUnasked, String(decoding: text, as: UTF8.self).count == 1 { return nil }
      let review = ReviewCommand.resolve(place.range, variant)
      return OfferedAction("\(variant.verb) only \(quoted(text))", .quickFix, review)
    }
  }

  private func wholeActions(
    _ place: CodeActionPlace,
    _ chosen: [Change],
    at range: Range<Int>
  ) -> [OfferedAction] {
    let titles = chosen.map { title(of: $0, in: place.review) }
    let what = titles.count == 1 ? titles[0] : "\(titles.count) changes in the selection"
    let codes = chosen.map(\.kind.description) + ["pending"]
    let diagnostics = place.context.diagnostics.filter {
      codes.contains($0.code) && $0.range.touches(place.range)
    }
    return Variant.settled.map { variant in
      let review = ReviewCommand.resolve(range, variant)
      var action = OfferedAction("\(variant.verb) \(what)", .quickFix, review)
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

  /// Join and split substitutions.
  func conversionActions(_ place: CodeActionPlace) -> [OfferedAction] {
    let isSubstitution = place.chosen.contains { $0.kind == .substitution }
    var actions: [OfferedAction] = []
    if place.review.canJoin(at: place.range) || place.context.asksFor(.join) {
      actions.append(OfferedAction("Join into a substitution", .join, .join(place.range)))
    }
    if isSubstitution || place.context.asksFor(.split) {
      let title = "Split into a deletion and an addition"
      actions.append(OfferedAction(title, .split, .split(place.range)))
    }
    return actions
  }
}

// MARK: - Comments and highlights

extension Snapshot {
  /// Add, answer, edit and remove comments, and highlight.
  func commentActions(_ place: CodeActionPlace) -> [OfferedAction] {
    let (range, context, review) = (place.range, place.context, place.review)
    let isSomewhere = !place.chosen.isEmpty || !range.isEmpty && !context.isAutomatic
    var actions: [OfferedAction] = []
    if isSomewhere || !context.isAutomatic {
      let comment = ReviewCommand.comment(range, text: "", nil)
      actions.append(OfferedAction(commentTitle(place), .comment, comment))
    }
    let hasComment = review.hasComment(at: range)
    if hasComment, client.showsDocuments {
      // Selects the comment and changes nothing.
      actions.append(OfferedAction("Edit the comment", .editComment, .selectComment(range)))
    }
    if hasComment || context.asksFor(.removeComment) {
      actions.append(OfferedAction("Remove the comment", .removeComment, .removeComment(range)))
    }
    if !range.isEmpty && !context.isAutomatic || context.asksFor(.highlight) {
      actions.append(OfferedAction("Highlight the selection", .highlight, .highlight(range)))
    }
    if isSomewhere, !context.isAutomatic {
      actions += CommentCategory.allCases.map { category in
        let comment = ReviewCommand.comment(range, text: "", category)
        var action = OfferedAction("Comment: \(category.rawValue)", .commentAs(category), comment)
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

// MARK: - Malformed marks

extension Snapshot {
  /// Fixes for malformed marks at the caret, in the selection, and in the client's diagnostics.
  func fixActions(_ place: CodeActionPlace) -> [OfferedAction] {
    guard place.context.wants(.quickFix) else { return [] }
    let shown = place.context.malformed
    let all = shown.map(\.range).reduce(place.range) { $0.union($1) }
    let excerpt = tracker.excerpt(around: all)
    let malformed = excerpt.reading.malformed(in: excerpt.bytes)
    return malformed.flatMap { malformed -> [OfferedAction] in
      let range = excerpt.place(of: malformed.range)
      let reported = shown.filter { $0.range == range && $0.code == malformed.kind.rawValue }
      guard range.touches(place.range) || !reported.isEmpty else { return [] }
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

extension Range<Int> {
  /// Whether the ranges overlap or touch.
  fileprivate func touches(_ other: Range<Int>) -> Bool {
    lowerBound <= other.upperBound && other.lowerBound <= upperBound
  }

  /// The smallest range that holds both.
  fileprivate func union(_ other: Range<Int>) -> Range<Int> {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
