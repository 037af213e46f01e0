extension PandocNode {
  /// The same with nothing in what is tracked that an argument of a command cannot hold: nothing else that is tracked, and no
  /// notes, which stand between two arguments, their text being tracked.
  ///
  /// - Parameter outer: What it stands in.
  /// - Returns: The node; what the outer text does not have is left out.
  func withoutNesting(in outer: TrackedStretch? = nil) -> PandocNode {
    func flat(_ nodes: [PandocNode]) -> [PandocNode] {
      nodes.withCommentsBehind.flatMap { node -> [PandocNode] in
        switch (node, outer) {
        case (.tracked(let stretch, let content), nil):
          let content = PandocNode.list(content).withoutNesting(in: stretch).elements
          return content.inArguments { .tracked(stretch, $0) }
        case (.tracked(let stretch, let content), let outer?):
          return stretch.kind == outer.kind ? flat(content) : []
        case (.highlighted(let change, let content), nil):
          return flat(content).inArguments { .highlighted(change, $0) }
        case (.highlighted(_, let content), _): return flat(content)
        case (.paragraphEnd, _?): return []
        case (.element("Note", .list(let blocks)), let outer?):
          let plain = PandocNode.list(blocks).withoutNesting(in: outer).elements
          return [
            .element("Note", PandocNode.list(plain.map { $0.wholly(outer) }).withoutNesting())
          ]
        case (.element("Para", let text?), nil):
          return text.elements.figures ?? [node.withoutNesting()]
        case (.element("DefinitionList", let items?), nil):
          return [
            .element("DefinitionList", .list(items.elements.map(\.withCommentsBehindTerm)))
              .withoutNesting()
          ]
        default:
          guard node.isRuled, let text = node.formatted else {
            return [node.withoutNesting(in: outer)]
          }
          return flat(text).ruled { node.replacingFormatted(with: $0) }
        }
      }
    }
    guard case .list(let nodes) = self else {
      return mappingParts { $0.withoutNesting(in: outer) }
    }
    return .list(flat(nodes))
  }

  /// Whether it is an image that is a figure if it is alone in a paragraph, as pandoc had it before version 3.
  var isFigure: Bool {
    guard case .element("Image", let content?) = self,
      case .text(let title) = content.elements[2].elements.last
    else { return false }
    return title.hasPrefix("fig:")
  }

  /// Whether our commands are around it, not in it: a line is drawn through or under its text, or a colour behind it, or it is a
  /// link, in which a sign of per cent is written into files without its backslash.
  private var isRuled: Bool {
    type == "Strikeout" || type == "Underline" || type == "Link" || isMarked
  }

  /// Whether it is a span of the class `mark`.
  var isMarked: Bool {
    guard case .element("Span", let content?) = self else { return false }
    return content.elements[0].elements[1] == .list([.text("mark")])
  }

  /// Whether it is a link or begins with one.
  var beginsWithLink: Bool {
    type == "Link" || formatted?.first?.beginsWithLink == true
  }

  /// Whether it has an identifier, so that a link can lead to it.
  private var isTarget: Bool {
    guard case .element("Span", let content?) = self,
      case .text(let id) = content.elements[0].elements.first
    else { return false }
    return !id.isEmpty
  }

  /// Whether anything is tracked or highlighted in it.
  fileprivate var holdsTracked: Bool {
    var isThere = false
    visit { node in
      switch node {
      case .tracked, .highlighted, .paragraphEnd: isThere = true
      default: break
      }
    }
    return isThere
  }

  /// Whether it parts two words: a space, or the end of a line.
  private var isBetweenWords: Bool {
    type == "Space" || type == "SoftBreak" || type == "LineBreak"
  }

  /// The same with spaces for the ends of lines.
  private var inOneLine: PandocNode {
    type == "LineBreak" ? .element("Space", nil) : mappingParts(\.inOneLine)
  }

  /// Whether the argument of a command can hold it.
  ///
  /// That of a form with several words is not held: they would stay in one line.
  fileprivate var fitsArgument: Bool { fitsArgument(isRuled: isRuled) }

  /// Whether one can, be the text ruled or not: what is ruled is cut into words.
  fileprivate func fitsArgument(isRuled: Bool) -> Bool {
    if let formatted {
      guard !isTarget else { return false }
      return formatted.allSatisfy {
        $0.fitsArgument(isRuled: isRuled)
          && (isRuled || !$0.isBetweenWords)
      }
    }
    switch self {
    case .comments: return false
    case .tracked(_, let content): return !content.standsAlone
    case .element("Note", _), .element("Image", _): return false
    case .element("Math", let content?): return content.elements.first?.type == "InlineMath"
    case .element("RawInline", let content?):
      guard case .text(let text) = content.elements.last else { return true }
      return text.isPlainLaTeX
    default: return true
    }
  }

  /// The same as an argument can hold it: formulas and commands as one letter each.
  fileprivate var inArgument: PandocNode {
    guard case .list(let nodes) = self else { return mappingParts(\.inArgument) }
    return .list(
      nodes.flatMap { node -> [PandocNode] in
        switch node {
        case .element("Math", _): [.latex("{"), node, .latex("}")]
        case .element("RawInline", .list(let parts)):
          // Any other is one of ours: `fitsArgument` has let nothing else through.
          if case .text(let text)? = parts.last, text.isPlainLaTeX {
            [.latex("\\mbox{"), node, .latex("}")]
          } else {
            [node]
          }
        // The boxes of tasks, which pandoc writes so at the beginning of an item.
        case .element("Str", .text("☐")): [.latex("$\\square$")]
        case .element("Str", .text("☒")): [.latex("$\\boxtimes$")]
        case _ where node.isRuled: node.ruledWords
        default: [node.inArgument]
        }
      }
    )
  }

  /// What is ruled, word by word, since an argument in an argument stays in one line.
  fileprivate var ruledWords: [PandocNode] {
    guard let formatted else { return [self] }
    var all: [PandocNode] = []
    var rest = PandocNode.list(formatted).inArgument.elements[...]
    while !rest.isEmpty {
      let word = rest.prefix { !$0.isBetweenWords }
      if !word.isEmpty {
        // Words in another form stay together, and what parts their lines would vanish.
        let inLine = PandocNode.list(Array(word)).inOneLine.elements
        all += [.latex("\\mbox{"), replacingFormatted(with: inLine), .latex("}")]
      }
      rest = rest.dropFirst(word.count)
      if let space = rest.popFirst() { all.append(space) }
    }
    return all
  }
}

