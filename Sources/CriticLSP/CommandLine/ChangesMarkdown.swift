import TrackEngine

/// The list of changes as Markdown: a heading for each file and each of its headings, an item for each change.
struct ChangesMarkdown: ChangesReport {
  private var counts = ChangeCounts()
  /// Whether a change of the file has been added.
  private var hasChange = false
  /// The last heading.
  private var heading: [UInt8]?

  mutating func begin(_ path: Path) -> [UInt8] {
    hasChange = false
    heading = nil
    return []
  }

  mutating func add(_ change: ListedChange, of path: Path) -> [UInt8] {
    counts.add(change)
    var text = hasChange ? "" : "## \(code(path.description))\n\n"
    hasChange = true
    if let next = change.around.heading, next != heading {
      if heading != nil || change.number > 1 { text += "\n" }
      text += "### \(String(decoding: next, as: UTF8.self))\n\n"
      heading = next
    }
    let entry = change.entry
    let byline = entry.byline.map { " by \(code($0))" } ?? ""
    let texts = entry.words.arrow { code(clipped($0)) }
    text +=
      "\(change.number). line \(change.around.region.line), \(entry.code): \(texts)\(byline)\n"
    let indent = String(repeating: " ", count: "\(change.number). ".count)
    for comment in entry.answers { text += "\(indent)- \(code(clipped(comment)))\n" }
    return Array(text.utf8)
  }

  mutating func end(_ path: Path) -> [UInt8] { hasChange ? Array("\n".utf8) : [] }

  func end() -> [UInt8] { Array("\(counts)\n".utf8) }

  /// The text as a code span, so that none of it is read as Markdown.
  private func code(_ text: String) -> String {
    let runs = text.split(omittingEmptySubsequences: true) { $0 != "`" }.map(\.count)
    let fence = String(repeating: "`", count: (runs.max() ?? 0) + 1)
    let pad = text.isEmpty || text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
    return fence + pad + text + pad + fence
  }
}
