import JSONRPC

/// What is tracked as the spans that pandoc makes of a Word document with `--track-changes=all`.
///
/// Blocks that hold no inlines are in divisions of the same classes, and a highlight without comments is in a span of the
/// class `mark`.
struct PandocSpans: TreeRendering {
  private let tree: TrackedTree
  /// The number of the first comment of each change.
  private let numbers: [Int]

  init(_ tree: TrackedTree) {
    self.tree = tree
    var next = 0
    numbers = tree.threads.map { thread in
      defer { next += thread.count }
      return next
    }
  }

  /// The document with these spans, as JSON that pandoc reads.
  var json: [UInt8] {
    var spans = self
    return tree.json(spans.rendered(tree.blocks), tree.metadata)
  }

  func inlines(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode] {
    [.span(attributes(stretch.name, stretch), content)]
  }

  func blocks(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode] {
    [.division(attributes(stretch.name, stretch), content)]
  }

  func highlighted(_ content: [PandocNode], by change: Int) -> [PandocNode] {
    guard tree.threads[change].isEmpty else { return content }
    return [.span(PandocNode.attributes(classes: ["mark"]), content)]
  }

  func paragraphEnd(_ stretch: TrackedStretch) -> [PandocNode] {
    [.span(attributes("paragraph-\(stretch.name)", stretch), [])]
  }

  func comments(on change: Int, isStart: Bool) -> [PandocNode] {
    tree.threads[change].enumerated().map { index, remark in
      let id = ("id", "\(numbers[change] + index)")
      guard isStart else { return .span(PandocNode.attributes(classes: ["comment-end"], [id]), []) }
      let said = [id] + PandocSpans.pairs(remark.author, remark.date)
      return .span(
        PandocNode.attributes(classes: ["comment-start"], said),
        PandocNode.words(remark.text)
      )
    }
  }

  private func attributes(_ name: String, _ stretch: TrackedStretch) -> PandocNode {
    let (author, date) = tree.attribution(of: stretch.changes)
    return PandocNode.attributes(classes: [name], PandocSpans.pairs(author, date))
  }

  private static func pairs(_ author: String?, _ date: String?) -> [(String, String)] {
    var pairs: [(String, String)] = []
    if let author { pairs.append(("author", author)) }
    // Word has times only.
    if let date { pairs.append(("date", date.count == 10 ? "\(date)T00:00:00Z" : date)) }
    return pairs
  }
}

extension TrackedStretch {
  /// The name in pandoc's classes.
  fileprivate var name: String { kind == .insertion ? "insertion" : "deletion" }
}
