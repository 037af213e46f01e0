import TrackEngine

/// One document as a request finds it, with all else that an answer depends on.
///
/// A value: what is asked of it changes nothing, and gives the same each time.
struct Snapshot {
  /// As the client writes it.
  let uri: String
  let version: Int
  let tracker: Tracker
  /// Where the text changed last, as an offset.
  let lastPlace: Int
  /// Whether the user has tracking on, as far as they can tell.
  let isTracking: Bool
  /// When changes are marked by themselves.
  let marking: Client.Marking
  let client: Client
  let settings: Settings
  let conversions: Conversions

  init(of document: Document, _ client: Client, _ settings: Settings) {
    uri = document.uri
    version = document.version
    tracker = document.tracker
    lastPlace = document.lastPlace
    isTracking = document.isRecording
    marking = settings.marking(of: document, client)
    self.client = client
    self.settings = settings
    conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
  }

  var text: Text { tracker.buffer }

  /// All of the document; linear.
  var whole: Excerpt { tracker.excerpt(around: 0..<text.count) }

  /// The offset of a position.
  func offset(of position: Position) -> Int { conversions.offset(of: position) }

  /// A range of the document as it is told.
  func location(of range: Range<Int>) -> Location {
    Location(uri: uri, range: conversions.positions(of: range))
  }
}
