import TrackEngine

/// The making of the list of changes of a long document, a step at a time: of a copy, while the writer goes on.
///
/// A step costs what one block does, whatever the length of the text. What is made is the same as at once.
final class ListMaking {
  /// The version of the document.
  let version: Int
  /// Its revision.
  let revision: Int
  /// The list, in parts; nil until it is made.
  private(set) var list: [ChangeDiagnostics]?
  private let snapshot: Snapshot
  private var blocks: HeadedBlocks
  /// The pending changes.
  private let hunks: [Hunk]
  /// What is known of the blocks that have been looked at.
  private var parts: [Part] = []
  /// Where the entries in these begin.
  private var starts: [Int] = []
  /// What is left of the text of these when every change is accepted.
  private var kept: [UInt8] = []
  /// The lists of the blocks before `nextPart`, as far as they are shown.
  private var made: [ChangeDiagnostics] = []
  private var nextPart = 0

  private struct Part {
    /// Which entries begin in the block.
    let entries: Range<Int>
    /// Which pending changes do.
    let hunks: Range<Int>
    /// What is left of the text before it.
    let keptBefore: [UInt8]
  }

  /// Begins the list of a document; nil if it is short.
  convenience init?(of document: Document, _ client: Client) {
    let snapshot = Snapshot(of: document, client)
    guard let blocks = HeadedBlocks(of: snapshot, isListed: true) else { return nil }
    self.init(snapshot, document.revision, in: blocks)
  }

  /// The same in blocks.
  init(_ snapshot: Snapshot, _ revision: Int, in blocks: HeadedBlocks) {
    (self.snapshot, self.revision, self.blocks) = (snapshot, revision, blocks)
    version = snapshot.version
    hunks = snapshot.tracker.hunks
  }

  /// Does one step, unless the list is made.
  func step() {
    if list != nil || blocks.step() { return }
    guard parts.count == blocks.blocks.count else { return look(at: blocks.blocks[parts.count]) }
    let shown = snapshot.shown(starts, \.self).indices
    if let next = parts[nextPart...].firstIndex(where: { $0.entries.overlaps(shown) }) {
      make(parts[next], of: blocks.blocks[next], at: next, shown)
      nextPart = next + 1
    } else {
      list = made
    }
  }

  private func look(at block: TextBlock) {
    let end = block.isLast ? Int.max : block.start + block.bytes.count
    let pending = hunks[(parts.last?.hunks.upperBound ?? 0)...].prefix { $0.new.lowerBound < end }
    // What is around one that ends in another block is seldom asked for.
    if let last = pending.last, last.new.upperBound > end {
      list = [snapshot.diagnostics]
      return
    }
    let count = starts.count
    starts += places(in: block, pending).places.map(\.start)
    let entries = count..<starts.count
    parts.append(Part(entries: entries, hunks: pending.indices, keptBefore: kept))
    kept = KeptText.end(of: block, after: kept)
  }

  private func make(_ part: Part, of block: TextBlock, at index: Int, _ shown: Range<Int>) {
    let found = places(in: block, hunks[part.hunks])
    let wanted = part.entries.clamped(to: shown).moved(by: -part.entries.lowerBound)
    var entries = found.places[wanted].map(found.entry)
    if shown.upperBound <= part.entries.upperBound {
      entries += snapshot.omitted(starts, beside: shown, entries.last)
    }
    let after = KeptText.start(of: blocks.keptStarts[(index + 1)...])
    let kept = KeptText(of: block, before: part.keptBefore, after: after)
    made.append(ChangeDiagnostics(of: entries, kept, from: block.start, in: snapshot))
  }

  private func places(in block: TextBlock, _ pending: ArraySlice<Hunk>) -> EntryPlaces {
    EntryPlaces(of: snapshot, in: Excerpt(block), blocks.footnotes, pending: pending)
  }
}
