/// A Word document as pandoc writes it, in its parts.
struct DocxPackage {
  /// A part that has text, and its own numbers for what it refers to.
  enum Part: String {
    case document
    case footnotes
  }

  var archive: ZipArchive
  let document: XML
  let footnotes: XML?
  /// The properties of lists.
  let numbering: XML?
  let styles: XML?
  /// pandoc's styles of paragraphs without a meaning of their own: their identifiers, which differ from document to document.
  let plainStyles: Set<String>
  /// What each part refers to.
  private let relations: [Part: XML]
  private let relationsByID: [Part: [String: XML]]

  /// Reads a document.
  ///
  /// - Throws: `Platform.Failure` if it is damaged.
  init(_ bytes: [UInt8]) throws(Platform.Failure) {
    do {
      let archive = try ZipArchive(bytes)
      func part(_ name: String) throws -> XML? {
        try archive.contents(of: name).map { try XML.document($0) }
      }
      guard let document = try part("word/document.xml") else {
        throw Platform.Failure(description: "there is no text in it")
      }
      self.document = document
      footnotes = try part("word/footnotes.xml")
      numbering = try part("word/numbering.xml")
      let styles = try part("word/styles.xml")
      self.styles = styles
      let plain = (styles?.elements ?? []).filter { style in
        DocxPackage.plainStyles.contains(style.first("w:name")?["w:val"]?.lowercased() ?? "")
      }
      plainStyles = Set(plain.compactMap { $0["w:styleId"] })
      var relations: [Part: XML] = [:]
      for name in [Part.document, .footnotes] { relations[name] = try part(name.relationsName) }
      self.relations = relations
      relationsByID = relations.mapValues { root in
        Dictionary(root.elements.map { ($0["Id"] ?? "", $0) }) { first, _ in first }
      }
      self.archive = archive
    } catch {
      throw Platform.Failure(description: "what pandoc wrote cannot be read: \(error)")
    }
  }

  private static let plainStyles: Set = ["body text", "first paragraph", "compact"]

  /// What a part refers to by an identifier.
  func relation(_ id: String, of part: Part) -> XML? { relationsByID[part]?[id] }

  /// All that a part refers to; made if it refers to nothing yet.
  func relations(of part: Part) -> XML {
    relations[part]
      ?? XML(
        "Relationships",
        [("xmlns", "http://schemas.openxmlformats.org/package/2006/relationships")]
      )
  }

  /// The notes of the document by their identifiers; separators are none.
  var notes: [String: XML] {
    var notes: [String: XML] = [:]
    for note in footnotes?.elements ?? [] where note["w:type"] == nil {
      notes[note["w:id"] ?? ""] = note
    }
    return notes
  }

  /// The kind of list that a number stands for, as one text; nil if there is no such list.
  func list(_ number: String) -> String? {
    let list = numbering?.elements.first { $0.name == "w:num" && $0["w:numId"] == number }
    return list?.elements.map(\.written).joined()
  }

  /// How wide the text is between the margins of a page, in twentieths of a point: as the section says, or that of a letter.
  var textWidth: Int {
    let section = document.first("w:body")?.first("w:sectPr")
    func length(_ element: String, _ name: String) -> Int? {
      section?.first(element)?[name].flatMap { Int($0) }
    }
    guard let page = length("w:pgSz", "w:w") else { return 12240 - 2 * 1440 }
    let margins = (length("w:pgMar", "w:left") ?? 1440) + (length("w:pgMar", "w:right") ?? 1440)
    return max(1440, page - margins)
  }

  /// The numbers of lists whose items have a space for a sign.
  var blankLists: Set<String> {
    let elements = numbering?.elements ?? []
    let kinds = Set(
      elements.filter { $0.first("w:lvl")?.first("w:lvlText")?["w:val"] == " " }
        .compactMap { $0["w:abstractNumId"] }
    )
    let lists = elements.filter { list in
      list.first("w:abstractNumId")?["w:val"].map(kinds.contains) == true
    }
    return Set(lists.compactMap { $0["w:numId"] })
  }
}

extension XML {
  /// The file in the archive that it leads to, as what a part of a Word document refers to; nil if it leads elsewhere.
  var fileOfRelation: String? {
    guard self["TargetMode"] != "External", let target = self["Target"] else { return nil }
    return target.hasPrefix("/") ? String(target.dropFirst()) : "word/\(target)"
  }
}

extension DocxPackage.Part {
  var name: String { "word/\(rawValue).xml" }
  var relationsName: String { "word/_rels/\(rawValue).xml.rels" }
}
