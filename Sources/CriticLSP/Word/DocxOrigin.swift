import TrackEngine

/// Who made a change or wrote a comment, and when, as Word says it.
struct DocxOrigin: Hashable {
  var author: String
  /// In the form of `2026-11-22T10:30:00Z`; nil if it is not known.
  var date: String?

  init(author: String, date: String? = nil) {
    self.author = author
    self.date = date
  }

  /// Takes over what an attribution says.
  ///
  /// - Parameters:
  ///   - attribution: What the text says.
  ///   - someone: Who it is if the text names nobody.
  init(_ attribution: Attribution, else someone: String) {
    author = attribution.author ?? someone
    date = attribution.date.flatMap(DocxOrigin.date)
  }

  /// The attributes of an element that says this.
  var attributes: [(name: String, value: String)] {
    [("w:author", author)] + (date.map { [("w:date", $0)] } ?? [])
  }

  /// The first letters of the author's names.
  var initials: String {
    String(author.split(separator: " ").compactMap(\.first).prefix(4))
  }

  /// A date as a head has it, `2026-11-22` or with a time behind it, in Word's form; nil if it is none.
  ///
  /// Word shows what is written, whatever the zone, so a time's zone is left out.
  private static func date(_ written: String) -> String? {
    let parts = written.split { $0 == " " || $0 == "T" }
    guard let day = parts.first, day.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil else { return nil }
    let time = parts.dropFirst().first?.prefixMatch(of: /(\d\d:\d\d)(:\d\d)?/)
    guard let time else { return "\(day)T00:00:00Z" }
    return "\(day)T\(time.output.1)\(time.output.2 ?? ":00")Z"
  }
}
