import TrackEngine

extension ChangeEntry {
  /// The entries of a document: changes, highlights, lone comments, pending changes and malformed marks,
  /// sorted by start.
  ///
  /// Linear in the text.
  ///
  /// - Parameters:
  ///   - snapshot: The document.
  ///   - whole: All of it.
  /// - Returns: The entries.
  static func entries(of snapshot: Snapshot, in whole: Excerpt) -> [ChangeEntry] {
    let tracker = snapshot.tracker
    let footnotes = tracker.footnotes(for: whole)
    return entries(of: snapshot, in: whole, footnotes, pending: tracker.hunks[...])
  }

  /// The entries of a part of a document, sorted by start.
  ///
  /// Linear in the part.
  ///
  /// - Parameters:
  ///   - snapshot: The document.
  ///   - part: A part that cuts no mark in two.
  ///   - footnotes: Those of the whole text.
  ///   - hunks: The pending changes that begin in the part.
  /// - Returns: The entries.
  static func entries(
    of snapshot: Snapshot,
    in part: Excerpt,
    _ footnotes: Footnotes?,
    pending hunks: ArraySlice<Hunk>
  ) -> [ChangeEntry] {
    let malformed = snapshot.malformed(in: part)
      .map { ChangeEntry($0, startingAt: part.start) }
    let pending = pending(hunks, in: part, of: snapshot.tracker.buffer)
    return merged(merged(changes(in: part, footnotes), pending), malformed)
  }

  /// Both lists merged, sorted by start.
  private static func merged(_ entries: [ChangeEntry], _ others: [ChangeEntry]) -> [ChangeEntry] {
    others.isEmpty
      ? entries : (entries + others).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The entries of an excerpt that are not malformed, sorted by start.
  ///
  /// Linear in the excerpt.
  static func changes(of tracker: Tracker, in excerpt: Excerpt) -> [ChangeEntry] {
    let hunks = tracker.hunks.filter { excerpt.range.holds($0.new) }
    return merged(
      changes(in: excerpt, tracker.footnotes(for: excerpt)),
      pending(hunks[...], in: excerpt, of: tracker.buffer)
    )
  }

  private static func changes(in excerpt: Excerpt, _ footnotes: Footnotes?) -> [ChangeEntry] {
    let (reading, bytes, start) = (excerpt.reading, excerpt.bytes, excerpt.start)
    return reading.changes.map {
      ChangeEntry($0, in: reading, bytes, startingAt: start, footnotes)
    }
  }

  /// Pending changes, except typing inside an addition or a comment, which shows already.
  private static func pending(
    _ hunks: ArraySlice<Hunk>,
    in excerpt: Excerpt,
    of buffer: Text
  ) -> [ChangeEntry] {
    let marks = excerpt.reading.marks
    // The marks that begin before the current hunk, and do not end before it, and the next one.
    var open: [Mark] = []
    var next = 0
    return hunks.compactMap { hunk in
      let range = hunk.new
      while next < marks.count, marks[next].start + excerpt.start <= range.lowerBound {
        while let last = open.last, last.end <= marks[next].start { open.removeLast() }
        open.append(marks[next])
        next += 1
      }
      while let last = open.last, last.end + excerpt.start < range.lowerBound { open.removeLast() }
      guard !open.contains(where: { $0.shows(hunk, in: excerpt) }) else { return nil }
      let new = Array(buffer[range])
      return ChangeEntry(code: .pending, range: range, old: hunk.removed, new: new)
    }
  }
}

extension Mark {
  /// Whether a pending change is typing inside the mark, which shows already.
  func shows(_ hunk: Hunk, in excerpt: Excerpt) -> Bool {
    !hunk.new.isEmpty && kind != .deletion && kind != .highlight
      && excerpt.inBuffer(content).holds(hunk.new)
  }
}

extension Excerpt {
  /// A range of the excerpt as a range of the text.
  func inBuffer(_ range: Range<Int>) -> Range<Int> {
    range.moved(by: start)
  }
}
