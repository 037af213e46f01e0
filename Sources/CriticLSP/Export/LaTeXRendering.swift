import TrackEngine

/// A document for LaTeX, in which the package `changes` shows what is tracked.
struct LaTeXRendering: TreeRendering {
  private let tree: TrackedTree
  /// The people, in the order in which their identifiers are numbered.
  private let authors: [String]

  private init(_ tree: TrackedTree) {
    self.tree = tree
    var authors: [String] = []
    for (index, change) in tree.changes.enumerated() {
      let names = [change.entry.attribution.author] + tree.threads[index].map(\.author)
      for case let name? in names where !authors.contains(name) { authors.append(name) }
    }
    self.authors = authors
  }

  /// Renders a document that stands by itself.
  ///
  /// - Parameters:
  ///   - tree: The document.
  ///   - warnings: What pandoc warns of is appended.
  /// - Returns: The document in LaTeX.
  /// - Throws: `Platform.Failure` if pandoc fails.
  static func document(
    of tree: TrackedTree,
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> [UInt8] {
    var rendering = LaTeXRendering(tree)
    let blocks = rendering.rendered(PandocNode.list(tree.blocks).withoutNesting().elements)
    var metadata = tree.metadata
    let index = metadata.firstIndex { $0.name == "header-includes" }
    let preamble = PandocNode.element(
      "MetaBlocks",
      .list([.rawBlock("latex", rendering.preamble)])
    )
    if let index {
      let before = metadata[index].value
      let all: [PandocNode]
      if case .element("MetaList", let list) = before {
        all = list?.elements ?? []
      } else {
        all = [before]
      }
      metadata[index].value = .element("MetaList", .list(all + [preamble]))
    } else {
      metadata.append(.init(name: "header-includes", value: preamble))
    }
    return try Pandoc.run(
      ["-f", "json", "-t", "latex", "-s"],
      on: tree.json(blocks, metadata),
      &warnings
    )
  }

  /// What the document needs before it begins.
  private var preamble: String {
    let people = authors.enumerated().map { index, name in
      "\\definechangesauthor[name={\(name.inLaTeX)}]{\(LaTeXRendering.identifier(index))}"
    }
    return (["\\usepackage[commandnameprefix=ifneeded]{changes}"] + people).joined(separator: "\n")
  }

  private static func identifier(_ index: Int) -> String { "author\(index + 1)" }

  /// Says whose a change or comment is, as an option of a command.
  private func option(_ author: String?, _ more: [String] = []) -> String {
    let id = author.flatMap(authors.firstIndex).map { "id=\(LaTeXRendering.identifier($0))" }
    let options = [id].compactMap(\.self) + more
    return options.isEmpty ? "" : "[\(options.joined(separator: ","))]"
  }

  /// A deletion and an addition of one change are a replacement.
  mutating func pair(_ node: PandocNode, _ next: PandocNode) -> [PandocNode]? {
    guard case .tracked(let old, let deleted) = node, case .tracked(let new, let inserted) = next,
      old.kind == .deletion, new.kind == .insertion, old.changes == new.changes,
      (deleted + inserted).allSatisfy(\.isInline)
    else { return nil }
    let author = tree.attribution(of: old.changes).author
    return [.latex("\\replaced\(option(author)){")] + rendered(inserted) + [.latex("}{")]
      + rendered(deleted) + [.latex("}")]
  }

  func inlines(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode] {
    // A line break in an argument ends nothing, but a paragraph does.
    [.latex("\\\(stretch.command)\(option(tree.attribution(of: stretch.changes).author)){")]
      + content
      + [.latex("}")]
  }

  func blocks(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode] {
    // No argument can hold code or a table: what stands before and behind them does.
    let author = tree.attribution(of: stretch.changes).author
    func border(_ text: String) -> PandocNode {
      .element("Para", .list([.latex("\\\(stretch.command)\(option(author)){\(text)}")]))
    }
    let said = stretch.kind == .insertion ? "added" : "deleted"
    return [border("$\\lceil$ \(said):")] + content + [border("$\\rfloor$")]
  }

  func highlighted(_ content: [PandocNode], by change: Int) -> [PandocNode] {
    let author = tree.threads[change].first?.author
    return [.latex("\\highlight\(option(author)){")] + content + [.latex("}")]
  }

  func paragraphEnd(_ stretch: TrackedStretch) -> [PandocNode] {
    [.latex("\\\(stretch.command)\(option(tree.attribution(of: stretch.changes).author)){\\P}")]
  }

  func comments(on change: Int, isStart: Bool) -> [PandocNode] {
    guard !isStart else { return [] }
    return tree.threads[change].map { remark in
      let date = remark.date.map { "\($0.inLaTeX): " } ?? ""
      return .latex("\\comment\(option(remark.author)){\(date)\(remark.text.inLaTeX)}")
    }
  }

  func adapted(_ element: PandocNode) -> PandocNode {
    guard case .element(let type, let content) = element, var parts = content?.elements else {
      return element
    }
    switch type {
    // Coloured code needs more than an argument of a command can hold.
    case "Code": parts[0] = PandocNode.noAttributes
    // A heading is written into the table of contents too.
    case "Header": parts[2] = parts[2].protected
    default: return element
    }
    return .element(type, .list(parts))
  }
}

extension PandocNode {
  /// The same with nothing in what is tracked that an argument of a command cannot hold: nothing else that is tracked, and no
  /// notes, which stand between two arguments, their text being tracked.
  ///
  /// - Parameter outer: What it stands in.
  /// - Returns: The node; what the outer text does not have is left out.
  fileprivate func withoutNesting(in outer: TrackedStretch? = nil) -> PandocNode {
    func flat(_ nodes: [PandocNode]) -> [PandocNode] {
      nodes.flatMap(\.withCommentsBehind).flatMap { node -> [PandocNode] in
        switch (node, outer) {
        case (.tracked(let stretch, let content), nil):
          let content = PandocNode.list(content).withoutNesting(in: stretch).elements
          return PandocNode.betweenNotes(content) { .tracked(stretch, $0) }
        case (.tracked(let stretch, let content), let outer?):
          return stretch.kind == outer.kind ? flat(content) : []
        case (.highlighted(let change, let content), nil):
          return PandocNode.betweenNotes(flat(content)) { .highlighted(change, $0) }
        case (.highlighted(_, let content), _): return flat(content)
        case (.paragraphEnd, _?): return []
        case (.element("Note", .list(let blocks)), let outer?):
          let plain = PandocNode.list(blocks).withoutNesting(in: outer).elements
          return [.element("Note", .list(plain.map { $0.wholly(outer) }))]
        default: return [node.withoutNesting(in: outer)]
        }
      }
    }
    guard case .list(let nodes) = self else {
      return mappingParts { $0.withoutNesting(in: outer) }
    }
    return .list(flat(nodes))
  }

