import TrackEngine

/// The blocks of a long text that is in memory, and its headings, found a step at a time.
///
/// A step costs what one block does, whatever the length of the text; a block is longer than usual only where a mark is.
struct HeadedBlocks {
  /// In order; complete after the last step.
  private(set) var blocks: [TextBlock] = []
  /// Where headings begin in the text, and what they are named, in order; complete after the last step.
  private(set) var headings: [(start: Int, name: [UInt8])] = []
  /// What each block begins with when every change is accepted, as ``KeptText/start(of:)`` takes it.
  private(set) var keptStarts: [[UInt8]] = []
  /// The footnotes of the text.
  var footnotes: Footnotes { survey.footnotes }

  private let text: Text
  private var survey: TextSurvey
  private var reader: BlockReader?
  private var frontMatter = FrontMatterSearch()
  private var search: BlockHeadings?
  private var nextToSearch = 0

  /// Begins a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - survey: A survey of it that has read nothing yet.
  init(_ text: Text, _ survey: TextSurvey) {
    self.text = text
    self.survey = survey
  }

  /// Texts up to this length are read at once, in bytes, and longer ones in blocks of about this length.
  static let shortText = 1 << 16

  /// Begins a document; nil if it is short.
  ///
  /// - Parameters:
  ///   - snapshot: The document.
  ///   - isListed: Whether what is malformed is to be found in the blocks, too.
  init?(of snapshot: Snapshot, isListed: Bool) {
    let text = snapshot.text
    guard text.count > HeadedBlocks.shortText else { return nil }
    let survey = TextSurvey(
      count: text.count,
      language: snapshot.tracker.options.language,
      findsMalformed: isListed && snapshot.showsMarks,
      window: HeadedBlocks.shortText
    )
    self.init(text, survey)
  }

  /// Does one step; returns false when there is nothing left to do.
  mutating func step() -> Bool {
    if let window = survey.window {
      survey.read(Array(text[window]))
      return true
    }
    if reader == nil { reader = BlockReader(survey) }
    if let window = reader?.window {
      if let block = reader?.read(Array(text[window])) { add(block) }
      return true
    }
    guard nextToSearch < blocks.count else { return false }
    findHeadings(in: blocks[nextToSearch])
    nextToSearch += 1
    return true
  }

  private mutating func add(_ block: TextBlock) {
    if !frontMatter.isDecided { frontMatter.add(block.reading.text(.clean, of: block.bytes)) }
    var start: [UInt8] = []
    _ = KeptText.add(block, to: &start)
    keptStarts.append(start)
    blocks.append(block)
  }

  private mutating func findHeadings(in block: TextBlock) {
    var search = search ?? BlockHeadings(after: frontMatter.end)
    let paragraph = search.openParagraph
    let found = search.find(in: block)
    if let paragraph, let name = found.earlier { headings.append((paragraph, name)) }
    headings += found.headings
    self.search = search
  }
}
