import TrackEngine

/// A merged tree of which the gaps are being told what they are about: the changes and comments that are nowhere else in the
/// tree, each in the gap that its place in the text falls into.
struct FilledGaps {
  private(set) var blocks: [PandocNode]
  /// For each gap, the changes and comments in it.
  private var missing: [[Int]]
  private let threads: [[TrackedTree.Remark]]
  private let changes: [Change]
  /// What is in no gap, and has no place.
  private var lost: [Int] = []

  /// - Parameters:
  ///   - blocks: The tree.
  ///   - count: How many gaps it has.
  ///   - threads: The comments of each change.
  ///   - changes: The list of changes.
  ///   - front: The length of the front matter, which is not in the tree.
  init(
    _ blocks: [PandocNode],
    _ count: Int,
    _ threads: [[TrackedTree.Remark]],
    _ changes: [Change],
    front: Int
  ) {
    self.blocks = blocks
    self.threads = threads
    self.changes = changes
    missing = Array(repeating: [], count: count)
    var seen: Set<Int> = []
    var begun: Set<Int> = []
    var ended: Set<Int> = []
    /// The gaps in the order of the text, with the last change that is in the tree before each.
    var gaps: [(gap: Int, last: Int)] = []
    var last = -1
    for block in blocks {
      block.visit { node in
        if let gap = TreeMerging.gap(borderedBy: node) {
          if gaps.last?.gap != gap { gaps.append((gap, last)) }
        } else if case .comments(let change, let isStart) = node {
          if isStart { begun.insert(change) } else { ended.insert(change) }
          last = max(last, change)
        } else if case .highlighted(let change, _) = node {
          seen.insert(change)
          last = max(last, change)
        } else if case .tracked(let stretch, _) = node {
          for change in stretch.changes where change >= 0 {
            seen.insert(change)
            last = max(last, change)
          }
        } else if case .paragraphEnd(let stretch) = node {
          seen.formUnion(stretch.changes)
        }
      }
    }
    // Of a comment that begins or ends in a gap the other end is taken out.
    let commented = begun.intersection(ended)
    let halves = begun.symmetricDifference(ended)
    if !halves.isEmpty { self.blocks = blocks.map { $0.withoutComments(on: halves) } }
    var next = 0
    for index in changes.indices {
      while next + 1 < gaps.count, gaps[next + 1].last < index { next += 1 }
      let isCommented = threads[index].isEmpty || commented.contains(index)
      let isSeen = seen.contains(index) || changes[index].kind == .comment
      guard !isCommented || !isSeen else { continue }
      if changes[index].range.lowerBound < front {
        if !isCommented { lost.append(index) }
        continue
      }
      if !gaps.isEmpty {
        missing[gaps[next].gap].append(index)
      } else if !isCommented {
        lost.append(index)
      }
    }
    hasComments = commented
  }

  /// The changes whose comments have a place in the tree.
  private let hasComments: Set<Int>

  /// The chunks to write plainly because a gap holds several, of each gap the first.
  func suspects(among chunks: [Int], known: Set<Int>) -> Set<Int> {
    Set(
      missing.compactMap { changes in
        let all = Set(changes.map { chunks[$0] }).subtracting(known)
        return all.count > 1 ? all.min() : nil
      }
    )
  }

  /// Says in each gap what it is about, and takes its borders out.
  mutating func fill() {
    blocks = filled(blocks)
    for index in lost {
      let place = [PandocNode.comments(index, isStart: true), .comments(index, isStart: false)]
      // The front matter is before everything; nothing else is without a gap but what no tree has.
      guard let first = blocks.firstIndex(where: { $0.paragraph != nil }),
        let text = blocks[first].paragraph
      else {
        blocks.insert(.element("Para", .list(place)), at: 0)
        continue
      }
      blocks[first] = blocks[first].replacingParagraph(with: place + text)
    }
  }

