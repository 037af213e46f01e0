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
    let entry = change.entry
    let byline = entry.byline.map { " by \($0)" } ?? ""
    let around = NearbyWords.told(before: change.around.before, after: change.around.after)
    let line = start(of: change, in: path) + plain(around + byline) + "\n"
    let answers = entry.answers.map { "    \(painted(clipped($0), MarkKind.comment.style))\n" }
    return Array((line + answers.joined()).utf8)
  }

  func end() -> [UInt8] { Array("\(counts)\n".utf8) }

  /// Where a change is, its number and kind, and its texts.
  func start(of change: ListedChange, in path: Path) -> String {
    let region = change.around.region
    let head = painted("\(path):\(region.line):\(region.column):", "2")
    let kind = change.entry.kind
    var kinds = kind == .substitution ? [.deletion, .addition] : [kind]
    let texts = change.entry.words.arrow { painted(quoted($0), kinds.removeFirst().style) }
    return "\(head) \(change.number) \(change.entry.code) \(texts)"
  }

  /// A text without colour.
  func plain(_ text: String) -> String { isColored ? text.harmless : text }

  private func painted(_ text: String, _ style: String) -> String {
    text.painted(style, if: isColored)
  }
}

extension MarkKind {
  /// The style of such text on a terminal: the parameters of the control sequence SGR.
  var style: String {
    switch self {
    case .addition: "32"
    case .deletion: "31;9"
    case .substitution: "33"
    case .highlight: "7"
    case .comment: "36"
    }
  }
}
