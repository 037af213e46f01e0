import TrackEngine

extension Snapshot {
  /// Actions on the whole document: accept or reject all changes, those of a kind, those of an author or those in
  /// the section; remove highlights and comments; turn tracking on or off.
  func documentActions(_ place: CodeActionPlace, _ whole: inout Review?) -> [OfferedAction] {
    var actions = allActions(place)
    let parts = Variant.settled.flatMap { [CodeActionKind.resolveKind($0), .resolveSection($0)] }
    // With a single change they would do the same as the others.
    if place.review.counts.entries > 1, place.context.wants(any: parts) {
      let review = place.whole(&whole)
      actions += sectionActions(place, review) + kindActions(place, review)
      actions += authorActions(place, review)
    }
    actions += annotationActions(place)
    let title = isTracking ? "Stop tracking changes" : "Track changes"
    return actions + [OfferedAction(title, .toggleTracking, OfferedAction.Purpose.toggleTracking)]
  }

  private func allActions(_ place: CodeActionPlace) -> [OfferedAction] {
    let count = place.review.counts.tracked
    let what = count == 0 ? "all changes" : count == 1 ? "the only change" : "all \(count) changes"
    return Variant.settled.compactMap { variant in
      let kind = CodeActionKind.resolveAll(variant)
      guard count > 0 || place.context.asksFor(kind) else { return nil }
      let title = "\(variant.verb) \(what)"
      return OfferedAction(onAll: title, kind, .resolveAll(nil, variant), mayWait: count > 0)
    }
  }

  private func annotationActions(_ place: CodeActionPlace) -> [OfferedAction] {
    let counts = place.review.counts
    let kind = CodeActionKind.removeAnnotations
    let isAny = counts.entries > counts.tracked || counts.commented > 0
    guard isAny || place.context.asksFor(kind) else { return [] }
    let title = "Remove all highlights and comments"
    return [OfferedAction(onAll: title, kind, .removeAnnotations, mayWait: isAny)]
  }

  /// For the kind of the change at the caret; without one, for each kind, if there are several.
  private func kindActions(_ place: CodeActionPlace, _ review: Review) -> [OfferedAction] {
    let changes = review.changes
    let present = MarkKind.allCases.filter { kind in changes.contains { $0.kind == kind } }
    guard present.count > 1 else { return [] }
    let here = place.chosen.count == 1 ? place.chosen.map(\.kind) : present
    return here.flatMap { kind -> [OfferedAction] in
      // Comments in threads are removed too.
      let count = kind == .comment ? review.commentCount : changes.count { $0.kind == kind }
      // The only one of its kind, at the caret, has its own actions.
      guard count > 1 || place.chosen.count != 1 else { return [] }
      let what = count == 1 ? "the only \(kind)" : "all \(count) \(kind)s"
      // Accepting and rejecting a comment or highlight are the same: the text stays.
      let variants = kind.isChange ? Variant.settled : [.clean]
      return variants.map { variant in
        let review = ReviewCommand.resolveAll(kind, variant)
        let verb = kind.isChange ? variant.verb : "Remove"
        return OfferedAction(onAll: "\(verb) \(what)", .resolveKind(variant), review)
      }
    }
  }

  /// With a change at the caret whose author did not make all of them, those that they made.
  private func authorActions(_ place: CodeActionPlace, _ review: Review) -> [OfferedAction] {
    guard place.chosen.count == 1, let author = place.review.author(of: place.chosen[0]) else {
      return []
    }
    guard let count = review.authors[author], count < place.review.counts.tracked else { return [] }
    let what = count == 1 ? "the only change" : "all \(count) changes"
    return Variant.settled.map { variant in
      let title = "\(variant.verb) \(what) by @\(CommentHead.written(author))"
      let review = ReviewCommand.resolveAuthor(author, variant)
      return OfferedAction(onAll: title, .resolveKind(variant), review)
    }
  }

  private func sectionActions(_ place: CodeActionPlace, _ review: Review) -> [OfferedAction] {
    let excerpt = whole
    let headings = Heading.headings(of: excerpt.bytes, excerpt.reading)
    let heading = headings.last {
      let section = excerpt.place(of: $0.section)
      return section.lowerBound <= place.range.lowerBound
        && (place.range.lowerBound < section.upperBound
          || section.upperBound == excerpt.bytes.count)
    }
    guard let heading else { return [] }
    let section = excerpt.place(of: heading.section)
    let count = review.changes(at: section).count
    // Not if it would be the same as all changes, or as the one at the caret.
    guard count > 0, count < review.changes.count, count > 1 || place.chosen.count != 1 else {
      return []
    }
    let what = count == 1 ? "the only change" : "\(count) changes"
    return Variant.settled.map { variant in
      let title = "\(variant.verb) \(what) under \(quoted(heading.name))"
      let review = ReviewCommand.resolve(section, variant)
      return OfferedAction(onAll: title, .resolveSection(variant), review)
    }
  }
}

extension OfferedAction {
  /// An action on the whole document.
  fileprivate init(
    onAll title: String,
    _ kind: CodeActionKind,
    _ review: ReviewCommand,
    mayWait: Bool = true
  ) {
    self.init(title, kind, review)
    isLocal = false
    self.mayWait = mayWait
  }
}

extension Variant {
  /// The variants that accepting and rejecting lead to.
  static let settled: [Variant] = [.clean, .original]

  var verb: String { self == .clean ? "Accept" : "Reject" }
}
