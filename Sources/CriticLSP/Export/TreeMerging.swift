/// Makes the tracked tree of three: of the text with both variants in one, of the clean text, and of the original.
///
/// Where dropping what is tracked from the first gives the other two, it is taken as it is. Elsewhere, in a *gap*, what the
/// other two have is compared. So both variants are those of pandoc, whatever was tracked.
struct TreeMerging {
  /// How many paragraphs of the clean text are looked at for one that an original one has become.
  private static let nearest = 8

  /// How many gaps there are.
  private(set) var gaps = 0

  /// Merges blocks, or the items of a list.
  ///
  /// - Parameters:
  ///   - union: The nodes with what is tracked in them.
  ///   - clean: Those of the clean text.
  ///   - original: Those of the original text.
  /// - Returns: The nodes, each gap between two borders.
  mutating func merge(
    _ union: [PandocNode],
    _ clean: [PandocNode],
    _ original: [PandocNode]
  ) -> [PandocNode] {
    let units = TreeMerging.units(of: union)
    let inClean = TreeMerging.places(of: units, in: clean, dropping: .deletion)
    let inOriginal = TreeMerging.places(of: units, in: original, dropping: .insertion)
    var merged: [PandocNode] = []
    var (cleanAt, originalAt) = (0, 0)
    var pending: [PandocNode] = []
    /// Where a unit begins in a variant, nil if that is not known.
    func start(_ places: [Range<Int>?], _ unit: Int, _ at: Int) -> Int? {
      guard let place = places[unit] else { return nil }
      guard place.isEmpty, !pending.isEmpty else { return place.isEmpty ? at : place.lowerBound }
      let next = places[unit...].lazy.compactMap(\.self).first { !$0.isEmpty }
      return next?.lowerBound == at ? at : nil
    }
    for (index, unit) in units.enumerated() {
      guard let place = inClean[index], let origin = inOriginal[index],
        let cleanStart = start(inClean, index, cleanAt),
        let originalStart = start(inOriginal, index, originalAt)
      else {
        pending += unit
        continue
      }
      merged += gap(pending, clean[cleanAt..<cleanStart], original[originalAt..<originalStart])
      merged += unit
      pending = []
      (cleanAt, originalAt) = (cleanStart + place.count, originalStart + origin.count)
    }
    return merged + gap(pending, clean[cleanAt...], original[originalAt...])
  }

  /// The nodes that belong together, since the end of one is tracked and joins it to the next.
  private static func units(of nodes: [PandocNode]) -> [[PandocNode]] {
    var units: [[PandocNode]] = []
    var isOpen = false
    for node in nodes {
      if isOpen { units[units.count - 1].append(node) } else { units.append([node]) }
      isOpen = node.joinsNext
    }
    return units
  }

  /// Where each unit is in a variant, without what the variant does not have; nil for one that is not there.
  private static func places(
    of units: [[PandocNode]],
    in nodes: [PandocNode],
    dropping kind: TrackedStretch.Kind
  ) -> [Range<Int>?] {
    let dropping = Dropping(kind: kind)
    let left = units.map { dropping.nodes(of: $0) }
    let pairs = common(left.flatMap { $0 }, nodes.map { $0.normal })
    var places: [Range<Int>?] = []
    var at = 0
    for nodes in left {
      let matched = (at..<at + nodes.count).map { pairs[$0] }
      at += nodes.count
      guard let start = matched.first else {
        places.append(0..<0)
        continue
      }
      places.append(
        start.flatMap { first in
          let isWhole = matched.enumerated().allSatisfy { $1 == first + $0 }
          return isWhole ? first..<first + nodes.count : nil
        }
      )
    }
    return places
  }

  /// Which node of another list each node of a list is the same as, in the longest common list.
  private static func common(_ nodes: [PandocNode], _ others: [PandocNode]) -> [Int: Int] {
    var numbers: [PandocNode: Int] = [:]
    func number(_ node: PandocNode) -> Int {
      let number = numbers[node] ?? numbers.count
      numbers[node] = number
      return number
    }
    let difference = others.map(number).difference(from: nodes.map(number))
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    return Dictionary(
      uniqueKeysWithValues: zip(
        nodes.indices.filter { !removed.contains($0) },
        others.indices.filter { !inserted.contains($0) }
      )
    )
  }

