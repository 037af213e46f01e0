/// A Word document (.docx, ECMA-376), a ZIP archive of XML parts; or what LibreOffice makes one of.
struct WordDocument {
  private var archive: ZipArchive
  /// The parts with text: the document itself, its footnotes and endnotes, by their names.
  private let parts: [(name: String, root: XML)]
  /// The styles that its text uses; nil if it has none.
  let styles: XML?
  private(set) var changes = WordChanges()
  private var surroundings = WordSurroundings()
  let comments: WordComments
  /// What LibreOffice has lost when it made a Word document of its own, a sentence each.
  let losses: [String]
  private let name: Path
  /// How long its file is, in bytes.
  private let length: Int
  /// The comments that have no range in the text.
  private var unranged: Set<String>

  /// Reads a document.
  ///
  /// Linear.
  ///
  /// - Throws: `Platform.Failure` that says why it is none, behind its name, or that LibreOffice is needed.
  init(_ bytes: [UInt8], named name: Path) throws(Platform.Failure) {
    (self.name, length) = (name, bytes.count)
    do {
      let used: WordStyles
      (archive, parts, used, comments, losses) = try WordDocument.read(bytes, &surroundings)
      styles = used.styles
      for (name, root) in [
        (WordDocument.styles, used.styles), (WordDocument.lists, used.numbering),
      ] {
        if let root { archive.set(name, root.document) }
      }
    } catch {
      throw Platform.Failure(description: "\(name): \(error)")
    }
    unranged = Set(comments.all.map(\.id))
    for part in parts {
      changes.number(part.root)
      surroundings.addTextBoxes(of: part.root)
      part.root.visit { element in
        guard element.name == "w:commentRangeStart" || element.name == "w:commentRangeEnd",
          let id = element["w:id"]
        else { return }
        unranged.remove(id)
      }
    }
  }

