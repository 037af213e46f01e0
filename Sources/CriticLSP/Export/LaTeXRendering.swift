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
    let remarks = tree.threads.reduce(0) { $0 + $1.count }
    // Each comment of a page takes two, and LaTeX has 52. For each comment of a paragraph the making of pages is gone
    // through more than twice without one being made, which LaTeX takes for endless after 100 times.
    let room = 2 * min(remarks, LaTeXRendering.mostRemarks)
    let floats = room > 32 ? ["\\extrafloats{\(room)}\\maxdeadcycles=\(5 * room)"] : []
    let package = "\\usepackage[commandnameprefix=ifneeded]{changes}"
    return
      ([package] + LaTeXRendering.highlighting + LaTeXRendering.movingCommands + people + floats)
      .joined(separator: "\n")
  }

  /// For how many comments there is room on a page.
  private static let mostRemarks = 500

  /// A highlight that goes on in the next line, which that of the package does not.
  private static let highlighting = [
    "\\newrobustcmd{\\highlighton}[1]"
      + "{\\bgroup\\markoverwith{\\textcolor{#1}{\\rule[-.5ex]{2pt}{2.5ex}}}\\ULon}",
    "\\sethighlightmarkup{\\highlighton{authorcolor!30}{#1}}",
  ]

  /// The commands with the number of an author for what is written elsewhere, too: in a list of contents no option can stand in
  /// brackets, and in the head of a page all letters are made capitals.
  private static let movingCommands =
    ["added", "deleted", "highlight", "comment"].map {
      "\\newrobustcmd{\\\($0)by}[2]{\\\($0)[id=author#1]{#2}}"
    } + ["\\newrobustcmd{\\replacedby}[3]{\\replaced[id=author#1]{#2}{#3}}"]

  private static func identifier(_ index: Int) -> String { "author\(index + 1)" }

  /// A command with who made a change or comment as its option, up to its first argument.
  private func command(_ name: String, _ author: String?) -> PandocNode {
    let id = author.flatMap(authors.firstIndex).map { "[id=\(LaTeXRendering.identifier($0))]" }
    return .latex("\\\(name)\(id ?? ""){")
  }

  private func command(of stretch: TrackedStretch) -> PandocNode {
    command(stretch.command, tree.attribution(of: stretch.changes).author)
  }

  /// A deletion and an addition of one change are a replacement.
  mutating func pair(_ node: PandocNode, _ next: PandocNode) -> [PandocNode]? {
    guard case .tracked(let old, let deleted) = node, case .tracked(let new, let inserted) = next,
      old.kind == .deletion, new.kind == .insertion, old.changes == new.changes,
      (deleted + inserted).allSatisfy(\.isInline), !deleted.standsAlone, !inserted.standsAlone
    else { return nil }
    return [command("replaced", tree.attribution(of: old.changes).author)] + rendered(inserted)
      + [.latex("}{")] + rendered(deleted) + [.latex("}")]
  }

  func inlines(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode] {
    wrapped(content, in: command(of: stretch))
  }

  /// Inlines in the argument of a command, or between two of it if no argument can hold them.
  private func wrapped(_ content: [PandocNode], in command: PandocNode) -> [PandocNode] {
    guard content.standsAlone else { return [command] + content + [.latex("}")] }
    return [command, .latex("$\\lceil$}")] + content + [command, .latex("$\\rfloor$}")]
  }

  func blocks(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode] {
    // No argument can hold code or a table: what stands before and behind them does.
    func border(_ text: String) -> PandocNode {
      .element("Para", .list([command(of: stretch), .latex("\(text)}")]))
    }
    let said = stretch.kind == .insertion ? "added" : "deleted"
    return [border("$\\lceil$ \(said):")] + content + [border("$\\rfloor$")]
  }

  func highlighted(_ content: [PandocNode], by change: Int) -> [PandocNode] {
    wrapped(content, in: command("highlight", tree.threads[change].first?.author))
  }

  func paragraphEnd(_ stretch: TrackedStretch) -> [PandocNode] {
    [command(of: stretch), .latex("\\P}")]
  }

  func comments(on change: Int, isStart: Bool) -> [PandocNode] {
    guard !isStart else { return [] }
    return tree.threads[change].flatMap { remark in
      let date = remark.date.map { "\($0.inLaTeX): " } ?? ""
      return [command("comment", remark.author), .latex("\(date)\(remark.text.inLaTeX)}")]
    }
  }

  private func ruled(_ command: String, _ text: [PandocNode]) -> PandocNode {
    .span(PandocNode.noAttributes, [.latex(command)] + text + [.latex("}")])
  }

  func adapted(_ element: PandocNode) -> PandocNode {
    guard case .element(let type, let content) = element, var parts = content?.elements else {
      return element
    }
    switch type {
    // Coloured code needs more than an argument of a command can hold.
    case "Code": parts[0] = PandocNode.noAttributes
    // What newer versions of pandoc have for these holds none of our commands, nor can it be in one.
    case "Strikeout": return ruled("\\sout{", parts)
    case "Underline": return ruled("\\uline{", parts)
    case "Span" where element.isMarked:
      return ruled("\\highlighton{yellow}{", parts[1].elements)
    // Where a page ends as a link begins a paragraph, what is written into files is written as in the link.
    case "Para" where parts.first?.beginsWithLink == true,
      "Plain" where parts.first?.beginsWithLink == true:
      parts.insert(.latex("\\leavevmode"), at: 0)
    // A heading is written into the table of contents too, a caption into that of figures; a term is in brackets.
    case "Header": parts[2] = parts[2].moving
    case "Table", "Figure": parts[1] = parts[1].moving
    case "Image" where element.isFigure: parts[1] = parts[1].moving
    case "DefinitionList":
      parts = parts.map { .list([$0.elements[0].moving] + $0.elements.dropFirst()) }
    default: return element
    }
    return .element(type, .list(parts))
  }
}

extension TrackedStretch {
  /// The name of its command in the package `changes`.
  fileprivate var command: String { kind == .insertion ? "added" : "deleted" }
}

extension PandocNode {
  /// Inlines of which our commands can be written into a file.
  fileprivate var moving: PandocNode {
    guard case .element("RawInline", let content) = self,
      case .text(let text) = content?.elements.last,
      text.hasPrefix("\\")
    else { return mappingParts(\.moving) }
    guard let option = text.firstRange(of: "[id=author"), let end = text.firstIndex(of: "]"),
      text.hasSuffix("]{")
    else { return .latex("\\protect\(text)") }
    return .latex("\(text[..<option.lowerBound])by{\(text[option.upperBound..<end])}{")
  }

  /// Inline LaTeX of ours.
  static func latex(_ text: String) -> PandocNode { rawInline("latex", text) }
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
