extension Printing {
  /// Reads the new settled text back: what was printed has to read as its spans say, everything else as before,
  /// including the last line break.
  ///
  /// - Returns: Whether each piece of ``forEachPiece(_:)`` is misread among the others; nil if all reads as meant.
  mutating func misreadPieces() -> [Bool]? {
    let (text, meant) = newText()
    let endsAsBefore = endsAsBefore(text.bytes)
    if endsAsBefore, Saying(of: text) == meant { return nil }
    let texts = Texts(of: text)
    var spans = text.spans(in: text.bytes.indices)[...]
    var misread: [Bool] = []
    var start = 0
    forEachPiece { bytes, content in
      let end = start + bytes.count
      var (said, meant) = (Saying(), Saying())
      meant.add(content, in: self.texts)
      while let span = spans.first, span.range.lowerBound < end {
        let part = span.range.clamped(to: start..<end).moved(by: -span.range.lowerBound)
        said.add([span.part(part)], in: texts)
        if span.range.upperBound > end { break }
        spans.removeFirst()
      }
      misread.append(said != meant)
      start = end
    }
    if !endsAsBefore { misread[misread.count - 1] = true }
    return misread
  }

  /// Whether the new settled text has the original text and the clean text that are meant.
  mutating func isExact() -> Bool {
    let (text, meant) = newText()
    guard endsAsBefore(text.bytes) else { return false }
    let read = Saying(of: text)
    return [Variant.original, .clean].allSatisfy { read.text($0) == meant.text($0) }
  }

  /// The new settled text, and what it is meant to say.
  private mutating func newText() -> (read: ParsedText, meant: Saying) {
    readings += 1
    var bytes: [UInt8] = []
    var meant = Saying()
    forEachPiece { piece, spans in
      bytes += piece
      meant.add(spans, in: texts)
    }
    return (ParsedText(bytes, as: texts.language, areSigned: settled.areSigned), meant)
  }

  /// Whether a new settled text has the last line break, if it had one.
  private func endsAsBefore(_ text: [UInt8]) -> Bool {
    !unmarked.endsWithLineBreak || !text[...].lineBreakAtEnd.isEmpty
  }

  /// Calls `body` with the bytes of each piece of the new settled text and the spans that they are meant to read as:
  /// in turns what stays and what is printed, beginning and ending with what stays.
  private func forEachPiece(_ body: (_ bytes: ArraySlice<UInt8>, _ spans: [Span]) -> Void) {
    var at = 0
    func keep(upTo end: Int) { body(settled.bytes[at..<end], settled.spans(in: at..<end)) }
    for piece in printed {
      keep(upTo: piece.range.old.lowerBound)
      body(piece.bytes[...], piece.range.content)
      at = piece.range.old.upperBound
    }
    keep(upTo: texts.settled.count)
  }
}

/// What a marked-up text says: which text is added, deleted or commented, however that is spelled, and its
/// metadata.
///
/// Two texts that say the same have the same clean text and the same original text.
struct Saying: Equatable {
  private struct Part: Equatable {
    var kind: Span.Kind
    var metadata: Metadata?
    /// Where it ends in the concatenated text of the parts.
    var end: Int
  }

  private var bytes: [UInt8] = []
  /// No two neighbours are alike.
  private var parts: [Part] = []

  /// Says nothing.
  init() {}

  /// What a text says; linear.
  init(of text: ParsedText) {
    add(text.spans(in: text.bytes.indices), in: Texts(of: text))
  }

  /// The same without metadata, and optionally without comments.
  init(ofBare text: ParsedText, withComments: Bool = true) {
    var spans = text.spans(in: text.bytes.indices)
    for index in spans.indices { spans[index].metadata = nil }
    if !withComments { spans.removeAll { $0.kind == .comment } }
    add(spans, in: Texts(of: text))
  }

  /// Adds the meaning of spans.
  mutating func add(_ spans: [Span], in texts: Texts) {
    for span in spans where !span.isHidden && span.kind != .delimiter && span.count > 0 {
      bytes += texts.bytes(of: span)
      if let last = parts.last, last.kind == span.kind, last.metadata == span.metadata {
        parts[parts.count - 1].end = bytes.count
      } else {
        parts.append(Part(kind: span.kind, metadata: span.metadata, end: bytes.count))
      }
    }
  }

  /// A variant of the text.
  func text(_ variant: Variant) -> [UInt8] {
    var text: [UInt8] = []
    var start = 0
    for part in parts {
      let isShown =
        switch part.kind {
        case .original, .highlighted: true
        case .added: variant == .clean
        case .deleted: variant == .original
        case .comment, .delimiter: false
        }
      if isShown { text += bytes[start..<part.end] }
      start = part.end
    }
    return text
  }
}
