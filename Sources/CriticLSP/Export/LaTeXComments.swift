/// Comments beside what cannot have one in the margin.
extension PandocNode {
  /// The comments in it; none of those that only begin there.
  var commentsInside: [PandocNode] {
    var comments: [PandocNode] = []
    visit { if case .comments(_, false) = $0 { comments.append($0) } }
    return comments
  }

  /// The same without comments.
  fileprivate var withoutComments: PandocNode {
    guard case .list(let nodes) = self else { return mappingParts(\.withoutComments) }
    return .list(
      nodes.filter { if case .comments = $0 { false } else { true } }.map(\.withoutComments)
    )
  }

  /// A term and its definitions, with the comments on the term in the first of these.
  var withCommentsBehindTerm: PandocNode {
    var parts = elements
    let comments = parts[0].commentsInside
    guard !comments.isEmpty, var definition = parts[1].elements.first?.elements else { return self }
    if let first = definition.first, let text = first.paragraph, first.type != "Header" {
      definition[0] = first.replacingParagraph(with: comments + text)
    } else {
      definition.insert(.element("Para", .list(comments)), at: 0)
    }
    parts[0] = parts[0].withoutComments
    parts[1] = .list([.list(definition)] + parts[1].elements.dropFirst())
    return .list(parts)
  }
}

extension [PandocNode] {
  /// The nodes with the comments of such as cannot have one behind these, since what stands in the margin cannot come from there:
  /// notes, tables, figures and headings, whose text is in the heads of pages, too.
  var withCommentsBehind: [PandocNode] {
    var all: [PandocNode] = []
    var waiting: [PandocNode] = []
    for node in self {
      let isImage =
        node.type == "Para" && node.paragraph?.count == 1 && node.paragraph?[0].isFigure == true
      let holdsNone = isImage || ["Note", "Table", "Figure", "Image", "Header"].contains(node.type)
      let comments = holdsNone ? node.commentsInside : []
      if !waiting.isEmpty,
        !comments.isEmpty || node.paragraph == nil || node.type == "Header" || isImage
      {
        all.append(.element("Para", .list(waiting)))
        waiting = []
      }
      guard comments.isEmpty else {
        all.append(node.withoutComments)
        if node.isInline { all += comments } else { waiting = comments }
        continue
      }
      guard !waiting.isEmpty, let text = node.paragraph else {
        all.append(node)
        continue
      }
      all.append(node.replacingParagraph(with: waiting + text))
      waiting = []
    }
    return waiting.isEmpty ? all : all + [.element("Para", .list(waiting))]
  }
}
