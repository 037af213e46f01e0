/// An OpenDocument text (.odt, ISO/IEC 26300), as LibreOffice keeps its documents.
struct OpenDocument {
  /// The Word document that LibreOffice makes of it: the bytes of a .docx file.
  let word: [UInt8]
  /// How many comments are in the text.
  let comments: Int
  /// How many of these are in footnotes and endnotes.
  let commentsInNotes: Int
  /// How many pictures it only links to.
  let links: Int
  /// How many stretches of it one person added and another one deleted.
  let undone: Int

  /// Has a Word document made of a text.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of its file.
  ///   - archive: What is in that.
  /// - Throws: `Platform.Failure` if it is another OpenDocument or encrypted, or if LibreOffice is absent or cannot read it.
  init?(_ bytes: [UInt8], _ archive: ZipArchive) throws {
    func count(_ sign: String, in name: String) throws -> Int {
      try archive.contents(of: name)?.ranges(of: Array(sign.utf8)).count ?? 0
    }
    let type =
      try archive.contents(of: "mimetype").map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard type.hasPrefix("application/vnd.oasis.opendocument.") else { return nil }
    guard type == "application/vnd.oasis.opendocument.text" else {
      throw Platform.Failure(description: "it is an OpenDocument, but not a text (.odt)")
    }
    guard try !archive.isEncrypted else {
      throw Platform.Failure(description: "it is encrypted; save it without a password")
    }
    undone = try count("</text:deletion><text:insertion>", in: "content.xml")
    word = try LibreOffice.converted(bytes, from: .odt, to: .docx)
    // What LibreOffice has read is well-formed.
    let content = try archive.contents(of: "content.xml").map { try XML.document($0) }
    comments = content?.count("office:annotation") ?? 0
    var (inNotes, links) = (0, 0)
    let names = Set(archive.names)
    content?.visit { element in
      if element.name == "text:note" { inNotes += element.count("office:annotation") }
      if element.name == "draw:image", let link = element["xlink:href"] {
        let name = link.hasPrefix("./") ? String(link.dropFirst(2)) : link
        // What stands for a formula or a sheet may not be there.
        if !names.contains(name), !name.hasPrefix("ObjectReplacements/") { links += 1 }
      }
    }
    (commentsInNotes, self.links) = (inNotes, links)
  }
}

extension OpenDocument {
  /// What a Word document that LibreOffice made of it has not, a sentence each.
  ///
  /// - Parameters:
  ///   - document: The root of that.
  ///   - comments: Its comments.
  /// - Returns: The sentences.
  func losses(_ document: XML, _ comments: WordComments) -> [String] {
    var losses: [String] = []
    let lost = self.comments - comments.all.count
    if lost > 0 {
      let inNotes = min(lost, commentsInNotes)
      if inNotes > 0 {
        losses.append("\(counted(inNotes, "comment")) in footnotes left out by LibreOffice")
      }
      if lost > inNotes {
        losses.append("\(counted(lost - inNotes, "comment")) left out by LibreOffice")
      }
    }
    if links > 0 {
      losses.append("\(counted(links, "picture")) left out, for the document only links to them")
    }
    var told = 0
    document.visit { if $0.name == "w:ins", $0.first("w:del") != nil { told += 1 } }
    if undone > told {
      losses.append(
        "\(counted(undone - told, "text")) that somebody had added before it was deleted came as deleted only,"
          + " for LibreOffice forgets the first"
      )
    }
    return losses
  }
}

extension XML {
  /// Leaves only those rows of tables added or deleted of which all text is so: LibreOffice tells it of others, too.
  func dropRowChanges() {
    visit { row in
      guard row.name == "w:tr", let properties = row.first("w:trPr") else { return }
      let told = ["w:ins", "w:del"].filter { row.hasText(outside: $0) }
      properties.children.removeAll { child in
        if case .element(let change) = child { told.contains(change.name) } else { false }
      }
    }
  }

  private func hasText(outside change: String) -> Bool {
    name != change
      && (XML.shown.contains(name) || elements.contains { $0.hasText(outside: change) })
  }

  /// The elements that show something, as letters do.
  private static let shown: Set<String> = [
    "w:t", "w:delText", "w:drawing", "w:pict", "w:object", "w:footnoteReference",
    "w:endnoteReference", "m:oMath",
  ]

