/// The comments of a Word document, which are put into the .odt that LibreOffice makes of it.
///
/// Some versions of LibreOffice, as 7.4, mix up the footnotes of a Word document with comments between them, and forget which comment
/// answers which. So it gets sentinels in their places.
struct OpenComments {
  private let comments: WordComments
  /// The numbers of the threads of comments, by the identifiers of their first ones.
  private let threads: [String: Int]

  /// Takes the comments out of a Word document.
  ///
  /// - Parameter word: The document; sentinels are in their places afterwards.
  /// - Throws: `ZipArchive.Failure` or `XML.Failure` if it is damaged.
  init(in word: inout ZipArchive) throws {
    func part(_ name: String) throws -> XML? {
      try word.contents(of: name).map { try XML.document($0) }
    }
    let comments = WordComments(
      try part("word/comments.xml"),
      extended: try part("word/commentsExtended.xml")
    )
    let firsts = comments.threads.enumerated().map { (comments.all[$1[0]].id, $0) }
    let threads = Dictionary(firsts) { first, _ in first }
    (self.comments, self.threads) = (comments, threads)
    guard !threads.isEmpty, let document = try part("word/document.xml") else { return }
    document.replaceAll { child in
      guard case .element(let element) = child else { return nil }
      let thread = element["w:id"].flatMap { threads[$0] }
      switch element.name {
      case "w:commentRangeStart": return thread.map { [OpenComments.run(.start($0))] } ?? []
      case "w:commentRangeEnd": return thread.map { [OpenComments.run(.end($0))] } ?? []
      case "w:r": return element.first("w:commentReference") == nil ? nil : []
      default: return nil
      }
    }
    word.set("word/document.xml", document.document)
  }

  private static func run(_ sentinel: Sentinel) -> XML.Node {
    let text = XML("w:t", [("xml:space", "preserve")], text: sentinel.text)
    return .element(XML("w:r", [], [text]))
  }

  /// Puts the comments into the place of their sentinels.
  ///
  /// - Parameter content: The root of the `content.xml` of an .odt.
  /// - Returns: How many comments have no place there, and are left out.
  func put(into content: XML) -> Int {
    let threads = comments.threads.map { thread in thread.map { comments.all[$0] } }
    var placed = Set<Int>()
    content.replaceAll { child in
      guard case .text(let text) = child, text.utf8.contains(0xEF) else { return nil }
      var nodes: [XML.Node] = []
      for part in Sentinel.parts(of: Array(text.utf8)) {
        switch part {
        case .text(let more):
          // A space behind nothing or behind another one would be left out.
          let isSpace = !nodes.isEmpty && more.first == UInt8(ascii: " ")
          if isSpace { nodes.append(.element(XML("text:s"))) }
          nodes.append(.text(String(decoding: more.dropFirst(isSpace ? 1 : 0), as: UTF8.self)))
        case .sentinel(.start(let number)) where threads.indices.contains(number):
          placed.insert(number)
          nodes += threads[number].map { .element(annotation($0)) }
        case .sentinel(.end(let number)) where threads.indices.contains(number):
          nodes += threads[number].map { comment in
            .element(XML("office:annotation-end", [("office:name", "comment-\(comment.id)")]))
          }
        case .sentinel: break
        }
      }
      return nodes
    }
    return threads.indices.filter { !placed.contains($0) }.reduce(0) { $0 + threads[$1].count }
  }

  private func annotation(_ comment: WordComments.Comment) -> XML {
    var attributes = [("office:name", "comment-\(comment.id)")]
    attributes.append(("loext:resolved", comment.isResolved ? "true" : "false"))
    if let parent = comment.parent { attributes.append(("loext:parent-name", "comment-\(parent)")) }
    let namespace = "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"
    attributes.append(("xmlns:loext", namespace))
    var parts = [XML("dc:creator", text: comment.origin.author ?? WordPeople.nobody)]
    // The zone is left out, as everywhere in such a document.
    if let date = comment.origin.date {
      parts.append(XML("dc:date", text: String(date.prefix(19))))
    }
    let paragraphs = comment.text.split(separator: " ¶ ", omittingEmptySubsequences: false)
    parts += paragraphs.map { XML("text:p", text: String($0)) }
    return XML("office:annotation", attributes, parts)
  }
}

extension XML {
  /// Puts others into the place of nodes in it.
  ///
  /// - Parameter others: What comes into the place of a node; nil if that stays.
  fileprivate func replaceAll(_ others: (Node) -> [Node]?) {
    children = children.flatMap { child -> [Node] in
      if let others = others(child) { return others }
      if case .element(let element) = child { element.replaceAll(others) }
      return [child]
    }
  }
}
