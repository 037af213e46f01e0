import TrackEngine

/// A move of an open document's marks out of the text that the editor shows, or into it, by an edit of ours.
///
/// Invariant: the edits lead from what the editor shows before to what it shows after.
struct MarksMove {
  /// What the editor is told of the edit.
  static let label = "Move the marks"

  /// The edits of the text that the editor shows; sorted, disjoint.
  let edits: [Edit]
  let before: any DocumentText
  let after: any DocumentText

  /// How the marks leave a text: what is pending is marked first; nil if that cannot be done.
  init?(hiding text: InlineText, in place: MarksPlace) {
    let tracker = text.tracker
    let marking = tracker.marking()
    guard marking.remaining.isEmpty else { return nil }
    let projection = Projection(
      record: tracker.buffer.applying(marking.edits),
      isTracking: tracker.isTracking,
      options: tracker.options
    )
    edits = marking.edits.followed(by: projection.hiding, on: tracker.buffer)
    guard tracker.buffer.applying(edits).hash == projection.text.hash else { return nil }
    (before, after) = (text, ProjectedText(projection, in: place))
  }

  /// How the marks come into a text.
  init(showing text: ProjectedText) {
    edits = text.projection.hiding.inverted(on: text.projection.record)
    (before, after) = (text, InlineText(text.tracker))
  }
}
