extension Review {
  /// A way to fix a malformed mark.
  public enum Fix: String, CaseIterable, Sendable {
    /// Write a backslash before an opener, which makes it text.
    case escape
    /// Close an opener at the end of its line, or before the next delimiter there; remove a closer that comes too
    /// late.
    case close
    /// Remove a closer.
    case remove
    /// Turn a substitution without `~>` into a deletion.
    case delete
    /// Write `~>` at the end of a substitution without one.
    case divide
    /// Write `~>` for the arrow that a substitution has in its place.
    case arrow
    /// Replace the look-alike dashes of a delimiter by hyphens.
    case hyphens

    /// Whether all that may be meant as text stays: a closer that closes nothing may be text.
    public var keepsText: Bool { self != .remove }

    /// How many marks there are more afterwards.
    fileprivate var added: ClosedRange<Int> {
      switch self {
      case .close, .delete, .divide, .arrow: 1...1
      case .escape, .remove: 0...0
      // The other half of the mark can be missing.
      case .hyphens: 0...1
      }
    }
  }

  /// Fixes the malformed mark at a range of the buffer, which changes how the text reads.
  ///
  /// - Returns: Edits of the stretch.
  func fix(_ range: Range<Int>, _ fix: Fix) throws(Failure) -> VerifiedEdits {
    let found = try fixEdits(range, fix)
    let edits = found.map { Edit(moved($0.range), $0.new) }
    // The other half of a mark can be far away.
    guard zip(found, edits).allSatisfy({ $0.range.count == $1.range.count && holds($0.range) })
    else { throw Failure.delicate }
    let map = OffsetMap(edits)
    func signs(_ mark: Mark, at range: Range<Int>) -> [Int] {
      [Int(mark.kind.rawValue), range.lowerBound, range.upperBound]
    }
    let known = settled.reading.marks
    let kept = known.map { signs($0, at: map.map($0.range)) }
    let fixed = VerifiedEdits([edits], of: settled.bytes, as: language, nil) { reading in
      fix.added.contains(reading.marks.count - known.count)
        && Set(reading.marks.map { signs($0, at: $0.range) }).isSuperset(of: kept)
    }
    guard let fixed else { throw Failure.delicate }
    return fixed
  }

  /// Whether a range of the buffer lies in the stretch.
  private func holds(_ range: Range<Int>) -> Bool {
    let place = toMarked.map(selection: range)
    return start <= place.lowerBound && place.upperBound <= start + text.count
  }

  /// The same for what was typed since all changes were in marks: it is fixed first, and then put into marks like
  /// all typing; nil if nothing of it was typed.
  ///
  /// - Returns: Edits of the buffer.
  func fixTyped(_ range: Range<Int>, _ fix: Fix) throws(Failure) -> [Edit]? {
    guard let typed = tracker.pending.touching(range).last?.new else { return nil }
    let edits = try fixEdits(range, fix, within: typed)
    var fixed = tracker
    fixed.apply(ours: edits)
    let marking = fixed.marking()
    guard marking.remaining.isEmpty else { throw .unfinished }
    return edits.followed(by: marking.edits, on: buffer.text).trimmed(on: buffer.text)
  }

  /// The edits of the buffer that fix the malformed mark at a range.
  ///
  /// - Parameters:
  ///   - range: Its range.
  ///   - fix: The fix.
  ///   - typed: What the user typed; a mark that begins in it is closed in it.
  /// - Returns: Edits of the buffer.
  /// - Throws: ``Failure`` if the fix does not apply.
  private func fixEdits(
    _ range: Range<Int>,
    _ fix: Fix,
    within typed: Range<Int>? = nil
  ) throws(Failure) -> [Edit] {
    let excerpt = tracker.excerpt(around: range)
    let malformed = excerpt.reading.malformed(in: excerpt.bytes)
    let place = range.moved(by: -excerpt.start)
    guard let found = malformed.first(where: { $0.range == place && $0.kind.fixes.contains(fix) })
    else { throw Failure(description: "There is nothing here that “\(fix.rawValue)” would fix.") }
    var last = excerpt.bytes.count
    if let typed, typed.upperBound >= range.upperBound { last = typed.upperBound - excerpt.start }
    let edits = excerpt.bytes.withUnsafeBufferPointer { bytes in
      self.edits(fixing: found, by: fix, before: last, excerpt.reading, malformed, bytes)
    }
    // Delimiters can share characters.
    guard zip(edits, edits.dropFirst()).allSatisfy({ $0.range.upperBound <= $1.range.lowerBound })
    else { throw Failure.delicate }
    return edits.map { $0.moved(by: excerpt.start) }
  }

