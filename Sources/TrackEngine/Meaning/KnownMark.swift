/// A mark of the settled text, where the buffer has it.
struct KnownMark {
  /// From opener to closer.
  var range: Range<Int>
  /// Its opener, arrow and closer, three or two bytes each where nothing was typed into them.
  var delimiters: [Range<Int>] = []
  /// The text in it that the user does not see: deleted text, marks in an addition, metadata.
  var hidden: [Range<Int>] = []
}

extension Draft {
  /// The settled marks that a stretch of the text overlaps, by where they begin.
  ///
  /// Marks in highlights are marks by themselves. What is being typed can hide a delimiter for a while; this is
  /// not misled by that.
  ///
  /// - Parameters:
  ///   - range: The stretch.
  ///   - hunks: The pending changes.
  /// - Returns: The marks; linear in the passages around the stretch.
  func knownMarks(in range: Range<Int>, pending hunks: Hunks) -> [KnownMark] {
    let stretch = settledStretch(around: range, pending: hunks)
    let (settled, toBuffer) = (stretch.excerpt, stretch.toBuffer)
    let parsed = settled.parsed
    let place = toBuffer.inverted.map(range, start: .before, end: .after).moved(by: -settled.start)
    let first = parsed.firstMark(endingAfter: place.lowerBound)
    var known: [KnownMark] = []
    for index in parsed.top[first...] {
      let mark = parsed.reading.marks[index]
      guard mark.start < place.upperBound else { break }
      known += parsed.knownMarks(inMarkAt: index, from: settled.start, toBuffer)
    }
    return known.filter { $0.range.overlaps(range) }
  }

  /// The settled text around a stretch of the text.
  func settledStretch(around range: Range<Int>, pending hunks: Hunks) -> SettledStretch {
    let stretch = stretch(around: range)
    let pending = hunks.touching(stretch).filter { stretch.holds($0.new) }.inverted
    let settled = Array(text[stretch]).applying(
      pending.map { $0.moved(by: -stretch.lowerBound) }
    )
    return SettledStretch(
      stretch: stretch,
      excerpt: Excerpt(start: stretch.lowerBound, bytes: settled, language),
      toBuffer: OffsetMap(pending).inverted
    )
  }
}

/// A stretch of the text as it was before the pending changes.
struct SettledStretch {
  /// Where it is in the text.
  let stretch: Range<Int>
  let excerpt: Excerpt
  /// From offsets of the excerpt to those of the text.
  let toBuffer: OffsetMap
}

extension ParsedText {
  /// An outermost mark, and the marks in it that are none of its text, where the buffer has them.
  fileprivate func knownMarks(
    inMarkAt index: Int,
    from start: Int,
    _ toBuffer: OffsetMap
  ) -> [KnownMark] {
    func place(_ range: Range<Int>) -> Range<Int> { toBuffer.map(range.moved(by: start)) }
    var known: [KnownMark] = []
    var places: [Int: Int] = [:]
    for span in spans(in: reading.marks[index].range) {
      guard let number = span.mark else { continue }
      if places[number] == nil {
        places[number] = known.count
        known.append(KnownMark(range: place(reading.marks[number].range)))
      }
      guard let place = places[number] else { continue }
      known[place].add(span, of: reading.marks[number], at: toBuffer, start)
    }
    return known
  }
}

extension KnownMark {
  fileprivate mutating func add(
    _ span: Span,
    of mark: Mark,
    at toBuffer: OffsetMap,
    _ start: Int
  ) {
    func place(_ range: Range<Int>) -> Range<Int> { toBuffer.map(range.moved(by: start)) }
    switch span.kind {
    case .delimiter:
      // Three signs, or two of an arrow; what other tools have hung on the mark comes after them, but for the
      // attributes of an opener.
      let isOpener = span.range.lowerBound == mark.start
      let length = 3 + (isOpener ? mark.attributesLength : 0)
      let end = min(span.range.lowerBound + length, span.range.upperBound)
      delimiters.append(place(span.range.lowerBound..<end))
      hidden.add(place(end..<span.range.upperBound))
    case .deleted: hidden.add(place(span.range))
    case .added where span.isHidden: hidden.add(place(span.range))
    case .original, .added, .highlighted, .comment: break
    }
  }
}
