import TrackEngine

extension Snapshot {
  /// What there is to do with the whole document: resolve everything, all of a kind, what is in the
  /// section; take off highlights and comments; begin or end tracking.
  func documentActions(_ place: CodeActionPlace, _ whole: inout Review?) -> [OfferedAction] {
    var actions = allActions(place)
    let parts = Variant.settled.flatMap { [CodeActionKind.resolveKind($0), .resolveSection($0)] }
    // Parts of one change, or of none, are not worth looking for.
    if place.review.counts.entries > 1, place.context.wants(any: parts) {
      let review = place.whole(&whole)
      actions += sectionActions(place, review) + kindActions(place, review)
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
      var action = OfferedAction("\(variant.verb) \(what)", kind, .resolveAll(nil, variant))
      action.isLocal = false
      action.mayWait = count > 0
      return action
    }
  }

  private func annotationActions(_ place: CodeActionPlace) -> [OfferedAction] {
    let counts = place.review.counts
    let kind = CodeActionKind.removeAnnotations
    let isAny = counts.entries > counts.tracked || counts.commented > 0
    guard isAny || place.context.asksFor(kind) else { return [] }
    var action = OfferedAction("Remove all highlights and comments", kind, .removeAnnotations)
    action.isLocal = false
    action.mayWait = isAny
    return [action]
  }

  /// With a change at the caret, those of its kind; else each kind, where there are several.
  private func kindActions(_ place: CodeActionPlace, _ review: Review) -> [OfferedAction] {
    let changes = review.changes
    let present = MarkKind.allCases.filter { kind in changes.contains { $0.kind == kind } }
    guard present.count > 1 else { return [] }
    let here = place.chosen.count == 1 ? place.chosen.map(\.kind) : present
    return here.flatMap { kind -> [OfferedAction] in
      // Comments of threads go too.
      let count = kind == .comment ? review.commentCount : changes.count { $0.kind == kind }
      // What is at the caret can be settled by itself.
      guard count > 1 || place.chosen.count != 1 else { return [] }
      let what = count == 1 ? "the only \(kind)" : "all \(count) \(kind)s"
      // To accept a comment or a highlight is to reject it: the text stays.
      let variants = kind.isChange ? Variant.settled : [.clean]
      return variants.map { variant in
        let review = ReviewCommand.resolveAll(kind, variant)
        let verb = kind.isChange ? variant.verb : "Remove"
        var action = OfferedAction("\(verb) \(what)", .resolveKind(variant), review)
        action.isLocal = false
        action.mayWait = true
        return action
      }
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
    // Where it would be the same as all, or as what is at the caret, one of them is enough.
    guard count > 0, count < review.changes.count, count > 1 || place.chosen.count != 1 else {
      return []
    }
    let what = count == 1 ? "the only change" : "\(count) changes"
    return Variant.settled.map { variant in
      let title = "\(variant.verb) \(what) under \(quoted(heading.name))"
      let review = ReviewCommand.resolve(section, variant)
      var action = OfferedAction(title, .resolveSection(variant), review)
      action.isLocal = false
      action.mayWait = true
      return action
    }
  }
}

extension Variant {
  /// What is left of changes that are accepted, and of those that are rejected.
  static let settled: [Variant] = [.clean, .original]

  var verb: String { self == .clean ? "Accept" : "Reject" }
}
