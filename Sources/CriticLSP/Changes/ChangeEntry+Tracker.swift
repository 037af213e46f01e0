import TrackEngine

extension ChangeEntry {
  /// The entries of an excerpt that are not malformed, sorted by start.
  ///
  /// Linear in the excerpt.
  static func changes(of tracker: Tracker, in excerpt: Excerpt) -> [ChangeEntry] {
    let hunks = tracker.hunks.filter { excerpt.range.holds($0.new) }
    let footnotes = tracker.footnotes(for: excerpt)
    return EntryPlaces(in: excerpt, footnotes, pending: hunks[...], of: tracker.buffer).entries
  }
}

/// Where the entries of an excerpt are: changes, highlights, lone comments, pending changes and malformed marks.
///
/// An entry is made when it is asked for: of a long list few are shown.
struct EntryPlaces {
  /// Sorted by start.
  let places: [Place]
  private let excerpt: Excerpt
  private let footnotes: Footnotes?
  private let buffer: Text

  /// The place of an entry.
  struct Place {
    /// Where the entry begins in the text.
    let start: Int
    fileprivate let what: What
  }

  fileprivate enum What {
    case change(Change)
    case pending(Hunk)
    case malformed(Malformed)
  }

  /// The entries of a whole document.
  ///
  /// Linear in the text.
  init(of snapshot: Snapshot, in whole: Excerpt) {
    let tracker = snapshot.tracker
    self.init(of: snapshot, in: whole, tracker.footnotes(for: whole), pending: tracker.hunks[...])
  }

  /// The entries of a part of a document.
  ///
  /// Linear in the part.
  ///
  /// - Parameters:
  ///   - snapshot: The document.
  ///   - part: A part that cuts no mark in two.
  ///   - footnotes: Those of the whole text.
  ///   - hunks: The pending changes that begin in the part.
  init(
    of snapshot: Snapshot,
    in part: Excerpt,
    _ footnotes: Footnotes?,
    pending hunks: ArraySlice<Hunk>
  ) {
    self.init(
      in: part,
      footnotes,
      pending: hunks,
      of: snapshot.tracker.buffer,
      snapshot.malformed(in: part)
    )
  }

  fileprivate init(
    in excerpt: Excerpt,
    _ footnotes: Footnotes?,
    pending hunks: ArraySlice<Hunk>,
    of buffer: Text,
    _ malformed: [Malformed] = []
  ) {
    (self.excerpt, self.footnotes, self.buffer) = (excerpt, footnotes, buffer)
    let start = excerpt.start
    var places: [Place] = []
    excerpt.reading.eachChange {
      places.append(Place(start: start + $0.markRange.lowerBound, what: .change($0)))
    }
    let count = places.count
    places += EntryPlaces.shown(hunks, in: excerpt).map {
      Place(start: $0.new.lowerBound, what: .pending($0))
    }
    places += malformed.map { Place(start: start + $0.range.lowerBound, what: .malformed($0)) }
    if places.count > count { places.sort { $0.start < $1.start } }
    self.places = places
  }

  /// All entries.
  var entries: [ChangeEntry] { places.map(entry) }

  /// The entry at a place.
  func entry(_ place: Place) -> ChangeEntry {
    switch place.what {
    case .change(let change):
      ChangeEntry(change, in: excerpt.reading, excerpt.bytes, startingAt: excerpt.start, footnotes)
    case .pending(let hunk):
      ChangeEntry(code: .pending, range: hunk.new, old: hunk.removed, new: Array(buffer[hunk.new]))
    case .malformed(let malformed): ChangeEntry(malformed, startingAt: excerpt.start)
    }
  }

  /// Pending changes, except typing inside an addition or a comment, which shows already.
  private static func shown(_ hunks: ArraySlice<Hunk>, in excerpt: Excerpt) -> [Hunk] {
    let marks = excerpt.reading.marks
    // The marks that begin before the current hunk, and do not end before it, and the next one.
    var open: [Mark] = []
    var next = 0
    return hunks.filter { hunk in
      let range = hunk.new
      while next < marks.count, marks[next].start + excerpt.start <= range.lowerBound {
        while let last = open.last, last.end <= marks[next].start { open.removeLast() }
        open.append(marks[next])
        next += 1
      }
      while let last = open.last, last.end + excerpt.start < range.lowerBound { open.removeLast() }
      return !open.contains { $0.shows(hunk, in: excerpt) }
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
