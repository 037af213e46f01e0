import TrackEngine

/// The marks of a document that came back from its file without them.
struct LostMarks {
  /// The text that had them.
  let text: [UInt8]
  /// What its original was.
  let original: [UInt8]
  /// The text that came without them.
  var without: TextHash
  /// Whether the document had that text before in this session, so that somebody may have gone back on purpose.
  var isKnown = false
  /// Whether they are put back at the next pause.
  var isDue = false
  /// Whether the user asked for that.
  var isAsked = false

  init(_ text: [UInt8], original: [UInt8], without: TextHash) {
    (self.text, self.original, self.without) = (text, original, without)
  }

  /// What a document that is read again from its file has to lose.
  ///
  /// A file that is written in parts is read more than once: then its marks were lost before.
  ///
  /// - Parameters:
  ///   - settled: The document's text, with what is in marks.
  ///   - original: Its original.
  ///   - known: What it has lost before.
  ///   - new: The text that it has now.
  init(of settled: Text, original: [UInt8], after known: LostMarks?, in new: TextHash) {
    if let known, known.without == settled.hash {
      self.init(known.text, original: known.original, without: new)
    } else {
      self.init(settled.bytes, original: original, without: new)
    }
  }
}

extension ClosedDocuments.Closed {
  /// What it has to lose if it is opened with another text.
  ///
  /// Who reads a file again that is as it was means to drop what is not saved.
  ///
  /// - Parameters:
  ///   - original: Its original.
  ///   - text: The text.
  /// - Returns: The marks; nil if nothing is lost then.
  func lostMarks(original: [UInt8], in text: Text) -> LostMarks? {
    guard fileText != text.hash else { return nil }
    var marks = LostMarks(of: tracker.settled, original: original, after: lost, in: text.hash)
    marks.isKnown = tracker.knows(text)
    return marks
  }
}
