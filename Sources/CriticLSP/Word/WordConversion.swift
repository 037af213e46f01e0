import TrackEngine

/// What pandoc makes of the sides of a Word document, one after the other.
struct WordConversion {
  private let document: WordDocument
  private var standIns: WordStandIns?
  /// The last document that pandoc has read, and what it made of it.
  private var last: (document: [UInt8], markdown: [UInt8], warnings: [String])?

  /// HTML that pandoc writes or not though the text is the same, and what is read in its place.
  private static let accidents = [
    // A table as wide as the text has this style or none, depending on how the widths of its columns are rounded.
    ("<table style=\"width:100%;\">\n<colgroup>", "<table>\n<colgroup>"),
    // A caption that also describes the image in Word is hidden from those to whom that is read.
    ("<figcaption aria-hidden=\"true\">", "<figcaption>"),
  ]

  init(_ document: WordDocument) {
    self.document = document
    standIns = WordStandIns(document.styles)
  }

  /// Converts a side.
  ///
  /// - Parameters:
  ///   - isAccepted: Whether its changes are accepted or rejected.
  ///   - isMarked: Whether sentinels tell where changes and comments begin and end.
  ///   - warnings: What pandoc warns of is appended.
  /// - Returns: Its Markdown, and the notes in the order in which they are referred to.
  /// - Throws: `Platform.Failure` if pandoc is absent or fails.
  mutating func side(
    isAccepted: Bool,
    isMarked: Bool,
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> (markdown: [UInt8], notes: [String]) {
    let (short, notes) = document.resolved(
      isAccepted: isAccepted,
      isMarked: isMarked,
      &standIns
    )
    let made = try converted(short)
    if let markdown = standIns == nil ? made.markdown : standIns?.fill(made.markdown) {
      for warning in made.warnings where !warnings.contains(warning) { warnings.append(warning) }
      return (markdown, notes)
    }
    // A paragraph became something else than a line, as the first one of a quotation.
    standIns = nil
    return try side(isAccepted: isAccepted, isMarked: isMarked, &warnings)
  }

  private mutating func converted(
    _ document: [UInt8]
  ) throws(Platform.Failure) -> (markdown: [UInt8], warnings: [String]) {
    if let last, last.document == document { return (last.markdown, last.warnings) }
    var warnings: [String] = []
    let made = try Pandoc.run(WordConversion.arguments, on: document, &warnings)
    let markdown = WordConversion.withoutAccidents(made)
    last = (document, markdown, warnings)
    return (markdown, warnings)
  }

  /// Replaces each of ``accidents`` outside code by what it means.
  private static func withoutAccidents(_ markdown: [UInt8]) -> [UInt8] {
    let edits = accidents.flatMap { found, meant in
      markdown.ranges(of: Array(found.utf8)).map { Edit($0, Array(meant.utf8)) }
    }
    guard !edits.isEmpty else { return markdown }
    let zones = Reading(of: markdown, as: Pandoc.language).zones
    return markdown.applying(
      edits.filter { edit in
        // An indent alone makes code of it, or it is in a list, where pandoc writes neither.
        let head = markdown[..<edit.range.lowerBound].suffix(4)
        return !head.elementsEqual("    ".utf8)
          && zones.first(overlapping: edit.range, \.range) == nil
      }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    )
  }

  private static let arguments: [Path] = [
    "-s", "--sandbox", "-f", "docx", "--wrap=none", "-t",
    "markdown-smart-simple_tables-multiline_tables-grid_tables-header_attributes-bracketed_spans"
      + "-fenced_divs-link_attributes",
  ]
}
