import JSONRPC
import TrackEngine

/// A change as scripts and people get it told: what it is, where, what is around it and what is said about it.
struct ListedChange: Sendable {
  /// From 1.
  let number: Int
  let kind: MarkKind
  /// From 1.
  let line: Int
  /// In Unicode scalars, from 1.
  let column: Int
  /// Where it ends, its thread not included, counted alike.
  let endLine: Int
  let endColumn: Int
  /// The heading that it stands under, as it is when every change is accepted; nil before the first one.
  let heading: [UInt8]?
  let old: [UInt8]
  let new: [UInt8]
  /// What stands before it when every change is accepted: up to 80 Unicode scalars.
  let before: [UInt8]
  /// What stands after it and its thread when every change is accepted: up to 80 Unicode scalars.
  let after: [UInt8]
  /// As they are written.
  let comments: [[UInt8]]
  /// What they are about.
  let categories: [String]
  /// Who made the change and who wrote the comments.
  let authors: [String]
  /// Whose the change is, if that is told.
  let author: String?
  let date: String?
  /// The same in words, unless the first comment says so itself.
  let byline: String?

  /// The comments on it; of a comment that stands alone, those after the first.
  var answers: ArraySlice<[UInt8]> { kind == .comment ? comments.dropFirst() : comments[...] }
  /// Whether it is an addition, a deletion or a substitution.
  var isChange: Bool { kind.isChange }
}

extension ListedChange {
  /// In Unicode scalars.
  private static let reach = 80

  /// The list of changes of a text.
  ///
  /// Linear.
  static func all(of bytes: [UInt8]) -> [ListedChange] { all(of: Reading(of: bytes), bytes) }

  /// The list of changes of a text that has been read.
  ///
  /// Linear.
  static func all(of reading: Reading, _ bytes: [UInt8]) -> [ListedChange] {
    let headings = Heading.headings(of: bytes, reading)
    let kept = reading.exportedRanges(.clean, of: bytes)
    var nextHeading = 0
    var nextKept = 0
    var cursor = LineCursor(bytes)
    var ends = LineCursor(bytes)
    let footnotes = Footnotes(of: bytes)
    return zip(1..., reading.changes).map { number, change in
      let range = change.markRange
      while nextHeading < headings.count, headings[nextHeading].range.lowerBound <= range.lowerBound
      { nextHeading += 1 }
      while nextKept < kept.count, kept[nextKept].upperBound <= range.lowerBound { nextKept += 1 }
      let heads = change.thread.map { CommentHead(of: bytes[$0.content]) }
      let attribution = change.attribution(in: bytes, footnotes)
      let place = cursor.place(of: range.lowerBound)
      let end = ends.place(of: range.upperBound)
      return ListedChange(
        number: number,
        kind: change.kind,
        line: place.line,
        column: place.column,
        endLine: end.line,
        endColumn: end.column,
        heading: nextHeading > 0 ? headings[nextHeading - 1].name : nil,
        old: change.old(in: reading, bytes),
        new: change.new(in: reading, bytes),
        before: text(before: range.lowerBound, nextKept, kept, bytes),
        after: text(after: change.range.upperBound, nextKept, kept, bytes),
        comments: change.comments(in: bytes),
        categories: heads.compactMap(\.category),
        authors: change.authors(in: bytes, footnotes),
        author: attribution.author,
        date: attribution.date,
        byline: change.byline(attribution, in: bytes)
      )
    }
  }

  /// What is kept before an offset, from the ranges before the one with that number back.
  private static func text(
    before offset: Int,
    _ next: Int,
    _ kept: [Range<Int>],
    _ bytes: [UInt8]
  ) -> [UInt8] {
    var scalars = 0
    var parts: [ArraySlice<UInt8>] = []
    var index = min(next, kept.count - 1)
    while index >= 0, scalars < reach {
      let range = kept[index]
      index -= 1
      guard range.lowerBound < offset else { continue }
      var start = min(range.upperBound, offset)
      let end = start
      while start > range.lowerBound, scalars < reach {
        start -= 1
        if bytes[start] & 0xC0 != 0x80 { scalars += 1 }
      }
      parts.append(bytes[start..<end])
    }
    return parts.reversed().flatMap { $0 }
  }

  /// What is kept after an offset, from the range with that number on.
  private static func text(
    after offset: Int,
    _ next: Int,
    _ kept: [Range<Int>],
    _ bytes: [UInt8]
  ) -> [UInt8] {
    var scalars = 0
    var text: [UInt8] = []
    var index = next
    while index < kept.count, scalars <= reach {
      let range = kept[index]
      index += 1
      var at = max(range.lowerBound, offset)
      while at < range.upperBound {
        if bytes[at] & 0xC0 != 0x80 { scalars += 1 }
        if scalars > reach { break }
        text.append(bytes[at])
        at += 1
      }
    }
    return text
  }
}

/// How many changes there are, highlights and comments that stand alone not counted.
struct ChangeCounts: JSONWritable {
  private(set) var changes = 0
  private(set) var commented = 0
  private(set) var uncommented = 0

  init() {}

  init(of list: [ListedChange]) {
    for change in list where change.isChange {
      changes += 1
      if change.comments.isEmpty { uncommented += 1 } else { commented += 1 }
    }
  }

  mutating func add(_ others: ChangeCounts) {
    changes += others.changes
    commented += others.commented
    uncommented += others.uncommented
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
