import TrackEngine

/// Lists the changes of a document, part by part.
struct ChangeLister: DocumentLister {
  let findsMalformed = false
  let needsPlaces = true
  var ofRecord: ChangeLister { self }
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
      let entry = ChangeEntry(change, in: reading, bytes, footnotes)
      body(ListedChange(number: number, entry: entry, around: surroundings.next(entry)))
    }
  }
}
