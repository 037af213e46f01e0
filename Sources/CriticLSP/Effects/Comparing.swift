import TrackEngine

extension Effect {
  /// A text to be compared with an earlier original, which takes too long for one turn.
  struct Comparing: Equatable {
    let document: DocumentKey
    /// The text; nil in a transcript, which has what came of it.
    let text: Text?
    let original: [UInt8]
    let language: Language
    /// The hashes of the two.
    let hashes: [TextHash]

    init(of document: DocumentKey, _ text: Text, with original: [UInt8], as language: Language) {
      self.document = document
      self.text = text
      self.original = original
      self.language = language
      hashes = [text.hash, TextHash(of: original)]
    }

    /// A comparison as a transcript has it.
    init(of document: DocumentKey, _ hashes: [TextHash]) {
      self.document = document
      self.hashes = hashes
      (text, original, language) = (nil, [], .markdown)
    }

    static func == (comparing: Self, other: Self) -> Bool {
      comparing.document == other.document && comparing.hashes == other.hashes
    }

    /// What was done to the text since; nil if no text with that original leads to it.
    var missed: MissedChanges? { text?.missedChanges(since: original, as: language) }
  }
}