  private static func read(
    _ bytes: [UInt8],
    _ surroundings: inout WordSurroundings
  ) throws -> (ZipArchive, [(name: String, root: XML)], WordStyles, WordComments, losses: [String])
  {
    if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
      throw Platform.Failure(
        description:
          "it is encrypted, or of Word 97 to 2003 (.doc); save it as .docx without a password"
      )
    }
    var archive = try ZipArchive(bytes)
    let open = try OpenDocument(bytes, archive)
    if let open { archive = try ZipArchive(open.word) }
    var bound = UnpackedBound(fileOf: open?.word.count ?? bytes.count)
    func part(_ name: String) throws -> XML? {
      try bound.addText(archive.length(of: name))
      guard let bytes = try archive.contents(of: name) else { return nil }
      return try XML.document(bytes, atMost: &bound.nodes)
    }
    guard let document = try part(main), document.name == "w:document" else {
      throw Platform.Failure(
        description:
          "it is a ZIP archive, but neither a Word document (.docx) nor an OpenDocument text (.odt)"
      )
    }
    var parts = [(main, document)]
    for name in ["word/footnotes.xml", "word/endnotes.xml"] {
      if let root = try part(name) { parts.append((name, root)) }
    }
    for name in try part("word/_rels/document.xml.rels")?.marginNames ?? [] {
      if let root = try part(name) { surroundings.add(root) }
    }
    var comments = WordComments(
      try part("word/comments.xml"),
      extended: try part("word/commentsExtended.xml")
    )
    var losses: [String] = []
    /// A part that is left to pandoc where it cannot be read, but not where there is too much of it.
    func partIfReadable(_ name: String) throws -> XML? {
      do {
        return try part(name)
      } catch let failure as XML.Failure {
        if bound.nodes.left < 0 { throw failure }
        return nil
      }
    }
    let numbering = open == nil ? try partIfReadable(lists) : try part(lists)
    if let open {
      losses = open.losses(document, comments)
      comments.joinThreads(CommentPlaces(parts.map(\.1)))
      if let numbering {
        var lists = WordLists(numbering)
        lists.join(in: document)
      }
      document.dropRowChanges()
    }
    let styles = WordStyles(try partIfReadable(styles), numbering, usedBy: parts.map(\.1))
    return (archive, parts, styles, comments, losses)
  }

  /// The document without tracked changes, for pandoc.
  ///
  /// - Parameters:
  ///   - isAccepted: Whether the changes are accepted or rejected.
  ///   - isMarked: Whether sentinels tell where changes and comments begin and end. A comment's number follows those of
  ///     the changes.
  ///   - standIns: What is put in the place of paragraphs; nil for nothing.
  /// - Returns: The bytes of a .docx file, and the notes in the order in which they are referred to.
  func resolved(
    isAccepted: Bool,
    isMarked: Bool,
    _ standIns: inout WordStandIns?
  ) -> (bytes: [UInt8], notes: [String]) {
    let resolution = WordResolution(
      isAccepted: isAccepted,
      isMarked: isMarked,
      comments: commentNumbers,
      unranged: unranged
    )
    var result = archive
    var notes: [String] = []
    for part in parts {
      let root = resolution.resolved(part.root)
      if part.name == WordDocument.main {
        notes = root.noteReferences
        // Of the side that comes first; the other one has its own paragraphs where it has others.
        root.first("w:body").map { standIns?.replaceParagraphs(of: $0, isFinding: isAccepted) }
      }
      result.set(part.name, root.document)
    }
    return (result.bytes, notes)
  }

  /// The numbers of the comments by their identifiers: they follow those of the changes.
  private var commentNumbers: [String: Int] {
    let numbers = comments.all.enumerated().map { ($1.id, changes.origins.count + $0) }
    return Dictionary(numbers) { first, _ in first }
  }

  /// What is said of headers, footers and text boxes that the text has not, a sentence each.
  ///
  /// - Parameter shown: The sentinels in what pandoc makes of the document.
  /// - Returns: The sentences.
  func surroundingLosses(besides shown: some Sequence<Sentinel>) -> [String] {
    surroundings.losses(besides: Set(shown.map(\.number)), comments: commentNumbers)
  }

  private static let main = "word/document.xml"
  private static let styles = "word/styles.xml"
  private static let lists = "word/numbering.xml"

  /// The footnotes and endnotes that are referred to anywhere, deleted ones too, in order.
  var notes: [String] { parts[0].root.noteReferences }

  /// What stands in a note: with all changes, and before them, or all of it behind a sign if that was nothing.
  typealias NoteText = (all: String, before: String)

  /// The text of each of ``notes``.
  var noteTexts: [NoteText] {
    var texts: [String: NoteText] = [:]
    for note in parts.dropFirst().flatMap(\.root.elements) {
      let (all, before) = (note.letters(withAdded: true), note.letters(withAdded: false))
      texts["\(note.name)Reference \(note["w:id"] ?? "")"] = (
        all, before.isEmpty ? "+\(all)" : before
      )
    }
    return notes.map { texts[$0] ?? ("", "") }
  }

  // MARK: Images

  /// The images, by the names that pandoc has for them, as in `media/image1.png`.
  ///
  /// - Throws: `Platform.Failure` if one is damaged, or if they are longer than a document of that length has.
  func images() throws(Platform.Failure) -> [(name: String, contents: [UInt8])] {
    var images: [(String, [UInt8])] = []
    do {
      let names = archive.names.filter { $0.hasPrefix("word/media/") }
      try UnpackedBound(fileOf: length)
        .expectPictures(names.reduce(0) { $0 + archive.length(of: $1) })
      for name in names {
        if let contents = try archive.contents(of: name) {
          images.append((String(name.dropFirst("word/".count)), contents))
        }
      }
    } catch {
      throw Platform.Failure(description: "\(name): \(error)")
    }
    return images
  }
}

extension XML {
  /// The files of the headers and footers that a document refers to.
  fileprivate var marginNames: [String] {
    elements.filter { relation in
      ["/header", "/footer"].contains { relation["Type"]?.hasSuffix($0) == true }
    }.compactMap(\.fileOfRelation)
  }

  /// The text in it, of deletions and formulas too.
  fileprivate func letters(withAdded: Bool) -> String {
    switch name {
    case "w:t", "w:delText", "m:t": text
    case "w:ins", "w:moveTo": withAdded ? lettersOfElements(withAdded: true) : ""
    default: lettersOfElements(withAdded: withAdded)
    }
  }

  private func lettersOfElements(withAdded: Bool) -> String {
    elements.map { $0.letters(withAdded: withAdded) }.joined()
  }

  /// The footnotes and endnotes that it refers to, in order; equal ones for equal notes.
  fileprivate var noteReferences: [String] {
    var notes: [String] = []
    visit { element in
      guard element.name == "w:footnoteReference" || element.name == "w:endnoteReference" else {
        return
      }
      notes.append("\(element.name) \(element["w:id"] ?? "")")
    }
    return notes
  }
}