extension [PandocNode] {
  /// Whether they are one formula, command or image that no argument can hold.
  var standsAlone: Bool {
    count == 1 && ["Math", "RawInline", "Image"].contains(self[0].type) && !self[0].fitsArgument
  }

  /// Inlines with what fits into arguments wrapped, and displayed formulas, unknown commands and images, each alone.
  ///
  /// What gives text another form has the wrapped text in it; notes and comments stand between.
  fileprivate func inArguments(_ wrapped: ([PandocNode]) -> PandocNode) -> [PandocNode] {
    var all: [PandocNode] = []
    var rest = filter { !$0.isUnwritten }[...]
    while !rest.isEmpty {
      let run = rest.prefix(while: \.fitsArgument)
      if !run.isEmpty { all.append(wrapped(PandocNode.list(Array(run)).inArgument.elements)) }
      rest = rest.dropFirst(run.count)
      guard let node = rest.popFirst() else { continue }
      if let formatted = node.formatted {
        all.append(node.replacingFormatted(with: formatted.inArguments(wrapped)))
      } else if ["Math", "RawInline", "Image"].contains(node.type) {
        all.append(wrapped([node]))
      } else {
        all.append(node)
      }
    }
    return all
  }

  /// Inlines struck out, underlined or highlighted, which no command of ours is inside, nor what no argument can hold.
  fileprivate func ruled(_ ruled: ([PandocNode]) -> PandocNode) -> [PandocNode] {
    var all: [PandocNode] = []
    var rest = self[...]
    while !rest.isEmpty {
      let run = rest.prefix { $0.fitsArgument(isRuled: true) && !$0.holdsTracked }
      if !run.isEmpty { all.append(ruled(Array(run))) }
      rest = rest.dropFirst(run.count)
      switch rest.popFirst() {
      case .tracked(let stretch, let content) where !content.standsAlone:
        all.append(.tracked(stretch, ruled(content).ruledWords))
      case .highlighted(let change, let content) where !content.standsAlone:
        all.append(.highlighted(change, ruled(content).ruledWords))
      case let node?:
        all.append(node.formatted.map { node.replacingFormatted(with: $0.ruled(ruled)) } ?? node)
      case nil: break
      }
    }
    return all
  }

  /// The figures that a paragraph is, each as a block, since in an argument it would be without its caption; nil if it holds
  /// anything else.
  fileprivate var figures: [PandocNode]? {
    var blocks: [PandocNode] = []
    for node in self {
      switch node {
      case .tracked(let stretch, let content) where content.count == 1 && content[0].isFigure:
        let image = content[0].withoutNesting(in: stretch)
        blocks.append(.tracked(stretch, [.element("Para", .list([image]))]))
      case .paragraphEnd, .comments: continue
      default: return nil
      }
    }
    guard !blocks.isEmpty else { return nil }
    let comments = PandocNode.list(self).commentsInside
    return blocks + (comments.isEmpty ? [] : [.element("Para", .list(comments))])
  }
}

extension PandocNode {
  /// Whether it is written in another format that is not LaTeX, so that nothing is written here.
  fileprivate var isUnwritten: Bool {
    guard case .element("RawInline", let content?) = self,
      case .text(let format) = content.elements.first
    else { return false }
    return format != "latex" && format != "tex"
  }
}

extension String {
  /// Whether it is a command of LaTeX that a struck-out text can hold: a reference or another form of plain text.
  fileprivate var isPlainLaTeX: Bool {
    guard first == "\\" else { return false }
    let name = dropFirst().prefix { $0.isLetter }
    let rest = dropFirst(name.count + 1)
    return String.plainCommands.contains(String(name))
      && !rest.contains { $0 == "\\" || $0.isNewline || $0 == "$" }
  }

  private static let plainCommands: Set = [
    "cite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear", "parencite",
    "textcite",
    "autocite", "ref", "eqref", "pageref", "autoref", "nameref", "cref", "Cref", "emph", "textbf",
    "textit", "textsc", "textsf", "textsl", "texttt", "textrm", "textup", "LaTeX", "TeX", "ldots",
    "dots", "today",
  ]
}
