/// Finds marks that the user typed by hand, by reading the buffer.
///
/// They are taken as marks as long as the original text remains the same; otherwise their clean text is an
/// addition.
struct HandTyping {
  let settled: ParsedText
  let buffer: Text
  let bufferReading: ParsedText
  /// The same with attributions as comments.
  private let unsigned: ParsedText
  /// The indices of the hunks with an opener whose mark is still being typed, or a backtick or fence whose code
  /// is.
  private(set) var halfTyped: Set<Int> = []
  /// Where the first fence that is still being typed begins: nothing behind it is what it seems.
  private(set) var heldFence = Int.max
  /// The code as displayed in the buffer; nil if no characters that can begin or end code were typed.
  private(set) var seenCode: SeenCode?
  private let signature: Signature?

  init?(
    _ pending: [Pending],
    in settled: ParsedText,
    _ buffer: Text,
    signed signature: Signature?
  ) {
    let language = settled.reading.language
    let spells = pending.contains { change in
      buffer[change.new].contains { "{}<>~+-=`".utf8.contains($0) || language.isCodeSign($0) }
    }
    guard spells else { return nil }
    self.settled = settled
    self.buffer = buffer
    self.signature = signature
    unsigned = ParsedText(buffer.bytes, as: language).withoutMetadata(typedBy: pending, on: settled)
    bufferReading = unsigned.signed(settled.areSigned)
    findHalfTyped(pending)
    findHalfTypedCode(pending)
  }

  /// Sets the parts of every change to the marks spelled in it, joining changes that one mark spans.
  func spell(_ pending: inout [Pending]) {
    for index in bufferReading.top {
      joinChanges(&pending, typing: bufferReading.reading.marks[index])
    }
    for index in pending.indices where pending[index].typed.count == 1 && !pending[index].isSpelled
    {
      spellMarks(within: &pending[index])
    }
  }

  private mutating func findHalfTyped(_ pending: [Pending]) {
    let reading = bufferReading.reading
    for change in pending {
      let openers = Array(buffer[change.new]).delimiters
        .filter { $0.role == .opener }
        .map { $0.offset + change.new.lowerBound }
      let isOpen = openers.contains { offset in
        !reading.hasMark(at: offset)
          && reading.zone(endingAfter: offset)?.range.contains(offset) != true
          && !isInComment(offset)
      }
      if isOpen { halfTyped.formUnion(change.hunks) }
    }
  }

  /// Finds backticks and fences whose code has no end yet, or takes its end from other code.
  private mutating func findHalfTypedCode(_ pending: [Pending]) {
    let changes = pending.withCodeSigns(in: buffer, settled.reading.language)
    guard !changes.isEmpty else { return }
    let code = SeenCode(of: bufferReading)
    seenCode = code
    let half = code.typed(
      changes.map(\.new),
      in: bufferReading.bytes,
      isHalf: true,
      since: CodeBefore(of: settled, pending.toBuffer)
    )
    for change in changes where half.first(overlapping: change.new, \.opening) != nil {
      halfTyped.formUnion(change.hunks)
    }
    heldFence = half.first(where: \.isFenced)?.opening.lowerBound ?? Int.max
  }

  private func isInComment(_ offset: Int) -> Bool {
    bufferReading.mark(at: offset).map { bufferReading.reading.marks[$0].kind == .comment } ?? false
  }
}

// MARK: - Marks in one change

extension HandTyping {
  /// Whether a change is still being typed, or lies behind a fence that is.
  func isHeld(_ change: Pending) -> Bool {
    change.new.lowerBound >= heldFence || change.hunks.contains(where: halfTyped.contains)
  }

  /// Splits a change into the marks that lie completely in it, and the text between them.
  private func spellMarks(within change: inout Pending) {
    var typed: [Span] = []
    var at = change.new.lowerBound
    let marks = bufferReading.reading.marks
    var index = marks.partitioningIndex { $0.start >= at }
    while index < marks.count, marks[index].start < change.new.upperBound {
      let mark = marks[index]
      guard mark.end <= change.new.upperBound, let parts = parts(of: mark.range) else {
        index += 1
        continue
      }
      typed.add(Span(typed: at..<mark.start, .original))
      typed += parts
      at = mark.end
      index += 1 + mark.inner
    }
    guard at > change.new.lowerBound else { return }
    typed.add(Span(typed: at..<change.new.upperBound, .original))
    change.typed = typed
    settle(&change, surviving: { _ in nil })
  }

