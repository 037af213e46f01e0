import JSONRPC

/// A piece of pandoc's document tree (pandoc-types), as its JSON has it, with what is tracked in it.
indirect enum PandocNode: Hashable, Sendable {
  /// An object with a type and perhaps contents: `{"t": "Str", "c": "fox"}`.
  case element(String, PandocNode?)
  case list([PandocNode])
  /// Any other object.
  case members([Member])
  case text(String)
  /// A number, `true`, `false` or `null`, as it is spelled.
  case other(String)
  /// Inlines or blocks that only the clean or only the original text has.
  case tracked(TrackedStretch, [PandocNode])
  /// Inlines in a highlight, which is given by its index in the list of changes.
  case highlighted(Int, [PandocNode])
  /// At the end of a paragraph: that it ends here only in the clean or only in the original text.
  case paragraphEnd(TrackedStretch)
  /// Where the text that the comments of a change are about begins, or where it ends.
  case comments(Int, isStart: Bool)

  /// A member of an object.
  struct Member: Hashable, Sendable {
    var name: String
    var value: PandocNode
  }
}

/// What tracks a stretch of text: which text has it, and the changes that it belongs to.
struct TrackedStretch: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// In the clean text only.
    case insertion
    /// In the original text only.
    case deletion
  }

  var kind: Kind
  /// Indices in the list of changes.
  var changes: [Int]
}

extension PandocNode {
  /// Reads a value.
  init(_ json: JSON) {
    switch json.kind {
    case .array: self = .list(json.elements.map { PandocNode($0) })
    case .string: self = .text(json.string ?? "")
    case .object:
      let members = json.members.map { ($0.key, $0.value) }
      if let type = json["t"]?.string, members.allSatisfy({ $0.0 == "t" || $0.0 == "c" }) {
        self = .element(type, json["c"].map { PandocNode($0) })
      } else {
        self = .members(members.map { Member(name: $0.0, value: PandocNode($0.1)) })
      }
    case .number, .bool, .null: self = .other(json.description)
    }
  }

  /// An element without attributes: `[id, classes, pairs]` are empty.
  static let noAttributes = attributes()

  static func attributes(
    id: String = "",
    classes: [String] = [],
    _ pairs: [(String, String)] = []
  ) -> PandocNode {
    .list([
      .text(id), .list(classes.map { .text($0) }),
      .list(pairs.map { .list([.text($0.0), .text($0.1)]) }),
    ])
  }

  static func span(_ attributes: PandocNode, _ inlines: [PandocNode]) -> PandocNode {
    .element("Span", .list([attributes, .list(inlines)]))
  }

  static func division(_ attributes: PandocNode, _ blocks: [PandocNode]) -> PandocNode {
    .element("Div", .list([attributes, .list(blocks)]))
  }

  /// Text in a format of its own, which only a writer of that format writes.
  static func rawInline(_ format: String, _ text: String) -> PandocNode {
    .element("RawInline", .list([.text(format), .text(text)]))
  }

  static func rawBlock(_ format: String, _ text: String) -> PandocNode {
    .element("RawBlock", .list([.text(format), .text(text)]))
  }

  static let space = PandocNode.element("Space", nil)
  static let softBreak = PandocNode.element("SoftBreak", nil)

  /// Plain text: its words and the spaces between them.
  static func words(_ text: String) -> [PandocNode] {
    let words = text.split(whereSeparator: \.isWhitespace)
    return Array(words.map { [.element("Str", .text(String($0)))] }.joined(separator: [space]))
  }
}

extension PandocNode {
  /// The elements of a list; none of anything else.
  var elements: [PandocNode] { if case .list(let elements) = self { elements } else { [] } }

  /// The type of an element; nil for anything else.
  var type: String? { if case .element(let type, _) = self { type } else { nil } }

  /// The value of a member of an object.
  subscript(_ name: String) -> PandocNode? {
    guard case .members(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Whether it is something that stands in a line.
  var isInline: Bool {
    switch self {
    case .element(let type, _): PandocNode.inlines.contains(type)
    case .highlighted, .paragraphEnd, .comments: true
    case .tracked(_, let content): content.allSatisfy(\.isInline)
    case .list, .members, .text, .other: false
    }
  }

  /// Whether it is a list of inlines, and not an empty one.
  var isInlines: Bool { elements.first?.isInline == true }

  private static let inlines: Set = [
    "Str", "Emph", "Underline", "Strong", "Strikeout", "Superscript", "Subscript", "SmallCaps",
    "Quoted", "Cite", "Code", "Space", "SoftBreak", "LineBreak", "Math", "RawInline", "Link",
    "Image", "Note", "Span",
  ]

  /// The inlines of what gives them another form; nil for anything else.
  var formatted: [PandocNode]? {
    guard case .element(let type, let content?) = self else { return nil }
    switch type {
    case "Emph", "Underline", "Strong", "Strikeout", "Superscript", "Subscript", "SmallCaps":
      return content.elements
    case "Quoted", "Span", "Link": return content.elements[1].elements
    default: return nil
    }
  }

  /// The same with other inlines in that form; anything else as it is.
  func replacingFormatted(with inlines: [PandocNode]) -> PandocNode {
    guard case .element(let type, let content?) = self, formatted != nil else { return self }
    guard ["Quoted", "Span", "Link"].contains(type) else { return .element(type, .list(inlines)) }
    var parts = content.elements
    parts[1] = .list(inlines)
    return .element(type, .list(parts))
  }

  /// The same with each part of an element, list or object replaced.
  func mappingParts(_ transform: (PandocNode) -> PandocNode) -> PandocNode {
    switch self {
    case .element(let type, let content): .element(type, content.map(transform))
    case .list(let elements): .list(elements.map(transform))
    case .members(let members):
      .members(members.map { Member(name: $0.name, value: transform($0.value)) })
    case .tracked(let stretch, let content): .tracked(stretch, content.map(transform))
    case .highlighted(let index, let content): .highlighted(index, content.map(transform))
    case .text, .other, .paragraphEnd, .comments: self
    }
  }

  /// Calls a closure with it and each of its parts, in the order of the text.
  func visit(_ body: (PandocNode) -> Void) {
    body(self)
    switch self {
    case .element(_, let content): content?.visit(body)
    case .list(let elements): for element in elements { element.visit(body) }
    case .members(let members): for member in members { member.value.visit(body) }
    case .tracked(_, let content), .highlighted(_, let content):
      for part in content { part.visit(body) }
    case .text, .other, .paragraphEnd, .comments: break
    }
  }
}

extension PandocNode: JSONWritable {
  /// Writes what pandoc reads; what is tracked must have been replaced by elements.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .element(let type, let content):
      writer.object {
        $0.member("t", type)
        $0.member("c", ifPresent: content)
      }
    case .list(let elements): elements.write(to: &writer)
    case .members(let members):
      writer.object {
        for member in members {
          $0.key(member.name)
          member.value.write(to: &$0)
        }
      }
    case .text(let text): writer.string(text)
    case .other("true"): writer.bool(true)
    case .other("false"): writer.bool(false)
    case .other("null"): writer.null()
    case .other(let number):
      if let integer = Int(number) {
        writer.integer(integer)
      } else {
        writer.double(Double(number) ?? 0)
      }
    case .tracked(_, let content), .highlighted(_, let content): content.write(to: &writer)
    case .paragraphEnd, .comments: break
    }
  }
}
