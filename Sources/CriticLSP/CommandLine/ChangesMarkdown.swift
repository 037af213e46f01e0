import TrackEngine

/// The list of changes as Markdown: a heading for each file and each of its headings, an item for each change.
struct ChangesMarkdown: ChangesReport {
  private var counts = ChangeCounts()

  mutating func add(_ changes: [ListedChange], of path: String) -> [UInt8] {
    guard !changes.isEmpty else { return [] }
    counts.add(ChangeCounts(of: changes))
    var text = "## \(code(path))\n\n"
    var heading: [UInt8]?
    for change in changes {
      if let next = change.heading, next != heading {
        if heading != nil || change.number > 1 { text += "\n" }
        text += "### \(String(decoding: next, as: UTF8.self))\n\n"
        heading = next
      }
      let byline = change.byline.map { " by \(code($0))" } ?? ""
      text +=
        "\(change.number). line \(change.line), \(change.kind): \(texts(of: change))\(byline)\n"
      let indent = String(repeating: " ", count: "\(change.number). ".count)
      for comment in change.answers { text += "\(indent)- \(code(clipped(comment)))\n" }
    }
    return Array((text + "\n").utf8)
  }

  func end() -> [UInt8] { Array("\(counts)\n".utf8) }

  private func texts(of change: ListedChange) -> String {
    switch change.kind {
    case .addition, .highlight: code(clipped(change.new))
    case .deletion: code(clipped(change.old))
    case .substitution: "\(code(clipped(change.old))) → \(code(clipped(change.new)))"
    case .comment: code(clipped(change.comments.first ?? []))
    }
  }

  /// The text as a code span, so that none of it is read as Markdown.
  private func code(_ text: String) -> String {
    let runs = text.split(omittingEmptySubsequences: true) { $0 != "`" }.map(\.count)
    let fence = String(repeating: "`", count: (runs.max() ?? 0) + 1)
    let pad = text.isEmpty || text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
    return fence + pad + text + pad + fence
  }
}