  /// What is in the place of nodes that have not proved right.
  private mutating func gap(
    _ union: [PandocNode],
    _ clean: ArraySlice<PandocNode>,
    _ original: ArraySlice<PandocNode>
  ) -> [PandocNode] {
    guard !clean.isEmpty || !original.isEmpty else { return [] }
    if union.count == 1, clean.count == 1, original.count == 1, let new = clean.first,
      let old = original.first, let merged = mergeInside(union[0], new, old)
    {
      return [merged]
    }
    let border = TreeMerging.border(gaps)
    gaps += 1
    return [border] + compared(Array(clean), Array(original), gap: gaps - 1) + [border]
  }

  /// Before and after what is in a gap.
  private static func border(_ gap: Int) -> PandocNode { .tracked(stretch(.insertion, gap), []) }

  /// What is tracked in a gap; to which changes it belongs is found out later.
  private static func stretch(_ kind: TrackedStretch.Kind, _ gap: Int) -> TrackedStretch {
    TrackedStretch(kind: kind, changes: [-1 - gap])
  }

  /// The gap of which this is the border.
  static func gap(borderedBy node: PandocNode) -> Int? {
    guard case .tracked(let stretch, let content) = node, content.isEmpty,
      let change = stretch.changes.first, change < 0
    else { return nil }
    return -1 - change
  }

  /// Merges what is in blocks of one kind; nil if they are not.
  private mutating func mergeInside(
    _ union: PandocNode,
    _ clean: PandocNode,
    _ original: PandocNode
  ) -> PandocNode? {
    guard let inside = union.children, let new = clean.children, let old = original.children,
      clean.shell == union.shell, clean.shell == original.shell
    else { return nil }
    return clean.replacingChildren(with: merge(inside, new, old))
  }

  /// Both variants in one: what they have in common, and the rest as deleted and inserted.
  private func compared(
    _ clean: [PandocNode],
    _ original: [PandocNode],
    gap: Int
  ) -> [PandocNode] {
    let pairs = TreeMerging.common(original.map(\.normal), clean.map(\.normal))
    return TreeMerging.walk(clean, original, pairs) { new, old in
      var all: [PandocNode] = []
      var rest = new
      for old in old {
        let like = rest.prefix(TreeMerging.nearest).enumerated().lazy
          .compactMap { new in comparedText(new.element, old, gap: gap).map { (new.offset, $0) } }
          .first
        guard let (offset, both) = like else {
          all.append(old.wholly(TreeMerging.stretch(.deletion, gap)))
          continue
        }
        all += rest.prefix(offset).map { $0.wholly(TreeMerging.stretch(.insertion, gap)) }
        all.append(both)
        rest = rest.dropFirst(offset + 1)
      }
      return all + rest.map { $0.wholly(TreeMerging.stretch(.insertion, gap)) }
    }
  }

  /// The nodes that two lists have in common, as the clean one has them, and what takes the place of those between.
  private static func walk(
    _ clean: [PandocNode],
    _ original: [PandocNode],
    _ pairs: [Int: Int],
    between: (_ new: ArraySlice<PandocNode>, _ old: ArraySlice<PandocNode>) -> [PandocNode]
  ) -> [PandocNode] {
    var all: [PandocNode] = []
    var (cleanAt, originalAt) = (0, 0)
    for index in original.indices {
      guard let pair = pairs[index] else { continue }
      all += between(clean[cleanAt..<pair], original[originalAt..<index])
      all.append(clean[pair])
      (cleanAt, originalAt) = (pair + 1, index + 1)
    }
    return all + between(clean[cleanAt...], original[originalAt...])
  }

