import Testing

@testable import CriticLSP

/// A Word document as one reads it with its changes accepted or rejected: worked out on its XML alone.
///
/// It shares only the readers of ZIP and XML with the program.
struct WordOracle {
  /// What is done with the changes; `.none` for a document that must not have any.
  enum Decision {
    case none
    case accept
    case reject
  }

  private let archive: ZipArchive
  let document: XML
  let footnotes: XML?
  private let numbering: XML?

  init(_ bytes: [UInt8]) throws {
    archive = try ZipArchive(bytes)
    document = try #require(try WordOracle.part("word/document.xml", of: archive))
    footnotes = try WordOracle.part("word/footnotes.xml", of: archive)
    numbering = try WordOracle.part("word/numbering.xml", of: archive)
  }

  /// A part of the document; nil if it has none of that name.
  func part(_ name: String) throws -> XML? { try WordOracle.part(name, of: archive) }

  var names: [String] { archive.names }

  private static func part(_ name: String, of archive: ZipArchive) throws -> XML? {
    try archive.contents(of: name).map { try XML.document($0) }
  }

  /// A line for each paragraph, with its style and list, and how its text looks; tables and notes in brackets.
  func lines(_ decision: Decision) throws -> [String] {
    try blocks(#require(document.first("w:body")), decision, "document")
  }

  private func blocks(_ container: XML, _ decision: Decision, _ part: String) throws -> [String] {
    var lines: [String] = []
    var open = ""
    for element in container.elements {
      switch element.name {
      case "w:p":
        open += try inlines(element, decision, part, "")
        let mark = element.first("w:pPr")?.first("w:rPr")
        if decision == .none { #expect(mark?.first("w:ins") == nil && mark?.first("w:del") == nil) }
        // The text goes on in the next paragraph, whose properties then count.
        if decision == .accept, mark?.first("w:del") != nil { continue }
        if decision == .reject, mark?.first("w:ins") != nil { continue }
        lines.append("\(kind(of: element, decision)): \(open)")
        open = ""
      case "w:tbl":
        let rows = element.elements.filter { row in
          row.name == "w:tr" && !(decision == .accept && row.first("w:trPr")?.first("w:del") != nil)
            && !(decision == .reject && row.first("w:trPr")?.first("w:ins") != nil)
        }
        if rows.isEmpty { continue }
        #expect(open.isEmpty, "\(open) runs into a table")
        let cells = try rows.map { row in
          try row.elements.filter { $0.name == "w:tc" }.map { try blocks($0, decision, part) }
        }
        lines.append("table \(cells)")
      default: break
      }
    }
    #expect(open.isEmpty, "\(open) has no end")
    return lines
  }

  private func inlines(
    _ container: XML,
    _ decision: Decision,
    _ part: String,
    _ link: String
  ) throws -> String {
    var text = ""
    for element in container.elements {
      switch element.name {
      case "w:ins", "w:del":
        #expect(decision != .none)
        let isKept = (element.name == "w:ins") == (decision == .accept)
        if isKept { text += try inlines(element, decision, part, link) }
      case "w:hyperlink":
        let target = try target(element, part) ?? "#\(element["w:anchor"] ?? "")"
        text += try inlines(element, decision, part, target)
      case "w:r": text += try run(element, decision, part, link)
      case "m:oMath", "m:oMathPara": text += "<\(element.text)>"
      default: break
      }
    }
    return text
  }

  private func run(
    _ run: XML,
    _ decision: Decision,
    _ part: String,
    _ link: String
  ) throws -> String {
    let look =
      (run.first("w:rPr")?.elements ?? []).filter { $0.name != "w:highlight" }
      .map { $0.name.dropFirst(2) + ($0["w:val"] ?? "") }.sorted().joined(separator: "+")
    var text = ""
    for element in run.elements {
      switch element.name {
      // Each letter by itself, so that it does not matter how runs are cut.
      case "w:t", "w:delText":
        text += element.text.map { look + link == "" ? "\($0)" : "\($0)[\(look)\(link)]" }.joined()
      case "w:br": text += "/"
      case "w:footnoteReference":
        let note = try #require(footnotes?.elements.first { $0["w:id"] == element["w:id"] })
        text += "{note \(try blocks(note, decision, "footnotes"))}"
      case "w:rPr", "w:commentReference": break
      default:
        let inside = element.all.flatMap { inside in
          inside.attributes.filter { $0.name == "r:embed" }.map(\.value)
        }
        let images = try inside.map { try image($0, part) }
        text += "<\(element.name)\(images)>"
      }
    }
    return text
  }

  private func relation(_ id: String, _ part: String) throws -> XML? {
    let root = try self.part("word/_rels/\(part).xml.rels")
    return root?.elements.first { $0["Id"] == id }
  }

  private func target(_ link: XML, _ part: String) throws -> String? {
    guard let id = link["r:id"] else { return nil }
    return try #require(try relation(id, part), "no link \(id)")["Target"]
  }

  private func image(_ id: String, _ part: String) throws -> Int {
    let name = try #require(try relation(id, part)?["Target"], "no image \(id)")
    return try #require(try archive.contents(of: "word/\(name)"), "no image \(name)").count
  }

  private func kind(of paragraph: XML, _ decision: Decision) -> String {
    var properties = paragraph.first("w:pPr")
    if decision == .reject, let old = properties?.first("w:pPrChange") {
      properties = old.first("w:pPr")
    }
    let style = properties?.first("w:pStyle")?["w:val"] ?? ""
    // How far paragraphs are apart is no property of the text.
    let name = ["BodyText", "FirstParagraph", "Compact"].contains(style) ? "" : style
    guard let list = properties?.first("w:numPr") else { return name }
    let number = list.first("w:numId")?["w:val"]
    let kind = numbering?.elements.first { $0.name == "w:num" && $0["w:numId"] == number }
    let form = kind?.first("w:abstractNumId")?["w:val"] ?? "?"
    return "\(name)•\(list.first("w:ilvl")?["w:val"] ?? "")-\(form)"
  }
}
