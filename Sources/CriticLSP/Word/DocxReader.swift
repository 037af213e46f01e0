/// Reads the text of a Word document that pandoc wrote as tokens.
struct DocxReader {
  let package: DocxPackage
  /// Numbers that are the same for the other documents it is compared with.
  let keys: DocxKeys
  /// The sentinels in the text have smaller numbers; 0 if it has none.
  let sentinelCount: Int
  /// Whether its bookmarks are kept; the document that is made has only those of one text.
  let withBookmarks: Bool
  private let notes: [String: XML]
  private let blankLists: Set<String>

  init(
    _ package: DocxPackage,
    _ keys: DocxKeys,
    sentinelCount: Int = 0,
    withBookmarks: Bool = false
  ) {
    self.package = package
    self.keys = keys
    self.sentinelCount = sentinelCount
    self.withBookmarks = withBookmarks
    notes = package.notes
    blankLists = package.blankLists
  }

  /// The tokens of the document's body.
  ///
  /// Linear.
  func tokens() -> [DocxToken] {
    package.document.first("w:body").map { tokens(of: $0, .document) } ?? []
  }

  /// The tokens of what holds blocks.
  private func tokens(of container: XML, _ part: DocxPackage.Part) -> [DocxToken] {
    var tokens: [DocxToken] = []
    for element in container.elements {
      switch element.name {
      case "w:p":
        append(element, part, link: nil, to: &tokens)
        let properties = element.first("w:pPr")
        properties.map(setIndentation)
        properties?.sortChildren(by: XML.paragraphProperties)
        tokens.append(
          DocxToken(content: .paragraphEnd(properties), key: keys.number(of: "paragraph"))
        )
      case "w:tbl": tokens.append(table(element, part))
      case "w:sectPr", "w:tcPr": break
      case "w:bookmarkStart", "w:bookmarkEnd":
        if withBookmarks { tokens.append(DocxToken(content: .bookmark(element))) }
      default: tokens.append(DocxToken(content: .block(element), key: key(of: element, part)))
      }
    }
    return tokens
  }

  /// Makes a paragraph that goes on in an item of a list one that is indented, without a list: pandoc makes it an item of a
  /// list whose sign is a space, which it reads as one more item.
  private func setIndentation(_ properties: XML) {
    guard let item = properties.first("w:numPr"), let number = item.first("w:numId"),
      number["w:val"].map(blankLists.contains) == true
    else { return }
    number["w:val"] = "0"
    let level = item.first("w:ilvl")?["w:val"].flatMap { Int($0) } ?? 0
    properties.children.append(.element(XML("w:ind", [("w:left", String(720 * (level + 1)))])))
  }

  private func table(_ element: XML, _ part: DocxPackage.Part) -> DocxToken {
    var table = DocxTable(head: [], rows: [])
    for child in element.elements {
      guard child.name == "w:tr" else {
        table.head.append(child)
        continue
      }
      let cells = child.elements.filter { $0.name == "w:tc" }.map { cell in
        DocxTable.Cell(properties: cell.first("w:tcPr"), tokens: tokens(of: cell, part))
      }
      table.rows.append(DocxTable.Row(properties: child.first("w:trPr"), cells: cells))
    }
    let columns = table.head.first { $0.name == "w:tblGrid" }?.elements.count ?? 0
    return DocxToken(content: .table(table), key: keys.number(of: "table \(columns)"))
  }

  /// Appends the tokens of a paragraph, or of a link in one.
  private func append(
    _ container: XML,
    _ part: DocxPackage.Part,
    link: XML?,
    to tokens: inout [DocxToken]
  ) {
    for element in container.elements {
      switch element.name {
      case "w:pPr": break
      case "w:r": append(run: element, part, link, to: &tokens)
      case "w:hyperlink":
        append(element, part, link: XML(element.name, element.attributes), to: &tokens)
      case "w:bookmarkStart", "w:bookmarkEnd":
        if withBookmarks { tokens.append(DocxToken(content: .bookmark(element))) }
      default: tokens.append(DocxToken(content: .object(element), key: key(of: element, part)))
      }
    }
  }

  private func append(
    run: XML,
    _ part: DocxPackage.Part,
    _ link: XML?,
    to tokens: inout [DocxToken]
  ) {
    let properties = run.first("w:rPr")
    properties?.sortChildren(by: XML.runProperties)
    let target = link.map { key(of: $0, part) } ?? 0
    let look = keys.number(of: "look \(target) \(properties?.written ?? "")")
    let format = DocxFormat(properties: properties, link: link, target: target, look: look)
    for child in run.elements where child.name != "w:rPr" {
      switch child.name {
      case "w:t":
        let text = Array(child.text.utf8)
        for part in sentinelCount > 0 ? Sentinel.parts(of: text) : [.text(text)] {
          switch part {
          case .text(let bytes):
            tokens += String(decoding: bytes, as: UTF8.self).wordTokens.map {
              keys.token($0, format)
            }
          case .sentinel(let sentinel):
            guard (0..<sentinelCount).contains(sentinel.number) else { continue }
            tokens.append(DocxToken(content: .sentinel(sentinel)))
          }
        }
      case "w:footnoteReference":
        let note = notes[child["w:id"] ?? ""].map { self.tokens(of: $0, .footnotes) } ?? []
        tokens.append(
          DocxToken(content: .note(child, note), format: format, key: keys.number(of: "note"))
        )
      default:
        let key = keys.number(of: "\(look) \(key(of: child, part))")
        tokens.append(DocxToken(content: .piece(child), format: format, key: key))
      }
    }
  }

  /// The number of an element, the same for elements that show the same.
  private func key(of element: XML, _ part: DocxPackage.Part) -> Int {
    let copy = element.copy
    for element in copy.all {
      for (index, attribute) in element.attributes.enumerated() {
        if attribute.name.hasPrefix("r:"),
          let relation = package.relation(attribute.value, of: part)
        {
          element.attributes[index].value = shown(by: relation)
        }
      }
      // Numbers and names of drawings, which only have to differ.
      element.attributes.removeAll { $0.name == "id" || $0.name == "name" }
    }
    return keys.number(of: copy.written)
  }

  /// What a relation leads to: an address, or the contents of an image.
  private func shown(by relation: XML) -> String {
    guard let file = relation.fileOfRelation,
      let contents = try? package.archive.contents(of: file)
    else { return relation["Target"] ?? "" }
    return "\(contents.count) \(contents.reduce(into: 5381) { $0 = $0 &* 33 &+ Int($1) })"
  }
}

extension String {
  /// The words, spaces and signs of it, each by itself; of a script that does not part words, each letter.
  fileprivate var wordTokens: [String] {
    var tokens: [String] = []
    var word = ""
    for character in self {
      if character.isOfWord {
        word.append(character)
        continue
      }
      if !word.isEmpty { tokens.append(word) }
      word = ""
      tokens.append(String(character))
    }
    return word.isEmpty ? tokens : tokens + [word]
  }
}

extension Character {
  /// Whether it is a letter or a digit of a script that parts words; for ASCII that is known without the tables of Unicode.
  fileprivate var isOfWord: Bool {
    if let ascii = asciiValue {
      switch ascii {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        return true
      default: return false
      }
    }
    return (isLetter || isNumber)
      && unicodeScalars.allSatisfy { $0.value < 0x2E80 || 0xAC00...0xD7A3 ~= $0.value }
  }
}
