/// The parts of a Word document while it is written.
struct DocxParts {
  private var archive: ZipArchive
  private let relations: [DocxPackage.Part: XML]
  private var types: XML?

  init(_ archive: ZipArchive, _ relations: [DocxPackage.Part: XML]) {
    self.archive = archive
    self.relations = relations
    if let bytes = try? archive.contents(of: DocxParts.typesName) {
      types = try? XML.document(bytes)
    }
  }

  /// Puts a part in place of the one of that name.
  mutating func set(_ name: String, _ root: XML) { archive.set(name, root.document) }

  /// Puts a part into the document that may not be there yet; its name is that of a file in the folder of the document's
  /// text.
  mutating func add(_ name: String, _ root: XML) {
    guard let kind = DocxParts.kinds[name], let relations = relations[.document] else { return }
    archive.set("word/\(name)", root.document)
    let part = "/word/\(name)"
    if types?.elements.contains(where: { $0["PartName"] == part }) == false {
      let type = "application/vnd.openxmlformats-officedocument.wordprocessingml.\(kind.type)+xml"
      types?.children.append(
        .element(XML("Override", [("PartName", part), ("ContentType", type)]))
      )
    }
    if !relations.elements.contains(where: { $0["Type"] == kind.relation }) {
      let attributes = [("Id", "rIdTracked\(name)"), ("Type", kind.relation), ("Target", name)]
      relations.children.append(
        .element(XML("Relationship", attributes.map { (name: $0.0, value: $0.1) }))
      )
    }
  }

  /// Puts an image into the document.
  mutating func add(_ name: String, _ contents: [UInt8]) {
    archive.set(name, contents)
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    guard types?.elements.contains(where: { $0["Extension"] == ending }) == false else { return }
    let type = DocxParts.images[ending.lowercased()] ?? "image/\(ending.lowercased())"
    types?.children.insert(
      .element(XML("Default", [("Extension", ending), ("ContentType", type)])),
      at: 0
    )
  }

  /// The document.
  var bytes: [UInt8] {
    var result = archive
    for (part, root) in relations where !root.elements.isEmpty {
      result.set(part.relationsName, root.document)
    }
    if let types { result.set(DocxParts.typesName, types.document) }
    return result.bytes
  }

  private static let typesName = "[Content_Types].xml"

  /// The parts that may be added: the last word of their content type, and how the document refers to them.
  private static let kinds: [String: (type: String, relation: String)] = [
    "footnotes.xml": ("footnotes", "\(standard)/footnotes"),
    "comments.xml": ("comments", "\(standard)/comments"),
    "commentsExtended.xml": ("commentsExtended", "\(later)/commentsExtended"),
    "people.xml": ("people", "\(later)/people"),
  ]
  private static let standard =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  private static let later = "http://schemas.microsoft.com/office/2011/relationships"

  /// The types of images whose name is not that of their ending.
  private static let images = ["jpg": "image/jpeg", "svg": "image/svg+xml", "emf": "image/x-emf"]
}
