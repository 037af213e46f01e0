import TrackEngine

/// Goes through a long document block by block, in memory that depends on its longest paragraph and mark, and not on its
/// length.
struct DocumentWalk {
  /// Reads a stretch of the document.
  typealias Read = (Range<Int>) throws(Platform.Failure) -> [UInt8]

  private let survey: TextSurvey
  private let needsPlaces: Bool
  private let read: Read

  /// What goes through the blocks; a copy goes on from the same place.
  private struct Steps {
    var reader: BlockReader
    var headings: BlockHeadings
  }

  /// A block, and the headings in it.
  private struct Step {
    var block: TextBlock
    var found = BlockHeadings.Found()
    var openParagraph: Int?
  }

  /// - Parameters:
  ///   - survey: A survey of the whole document.
  ///   - needsPlaces: Whether to find where changes are.
  ///   - read: Reads a stretch of it.
  init(_ survey: TextSurvey, needsPlaces: Bool, _ read: @escaping Read) {
    self.survey = survey
    self.needsPlaces = needsPlaces
    self.read = read
  }

  /// Surveys a document.
  static func survey(_ survey: TextSurvey, _ read: Read) throws(Platform.Failure) -> TextSurvey {
    var survey = survey
    while let window = survey.window { survey.read(try read(window)) }
    return survey
  }

  /// Calls `body` with each part in which a lister may find something.
  ///
  /// - Parameters:
  ///   - isSilent: Whether there is nothing to list in a part without marks.
  ///   - body: Receives them in order.
  /// - Throws: `Platform.Failure` if the document cannot be read.
  func each(isSilent: Bool, _ body: (DocumentPart) -> Void) throws(Platform.Failure) {
    var steps = Steps(
      reader: BlockReader(survey),
      headings: BlockHeadings(after: try frontMatterEnd())
    )
    var line = 1
    var before: [UInt8] = []
    var heading: [UInt8]?
    /// The open paragraph that was looked at last, and the name of the heading that it is.
    var known: (paragraph: Int, name: [UInt8]?)?
    var next = try go(&steps)
    while let step = next {
      next = try go(&steps)
      let block = step.block
      let hasMarks = !block.reading.marks.isEmpty
      var headings = step.found.headings.map { ($0.start - block.start, $0.name) }
      if let name = step.found.earlier ?? heading { headings.insert((-1, name), at: 0) }
      if hasMarks, needsPlaces {
        if let open = step.openParagraph {
          if known?.paragraph != open { known = (open, try name(of: open, next, steps)) }
          if let name = known?.name { headings.append((open - block.start, name)) }
        }
        let surroundings = ChangeSurroundings(
          of: block,
          line: line,
          headings,
          KeptText(of: block, before: before, after: try text(next, steps))
        )
        body(DocumentPart(block, line: line, survey.footnotes, surroundings))
      } else if hasMarks || !isSilent {
        body(DocumentPart(block, line: line, survey.footnotes, nil))
      }
      line += block.bytes.lineBreakCount
      guard needsPlaces else { continue }
      before = KeptText.end(of: block, after: before)
      heading = headings.last?.1
    }
  }

  /// The next block; nil at the end.
  private func go(_ steps: inout Steps) throws(Platform.Failure) -> Step? {
    while let window = steps.reader.window {
      guard let block = steps.reader.read(try read(window)) else { continue }
      guard needsPlaces else { return Step(block: block) }
      let found = steps.headings.find(in: block)
      return Step(block: block, found: found, openParagraph: steps.headings.openParagraph)
    }
    return nil
  }

  /// The name of the heading that an open paragraph turns out to be; nil if it is none.
  ///
  /// - Parameters:
  ///   - paragraph: Where it begins.
  ///   - next: The next block.
  ///   - steps: What goes on behind that.
  /// - Returns: The name.
  /// - Throws: `Platform.Failure` if the document cannot be read.
  private func name(
    of paragraph: Int,
    _ next: Step?,
    _ steps: Steps
  ) throws(Platform.Failure) -> [UInt8]? {
    var (next, steps) = (next, steps)
    while let step = next {
      if let name = step.found.earlier { return name }
      guard step.openParagraph == paragraph else { return nil }
      next = try go(&steps)
    }
    return nil
  }

  /// What has to be known of the text from a block on.
  private func text(_ next: Step?, _ steps: Steps) throws(Platform.Failure) -> [UInt8] {
    var (next, steps) = (next, steps)
    var text: [UInt8] = []
    while let step = next, !KeptText.add(step.block, to: &text) { next = try go(&steps) }
    return text
  }

  /// Where the front matter ends in the clean text.
  private func frontMatterEnd() throws(Platform.Failure) -> Int {
    guard needsPlaces else { return 0 }
    var search = FrontMatterSearch()
    var reader = BlockReader(survey)
    while !search.isDecided, let window = reader.window {
      guard let block = reader.read(try read(window)) else { continue }
      search.add(block.reading.text(.clean, of: block.bytes))
    }
    return search.end
  }
}