  /// The parts of a stretch of the buffer, read by itself; nil if it is not made up of marks only.
  private func parts(of range: Range<Int>) -> [Span]? {
    let alone = ParsedText(
      Array(buffer[range]),
      as: settled.reading.language,
      areSigned: settled.areSigned
    )
    guard alone.reading.marks.first?.range == 0..<range.count else { return nil }
    return alone.spans(in: 0..<range.count).typed(at: range.lowerBound)
  }

  /// Determines what the parts of a change mean for the text it replaced.
  ///
  /// - Parameters:
  ///   - change: The change, split into its parts as spelled.
  ///   - surviving: What the part that begins at an offset was in the settled text; nil if it was typed.
  private func settle(_ change: inout Pending, surviving: (Int) -> Span?) {
    let cutsNoMark = settled.whole(change.old) == change.old
    let old = cutsNoMark ? settled.text(.original, in: change.old) : nil
    let asAdded = change.typed.map { part in
      var part = part
      if part.kind == .original || part.kind == .highlighted {
        let before = surviving(part.range.lowerBound)
        if before.map({ $0.kind == .added && !$0.isHidden }) ?? true {
          (part.kind, part.mark, part.metadata) = (.added, nil, nil)
        }
      }
      return part
    }
    if let old, text(ofOld: asAdded) == old {
      change.typed = asAdded
      change.isSpelled = !change.old.isEmpty
      guard change.isSpelled, let own = signature?.own else { return }
      // What is typed beside a mark that is typed by hand is signed as anything else.
      for (index, span) in asAdded.enumerated()
      where span.kind == .added && span.mark == nil && surviving(span.range.lowerBound) == nil {
        change.typed[index].metadata = own
      }
    } else if let old, text(ofOld: change.typed) == old {
      change.isSpelled = true
    } else {
      change.typed = asAdded.anew
    }
  }

  private func text(ofOld parts: [Span]) -> [UInt8] {
    parts.filter { $0.kind != .added && $0.kind != .comment && !$0.isHidden }
      .flatMap { buffer[$0.range] }
  }
}

// MARK: - Marks around settled text

extension HandTyping {
  /// Joins the changes that typed the delimiters of `mark`, with the text between them, if this keeps the
  /// original.
  private func joinChanges(_ pending: inout [Pending], typing mark: Mark) {
    let delimiters = mark.delimiters
    let near = pending.touching(mark.range, \.new)
    guard
      pending[near].contains(where: { change in
        delimiters.contains { $0.overlaps(change.new) }
      }),
      !pending[near].contains(where: {
        $0.new.lowerBound <= mark.start && mark.end <= $0.new.upperBound
      })
    else { return }
    guard let (joined, range) = hull(of: mark.range, pending) else { return }
    var change = joined
    let alone = ParsedText(Array(buffer[change.new]), as: settled.reading.language)
      .withMetadata(of: unsigned, at: change.new)
      .signed(settled.areSigned)
    let known = pending[range]
    let toSettled = known.toBuffer.inverted
    let before = settled.spans(in: settled.whole(change.old))
    /// What a byte of the buffer was in the settled text; nil if it was typed.
    func settledSpan(at offset: Int) -> Span? {
      toSettled.mapWhole(offset..<offset + 1).map { before.holding($0.lowerBound) }
    }
    let spans = alone.spans(in: alone.bytes.indices)
    let spelled = Set(alone.reading.marks.flatMap(\.delimiters).joined())
    // Typing beside text cannot turn the text into a delimiter, nor a delimiter into text.
    let isOurs = change.new.allSatisfy { offset in
      guard let old = settledSpan(at: offset) else { return true }
      let place = offset - change.new.lowerBound
      let new = spans.holding(place)
      // A mark that a deletion was typed around is hidden in it.
      if old.kind == .delimiter { return new.kind == .delimiter || new.isHidden }
      if old.isHidden, old.kind != .comment { return new.kind != .delimiter }
      return !spelled.contains(place)
    }
    guard isOurs else { return }
    func isTyped(_ offset: Int) -> Bool { settledSpan(at: offset) == nil }
    /// What is typed into somebody's addition is not theirs.
    func signed(_ span: Span) -> Span {
      let start = change.new.lowerBound
      guard let own = signature?.own, span.kind == .added, span.metadata != nil,
        isTyped(start + span.range.lowerBound),
        let mark = span.mark.map({ alone.reading.marks[$0] }), !isTyped(start + mark.end - 1)
      else { return span }
      var signed = span
      signed.metadata = own
      return signed
    }
    let places = known.flatMap { [$0.new.lowerBound, $0.new.upperBound] }
      .map { $0 - change.new.lowerBound }
    change.typed = spans.flatMap { $0.parts(at: places) }.map(signed)
      .typed(at: change.new.lowerBound)
    settle(&change, surviving: settledSpan)
    let braces = [mark.start, mark.end - 1]
    // Typed around plain text, or in place of a mark with the same braces, a mark that cannot be taken as one
    // is not a mark: its clean text stays.
    let isInPlace =
      delimiters.joined().allSatisfy { isTyped($0) || braces.contains($0) }
      && (braces.allSatisfy(isTyped) ? settled.marks(in: change.old).isEmpty : known.count == 1)
    if change.isSpelled || isInPlace {
      pending.replaceSubrange(range, with: [change])
    }
  }

