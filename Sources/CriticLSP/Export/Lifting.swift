/// Turns the sentinels in pandoc's tree into what is tracked.
struct Lifting {
  private let signals: [TrackedLines.Signal]
  private var state = TrackedText.State.plain
  /// The line end that a sentinel has just told of.
  private var lineEnd: TrackedLines.LineEnd?

  /// A piece of a line in one state.
  private struct Piece {
    var node: PandocNode
    /// nil if it has parts in several, which it tracks itself, or is no text.
    var state: TrackedText.State?
    /// Whether it is no text, but a place.
    var isPlace = false
  }

  init(_ signals: [TrackedLines.Signal]) { self.signals = signals }

  /// Lifts a list of blocks.
  mutating func lift(blocks: [PandocNode]) -> [PandocNode] {
    blocks.flatMap { block -> [PandocNode] in
      state = .plain
      lineEnd = nil
      return lift(block: block)
    }
  }

  private mutating func lift(block: PandocNode) -> [PandocNode] {
    guard case .element(let type, let content) = block, let content else { return [block] }
    switch type {
    case "Para", "Plain":
      return [.element(type, .list(lift(paragraph: content.elements)))]
    case "Header":
      var parts = content.elements
      parts[2] = .list(lift(paragraph: parts[2].elements))
      parts[1] = parts[1].withoutSentinels
      return [.element(type, .list(parts))]
    case "LineBlock":
      return [.element(type, .list(content.elements.map { .list(lift(paragraph: $0.elements)) }))]
    case "CodeBlock", "RawBlock":
      return variants(of: block).map { node, state in
        guard let stretch = state.stretch else { return node }
        return .tracked(stretch, [node])
      }
    case "Table":
      var parts = content.elements
      for index in parts.indices where index >= 3 {
        parts[index] = lift(part: parts[index], isCell: true)
      }
      state = .plain
      parts[1] = lift(part: parts[1], isCell: false)
      return [.element(type, .list(parts))]
    default: return [.element(type, lift(part: content, isCell: false))]
    }
  }

  /// Lifts what a block holds: blocks, lists of them, or inlines.
  private mutating func lift(part: PandocNode, isCell: Bool) -> PandocNode {
    guard case .list(let parts) = part else { return part }
    if part.isInlines { return .list(lift(paragraph: parts)) }
    return .list(
      parts.flatMap { part -> [PandocNode] in
        guard part.type != nil else { return [lift(part: part, isCell: isCell)] }
        // A mark can go on from one cell to the next.
        if !isCell { state = .plain }
        return lift(block: part)
      }
    )
  }

  /// Lifts the text of a paragraph, with what its end tells.
  private mutating func lift(paragraph: [PandocNode]) -> [PandocNode] {
    lineEnd = nil
    var nodes = joined(pieces(of: paragraph))
    if let end = lineEnd {
      // Where the whole paragraph goes, nothing is joined.
      let isWhole = nodes.allSatisfy { node in
        if case .tracked(let stretch, _) = node { stretch.kind == end.stretch.kind } else { false }
      }
      if end.isSoftElsewhere, !isWhole {
        let other: TrackedStretch.Kind = end.stretch.kind == .insertion ? .deletion : .insertion
        nodes.append(
          .tracked(TrackedStretch(kind: other, changes: end.stretch.changes), [.softBreak])
        )
      }
      nodes.append(.paragraphEnd(end.stretch))
    }
    lineEnd = nil
    return nodes
  }

  private mutating func pieces(of inlines: [PandocNode]) -> [Piece] {
    inlines.flatMap { pieces(of: $0) }
  }

  private mutating func pieces(of inline: PandocNode) -> [Piece] {
    guard case .element(let type, let content) = inline else { return [] }
    switch type {
    case "Str":
      guard case .text(let text) = content else { return [] }
      return Sentinel.parts(of: Array(text.utf8)).compactMap { part in
        switch part {
        case .text(let bytes):
          lineEnd = nil
          let text = String(decoding: bytes, as: UTF8.self)
          return Piece(node: .element("Str", .text(text)), state: state)
        case .sentinel(let sentinel): return place(sentinel)
        }
      }
    case "SoftBreak", "LineBreak":
      defer { lineEnd = nil }
      return [
        Piece(node: inline, state: lineEnd.map { TrackedText.State(stretch: $0.stretch) } ?? state)
      ]
    case "Space": return [Piece(node: inline, state: state)]
    case "Note": return [note(inline)]
    default:
      guard let formatted = inline.formatted else { return wholes(inline) }
      let form = inline.replacingFormatted(with: [])
      if type == "Link", form.hasSentinels { return wholes(inline) }
      return [box(formatted, in: form.withoutSentinels)]
    }
  }

  private mutating func place(_ sentinel: Sentinel) -> Piece? {
    guard case .start(let number) = sentinel, signals.indices.contains(number) else { return nil }
    switch signals[number] {
    case .state(let next): state = next
    case .lineEnd(let end): lineEnd = end
    case .comments(let change, let isStart):
      return Piece(node: .comments(change, isStart: isStart), isPlace: true)
    }
    return nil
  }

