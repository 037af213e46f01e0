import TrackEngine

/// A document at one moment, with everything else that an answer depends on.
///
/// A value: queries change nothing, and give the same answer each time.
struct Snapshot {
  /// As the client spells it.
  let uri: String
  let version: Int
  let isSourceCode: Bool
  /// The text and its marks.
  let content: any DocumentText
  /// That of the content: features read it often, and each reading would copy it.
  let tracker: Tracker
  /// Where the last change was, as an offset.
  let lastPlace: Int
  /// Whether tracking is on, as the user sees it.
  let isTracking: Bool
  /// When changes are marked automatically.
  let markingTime: Client.Marking
  let client: Client
  let settings: Settings
  let conversions: Conversions

  init(of document: Document, _ client: Client) {
    uri = document.uri
    version = document.version
    isSourceCode = document.isSourceCode
    content = document.content
    tracker = content.tracker
    lastPlace = document.lastPlace
    isTracking = document.isRecording
    markingTime = document.markingTime(in: client)
    self.client = client
    settings = document.settings
    conversions = content.conversions(in: client.encoding)
  }

  /// Whether the editor shows the marks; see ``DocumentText/showsMarks``.
  var showsMarks: Bool { content.showsMarks }

  /// The text with its marks, which is the record where the editor shows none.
  var text: Text { tracker.buffer }

  /// The whole document, read; linear.
  var whole: Excerpt { tracker.excerpt(around: 0..<text.count) }

  /// What looks like a mark in an excerpt but is not one.
  ///
  /// Nothing where the editor shows no marks: what is typed there is text, whatever it looks like.
  func malformed(in excerpt: Excerpt) -> [Malformed] {
    showsMarks ? excerpt.reading.malformed(in: excerpt.bytes) : []
  }

  /// The offset of a position.
  func offset(of position: Position) -> Int { conversions.offset(of: position) }

  /// The location of a range of the document.
  func location(of range: Range<Int>) -> Location {
    Location(uri: uri, range: conversions.positions(of: range))
  }
}
