import JSONRPC
import TrackEngine

/// An entry of the list of changes, in offsets of the buffer.
struct ChangeEntry {
  /// The kind of the mark, `pending`, or the kind of malformed mark.
  var code: String
  var range: Range<Int>
  var old: [UInt8]
  var new: [UInt8]
  var comments: [[UInt8]]
  /// The ranges of the comments.
  var thread: [Range<Int>]
  /// The end of the thread, attributions included; nil if there is none.
  var threadEnd: Int?
  /// Who made it, when, and what became of it, if the text says so.
  var attribution = Attribution()
  /// The same in words, unless the first comment says it already.
  var byline: String?
  /// Who made it and who commented on it.
  var authors: [String] = []
  /// What is wrong with a malformed mark.
  var problem: String?

  var isPending: Bool { code == "pending" }
  /// Whether it is an addition, a deletion or a substitution.
  var isChange: Bool { MarkKind.allCases.contains { $0.isChange && $0.description == code } }
  /// Whether it is of a kind.
  ///
  /// A pending change is of the kind that its mark will have; every entry with a comment is of the kind comment.
  func isOf(_ kind: MarkKind) -> Bool {
    if kind == .comment { return !comments.isEmpty }
    guard isPending else { return code == kind.description }
    return kind == (old.isEmpty ? .addition : new.isEmpty ? .deletion : .substitution)
  }
  /// A place inside the entry, which is not in a mark around it as well.
  var inside: Range<Int> {
    isPending ? range : range.lowerBound + 1..<range.lowerBound + 1
  }
  /// Whether it is a change, in marks or pending, without a comment.
  var isUncommented: Bool { (isChange || isPending) && comments.isEmpty }
}

extension ChangeEntry {
  /// The entries of a document: changes, highlights, lone comments, pending changes and malformed marks,
  /// sorted by start.
  ///
  /// Linear in the text.
  static func entries(of tracker: Tracker) -> [ChangeEntry] {
    let excerpt = tracker.excerpt(around: 0..<tracker.buffer.count)
    let malformed = excerpt.reading.malformed(in: excerpt.bytes).map { malformed in
      ChangeEntry(
        code: malformed.kind.rawValue,
        range: excerpt.place(of: malformed.range),
        old: [],
        new: [],
        comments: [],
        thread: [],
        problem: malformed.sentence
      )
    }
    return merged(changes(of: tracker, in: excerpt), malformed)
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
    let footnotes = tracker.footnotes(for: excerpt)
    let entries = excerpt.reading.changes.map { change in
      let remarks = change.remarks(in: excerpt.bytes)
      let made = change.attribution(in: excerpt.bytes, footnotes)
      return ChangeEntry(
        code: change.kind.description,
        range: excerpt.place(of: change.markRange),
        old: change.old(in: excerpt.reading, excerpt.bytes),
        new: change.new(in: excerpt.reading, excerpt.bytes),
        comments: remarks.map { Array(excerpt.bytes[$0.content]) },
        thread: remarks.map { excerpt.place(of: $0.range) },
        threadEnd: change.thread.last.map { excerpt.start + $0.end },
        attribution: made,
        byline: change.byline(made, in: excerpt.bytes),
        authors: change.authors(in: excerpt.bytes, footnotes)
      )
    }
    return merged(entries, pending(tracker, excerpt))
  }

  /// Pending changes, except typing inside an addition or a comment, which shows already.
  private static func pending(_ tracker: Tracker, _ excerpt: Excerpt) -> [ChangeEntry] {
    let marks = excerpt.reading.marks
    // The first outermost mark that does not end before the current hunk.
    var next = 0
    let places = OffsetMap(tracker.hunks).differences.map(\.new)
    return zip(tracker.hunks, places).compactMap { hunk, range in
      guard excerpt.range.holds(range) else { return nil }
      while next < marks.count, marks[next].end + excerpt.start < range.lowerBound {
        next += 1 + marks[next].inner
      }
      let near = next < marks.count ? marks[next...next + marks[next].inner] : []
      let isInMark = near.contains { mark in
        let content = excerpt.place(of: mark.content)
        return (mark.kind == .addition || mark.kind == .substitution || mark.kind == .comment)
          && content.holds(range)
      }
      guard !isInMark || hunk.new.isEmpty else { return nil }
      return ChangeEntry(
        code: "pending",
        range: range,
        old: hunk.removed,
        new: hunk.new,
        comments: [],
        thread: []
      )
    }
  }

  /// The kind of symbol in outlines and searches.
  var symbolKind: SymbolKind {
    switch code {
    case "addition": .constructor
    case "deletion": .null
    case "substitution": .operator
    case "highlight": .key
    case "pending": .variable
    default: .event
    }
  }

  /// The entry on one line, as in `“old” → “new”`.
  var summary: String {
    guard let (lead, first, second) = phrase else { return problem ?? code }
    return "\(lead)\(quoted(first))" + (second.map { " → \(quoted($0))" } ?? "")
  }

  /// Writes the summary as part of a string.
  func writeSummary(to writer: inout JSONWriter) {
    guard let (lead, first, second) = phrase else { return writer.text(problem ?? code) }
    writer.text(plain: lead)
    Quotation(of: first).write(to: &writer)
    guard let second else { return }
    writer.text(plain: " → ")
    Quotation(of: second).write(to: &writer)
  }

  /// The words that the summary begins with, the text that it quotes, and the text that replaces it; nil for
  /// malformed marks.
  private var phrase: (lead: StaticString, first: [UInt8], second: [UInt8]?)? {
    switch code {
    case "addition": ("Added ", new, nil)
    case "deletion": ("Deleted ", old, nil)
    case "substitution": ("", old, new)
    case "highlight": ("Highlighted ", new, nil)
    case "comment": ("Comment ", comments.first ?? [], nil)
    case "pending" where old.isEmpty: ("Not in marks yet: added ", new, nil)
    case "pending" where new.isEmpty: ("Not in marks yet: deleted ", old, nil)
    case "pending": ("Not in marks yet: ", old, new)
    default: nil
    }
  }
}

extension Excerpt {
  /// A range of the excerpt as a range of the text.
  func place(of range: Range<Int>) -> Range<Int> {
    range.moved(by: start)
  }
}
