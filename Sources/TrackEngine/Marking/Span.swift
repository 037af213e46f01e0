/// A stretch of text with one meaning to the reader, and where its bytes are.
struct Span: Equatable {
  /// What a stretch means to a reader of the text.
  enum Kind: UInt8 {
    case original
    case added
    case deleted
    case highlighted
    case comment
    case delimiter
  }

  /// Where the bytes of a span are.
  enum Source: Equatable {
    /// In the settled text, or in another parsed text.
    case settled(Range<Int>)
    /// In the buffer, where the user typed them.
    case typed(Range<Int>)
    /// In neither text yet: a delimiter of a mark of that kind, with the span's metadata.
    case written(Delimiter.Role, MarkKind)
  }

  var kind: Kind
  var source: Source
  /// Whether no variant shows it although it lies in an addition or a deletion: marks in there are kept as they
  /// are.
  var isHidden = false
  /// The mark that it belongs to.
  ///
  /// Adjacent spans of one kind in two highlights or comments stay apart. Typed marks have negative numbers.
  var mark: Int?
  /// The metadata of that mark; spans with different metadata are not written in one mark.
  var metadata: Metadata?
  /// The commented highlight that it is in: all of that stays one mark, with the changes in it.
  var highlight: Int?

  /// The number of its bytes in the texts.
  var count: Int { range.count }

  /// The range in the text it was read from, or in the buffer; empty if its bytes are in neither.
  var range: Range<Int> {
    switch source {
    case .settled(let range), .typed(let range): range
    case .written: 0..<0
    }
  }

  /// Whether it is visible text that is not deleted.
  var isContent: Bool {
    !isHidden && (kind == .original || kind == .added || kind == .highlighted)
  }

  /// Whether it keeps its place because the user types there: text that was added, now or before.
  var stays: Bool {
    if case .typed = source { return true }
    return kind == .added
  }

  /// The part of it at a range relative to its beginning, in bytes.
  func part(_ range: Range<Int>) -> Span {
    var part = self
    switch source {
    case .settled(let all): part.source = .settled(range.moved(by: all.lowerBound))
    case .typed(let all): part.source = .typed(range.moved(by: all.lowerBound))
    case .written: break
    }
    return part
  }

  /// The span, split at those of the given offsets in its text that lie within it; they must ascend.
  func parts(at places: some Sequence<Int>) -> [Span] {
    let range = range
    var parts: [Span] = []
    var start = range.lowerBound
    for place in places where start < place && place < range.upperBound {
      parts.append(part(start - range.lowerBound..<place - range.lowerBound))
      start = place
    }
    return parts + [part(start - range.lowerBound..<range.count)]
  }
}

extension Span {
  /// Typed text, an addition by default.
  init(typed range: Range<Int>, _ kind: Kind = .added) {
    self.init(kind: kind, source: .typed(range))
  }

  /// An empty comment, which parts what is on both sides of it.
  static let parting = [Delimiter.Role.opener, .closer].map {
    Span(writing: $0, of: .comment, with: nil)
  }

  /// A delimiter to be written.
  init(writing role: Delimiter.Role, of kind: MarkKind, with metadata: Metadata?) {
    self.init(kind: .delimiter, source: .written(role, kind), metadata: metadata)
  }

  /// Whether `next` continues this span, with the same meaning.
  func goesOn(in next: Span) -> Bool {
    guard kind == next.kind, isHidden == next.isHidden, mark == next.mark,
      metadata == next.metadata, highlight == next.highlight
    else { return false }
    return switch (source, next.source) {
    case (.settled(let range), .settled(let other)), (.typed(let range), .typed(let other)):
      range.upperBound == other.lowerBound
    default: false
    }
  }
}

extension [Span] {
  /// Adds a span, extending the last one if it continues that; an empty span adds nothing unless it is a
  /// comment.
  mutating func add(_ span: Span) {
    if let last, last.goesOn(in: span) {
      switch span.source {
      case .settled(let range):
        self[count - 1].source = .settled(last.range.lowerBound..<range.upperBound)
      case .typed(let range):
        self[count - 1].source = .typed(last.range.lowerBound..<range.upperBound)
      case .written: break
      }
    } else if span.count > 0 || span.kind == .comment {
      append(span)
    }
  }

  /// The spans divided into parts at the given offsets, which ascend and count bytes from the beginning.
  func divided(at places: [Int]) -> [[Span]] {
    var parts: [[Span]] = [[]]
    var next = places[...]
    var at = 0
    for span in self {
      var start = 0
      while let place = next.first, place < at + span.count {
        if start < place - at { parts[parts.count - 1].append(span.part(start..<place - at)) }
        start = place - at
        parts.append([])
        next = next.dropFirst()
      }
      if start < span.count { parts[parts.count - 1].append(span.part(start..<span.count)) }
      at += span.count
    }
    return parts + next.map { _ in [] }
  }

