import TrackEngine

extension Effect {
  /// Edits of a text with its marks beside it that take too long to record in one turn.
  struct RecordingBeside: Equatable {
    let document: DocumentKey
    /// The text and its record; nil in a transcript, which can record them again.
    let projection: Projection?
    /// What the client tells, each edit made after the one before.
    let told: [Edit]
    /// The hashes of the text before and after them.
    let hashes: [TextHash]

    init(of document: DocumentKey, _ told: [Edit], in projection: Projection, to text: Text) {
      self.document = document
      self.projection = projection
      self.told = told
      hashes = [projection.text.hash, text.hash]
    }

    /// What a transcript has of it.
    init(of document: DocumentKey, _ hashes: [TextHash]) {
      self.document = document
      self.hashes = hashes
      (projection, told) = (nil, [])
    }

    static func == (recording: Self, other: Self) -> Bool {
      recording.document == other.document && recording.hashes == other.hashes
    }

    /// What comes of them; nil in a transcript.
    var recorded: RecordedBeside? { projection.map { RecordedBeside(told, in: $0) } }
  }
}

/// What came of edits of a text with its marks beside it, which were recorded in advance.
struct RecordedBeside {
  private let told: [Edit]
  private let before: Projection
  private let after: Projection
  private let made: [[Edit]]

  /// Records edits.
  init(_ told: [Edit], in projection: Projection) {
    (self.told, before) = (told, projection)
    var projection = projection
    made = projection.change(told)
    after = projection
  }

  /// What comes of edits of a projection; nil if others were recorded, or in another one.
  func result(of edits: [Edit], in projection: Projection) -> (Projection, made: [[Edit]])? {
    let isSame =
      edits == told && projection.record.hash == before.record.hash
      && projection.text.hash == before.text.hash && projection.options == before.options
      && projection.tracker.isTracking == before.tracker.isTracking
    return isSame ? (after, made) : nil
  }
}

extension RecordedBeside: Equatable {
  static func == (recorded: Self, other: Self) -> Bool {
    recorded.told == other.told && recorded.before.text.hash == other.before.text.hash
      && recorded.after.record.hash == other.after.record.hash
  }
}