  /// A note or a table with the comments in it behind it, since what stands in the margin cannot come from there.
  private var withCommentsBehind: [PandocNode] {
    guard type == "Note" || type == "Table" else { return [self] }
    var comments: [PandocNode] = []
    visit { if case .comments(_, false) = $0 { comments.append($0) } }
    guard !comments.isEmpty else { return [self] }
    func without(_ node: PandocNode) -> PandocNode {
      guard case .list(let nodes) = node else { return node.mappingParts(without) }
      return .list(
        nodes.filter { if case .comments = $0 { false } else { true } }.map(without)
      )
    }
    return [without(self)] + (type == "Note" ? comments : [.element("Para", .list(comments))])
  }

  /// Inlines with what is between notes wrapped.
  private static func betweenNotes(
    _ nodes: [PandocNode],
    _ wrapped: ([PandocNode]) -> PandocNode
  ) -> [PandocNode] {
    var all: [PandocNode] = []
    var rest = nodes[...]
    while !rest.isEmpty {
      let run = rest.prefix { $0.type != "Note" }
      if !run.isEmpty { all.append(wrapped(Array(run))) }
      rest = rest.dropFirst(run.count)
      if let note = rest.popFirst() { all.append(note) }
    }
    return all
  }

  /// The same with our commands protected.
  fileprivate var protected: PandocNode {
    guard case .element("RawInline", let content) = self,
      case .text(let text) = content?.elements.last,
      text.hasPrefix("\\")
    else { return mappingParts(\.protected) }
    return .latex("\\protect\(text)")
  }
}

extension TrackedStretch {
  /// The name of its command in the package `changes`.
  fileprivate var command: String { kind == .insertion ? "added" : "deleted" }
}

extension PandocNode {
  /// Inline LaTeX of ours.
  fileprivate static func latex(_ text: String) -> PandocNode { rawInline("latex", text) }
}

extension String {
  /// The text as it stands in LaTeX.
  fileprivate var inLaTeX: String {
    map { letter in
      switch letter {
      case "\\": "\\textbackslash{}"
      case "~": "\\textasciitilde{}"
      case "^": "\\textasciicircum{}"
      case "{", "}", "$", "&", "#", "_", "%": "\\\(letter)"
      case "<": "\\textless{}"
      case ">": "\\textgreater{}"
      default: letter.isNewline ? " " : String(letter)
      }
    }.joined()
  }
}