  private func edits(
    fixing malformed: Malformed,
    by fix: Fix,
    before last: Int,
    _ reading: Reading,
    _ all: [Malformed],
    _ bytes: Bytes
  ) -> [Edit] {
    let (start, end) = (malformed.range.lowerBound, malformed.range.upperBound)
    switch fix {
    case .close:
      guard let mark = bytes.openerDelimiter(at: start)?.mark else { return [] }
      let stop = min(last, reading.end(ofMarkFrom: end, mark, bytes))
      let isDivided = mark != .substitution || (end..<stop).contains(where: bytes.arrow)
      let closing = Edit(stop..<stop, (isDivided ? [] : MarkKind.arrow) + mark.closer)
      guard malformed.kind == .overlapping,
        let closer = reading.looseCloser(mark, from: stop, bytes)
      else { return [closing] }
      return [closing, Edit(closer..<closer + 3, [])]
    case .escape: return [Edit(start..<start, [Ascii.backslash])]
    case .remove: return [Edit(start..<end, [])]
    case .delete:
      guard let signs = bytes.openerDelimiter(at: start)?.end else { return [] }
      return [
        Edit(signs - 2..<signs, [Ascii.minus, Ascii.minus]),
        Edit(end - 3..<end, MarkKind.deletion.closer),
      ]
    case .divide: return [Edit(end - 3..<end - 3, MarkKind.arrow)]
    case .arrow:
      return reading.arrowLookalikes(in: start + 3..<end - 3, bytes).map {
        Edit($0, MarkKind.arrow)
      }
    case .hyphens:
      return malformed.withOtherHalf(among: all, reading, bytes).map { half in
        let isOpener = bytes[half.lowerBound] == Ascii.open
        let dashes =
          isOpener ? half.lowerBound + 1..<half.upperBound : half.lowerBound..<half.upperBound - 1
        return Edit(dashes, [Ascii.minus, Ascii.minus])
      }
    }
  }
}

extension Review.Failure {
  fileprivate static let delicate = Review.Failure(
    description: "This would change what is around it; fix it by hand."
  )
}

extension Malformed.Kind {
  /// The fixes that apply, the most likely first.
  public var fixes: [Review.Fix] {
    switch self {
    // What is never closed, like the `{++` of `$x_{++i}$`, is hardly a mark, and as text it reads as before.
    case .unclosed: [.escape, .close]
    case .stray: [.remove]
    case .undivided: [.delete, .divide]
    case .misspelled: [.arrow, .delete]
    case .lookalike: [.hyphens]
    case .overlapping: [.close, .escape]
    }
  }
}

extension Malformed {
  /// The delimiter, and its counterpart if that has the wrong dashes too.
  fileprivate func withOtherHalf(
    among all: [Malformed],
    _ reading: Reading,
    _ bytes: Bytes
  ) -> [Range<Int>] {
    let halves = all.filter { $0.kind == .lookalike }.map(\.range)
      .sorted { $0.lowerBound < $1.lowerBound }
    guard let index = halves.firstIndex(of: range) else { return [range] }
    let isOpener = bytes[range.lowerBound] == Ascii.open
    let other = isOpener ? index + 1 : index - 1
    guard halves.indices.contains(other),
      (bytes[halves[other].lowerBound] == Ascii.open) != isOpener
    else { return [range] }
    let pair = isOpener ? [range, halves[other]] : [halves[other], range]
    // The two halves can share a dash; then neither can be fixed.
    guard pair[0].upperBound <= pair[1].lowerBound else { return pair }
    return reading.hasLooseHyphens(in: pair[0].upperBound..<pair[1].lowerBound, bytes)
      ? [range] : pair
  }
}

extension Reading {
  /// Where to close a mark whose opener ends at `offset`: at the end of the line, or before the next delimiter on
  /// it; in a comment, delimiters that belong to no mark are text.
  fileprivate func end(ofMarkFrom offset: Int, _ kind: MarkKind, _ bytes: Bytes) -> Int {
    var end = offset
    while !bytes.isLineEnd(end) { end += 1 }
    let known = Set(marks.flatMap { [$0.start, $0.closer.lowerBound] })
    let next = Bytes(rebasing: bytes[offset..<end]).delimiters.first {
      $0.role != .arrow
        && (kind != .comment || $0.mark == .comment || known.contains($0.offset + offset))
    }
    return next.map { $0.offset + offset } ?? end
  }
}

extension Reading {
  /// Whether a delimiter of a deletion that belongs to no mark stands in a range.
  fileprivate func hasLooseHyphens(in range: Range<Int>, _ bytes: Bytes) -> Bool {
    let known = Set(marks.flatMap { [$0.start, $0.closer.lowerBound] })
    return Bytes(rebasing: bytes[range]).delimiters.contains {
      $0.mark == .deletion && !known.contains($0.offset + range.lowerBound)
    }
  }

  /// The first closer from `offset` on that closes no mark.
  fileprivate func looseCloser(_ kind: MarkKind, from offset: Int, _ bytes: Bytes) -> Int? {
    let known = Set(marks.map(\.closer.lowerBound))
    return bytes.delimiters.first {
      $0.offset >= offset && $0.role == .closer && $0.mark == kind && !known.contains($0.offset)
    }?.offset
  }
}
