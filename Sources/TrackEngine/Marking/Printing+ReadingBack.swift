extension Printing {
  /// Whether the new settled text reads as meant: what was printed according to its spans, everything else as
  /// before, including the last line break.
  mutating func readsAsMeant() -> Bool {
    guard let (read, meant) = readBack() else { return false }
    return read == meant
  }

  /// Whether the new settled text has the original text and the clean text that are meant.
  mutating func isExact() -> Bool {
    guard let (read, meant) = readBack() else { return false }
    return [Variant.original, .clean].allSatisfy { read.text($0) == meant.text($0) }
  }

  /// What the new settled text says, and what it is meant to say; nil if it lacks the last line break.
  private mutating func readBack() -> (read: Saying, meant: Saying)? {
    readings += 1
    var text: [UInt8] = []
    var meant = Saying()
    forEachPiece { bytes, spans in
      text += bytes
      meant.add(spans, in: texts)
    }
    if unmarked.endsWithLineBreak, text[...].lineBreakAtEnd.isEmpty { return nil }
    return (Saying(of: ParsedText(text, as: texts.language, areSigned: settled.areSigned)), meant)
  }

  /// Which of the pieces of ``forEachPiece(_:)`` do not read as meant among all the others.
  mutating func misreadPieces() -> [Bool] {
    readings += 1
    var text: [UInt8] = []
    var pieces: [(end: Int, meant: Saying)] = []
    forEachPiece { bytes, spans in
      text += bytes
      var meant = Saying()
      meant.add(spans, in: texts)
      pieces.append((text.count, meant))
    }
    let read = Texts(settled: text, buffer: [], texts.language)
    let parsed = ParsedText(text, as: texts.language, areSigned: settled.areSigned)
    var spans = parsed.spans(in: text.indices)[...]
    var start = 0
    return pieces.map { end, meant in
      var said = Saying()
      while let span = spans.first, span.range.lowerBound < end {
        let part = span.range.clamped(to: start..<end).moved(by: -span.range.lowerBound)
        said.add([span.part(part)], in: read)
        if span.range.upperBound > end { break }
        spans.removeFirst()
      }
      start = end
      return said != meant
    }
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
