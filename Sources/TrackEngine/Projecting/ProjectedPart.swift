/// Some passages of a record and their clean text: how places and edits of one are found in the other.
public struct ProjectedPart: Sendable {
  /// The passages, read by themselves.
  private let excerpt: Excerpt
  /// Their clean text.
  private let clean: VariantText
  /// Where their clean text begins in the clean text.
  private let cleanStart: Int

  /// Reads the passages between two places, and what is needed to read those.
  init(
    _ start: ProjectedStretches.Lengths,
    _ end: ProjectedStretches.Lengths,
    of draft: Draft
  ) {
    excerpt = draft.excerpt(holding: start.record..<end.record)
    clean = VariantText(.clean, of: excerpt.bytes, excerpt.reading)
    cleanStart = start.clean - clean.offset(ofMarkup: start.record - excerpt.start)
  }

  /// The range of the passages in the record.
  public var recordRange: Range<Int> { excerpt.range }
  /// The range of their clean text in the clean text.
  public var cleanRange: Range<Int> { cleanStart..<cleanStart + clean.bytes.count }

  /// The offset in the clean text of an offset of the record; inside what is hidden, where that is hidden.
  ///
  /// - Parameter offset: An offset in ``recordRange``, or its end.
  /// - Returns: The offset; logarithmic.
  public func cleanOffset(ofRecord offset: Int) -> Int {
    cleanStart + clean.offset(ofMarkup: offset - excerpt.start)
  }

  /// The offset in the record of an offset of the clean text; where marks begin that begin right before it, if there
  /// are any.
  ///
  /// - Parameter offset: An offset in ``cleanRange``, or its end.
  /// - Returns: The offset; logarithmic, but for the marks right before it.
  public func recordOffset(ofClean offset: Int) -> Int {
    excerpt.start + clean.place(of: offset - cleanStart)
  }

  /// Some of the passages.
  struct Stretch {
    fileprivate let parsed: ParsedText
    fileprivate let range: Range<Int>
    fileprivate let excerptStart: Int

    /// Their clean text.
    var cleanBytes: [UInt8] { parsed.text(.clean, in: range) }
    /// Their original text.
    var originalBytes: [UInt8] { parsed.text(.original, in: range) }

    /// Their original text after edits that are not marked: what is removed is gone from it, too, and what is put in
    /// is in it unless it is in an addition.
    ///
    /// - Parameter edits: Edits of the record in these passages, sorted and disjoint.
    /// - Returns: The text; linear in the passages.
    func originalBytes(after edits: [Edit]) -> [UInt8] {
      if edits.isEmpty { return originalBytes }
      let original = VariantText(.original, of: parsed.bytes, parsed.reading)
      let start = original.offset(ofMarkup: range.lowerBound)
      let spans = parsed.spans(in: range)
      return originalBytes.applying(
        edits.map { edit in
          let place = edit.range.moved(by: -excerptStart)
          let old = original.range(ofMarkup: place)
          let isAdded =
            place.upperBound > range.lowerBound
            && spans.holding(place.upperBound - 1).kind == .added
          return Edit(old.moved(by: -start), isAdded ? [] : edit.new)
        }
      )
    }
  }

  /// The passages in a range of the record, which begins and ends where passages do.
  func stretch(_ range: Range<Int>) -> Stretch {
    Stretch(
      parsed: excerpt.parsed,
      range: range.moved(by: -excerpt.start),
      excerptStart: excerpt.start
    )
  }
}

// MARK: - Edits

extension ProjectedPart {
  /// The edits of the record that make an edit of the clean text, in which nothing is marked; sorted, disjoint.
  ///
  /// - Parameters:
  ///   - told: An edit of the clean text, which these passages hold.
  ///   - isTracked: Whether they are to be marked, so that text before an addition belongs to that.
  /// - Returns: The edits; linear in the passages.
  func edits(making told: Edit, isTracked: Bool) -> [Edit] {
    let here = told.moved(by: -cleanStart)
    let spans = excerpt.parsed.spans(in: excerpt.bytes.indices)
    return parts(of: here).flatMap { edits(replacing: $0, spans, isTracked) }
      .map { $0.moved(by: excerpt.start) }
  }

  /// What differs in an edit that may replace much more, such as all lines of a text.
  private func parts(of edit: Edit) -> [Edit] {
    let isOfLines =
      edit.new.contains(where: \.isLineBreak)
      || clean.bytes[edit.range].contains(where: \.isLineBreak)
    guard isOfLines, !edit.range.isEmpty, !edit.new.isEmpty else { return [edit] }
    let new = clean.bytes.applying([edit])
    return [Edit](
      making: new,
      of: clean.bytes,
      as: excerpt.reading.language,
      sparing: clean.marks
    )
  }

  /// The edits of the excerpt that replace a range of its clean text.
  private func edits(replacing edit: Edit, _ spans: [Span], _ isTracked: Bool) -> [Edit] {
    var edits = clean.stretches(of: edit.range).map { Edit($0, []) }
    guard !edit.new.isEmpty else { return edits }
    let place = place(of: edit, spans, isTracked)
    if let last = edits.last, last.range.upperBound == place {
      edits[edits.count - 1].new = edit.new
    } else {
      edits.append(Edit(place..<place, edit.new))
    }
    return edits
  }

  /// Where in the excerpt the new text of an edit of its clean text goes, if several places fall together there: into
  /// an addition or a commented highlight of which it replaces the end, else behind what is deleted; into another
  /// highlight only between two letters of it, and at the beginning of an addition only if it is tracked.
  private func place(of edit: Edit, _ spans: [Span], _ isTracked: Bool) -> Int {
    let offset = edit.range.upperBound
    let before = offset > 0 ? clean.hull(of: offset - 1..<offset).lowerBound : nil
    if let before {
      let last = spans.holding(before)
      if last.kind == .added || !edit.range.isEmpty && last.highlight != nil { return before + 1 }
    }
    guard offset < clean.bytes.count else { return excerpt.bytes.count }
    let next = clean.hull(of: offset..<offset + 1).lowerBound
    let isHighlighted = spans.holding(next).kind == .highlighted
    guard isHighlighted || !isTracked else { return next }
    // The outermost mark that begins between the two letters and holds the next one.
    let marks = excerpt.reading.marks
    let opened = marks.partitioningIndex { $0.start > before ?? -1 }
    let holder = marks[opened...].prefix { $0.start < next }.first { $0.end > next }
    return holder?.start ?? (isHighlighted ? before.map { $0 + 1 } : nil) ?? next
  }
}
