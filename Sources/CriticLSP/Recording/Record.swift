import TrackEngine

/// What is known of an open document beside what the client reports: its baseline, its file, and what was changed
/// in it while nobody recorded it.
struct Record {
  /// As it was kept last, or found.
  var baseline: Baseline
  /// The text that the document was opened with, until it is known what was kept of it.
  var opened: Opened?
  /// Whether the baseline is to be looked at again, because the original may be another.
  var isStale = false
  /// When to do that, in milliseconds.
  var keepAt: Int?
  /// Whether the baseline was kept since it is known that it has to be.
  var isKept = false
  /// The text that was saved last; nil until one is.
  var saved: TextHash?
  /// The stamp of the file when the text was last read from it or written to it; nil until it is known.
  var stamp: FileStamp?
  /// When to look whether the file is still that one, in milliseconds.
  var lookAt: Int?
  /// Whether that is being looked at; nothing is marked meanwhile.
  var isLooking = false
  /// When the text counts as read again from a file that another program wrote, in milliseconds: until then the client
  /// may tell that it has saved it.
  var reloadedAt: Int?
  /// What the user has not decided yet.
  var question: Question?
  /// A text that the client saved though it did not report it, until it does.
  var doubt: Doubt?

  /// How a document was opened.
  struct Opened {
    let text: Text
    /// The original text of the same document, if this session had it open before with another text.
    let original: [UInt8]?
    /// Whether its state was taken over from a document that was closed with the same text, and whose baseline was found.
    let isTakenOver: Bool
    /// Whether it was open all along: the client has lost step.
    let wasOpen: Bool
  }

  /// What to do with changes that nobody recorded.
  enum Question {
    /// They are recorded, in these ranges of the text; they can be taken as original.
    case recorded([Range<Int>])
    /// They are taken as original; they can be recorded, since this was the original before.
    case taken([UInt8])
  }

  /// A saved text that is not the document's.
  struct Doubt {
    let text: [UInt8]
    /// When it is taken for what the editor shows, in milliseconds.
    var takenAt: Int
  }

  /// Moves the ranges of a question along with the text.
  mutating func moveQuestion(after edit: Edit) {
    guard case .recorded(let ranges)? = question else { return }
    let map = OffsetMap([edit])
    question = .recorded(ranges.map { map.map($0, start: .before, end: .after) })
  }

  /// Whether it is undecided whose the text is: the user's, or another program's.
  var isUndecided: Bool { isLooking || lookAt != nil || reloadedAt != nil }

  /// When it needs attention, in milliseconds.
  var deadline: Int? { [keepAt, lookAt, reloadedAt, doubt?.takenAt].compactMap { $0 }.min() }
}