  private func filled(_ nodes: [PandocNode]) -> [PandocNode] {
    var all: [PandocNode] = []
    var index = 0
    while index < nodes.count {
      guard let gap = TreeMerging.gap(borderedBy: nodes[index]) else {
        all.append(filled(nodes[index]))
        index += 1
        continue
      }
      let end =
        nodes[(index + 1)...].firstIndex { TreeMerging.gap(borderedBy: $0) == gap } ?? nodes.count
      all += commented(nodes[index + 1..<end].map { named($0, gap) }, missing[gap])
      index = end + 1
    }
    return all
  }

  private func filled(_ node: PandocNode) -> PandocNode {
    guard let children = node.children else { return node }
    return node.replacingChildren(with: filled(children))
  }

  /// The same with the changes of a gap for what is tracked in it.
  private func named(_ node: PandocNode, _ gap: Int) -> PandocNode {
    func named(_ stretch: TrackedStretch) -> TrackedStretch {
      guard let first = stretch.changes.first, first < 0 else { return stretch }
      let all = missing[gap].filter { changes[$0].kind.isChange }
      // What only one text has is of the changes that added or deleted something.
      let fitting = all.filter {
        changes[$0].kind != (stretch.kind == .insertion ? .deletion : .addition)
      }
      return TrackedStretch(kind: stretch.kind, changes: fitting.isEmpty ? all : fitting)
    }
    switch node {
    case .tracked(let stretch, let content):
      return .tracked(named(stretch), content.map { self.named($0, gap) })
    case .paragraphEnd(let stretch): return .paragraphEnd(named(stretch))
    default: return node.mappingParts { self.named($0, gap) }
    }
  }

  /// Blocks or items, with comments that are about all of them.
  private func commented(_ nodes: [PandocNode], _ missing: [Int]) -> [PandocNode] {
    let commented = missing.filter { !threads[$0].isEmpty && !hasComments.contains($0) }
    guard !commented.isEmpty else { return nodes }
    let starts = commented.map { PandocNode.comments($0, isStart: true) }
    let ends = commented.map { PandocNode.comments($0, isStart: false) }
    var isStarted = false
    let started = nodes.map { node in
      node.mappingParagraphs { paragraph in
        guard !isStarted else { return paragraph }
        isStarted = true
        return starts + paragraph
      }
    }
    guard isStarted else {
      let place = PandocNode.element("Para", .list(starts + ends))
      if case .list(let blocks) = nodes.first {
        return [.list([place] + blocks)] + nodes.dropFirst()
      }
      return [place] + nodes
    }
    var isEnded = false
    return started.reversed().map { node in
      node.mappingParagraphs(isReversed: true) { paragraph in
        guard !isEnded else { return paragraph }
        isEnded = true
        let count = paragraph.reversed().prefix {
          if case .paragraphEnd = $0 { true } else { false }
        }.count
        return paragraph.dropLast(count) + ends + paragraph.suffix(count)
      }
    }.reversed()
  }
}

extension PandocNode {
  /// The same without the places of comments on some changes.
  fileprivate func withoutComments(on changes: Set<Int>) -> PandocNode {
    func kept(_ parts: [PandocNode]) -> [PandocNode] {
      parts.filter { part in
        if case .comments(let change, _) = part { !changes.contains(change) } else { true }
      }.map { $0.withoutComments(on: changes) }
    }
    switch self {
    case .list(let parts): return .list(kept(parts))
    case .tracked(let stretch, let content): return .tracked(stretch, kept(content))
    case .highlighted(let change, let content): return .highlighted(change, kept(content))
    default: return mappingParts { $0.withoutComments(on: changes) }
    }
  }

  /// The same with other text in each paragraph and heading, asked for in the order of the text or the other way round.
  fileprivate func mappingParagraphs(
    isReversed: Bool = false,
    _ transform: ([PandocNode]) -> [PandocNode]
  ) -> PandocNode {
    if let paragraph { return replacingParagraph(with: transform(paragraph)) }
    guard let children else { return self }
    let mapped = (isReversed ? children.reversed() : children).map {
      $0.mappingParagraphs(isReversed: isReversed, transform)
    }
    return replacingChildren(with: isReversed ? mapped.reversed() : mapped)
  }
}
