import TrackEngine

/// The list of changes for people: one line each, with comments below it, and totals at the end.
struct ChangesText: ChangesReport {
  let isColored: Bool
  private var counts = ChangeCounts()

  init(isColored: Bool) {
    self.isColored = isColored
  }

  mutating func add(_ change: ListedChange, of path: Path) -> [UInt8] {
    counts.add(change)
    let place = painted("\(path):\(change.around.line):\(change.around.column):", "2")
    let head =
      "\(place) \(change.number) \(change.kind) \(texts(of: change))"
      + plain(context(of: change) + (change.byline.map { " by \($0)" } ?? "")) + "\n"
    return Array(
      (head + change.answers.map { "    \(painted(clipped($0), "36"))\n" }.joined()).utf8
    )
  }

  func end() -> [UInt8] { Array("\(counts)\n".utf8) }

  /// The old and new text of a change.
  func texts(of change: ListedChange) -> String {
    let styles =
      switch change.kind {
      case .addition: ["32"]
      case .deletion: ["31;9"]
      case .substitution: ["31;9", "32"]
      case .highlight: ["7"]
      case .comment: ["36"]
      }
    return zip(change.words.texts, styles).map { painted(quoted($0), $1) }.joined(separator: " → ")
  }

  private func context(of change: ListedChange) -> String {
    change.around.before.withUnsafeBufferPointer { before in
      change.around.after.withUnsafeBufferPointer { after in
        guard let before = NearbyWords(before: before, isAll: true),
          let after = NearbyWords(after: after, isAll: true), !before.isEmpty || !after.isEmpty
        else { return "" }
        let start = String(decoding: before.text, as: UTF8.self) + (before.isApart ? " " : "")
        let end = (after.isApart ? " " : "") + String(decoding: after.text, as: UTF8.self)
        return " in “\(start)[…]\(end)”"
      }
    }
  }

  /// A text without colour.
  func plain(_ text: String) -> String { isColored ? text.harmless : text }

  private func painted(_ text: String, _ style: String) -> String {
    text.painted(style, if: isColored)
  }
}
