import JSONRPC
import TrackEngine

/// A change as scripts and people get it told: what it is, where, what is around it and what is said about it.
struct ListedChange: Sendable {
  /// From 1.
  let number: Int
  let kind: MarkKind
  let around: ChangeSurroundings.Place
  let old: [UInt8]
  let new: [UInt8]
  /// As they are written.
  let comments: [[UInt8]]
  /// Who made the change and who wrote the comments.
  let authors: [String]
  /// Whose the change is, and when it was made, if that is told.
  let attribution: Attribution
  /// The same in words, unless the first comment says so itself.
  let byline: String?

  /// The comments on it; of a comment that stands alone, those after the first.
  var answers: ArraySlice<[UInt8]> { kind == .comment ? comments.dropFirst() : comments[...] }
  /// Whether it is an addition, a deletion or a substitution.
  var isChange: Bool { kind.isChange }
  var words: ChangeWords { ChangeWords(kind, old, new, comments.first) }
}

extension ListedChange {
  /// The list of changes of a text.
  ///
  /// Linear.
  static func all(of bytes: [UInt8]) -> [ListedChange] {
    var all: [ListedChange] = []
    var lister = ChangeLister()
    lister.list(DocumentPart(bytes, Reading(of: bytes), hasPlaces: true)) { all.append($0) }
    return all
  }
}

/// Lists the changes of a document, part by part.
struct ChangeLister: DocumentLister {
  let findsMalformed = false
  let needsPlaces = true
  private var matcher: ChangeFilter.Matcher
  private var number = 0

  /// Lists those that pass a filter.
  init(_ filter: ChangeFilter = ChangeFilter()) {
    matcher = ChangeFilter.Matcher(filter)
  }

  mutating func list(_ part: DocumentPart, _ body: (ListedChange) -> Void) {
    guard var surroundings = part.surroundings else { return }
    let (bytes, reading, footnotes) = (part.bytes, part.reading, part.footnotes)
    matcher.beginPart(bytes, line: part.line, footnotes)
    reading.eachChange { change in
      number += 1
      guard matcher.matches(change) else { return }
      let range = change.markRange
      let attribution = change.attribution(in: bytes, footnotes)
      let around = surroundings.next(range, to: change.range.upperBound)
      body(
        ListedChange(
          number: number,
          kind: change.kind,
          around: around,
          old: change.old(in: reading, bytes),
          new: change.new(in: reading, bytes),
          comments: change.comments(in: bytes),
          authors: change.authors(in: bytes, footnotes),
          attribution: attribution,
          byline: change.byline(attribution, in: bytes)
        )
      )
    }
  }
}

/// How many changes there are, highlights and comments that stand alone not counted.
struct ChangeCounts: JSONWritable {
  private(set) var changes = 0
  private(set) var commented = 0
  private(set) var uncommented = 0

  init() {}

  mutating func add(_ change: ListedChange) {
    guard change.isChange else { return }
    changes += 1
    if change.comments.isEmpty { uncommented += 1 } else { commented += 1 }
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("changes", changes)
      $0.member("commented", commented)
      $0.member("uncommented", uncommented)
    }
  }
}

extension ChangeCounts: CustomStringConvertible {
  /// As in `5 changes, 1 commented, 4 uncommented`.
  var description: String {
    "\(counted(changes, "change")), \(commented) commented, \(uncommented) uncommented"
  }
}
