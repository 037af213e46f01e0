import TrackEngine

/// That the marks of an open document are moved out of the text that the editor shows, or into it, by an edit of ours.
struct MarksMove {
  /// One of the two ways in which the marks are kept.
  ///
  /// Invariant: without a projection the tracker is that of the text, with one it is that of the record.
  struct Side {
    /// The text that the editor shows.
    let text: TextHash
    let place: MarksPlace
    let tracker: Tracker
    /// Nil if the text has its marks in it.
    let projection: Projection?
  }

  /// The edits of the text that the editor shows; sorted, disjoint.
  let edits: [Edit]
  let before: Side
  let after: Side
}
