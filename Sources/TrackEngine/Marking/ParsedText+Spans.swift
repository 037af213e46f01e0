extension ParsedText {
  /// The spans of a stretch; linear in its marks.
  ///
  /// - Parameter stretch: A range that cuts no mark.
  /// - Returns: Spans in order that cover each byte once. A comment has a span even if it is empty.
  func spans(in stretch: Range<Int>) -> [Span] {
    var list = SpanList(text: self)
    var at = stretch.lowerBound
    for index in marks(in: stretch) {
      let mark = reading.marks[index].range
      list.add(.original, at..<mark.lowerBound)
      list.add(markAt: index, depth: 0)
      at = mark.upperBound
    }
    list.add(.original, at..<stretch.upperBound)
    return list.spans
  }

  /// Whether a mark is a highlight with a comment directly behind it.
  func isCommentedHighlight(_ index: Int) -> Bool {
    reading.marks[index].kind == .highlight && !reading.thread(behind: index).isEmpty
  }

  /// The spans of the outermost mark that holds the byte at `offset`; nil if there is none.
  func spans(ofMarkAt offset: Int) -> [Span]? {
    mark(at: offset).map { spans(in: reading.marks[$0].range) }
  }
}

extension [Span] {
  /// The span that holds an offset of the text the spans were read from.
  ///
  /// Logarithmic.
  func holding(_ offset: Int) -> Span {
    self[partitioningIndex { $0.range.upperBound > offset }]
  }
}

private struct SpanList {
  let text: ParsedText
  private(set) var spans: [Span] = []
  /// The metadata of the current mark.
  private var metadata: Metadata?
  /// The outermost commented highlight around the current mark, or that mark.
  private var highlight: Int?

  init(text: ParsedText) {
    self.text = text
  }

  /// Marks are taken out of highlights down to this depth only, since each level is a nested call.
  private static let deepest = 32

  mutating func add(
    _ kind: Span.Kind,
    _ range: Range<Int>,
    _ mark: Int? = nil,
    isHidden: Bool = false
  ) {
    guard !range.isEmpty || kind == .comment else { return }
    spans.append(
      Span(
        kind: kind,
        source: .settled(range),
        isHidden: isHidden,
        mark: mark,
        metadata: mark == nil ? nil : metadata,
        highlight: highlight
      )
    )
  }

  mutating func add(markAt index: Int, depth: Int) {
    let mark = text.reading.marks[index]
    let outer = metadata
    metadata = mark.metadata
    defer { metadata = outer }
    let isOuter = highlight == nil && text.isCommentedHighlight(index)
    if isOuter { highlight = index }
    defer { if isOuter { highlight = nil } }
    add(.delimiter, mark.opener, index)
    switch mark.kind {
    case .comment:
      add(.comment, mark.content, index)
    case .highlight:
      var at = mark.content.lowerBound
      for child in depth < SpanList.deepest ? text.children(of: index) : [] {
        let range = text.reading.marks[child].range
        add(.highlighted, at..<range.lowerBound, index)
        add(markAt: child, depth: depth + 1)
        at = range.upperBound
      }
      add(.highlighted, at..<mark.content.upperBound, index)
    case .addition, .deletion, .substitution:
      if let old = mark.old { add(.deleted, old, of: index, shownIn: .original) }
      if mark.arrow >= 0 { add(.delimiter, mark.arrow..<mark.arrow + 2, index) }
      if let new = mark.new { add(.added, new, of: index, shownIn: .clean) }
    }
    add(.delimiter, mark.closer, index)
  }

  /// Adds one side of a change, including hidden text of marks in it.
  private mutating func add(
    _ kind: Span.Kind,
    _ side: Range<Int>,
    of index: Int,
    shownIn variant: Variant
  ) {
    let children = text.children(of: index).filter { side.contains(text.reading.marks[$0].start) }
    let first = children.first ?? text.reading.marks.count
    var comments = children.map { text.reading.marks[$0] }.filter { $0.kind == .comment }[...]
    var at = side.lowerBound
    let end = side.upperBound..<side.upperBound
    for shown in text.reading.ranges(variant, in: side, from: first) + [end] {
      while kind == .added, let comment = comments.first, comment.end <= shown.lowerBound {
        add(kind, at..<comment.content.lowerBound, index, isHidden: true)
        add(.comment, comment.content, index, isHidden: true)
        at = comment.content.upperBound
        comments = comments.dropFirst()
      }
      add(kind, at..<shown.lowerBound, index, isHidden: true)
      add(kind, shown, index)
      at = shown.upperBound
    }
  }
}
