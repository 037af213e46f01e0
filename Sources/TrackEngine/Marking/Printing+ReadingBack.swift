extension Printing {
  /// Whether the new settled text reads as it is meant: what is printed as its spans say, everything else as before,
  /// the last line break too.
  mutating func readsAsMeant() -> Bool {
    readings += 1
    var text: [UInt8] = []
    var meant = Saying()
    var at = 0
    func keep(upTo end: Int) {
      text += settled.bytes[at..<end]
      meant.add(settled.spans(in: at..<end), in: texts)
    }
    for piece in printed {
      keep(upTo: piece.range.old.lowerBound)
      text += piece.bytes
      meant.add(piece.range.content, in: texts)
      at = piece.range.old.upperBound
    }
    keep(upTo: texts.settled.count)
    if unmarked.endsWithLineBreak, text[...].lineBreakAtEnd.isEmpty { return false }
    return Saying(of: ParsedText(text)) == meant
  }
}

/// What a marked-up text says: which text was added, which was deleted, what is commented, however that is spelled;
/// and what other tools say of it.
///
/// Two texts that say the same have the same clean text and the same original.
struct Saying: Equatable {
  private struct Part: Equatable {
    var kind: Span.Kind
    var metadata: Metadata?
    /// Where it ends in the text that is said.
    var end: Int
  }

  private var bytes: [UInt8] = []
  /// No two neighbours are the same.
  private var parts: [Part] = []

  /// Says nothing.
  init() {}

  /// What a text says; linear.
  init(of text: ParsedText) {
    add(text.spans(in: text.bytes.indices), in: Texts(settled: text.bytes, buffer: []))
  }

  /// The same without what other tools say, and perhaps without comments.
  init(ofBare text: ParsedText, withComments: Bool = true) {
    var spans = text.spans(in: text.bytes.indices)
    for index in spans.indices { spans[index].metadata = nil }
    if !withComments { spans.removeAll { $0.kind == .comment } }
    add(spans, in: Texts(settled: text.bytes, buffer: []))
  }

  /// Adds what spans say.
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
}