  /// The smallest change that covers `range` of the buffer, all changes it meets, and no part of a settled mark
  /// without the rest; and the indices of the changes it replaces.
  private func hull(of range: Range<Int>, _ pending: [Pending]) -> (Pending, Range<Int>)? {
    let near = pending[pending.touching(range, \.new)]
    guard let first = near.first, let last = near.last else { return nil }
    var old = near.toBuffer.inverted.map(range, start: .before, end: .after)
      .joined(with: first.old.lowerBound..<last.old.upperBound)
    // Widened in the settled text, where marks are whole, until it meets nothing more.
    while true {
      let whole = settled.whole(old)
      let met = pending.touching(whole)
      let start = min(whole.lowerBound, pending[met.lowerBound].old.lowerBound)
      let end = max(whole.upperBound, pending[met.upperBound - 1].old.upperBound)
      guard start..<end != old else {
        let known = pending[met]
        let new = known.toBuffer.map(old, start: .before, end: .after)
        let hunks =
          known[met.lowerBound].hunks.lowerBound..<known[met.upperBound - 1].hunks.upperBound
        return (Pending(old: old, new: new, hunks: hunks), met)
      }
      old = start..<end
    }
  }
}

// MARK: - Metadata

extension ParsedText {
  /// The buffer with metadata only where it was before, or was put in together with its mark: what is typed behind
  /// a mark or at its beginning, or comes to stand there, is text.
  fileprivate func withoutMetadata(typedBy pending: [Pending], on settled: ParsedText) -> ParsedText
  {
    guard reading.marks.contains(where: \.hasMetadata) else { return self }
    let known = Set(settled.reading.marks.flatMap { [$0.head, $0.tail].joined() })
    let toSettled = pending.toBuffer.inverted
    return keepingMetadata { mark, range in
      let changes = pending[pending.touching(mark.range, \.new)]
      return changes.contains {
        $0.new.holds(mark.start..<max(mark.tail.lowerBound, range.upperBound))
      }
        || toSettled.mapWhole(range).map { $0.allSatisfy(known.contains) } ?? false
    }
  }

  /// A stretch of a text, read by itself, with metadata only as in the text.
  fileprivate func withMetadata(of text: ParsedText, at stretch: Range<Int>) -> ParsedText {
    let marks = text.reading.marks
    return keepingMetadata { mark, range in
      let start = mark.start + stretch.lowerBound
      let index = marks.partitioningIndex { $0.start >= start }
      guard index < marks.count, marks[index].start == start else { return true }
      let place = range.moved(by: stretch.lowerBound)
      return marks[index].head == place || marks[index].tail.holds(place)
    }
  }

  private func keepingMetadata(where isOfMark: (Mark, Range<Int>) -> Bool) -> ParsedText {
    var reading = reading
    bytes.withUnsafeBufferPointer { bytes in
      for index in reading.marks.indices where reading.marks[index].hasMetadata {
        let mark = reading.marks[index]
        reading.marks[index].keepMetadata(in: bytes) { isOfMark(mark, $0) }
      }
    }
    return ParsedText(bytes, reading)
  }
}

extension [Span] {
  /// The spans of a stretch of the buffer that begins at `offset`, without delimiters, as typed text.
  fileprivate func typed(at offset: Int) -> [Span] {
    compactMap { span in
      // Text that was added and is now deleted disappears.
      if span.kind == .delimiter || span.kind == .deleted && span.isHidden { return nil }
      var typed = span
      typed.source = .typed(span.range.moved(by: offset))
      typed.mark = span.mark.map { -1 - offset - $0 }
      // Comments inside an addition are kept in it.
      if span.isHidden { typed.kind = .added }
      return typed
    }
  }
}
