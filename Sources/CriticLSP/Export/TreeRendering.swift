/// Puts what a format has for it in the place of what is tracked in a tree.
protocol TreeRendering {
  /// Inlines that only one of the texts has.
  mutating func inlines(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode]
  /// Blocks that only one of the texts has.
  mutating func blocks(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode]
  /// Inlines in a highlight, which is given by its index in the list of changes.
  mutating func highlighted(_ content: [PandocNode], by change: Int) -> [PandocNode]
  /// The end of a paragraph that only one of the texts has.
  mutating func paragraphEnd(_ stretch: TrackedStretch) -> [PandocNode]
  /// The place where comments begin or end to speak of the text.
  mutating func comments(on change: Int, isStart: Bool) -> [PandocNode]
  /// What stands for two neighbours, if they are one in the format; nil if they are not.
  mutating func pair(_ node: PandocNode, _ next: PandocNode) -> [PandocNode]?
  /// An element as the format can have it, its parts being so already.
  mutating func adapted(_ element: PandocNode) -> PandocNode
}

extension TreeRendering {
  func pair(_ node: PandocNode, _ next: PandocNode) -> [PandocNode]? { nil }
  func adapted(_ element: PandocNode) -> PandocNode { element }

  /// The nodes without anything tracked.
  mutating func rendered(_ nodes: [PandocNode]) -> [PandocNode] {
    var all: [PandocNode] = []
    var rest = nodes[...]
    while let node = rest.popFirst() {
      if let next = rest.first, let both = pair(node, next) {
        rest = rest.dropFirst()
        all += both
        continue
      }
      switch node {
      case .tracked(let stretch, let content):
        let isInline = content.allSatisfy(\.isInline)
        let content = rendered(content)
        all += isInline ? inlines(content, in: stretch) : blocks(content, in: stretch)
      case .highlighted(let change, let content): all += highlighted(rendered(content), by: change)
      case .paragraphEnd(let stretch): all += paragraphEnd(stretch)
      case .comments(let change, let isStart): all += comments(on: change, isStart: isStart)
      default: all.append(rendered(node))
      }
    }
    return all
  }

  private mutating func rendered(_ node: PandocNode) -> PandocNode {
    switch node {
    case .list(let nodes): return .list(rendered(nodes))
    case .element(let type, let content):
      var parts: PandocNode?
      if let content { parts = rendered(content) }
      return adapted(.element(type, parts))
    case .members(let members):
      var all: [PandocNode.Member] = []
      for member in members { all.append(.init(name: member.name, value: rendered(member.value))) }
      return .members(all)
    default: return node
    }
  }
}
