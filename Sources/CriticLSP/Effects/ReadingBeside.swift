import TrackEngine

extension Effect {
  /// The marks beside a text to be read, which takes too long for one turn if the text was changed since.
  struct ReadingBeside: Equatable {
    let document: DocumentKey
    /// The text; nil in a transcript, which can be read again.
    let text: Text?
    /// What holds the marks.
    let source: Source
    let options: Tracker.Options
    /// The hashes of the text and of what holds the marks.
    let hashes: [TextHash]

    enum Source: Equatable {
      /// The sidecar.
      case sidecar([UInt8])
      /// What the text was, whatever became of it: an original whose changes were never saved, or the file of a text that
      /// is shown without its marks; what became of it is recorded if it is tracked.
      case original([UInt8], isTracking: Bool)

      fileprivate var bytes: [UInt8] {
        switch self {
        case .sidecar(let bytes), .original(let bytes, _): bytes
        }
      }
    }

    init(of document: DocumentKey, _ text: Text, _ source: Source, _ options: Tracker.Options) {
      self.document = document
      self.text = text
      self.source = source
      self.options = options
      hashes = [text.hash, TextHash(of: source.bytes)]
    }

    /// What a transcript has of it.
    init(of document: DocumentKey, _ hashes: [TextHash]) {
      self.document = document
      self.hashes = hashes
      (text, source, options) = (nil, .original([], isTracking: true), Tracker.Options(.markdown))
    }

    static func == (reading: Self, other: Self) -> Bool {
      reading.document == other.document && reading.hashes == other.hashes
    }

    /// How many bytes are read.
    var length: Int { (text?.count ?? 0) + source.bytes.count }

    /// Where the marks are; nil in a transcript.
    var found: SidecarReading? {
      guard let text else { return nil }
      switch source {
      case .sidecar(let bytes): return SidecarReading(of: text, bytes, options)
      case .original(let bytes, let isTracking):
        return SidecarReading(of: text, since: bytes, isTracking: isTracking, options)
      }
    }
  }
}
