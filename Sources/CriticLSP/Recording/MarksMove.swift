import TrackEngine

/// That the marks of an open document are moved out of the text that the editor shows, or into it, by an edit of ours.
struct MarksMove {
  /// One of the two ways in which the marks are kept.
  ///
  /// A class, because it is large, and every edit of ours would have room for two. Invariant: without a projection the
  /// tracker is that of the text, with one it is that of the record.
  final class Side {
    /// The text that the editor shows.
    let text: TextHash
    let place: MarksPlace
    let tracker: Tracker
    /// Nil if the text has its marks in it.
    let projection: Projection?

    init(text: TextHash, place: MarksPlace, tracker: Tracker, projection: Projection?) {
      self.text = text
      self.place = place
      self.tracker = tracker
      self.projection = projection
    }
  }

  /// The edits of the text that the editor shows; sorted, disjoint.
  let edits: [Edit]
  let before: Side
  let after: Side
}
