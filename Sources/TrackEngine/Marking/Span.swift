/// A stretch of text that is one thing to its reader, and where its bytes are.
struct Span: Equatable {
  /// What a stretch is to a reader of the text.
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
    /// In the settled text, or in another one that was parsed.
    case settled(Range<Int>)
    /// In the buffer, where the user typed them.
    case typed(Range<Int>)
    /// Nowhere yet.
    case written([UInt8])
  }

  var kind: Kind
  var source: Source
  /// Whether no variant shows it though it lies in an addition or a deletion: marks in there are kept as they are.
  var isHidden = false
  /// The mark that it belongs to.
  ///
  /// Neighbours of one kind in two highlights or comments stay two. Marks that were typed have numbers below zero.
  var mark: Int?
  /// What another tool has hung on that mark; what has something else on it is not written in one mark with it.
  var metadata: Metadata?

  /// The number of bytes.
  var count: Int {
    switch source {
    case .settled(let range), .typed(let range): range.count
    case .written(let bytes): bytes.count
    }
  }

  /// The range in the text that it was read from, or in the buffer; there is none of what is nowhere.
  var range: Range<Int> {
    switch source {
    case .settled(let range), .typed(let range): range
    case .written: 0..<0
    }
  }

  /// Whether it is text that the user sees, and not deleted.
  var isContent: Bool {
    !isHidden && (kind == .original || kind == .added || kind == .highlighted)
  }

  /// Whether it stays where it is, for there the user types: what was added, now or before.
  var stays: Bool {
    if case .typed = source { return true }
    return kind == .added
  }

  /// The part of it at a range that counts in bytes from its beginning.
  func part(_ range: Range<Int>) -> Span {
    var part = self
    switch source {
    case .settled(let all): part.source = .settled(range.moved(by: all.lowerBound))
    case .typed(let all): part.source = .typed(range.moved(by: all.lowerBound))
    case .written(let bytes): part.source = .written(Array(bytes[range]))
    }
    return part
  }

  /// The span in parts that end and begin at the given places of its text, those within it, in rising order.
  func parts(at places: some Sequence<Int>) -> [Span] {
    let range = range
    var parts: [Span] = []
    var start = range.lowerBound
    for place in places where start < place && place < range.upperBound {
      parts.append(part(start - range.lowerBound..<place - range.lowerBound))
      start = place
    }
    guard !parts.isEmpty else { return [self] }
    return parts + [part(start - range.lowerBound..<range.count)]
  }
}

extension Span {
  /// Typed text, as an addition if nothing else is said.
  init(typed range: Range<Int>, _ kind: Kind = .added) {
    self.init(kind: kind, source: .typed(range))
  }

  /// A delimiter that is written.
  init(writing bytes: [UInt8]) {
    self.init(kind: .delimiter, source: .written(bytes))
  }

  /// Whether `next` goes on where this ends, as the same thing.
  func goesOn(in next: Span) -> Bool {
    guard kind == next.kind, isHidden == next.isHidden, mark == next.mark,
      metadata == next.metadata
    else { return false }
    return switch (source, next.source) {
    case (.settled(let range), .settled(let other)), (.typed(let range), .typed(let other)):
      range.upperBound == other.lowerBound
    default: false
    }
  }
}

extension [Span] {
  /// Adds a span, as a part of the last one where that goes on in it; nothing for an empty one, but a comment can be
  /// empty.
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

  /// The spans with others put between them at the given places, counted in bytes from their beginning,
  /// in rising order.
  func cut(at places: [Int], by separators: [Span]) -> [Span] {
    var parts: [Span] = []
    parts.reserveCapacity(count + places.count * (1 + separators.count))
    var rest = places[...]
    var at = 0
    for span in self {
      var start = 0
      while let place = rest.first, place <= at + span.count {
        if start < place - at { parts.append(span.part(start..<place - at)) }
        parts += separators
        start = place - at
        rest = rest.dropFirst()
      }
      if start < span.count { parts.append(span.part(start..<span.count)) }
      at += span.count
    }
    return parts
  }

  /// The spans in the order in which they are written.
  ///
  /// Between two stretches of other text what was deleted comes first, then what was added, as long as other tools
  /// say the same of it; what is put back is no change. `texts` has their bytes.
  func normalized(in texts: Texts) -> [Span] {
    var spans: [Span] = []
    var deleted: [Span] = []
    var added: [Span] = []
    // Of all that is deleted or added there.
    var metadata: Metadata?
    func addChange() {
      let old = texts.bytes(of: deleted)
      if old == texts.bytes(of: added), !(deleted + added).contains(where: \.isHidden) {
        for var span in added {
          (span.kind, span.metadata) = (.original, nil)
          spans.add(span)
        }
      } else {
        for span in deleted + added { spans.add(span) }
      }
      deleted = []
      added = []
    }
    for var span in self {
      switch span.kind {
      case .deleted, .added:
        if span.metadata != metadata, !deleted.isEmpty || !added.isEmpty { addChange() }
        metadata = span.metadata
        // Of changes that lie together there is one.
        span.mark = nil
        if span.kind == .deleted { deleted.add(span) } else { added.add(span) }
      case .original, .highlighted, .comment, .delimiter:
        if !deleted.isEmpty || !added.isEmpty { addChange() }
        spans.add(span)
      }
    }
    addChange()
    return spans
  }

  /// The spans as one substitution of all old text by all new text, and the comments after it.
  var asSubstitution: [Span] {
    var old: [Span] = []
    var new: [Span] = []
    for span in self {
      var (before, after) = (span, span)
      (before.kind, before.metadata) = (.deleted, nil)
      (after.kind, after.metadata) = (.added, nil)
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

  /// The bytes of a span.
  func bytes(of span: Span) -> ArraySlice<UInt8> {
    switch span.source {
    case .settled(let range): settled[range]
    case .typed(let range): buffer[range]
    case .written(let bytes): bytes[...]
    }
  }

  /// The bytes of spans, one after the other.
  func bytes(of spans: some Sequence<Span>) -> [UInt8] {
    var all: [UInt8] = []
    for span in spans { all += bytes(of: span) }
    return all
  }
}