  /// A paragraph of which both variants have a good part; nil if there is little that they have in common.
  private func comparedText(
    _ clean: PandocNode,
    _ original: PandocNode,
    gap: Int
  ) -> PandocNode? {
    guard let new = clean.paragraph, let old = original.paragraph,
      clean.withoutText == original.withoutText
    else { return nil }
    let pairs = TreeMerging.common(old, new)
    let words = pairs.keys.count { old[$0].type == "Str" }
    guard words * 2 >= max(old.count { $0.type == "Str" }, new.count { $0.type == "Str" }),
      words > 0
    else { return nil }
    let all = TreeMerging.walk(new, old, pairs) { new, old in
      [(TrackedStretch.Kind.deletion, old), (.insertion, new)].filter { !$0.1.isEmpty }.map {
        .tracked(TreeMerging.stretch($0, gap), Array($1))
      }
    }
    return clean.replacingParagraph(with: all)
  }
}

extension PandocNode {
  /// Whether its end is tracked, and it has text that stays where that is dropped.
  fileprivate var joinsNext: Bool {
    switch self {
    case .list(let blocks): return blocks.last?.joinsNext == true
    case .element(_, let content):
      guard let text = paragraph else { return content != nil && children?.last?.joinsNext == true }
      guard case .paragraphEnd(let end) = text.last else { return false }
      return text.dropLast().contains { inline in
        switch inline {
        case .tracked(let stretch, _): stretch.kind != end.kind
        case .comments: false
        default: true
        }
      }
    default: return false
    }
  }

  /// The same in a form in which equal texts are equal.
  fileprivate var normal: PandocNode {
    // Nothing is tracked in it, so that either kind can be dropped.
    let dropping = Dropping(kind: .deletion)
    if case .list = self { return dropping.nodes(of: [self]).first ?? .list([]) }
    return dropping.nodes(of: [self]).first ?? self
  }

  /// The inlines of a paragraph or a heading; nil for anything else.
  var paragraph: [PandocNode]? {
    guard case .element(let type, let content) = self else { return nil }
    switch type {
    case "Para", "Plain": return content?.elements
    case "Header": return content?.elements[2].elements
    default: return nil
    }
  }

  /// A paragraph or a heading with other inlines; anything else as it is.
  func replacingParagraph(with inlines: [PandocNode]) -> PandocNode {
    guard case .element(let type, let content) = self, paragraph != nil else { return self }
    guard type == "Header", var parts = content?.elements else {
      return .element(type, .list(inlines))
    }
    parts[2] = .list(inlines)
    return .element(type, .list(parts))
  }

  /// The blocks of a quote, a division or an item, or the items of a list; nil for anything else.
  var children: [PandocNode]? {
    switch self {
    case .list(let blocks): blocks
    case .element("BulletList", let content), .element("BlockQuote", let content): content?.elements
    case .element("OrderedList", let content), .element("Div", let content):
      content?.elements[1].elements
    default: nil
    }
  }

  /// The same with other children; anything without children as it is.
  func replacingChildren(with children: [PandocNode]) -> PandocNode {
    switch self {
    case .list: .list(children)
    case .element("BulletList", _): .element("BulletList", .list(children))
    case .element("BlockQuote", _): .element("BlockQuote", .list(children))
    case .element("OrderedList", let content?), .element("Div", let content?):
      .element(type ?? "", .list([content.elements[0], .list(children)]))
    default: self
    }
  }

  /// The same without its children.
  fileprivate var shell: PandocNode { replacingChildren(with: []) }

  /// A block or an item of which all is tracked.
  func wholly(_ stretch: TrackedStretch) -> PandocNode {
    if let paragraph {
      return replacingParagraph(with: [.tracked(stretch, paragraph), .paragraphEnd(stretch)])
    }
    if let children, !children.isEmpty {
      return replacingChildren(with: children.map { $0.wholly(stretch) })
    }
    if case .list = self {
      return .list([.tracked(stretch, [.element("Plain", .list([]))])])
    }
    return .tracked(stretch, [self])
  }

  /// A paragraph or a heading without what its text says.
  fileprivate var withoutText: PandocNode {
    guard case .element("Header", let content) = replacingParagraph(with: []),
      var parts = content?.elements
    else { return replacingParagraph(with: []) }
    parts[1] = parts[1].withoutID
    return .element("Header", .list(parts))
  }
}
