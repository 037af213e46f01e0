import TrackEngine

/// The headings of a document that is read block by block.
struct BlockHeadings {
  /// In the clean text: where the front matter ends.
  private let frontMatterEnd: Int
  /// Where the next block begins in the clean text.
  private var start = 0
  private var rest = HeadingFinder.Rest()
  /// Where the paragraph begins in the text that goes on after the last block; nil if there is none that can be a heading.
  private(set) var openParagraph: Int?

  /// The headings of a block.
  struct Found {
    /// Where they begin in the text, and what they are named.
    var headings: [(start: Int, name: [UInt8])] = []
    /// The name of the heading that ``BlockHeadings/openParagraph`` before the block turned out to be.
    var earlier: [UInt8]?
  }

  /// Begins a document.
  ///
  /// - Parameter frontMatterEnd: Where the front matter ends in the clean text.
  init(after frontMatterEnd: Int) {
    self.frontMatterEnd = frontMatterEnd
  }

  /// Finds those of the next block.
  mutating func find(in block: TextBlock) -> Found {
    let clean =
      block.reading.marks.isEmpty ? nil : VariantText(.clean, of: block.bytes, block.reading)
    let bytes = clean?.bytes ?? block.bytes
    let first = max(0, frontMatterEnd - start)
    start += bytes.count
    guard first < bytes.count else { return Found() }
    var finder = HeadingFinder(bytes, block.cleanFences, after: rest)
    finder.find(from: first)
    func place(of offset: Int) -> Int { block.start + (clean?.place(of: offset) ?? offset) }
    let found = Found(
      headings: finder.found.map { _, name, lines in
        (place(of: lines.lowerBound), LongParagraph.told(name[...]))
      },
      earlier: finder.earlier
    )
    rest = finder.rest
    if let paragraph = finder.paragraph {
      openParagraph = place(of: paragraph)
    } else if rest.paragraph == nil {
      openParagraph = nil
    }
    return found
  }
}
