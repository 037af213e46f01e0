import TrackEngine

/// Where the marks of a text are that may have a record beside it.
enum FileMarks {
  /// In the text, which has no record; or they were moved into it, and the record is still there.
  case inline
  /// In the record, where what became of the text since it was written is recorded, too.
  case beside(Projection)
  /// The record is of another text.
  case foreign

  /// Finds the marks; linear, except for a bounded factor where the text is not that of the record.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - record: The record, in the line ends of the text; nil if there is none.
  ///   - options: How the text is tracked.
  init(of text: Text, _ record: Text?, _ options: Tracker.Options) {
    guard let record else {
      self = .inline
      return
    }
    var projection = Projection(record: record, options: options)
    guard projection.text.hash != text.hash else {
      self = .beside(projection)
      return
    }
    let isMarked = text.hasMarks(options)
    let bytes = text.bytes
    if isMarked,
      Reading(of: bytes, as: options.language).text(.clean, of: bytes) == projection.text.bytes
    {
      // Whoever moved the marks was stopped on the way: they are in the text, and the record goes when that is saved.
      self = .inline
      return
    }
    let hasOthers = isMarked && !projection.text.hasMarks(options)
    self = !hasOthers && projection.follow(to: bytes) ? .beside(projection) : .foreign
  }
}

extension Text {
  /// Whether a text has marks, or what is malformed; linear.
  func hasMarks(_ options: Tracker.Options) -> Bool {
    Tracker(self, options: options).counts.entries > 0
  }
}