  /// A note stands where it is referred to, and its text elsewhere.
  private mutating func note(_ note: PandocNode) -> Piece {
    let outside = (state, lineEnd)
    var node = note
    if case .element(let type, .list(let blocks)) = note {
      node = .element(type, .list(lift(blocks: blocks)))
    }
    (state, lineEnd) = outside
    lineEnd = nil
    return Piece(node: node, state: state)
  }

  /// An inline that holds others: in one state as they are, or with the marks inside.
  private mutating func box(
    _ content: [PandocNode],
    in form: PandocNode
  ) -> Piece {
    let pieces = pieces(of: content)
    let states = Set(pieces.filter { !$0.isPlace }.map(\.state))
    guard states.count == 1, let state = states.first, let state else {
      return Piece(node: form.replacingFormatted(with: joined(pieces)))
    }
    return Piece(node: form.replacingFormatted(with: pieces.map(\.node)), state: state)
  }

  /// An inline that is replaced as a whole.
  private mutating func wholes(_ inline: PandocNode) -> [Piece] {
    if !inline.hasSentinels { lineEnd = nil }
    return variants(of: inline).map { Piece(node: $0, state: $1) }
  }

  /// What a node with sentinels in its texts is in each of the texts that has it.
  private mutating func variants(of node: PandocNode) -> [(PandocNode, TrackedText.State)] {
    guard node.hasSentinels else { return [(node, state)] }
    let before = state
    var states: Set<TrackedText.State> = []
    func version(without kind: TrackedStretch.Kind) -> PandocNode {
      state = before
      return resolved(node, without: kind, &states)
    }
    let (new, old) = (version(without: .deletion), version(without: .insertion))
    if states.count == 1, let only = states.first { return [(new, only)] }
    if new == old { return [(new, before)] }
    let changes = states.compactMap { $0.stretch?.changes }.flatMap { $0 }.sorted()
    return [
      (old, TrackedText.State(stretch: TrackedStretch(kind: .deletion, changes: changes))),
      (new, TrackedText.State(stretch: TrackedStretch(kind: .insertion, changes: changes))),
    ]
  }

  private mutating func resolved(
    _ node: PandocNode,
    without kind: TrackedStretch.Kind,
    _ states: inout Set<TrackedText.State>
  ) -> PandocNode {
    switch node {
    case .text(let text):
      var kept: [UInt8] = []
      for part in Sentinel.parts(of: Array(text.utf8)) {
        switch part {
        case .text(var bytes):
          if let end = lineEnd, bytes.first == 0x0A || bytes.first == 0x20 {
            let space = bytes.removeFirst()
            states.insert(TrackedText.State(stretch: end.stretch))
            if end.stretch.kind != kind { kept.append(space) }
          }
          lineEnd = nil
          guard !bytes.isEmpty else { continue }
          states.insert(state)
          if state.stretch?.kind != kind { kept += bytes }
        case .sentinel(let sentinel): _ = place(sentinel)
        }
      }
      return .text(String(decoding: kept, as: UTF8.self))
    case .element(let type, let content):
      guard let content else { return node }
      return .element(type, resolved(content, without: kind, &states))
    case .list(let elements):
      var kept: [PandocNode] = []
      for element in elements {
        if element.type == "Space" || element.type == "SoftBreak" {
          let here = lineEnd.map { TrackedText.State(stretch: $0.stretch) } ?? state
          lineEnd = nil
          states.insert(here)
          if here.stretch?.kind != kind { kept.append(element) }
        } else {
          let left = resolved(element, without: kind, &states)
          if left != .element("Str", .text("")) { kept.append(left) }
        }
      }
      return .list(kept)
    case .members(let members):
      var kept: [PandocNode.Member] = []
      for member in members {
        kept.append(.init(name: member.name, value: resolved(member.value, without: kind, &states)))
      }
      return .members(kept)
    case .other, .tracked, .highlighted, .paragraphEnd, .comments: return node
    }
  }

  /// The inlines of pieces, with touching ones of one state in one stretch.
  private func joined(_ pieces: [Piece]) -> [PandocNode] {
    var nodes: [PandocNode] = []
    var index = 0
    while index < pieces.count {
      guard let state = pieces[index].state else {
        nodes.append(pieces[index].node)
        index += 1
        continue
      }
      var group: [PandocNode] = []
      while index < pieces.count, pieces[index].state == state {
        group.append(pieces[index].node)
        index += 1
      }
      if let highlight = state.highlight { group = [.highlighted(highlight, group)] }
      if let stretch = state.stretch { group = [.tracked(stretch, group)] }
      nodes += group
    }
    return nodes
  }
}

extension PandocNode {
  /// Whether a text in it holds a sentinel.
  var hasSentinels: Bool {
    var found = false
    visit { node in
      if case .text(let text) = node, !found {
        found = Sentinel.parts(of: Array(text.utf8)).contains {
          if case .sentinel = $0 { true } else { false }
        }
      }
    }
    return found
  }

  /// The same without sentinels in its texts.
  var withoutSentinels: PandocNode {
    guard case .text(let text) = self else { return mappingParts(\.withoutSentinels) }
    return .text(String(decoding: Sentinel.removed(from: Array(text.utf8)), as: UTF8.self))
  }
}
