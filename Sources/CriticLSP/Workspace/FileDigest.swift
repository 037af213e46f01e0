import JSONRPC
import TrackEngine

/// The extraction of the changes from a text, a step at a time.
struct FileDigest {
  let path: Path
  private let snapshot: Snapshot
  private(set) var file: WorkspaceFile

  /// Whether the list of changes is made too, as it is sent to clients that pull diagnostics.
  private let isListed: Bool
  /// The text, read, and its entries.
  private var found: (whole: Excerpt, entries: [ChangeEntry])?
  /// What entries are told with: the headings, and for a list what is left of the text when every change is accepted.
  private var around: (headings: [Heading], kept: KeptText?)?
  private var nextEntry = 0
  private var nextHeading = 0

  private static let entriesPerStep = 256
  /// Texts up to this length are done in one turn, in bytes.
  static let shortText = 1 << 16

  init(_ snapshot: Snapshot, path: Path, listed: Listing.File? = nil, isListed: Bool = false) {
    self.path = path
    self.isListed = isListed
    self.snapshot = snapshot
    file = WorkspaceFile(listed: listed)
  }

  /// Does one step; returns false when done.
  mutating func step() -> Bool {
    guard let (whole, entries) = found else {
      let whole = snapshot.whole
      let entries = ChangeEntry.entries(of: snapshot, in: whole)
      found = (whole, entries)
      return !entries.isEmpty
    }
    guard let (headings, kept) = around else {
      around = (
        Heading.headings(of: whole.bytes, whole.reading),
        isListed ? KeptText(of: whole.bytes, whole.reading) : nil
      )
      return true
    }
    let end = min(nextEntry + FileDigest.entriesPerStep, entries.count)
    let some = Array(entries[nextEntry..<end])
    for entry in some where entry.problem == nil {
      while nextHeading < headings.count,
        headings[nextHeading].range.lowerBound <= entry.range.lowerBound
      { nextHeading += 1 }
      let heading = nextHeading > 0 ? headings[nextHeading - 1] : nil
      file.symbols.append(WorkspaceSymbol(entry, below: heading, snapshot.conversions))
    }
    if let kept {
      var writer = JSONWriter()
      ChangeDiagnostics(of: some, kept, in: snapshot).write(to: &writer)
      file.diagnostics.append(writer.bytes)
    }
    nextEntry = end
    return nextEntry < entries.count
  }
}
