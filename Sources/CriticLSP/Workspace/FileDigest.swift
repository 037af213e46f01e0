import JSONRPC
import TrackEngine

/// The extraction of the changes from a text, a step at a time.
///
/// A short text is read at once, a long one block by block: a step costs what a block of it does, whatever its length.
/// What is found is the same.
struct FileDigest {
  let path: Path
  private let snapshot: Snapshot
  private(set) var file: WorkspaceFile

  /// Whether the list of changes is made too, as it is sent to clients that pull diagnostics.
  ///
  /// Only of a text in which nothing is pending.
  private let isListed: Bool
  /// The blocks of a long text; nil for a short one.
  private var blocks: HeadedBlocks?
  private var headings: [(start: Int, name: [UInt8])] = []
  private var nextHeading = 0
  /// The pending changes.
  private let hunks: [Hunk]
  private var nextHunk = 0
  /// What is left of the text before the next part when every change is accepted.
  private var keptBefore: [UInt8] = []
  /// The part of the text that was read last: a block, or all of it.
  private var part = Part()
  private var nextPart = 0
  private var nextEntry = 0

  private struct Part {
    var start = 0
    var entries: [ChangeEntry] = []
    /// For a list.
    var kept: KeptText?
  }

  private static let entriesPerStep = 256

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - snapshot: The document.
  ///   - path: Its file.
  ///   - listed: How the file was listed.
  ///   - isListed: Whether the list of changes is made too; then nothing may be pending.
  init(_ snapshot: Snapshot, path: Path, listed: Listing.File? = nil, isListed: Bool = false) {
    let blocks = HeadedBlocks(of: snapshot, isListed: isListed)
    self.init(snapshot, path: path, listed: listed, isListed: isListed, in: blocks)
  }

  /// The same in blocks; at once if there are none.
  init(
    _ snapshot: Snapshot,
    path: Path,
    listed: Listing.File? = nil,
    isListed: Bool,
    in blocks: HeadedBlocks?
  ) {
    self.path = path
    self.isListed = isListed
    self.snapshot = snapshot
    self.blocks = blocks
    hunks = snapshot.tracker.hunks
    file = WorkspaceFile(listed: listed)
    assert(!isListed || hunks.isEmpty, "changes are pending in a text that is listed")
  }

  /// Does one step; returns false when there is nothing left to do.
  mutating func step() -> Bool {
    if blocks?.step() == true { return true }
    guard nextEntry < part.entries.count else { return readPart() }
    let end = min(nextEntry + FileDigest.entriesPerStep, part.entries.count)
    digest(Array(part.entries[nextEntry..<end]))
    nextEntry = end
    return true
  }

  /// Takes out the changes that were found since this was done last.
  mutating func takeSymbols() -> [WorkspaceSymbol] {
    defer { file.symbols = [] }
    return file.symbols
  }

  private mutating func digest(_ entries: [ChangeEntry]) {
    for entry in entries where entry.problem == nil {
      while nextHeading < headings.count, headings[nextHeading].start <= entry.range.lowerBound {
        nextHeading += 1
      }
      let title = nextHeading > 0 ? headings[nextHeading - 1].name : []
      file.symbols.append(WorkspaceSymbol(entry, below: title, snapshot.conversions))
    }
    if let kept = part.kept {
      var writer = JSONWriter()
      ChangeDiagnostics(of: entries, kept, from: part.start, in: snapshot).write(to: &writer)
      file.diagnostics.append(writer.bytes)
    }
  }

  /// Reads the next part; returns false if there is none.
  private mutating func readPart() -> Bool {
    part = Part()
    nextEntry = 0
    guard let blocks else {
      guard nextPart == 0 else { return false }
      nextPart = 1
      readAll()
      return true
    }
    guard nextPart < blocks.blocks.count else { return false }
    read(blocks.blocks[nextPart], of: blocks)
    nextPart += 1
    return true
  }

  private mutating func readAll() {
    let whole = snapshot.whole
    part.entries = EntryPlaces(of: snapshot, in: whole).entries
    guard !part.entries.isEmpty else { return }
    headings = Heading.headings(of: whole.bytes, whole.reading).map {
      ($0.range.lowerBound, $0.name)
    }
    if isListed { part.kept = KeptText(of: whole.bytes, whole.reading) }
  }

  private mutating func read(_ block: TextBlock, of blocks: HeadedBlocks) {
    if nextPart == 0 { headings = blocks.headings }
    // One that begins in the block may end behind it, and is in no mark then.
    let end = block.isLast ? Int.max : block.start + block.bytes.count
    let pending = hunks[nextHunk...].prefix { $0.new.lowerBound < end }
    nextHunk = pending.endIndex
    part.start = block.start
    part.entries =
      EntryPlaces(of: snapshot, in: Excerpt(block), blocks.footnotes, pending: pending).entries
    guard isListed else { return }
    if !part.entries.isEmpty {
      let after = KeptText.start(of: blocks.keptStarts[(nextPart + 1)...])
      part.kept = KeptText(of: block, before: keptBefore, after: after)
    }
    keptBefore = KeptText.end(of: block, after: keptBefore)
  }
}
