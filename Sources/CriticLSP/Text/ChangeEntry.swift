import JSONRPC
import TrackEngine

/// An entry of the list of changes, in offsets of the buffer.
struct ChangeEntry {
  /// What it is.
  enum Code: Equatable {
    case mark(MarkKind)
    /// A change that is not in marks yet.
    case pending
    case malformed(Malformed.Kind)
    /// How many others are not listed.
    case more
  }

  var code: Code
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

  var isPending: Bool { code == .pending }
  /// Whether it is an addition, a deletion or a substitution.
  var isChange: Bool { if case .mark(let kind) = code { kind.isChange } else { false } }
  /// The comments on it; of a comment that stands alone, those after the first.
  var answers: ArraySlice<[UInt8]> {
    code == .mark(.comment) ? comments.dropFirst() : comments[...]
  }
  /// Whether it is of a kind.
  ///
  /// A pending change is of the kind that its mark will have; every entry with a comment is of the kind comment.
  func isOf(_ kind: MarkKind) -> Bool {
    if kind == .comment { return !comments.isEmpty }
    guard isPending else { return code == .mark(kind) }
    return kind == pendingKind
  }
  /// The kind of the mark that a pending change will have.
  private var pendingKind: MarkKind { MarkKind(replacing: old, by: new) }
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
        code: .malformed(malformed.kind),
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
        code: .mark(change.kind),
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
    // The marks that begin before the current hunk, and do not end before it, and the next one.
    var open: [Mark] = []
    var next = 0
    let hunks = tracker.hunks
    let places = OffsetMap(hunks).differences.map(\.new)
    return zip(hunks, places).compactMap { hunk, range in
      guard excerpt.range.holds(range) else { return nil }
      while next < marks.count, marks[next].start + excerpt.start <= range.lowerBound {
        while let last = open.last, last.end <= marks[next].start { open.removeLast() }
        open.append(marks[next])
        next += 1
      }
      while let last = open.last, last.end + excerpt.start < range.lowerBound { open.removeLast() }
      let isInMark = open.contains { mark in
        let content = excerpt.place(of: mark.content)
        return (mark.kind == .addition || mark.kind == .substitution || mark.kind == .comment)
          && content.holds(range)
      }
      guard !isInMark || hunk.new.isEmpty else { return nil }
      return ChangeEntry(
        code: .pending,
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
    case .mark(.addition): .constructor
    case .mark(.deletion): .null
    case .mark(.substitution): .operator
    case .mark(.highlight): .key
    case .pending: .variable
    case .mark(.comment), .malformed, .more: .event
    }
  }

  /// The entry on one line, as in `“old” → “new”`.
  var summary: String {
    guard let (start, texts) = phrase else { return problem ?? "\(code)" }
    return start + texts.map { quoted($0) }.joined(separator: " → ")
  }

  /// Writes the summary as part of a string.
  func writeSummary(to writer: inout JSONWriter) {
    guard let (start, texts) = phrase else { return writer.text(problem ?? "\(code)") }
    writer.text(start)
    for (index, text) in texts.enumerated() {
      if index > 0 { writer.text(plain: " → ") }
      Quotation(of: text).write(to: &writer)
    }
  }

  /// The words that the summary begins with, and the texts that it quotes; nil for what is no change.
  private var phrase: (start: String, texts: [[UInt8]])? {
    switch code {
    case .mark(let kind):
      let words = ChangeWords(kind, old, new, comments.first)
      return (kind == .substitution ? "" : "\(words.verb.first) ", words.texts)
    case .pending:
      let words = ChangeWords(pendingKind, old, new)
      let verb = pendingKind == .substitution ? "" : "\(words.verb.inside) "
      return ("Not in marks yet: \(verb)", words.texts)
    case .malformed, .more: return nil
    }
  }
}

extension ChangeEntry.Code: CustomStringConvertible {
  /// The kind of the mark, `pending`, or the kind of malformed mark.
  var description: String {
    switch self {
    case .mark(let kind): kind.description
    case .pending: "pending"
    case .malformed(let kind): kind.rawValue
    case .more: "more"
    }
  }
}

extension Excerpt {
  /// A range of the excerpt as a range of the text.
  func place(of range: Range<Int>) -> Range<Int> {
    range.moved(by: start)
  }
}