  /// How many elements of a name are in it.
  fileprivate func count(_ name: String) -> Int {
    var count = 0
    visit { if $0.name == name { count += 1 } }
    return count
  }
}

// MARK: - Writing

extension ZipArchive {
  /// Whether it is an OpenDocument with a password.
  fileprivate var isEncrypted: Bool {
    get throws {
      let manifest = try contents(of: "META-INF/manifest.xml") ?? []
      return manifest.firstRange(of: Array("encryption-data".utf8)) != nil
    }
  }

  /// How many letters a Word document shows, deleted ones too.
  fileprivate var letters: Int {
    get throws {
      try ["word/document.xml", "word/footnotes.xml"].reduce(0) { count, name in
        guard let part = try contents(of: name) else { return count }
        return count + (try XML.document(part)).letters(in: "w:t", "w:delText")
      }
    }
  }
}

extension XML {
  /// How many letters are in elements whose names begin so.
  fileprivate func letters(in names: String...) -> Int {
    var count = 0
    visit { element in
      guard names.contains(where: element.name.hasPrefix) else { return }
      for case .text(let text) in element.children { count += text.count(where: \.isLetter) }
    }
    return count
  }
}

extension OpenDocument {
  /// The extension of its files.
  static let ending: Path = ".odt"

  /// The text that LibreOffice makes of a Word document of ours.
  ///
  /// - Parameter word: The bytes of a .docx file.
  /// - Returns: The bytes of a file, and what is to be said of it.
  /// - Throws: `Platform.Failure` if LibreOffice is absent or cannot read the document.
  static func text(
    of word: [UInt8]
  ) throws(Platform.Failure) -> (bytes: [UInt8], remarks: [String]) {
    do {
      var remarks: [String] = []
      var archive = try ZipArchive(word)
      let comments = try OpenComments(in: &archive)
      var made = try ZipArchive(LibreOffice.converted(archive.bytes, from: .docx, to: .odt))
      if let content = try made.contents(of: "content.xml").map({ try XML.document($0) }) {
        let missing = try archive.letters - content.letters(in: "text:")
        if missing > 0 {
          remarks.append("LibreOffice has lost \(counted(missing, "letter")) of it")
        }
        let lost = comments.put(into: content)
        if lost > 0 { remarks.append("\(counted(lost, "comment")) left out by LibreOffice") }
        made.set("content.xml", content.document)
      }
      remarks += self.remarks(of: try archive.contents(of: "word/document.xml") ?? [])
      return (made.bytes, remarks)
    } catch {
      throw error as? Platform.Failure ?? Platform.Failure(description: "\(error)")
    }
  }

  private static func remarks(of document: [UInt8]) -> [String] {
    let changed = document.ranges(of: Array("<w:pPrChange ".utf8)).count
    guard changed > 0 else { return [] }
    let what = counted(changed, "change") + " between heading, list item and paragraph"
    let verb = changed == 1 ? "was" : "were"
    return ["\(what) \(verb) taken as accepted, for .odt has none such"]
  }

  /// Whether a file is a text whose styles can be taken.
  static func hasStyles(_ bytes: [UInt8]) -> Bool {
    guard let archive = try? ZipArchive(bytes), (try? archive.isEncrypted) == false else {
      return false
    }
    return (try? archive.contents(of: "styles.xml")) != nil
  }

  /// The name of a Word document that is made for its styles.
  static let styles: Path = "styles.docx"

  /// Makes a folder with the Word document ``styles``, which has the styles of a text.
  ///
  /// - Throws: `Platform.Failure` with the name of the text if it has none, or if LibreOffice is absent or cannot read it.
  static func folder(withStylesOf path: Path) throws(Platform.Failure) -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let text = try Platform.contents(of: path)
    guard hasStyles(text) else {
      throw Platform.Failure(description: "\(path): no .odt with styles, or encrypted")
    }
    let word: [UInt8]
    do throws(Platform.Failure) {
      word = try LibreOffice.converted(text, from: .odt, to: .docx)
    } catch {
      throw Platform.Failure(description: "\(path): \(error)")
    }
    try Platform.replace(folder.path / styles, isSafe: false) { $0.append(word) }
    return folder
  }
}
