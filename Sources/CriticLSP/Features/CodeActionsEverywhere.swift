import TrackEngine

extension Snapshot {
  /// Actions on the whole document: accept or reject all changes, those of a kind, those of an author or those in
  /// the section; remove highlights and comments; show the clean or the original text; turn tracking on or off.
  func documentActions(_ target: CodeActionTarget, _ whole: inout Review?) -> [OfferedAction] {
    var actions = allActions(target)
    let parts = Variant.settled.flatMap { [CodeActionKind.resolveKind($0), .resolveSection($0)] }
    // With a single change they would do the same as the others.
    if target.review.counts.entries > 1, target.context.wants(any: parts) {
      let review = target.whole(&whole)
      actions += sectionActions(target, review) + kindActions(target, review)
      actions += authorActions(target, review)
    }
    actions += annotationActions(target) + showingActions(target)
    if content.hasDecision {
      actions.append(OfferedAction("Take back the last decision", .reopen, .reopen))
    }
    guard !isSourceCode else { return actions }
    let title = isTracking ? "Stop tracking changes" : "Track changes"
    if !showsMarks {
      actions.append(
        OfferedAction("Put the marks into the text", .moveMarks, .moveMarks(to: .inline))
      )
    }
    return actions + [OfferedAction(title, .toggleTracking, OfferedAction.Purpose.toggleTracking)]
  }

  private func allActions(_ target: CodeActionTarget) -> [OfferedAction] {
    let count = target.review.counts.tracked
    let what = count == 0 ? "all changes" : every(count, "change")
    return Variant.settled.compactMap { variant in
      let kind = CodeActionKind.resolveAll(variant)
      guard count > 0 || target.context.asksFor(kind) else { return nil }
      let title = "\(variant.verb) \(what)"
      return OfferedAction(onAll: title, kind, .resolveAll(variant), mayWait: count > 0)
    }
  }

  private func annotationActions(_ target: CodeActionTarget) -> [OfferedAction] {
    let counts = target.review.counts
    let kind = CodeActionKind.removeAnnotations
    let isAny = counts.entries > counts.tracked || counts.commented > 0
    guard isAny || target.context.asksFor(kind) else { return [] }
    let title = "Remove all highlights and comments"
    return [OfferedAction(onAll: title, kind, .removeAnnotations, mayWait: isAny)]
  }

  private func showingActions(_ target: CodeActionTarget) -> [OfferedAction] {
    guard client.opensContents else { return [] }
    return Variant.settled.compactMap { variant in
      let kind = CodeActionKind.show(variant)
      guard target.review.counts.entries > 0 || target.context.asksFor(kind) else { return nil }
      let purpose = OfferedAction.Purpose.show(variant)
      return OfferedAction("Show the \(variant.rawValue) text", kind, purpose)
    }
  }

  /// For the kind of the change at the caret; without one, for each kind, if there are several.
  private func kindActions(_ target: CodeActionTarget, _ review: Review) -> [OfferedAction] {
    let changes = review.changes
    let present = MarkKind.allCases.filter { kind in changes.contains { $0.kind == kind } }
    guard present.count > 1 else { return [] }
    let here = target.chosen.count == 1 ? target.chosen.map(\.kind) : present
    return here.flatMap { kind -> [OfferedAction] in
      // Comments in threads are removed too.
      let count = kind == .comment ? review.commentCount : changes.count { $0.kind == kind }
      // The only one of its kind, at the caret, has its own actions.
      guard count > 1 || target.chosen.count != 1 else { return [] }
      // Accepting and rejecting a comment or highlight are the same: the text stays.
      let variants = kind.isChange ? Variant.settled : [.clean]
      return variants.map { variant in
        let verb = kind.isChange ? variant.verb : "Remove"
        let title = "\(verb) \(every(count, kind.description))"
        return OfferedAction(onAll: title, .resolveKind(variant), .resolveKind(kind, variant))
      }
    }
  }

  /// With a change at the caret whose author did not make all of them, those that they made.
  private func authorActions(_ target: CodeActionTarget, _ review: Review) -> [OfferedAction] {
    guard target.chosen.count == 1, let author = target.review.author(of: target.chosen[0]),
      let count = review.authors[author], count < target.review.counts.tracked
    else { return [] }
    let what = "\(every(count, "change")) by @\(CommentHead.written(author))"
    return Variant.settled.map {
      OfferedAction(onAll: "\($0.verb) \(what)", .resolveKind($0), .resolveAuthor(author, $0))
    }
  }

  private func sectionActions(_ target: CodeActionTarget, _ review: Review) -> [OfferedAction] {
    let excerpt = whole
    let headings = Heading.headings(of: excerpt.bytes, excerpt.reading)
    let heading = headings.last {
      let section = excerpt.inBuffer($0.section)
      return section.lowerBound <= target.range.lowerBound
        && (target.range.lowerBound < section.upperBound
          || section.upperBound == excerpt.bytes.count)
    }
    guard let heading else { return [] }
    let section = excerpt.inBuffer(heading.section)
    let count = review.changes(at: section).count
    // Not if it would be the same as all changes, or as the one at the caret.
    guard count > 0, count < review.changes.count, count > 1 || target.chosen.count != 1 else {
      return []
    }
    let changes = count == 1 ? "the only change" : "\(count) changes"
    let what = "\(changes) under \(quoted(heading.name))"
    return Variant.settled.map {
      OfferedAction(onAll: "\($0.verb) \(what)", .resolveSection($0), .resolve(section, $0))
    }
  }
}

extension OfferedAction {
  /// An action on the whole document.
  fileprivate init(
    onAll title: String,
    _ kind: CodeActionKind,
    _ action: Review.Action,
    mayWait: Bool = true
  ) {
    self.init(title, kind, action)
    isLocal = false
    self.mayWait = mayWait
  }
}

/// As in `the only change` and `all 3 changes`.
private func every(_ count: Int, _ noun: String) -> String {
  count == 1 ? "the only \(noun)" : "all \(counted(count, noun))"
}

extension Variant {
  /// The variants that accepting and rejecting lead to.
  static let settled: [Variant] = [.clean, .original]

  /// `accept` or `reject`.
  var command: CriticCommand { self == .clean ? .accept : .reject }
  /// As in `Accept`.
  var verb: String { self == .clean ? "Accept" : "Reject" }
}