  /// The spans in writing order.
  ///
  /// Between two stretches of other text, deleted text comes first, then added text, as long as their metadata
  /// is the same; deleted text that was added again is no change. `texts` has the bytes.
  func normalized(in texts: Texts) -> [Span] {
    ordered { $0.isEmpty || $1.isEmpty || texts.bytes(of: $0) != texts.bytes(of: $1) }
  }

  /// The spans in writing order.
  ///
  /// - Parameter isChange: Whether what was deleted and added at one place is a change, and not the same text
  ///   again.
  /// - Returns: The spans; deleted before added, as long as their metadata is the same.
  func ordered(where isChange: (_ deleted: [Span], _ added: [Span]) -> Bool) -> [Span] {
    var spans: [Span] = []
    var deleted: [Span] = []
    var added: [Span] = []
    // The metadata of everything deleted or added there.
    var metadata: Metadata?
    func addChange() {
      if (deleted + added).contains(where: \.isHidden) || isChange(deleted, added) {
        for span in deleted + added { spans.add(span) }
      } else {
        for var span in added {
          (span.kind, span.metadata) = (.original, nil)
          spans.add(span)
        }
      }
      deleted = []
      added = []
    }
    for var span in self {
      switch span.kind {
      case .deleted, .added:
        if span.metadata != metadata { addChange() }
        metadata = span.metadata
        // Adjacent changes become one.
        span.mark = nil
        if span.kind == .deleted { deleted.add(span) } else { added.add(span) }
      case .original, .highlighted, .comment, .delimiter:
        addChange()
        spans.add(span)
      }
    }
    addChange()
    return spans
  }

  /// The spans as one substitution of all old text by all new text, signed if changes are, followed by the comments.
  func asSubstitution(signed signature: Signature?) -> [Span] {
    var old: [Span] = []
    var new: [Span] = []
    for span in self {
      var (before, after) = (span, span)
      (before.kind, before.metadata) = (.deleted, signature?.own)
      (after.kind, after.metadata) = (.added, signature?.own)
      if span.kind != .added, span.kind != .comment { old.append(before) }
      if span.kind != .deleted, span.kind != .comment { new.append(after) }
    }
    return old + new + filter { $0.kind == .comment }
  }
}

/// The two texts that spans are made of.
struct Texts {
  let settled: [UInt8]
  let buffer: [UInt8]
  /// The language of both.
  let language: Language
  /// The bytes of the metadata that is written with delimiters.
  private var metadata: [Metadata: Written] = [:]
  /// What changes are signed with; nil if they are not.
  var signature: Signature? {
    didSet {
      if let signature {
        metadata[signature.own] = Written(attributes: [], head: [], tail: signature.tail[...])
      }
    }
  }
  /// The bytes of the metadata of a mark.
  private struct Written: Equatable {
    var attributes: ArraySlice<UInt8>
    var head: ArraySlice<UInt8>
    var tail: ArraySlice<UInt8>
  }

  /// Whether two different metadata have the same hash, so that one would be written for the other.
  private(set) var areAmbiguous = false

  init(settled: [UInt8], buffer: [UInt8], _ language: Language) {
    self.settled = settled
    self.buffer = buffer
    self.language = language
  }

  /// A text without a buffer.
  init(of text: ParsedText) {
    self.init(settled: text.bytes, buffer: [], text.reading.language)
  }

  /// Notes the metadata of the marks of a text.
  mutating func note(_ marks: [Mark], in bytes: [UInt8]) {
    for mark in marks {
      guard let known = mark.metadata else { continue }
      signature?.note(mark, in: bytes)
      let new = Written(
        attributes: bytes[mark.attributes],
        head: bytes[mark.head],
        tail: bytes[mark.tail]
      )
      if let old = metadata.updateValue(new, forKey: known), old != new { areAmbiguous = true }
    }
  }

  /// The bytes of a span.
  func bytes(of span: Span) -> ArraySlice<UInt8> {
    switch span.source {
    case .settled(let range): return settled[range]
    case .typed(let range): return buffer[range]
    case .written(let role, let kind):
      let known = span.metadata.flatMap { metadata[$0] }
      return switch role {
      case .opener: known.map { kind.opener(with: $0.attributes, $0.head)[...] } ?? kind.opener[...]
      case .closer: known.map { kind.closer + $0.tail } ?? kind.closer[...]
      case .arrow: MarkKind.arrow[...]
      }
    }
  }

  /// The concatenated bytes of spans.
  func bytes(of spans: some Sequence<Span>) -> [UInt8] {
    var all: [UInt8] = []
    for span in spans { all += bytes(of: span) }
    return all
  }
}
