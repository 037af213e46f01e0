import TrackEngine

/// The list of changes for people: one line each, with comments below it, and totals at the end.
struct ChangesText: ChangesReport {
  private let isColored: Bool
  private var counts = ChangeCounts()

  init(isColored: Bool) {
    self.isColored = isColored
  }

  mutating func add(_ changes: [ListedChange], of path: String) -> [UInt8] {
    counts.add(ChangeCounts(of: changes))
    return changes.flatMap { change in
      let place = painted("\(path):\(change.line):\(change.column):", "2")
      let head =
        "\(place) \(change.number) \(change.kind) \(texts(of: change))\(context(of: change))"
        + "\(change.byline.map { " by \($0)" } ?? "")\n"
      return Array(
        (head + change.answers.map { "    \(painted(clipped($0), "36"))\n" }.joined()).utf8
      )
    }
  }

  func end() -> [UInt8] { Array("\(counts)\n".utf8) }

  /// The old and new text of a change.
  func texts(of change: ListedChange) -> String {
    switch change.kind {
    case .addition: painted(quoted(change.new), "32")
    case .deletion: painted(quoted(change.old), "31;9")
    case .substitution:
      "\(painted(quoted(change.old), "31;9")) → \(painted(quoted(change.new), "32"))"
    case .highlight: painted(quoted(change.new), "7")
    case .comment: painted(quoted(change.comments.first ?? []), "36")
    }
  }

  private func context(of change: ListedChange) -> String {
    change.before.withUnsafeBufferPointer { before in
      change.after.withUnsafeBufferPointer { after in
        guard let before = NearbyWords(before: before, isAll: true),
          let after = NearbyWords(after: after, isAll: true), !before.isEmpty || !after.isEmpty
        else { return "" }
        let start = String(decoding: before.text, as: UTF8.self) + (before.isApart ? " " : "")
        let end = (after.isApart ? " " : "") + String(decoding: after.text, as: UTF8.self)
        return " in “\(start)[…]\(end)”"
      }
    }
  }

  private func painted(_ text: String, _ style: String) -> String {
    text.painted(style, if: isColored)
  }
}
