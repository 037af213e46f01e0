import TrackEngine

/// Makes a Word document with tracked changes and comments of a marked-up text.
///
/// pandoc makes documents of the clean and the original text, which are put together. It reads each of them twice: alone,
/// and with sentinels where the changes and comments are; but no text that it has just read, and no prose.
struct DocxExport {
  /// The marked-up text.
  private let markup: [UInt8]
  /// Who made the changes and wrote the comments that name nobody.
  private let someone: String
  /// The document whose styles it gets.
  private let reference: Path?
  /// Where that is if it was made of an .odt.
  private let made: TemporaryFolder?
  /// Where its images are.
  private let folder: Path

  /// A document, and what was said while it was made, once each.
  struct Result {
    var bytes: [UInt8]
    var remarks: [String]
  }

  /// Prepares to make a document of a text.
  ///
  /// - Parameters:
  ///   - markup: The marked-up text.
  ///   - path: Its file, or `-`.
  ///   - options: Who made the changes that name nobody, and whose styles it gets.
  ///   - format: What it is for, which is to be made of it if it is not a Word document.
  /// - Throws: `Platform.Failure` if the document with the styles is not there.
  init(
    _ markup: [UInt8],
    from path: Path,
    _ options: ExportFormat.Options,
    as format: ExportFormat
  ) throws(Platform.Failure) {
    self.markup = markup
    someone = options.author ?? ExportFrontMatter(of: markup).author ?? WordPeople.nobody
    folder = path.openFolder
    let named: Path?
    if let reference = options.reference {
      guard Platform.length(of: reference) != nil else {
        throw Platform.Failure(
          description: "there is no document \(reference) to take the styles from"
        )
      }
      named = reference
    } else {
      named = try DocxExport.reference(beside: path, for: format)
    }
    if let named, ExportFormat.office(named: named) == .odt {
      let folder = try OpenDocument.folder(withStylesOf: named)
      (made, reference) = (folder, folder.path / OpenDocument.styles)
    } else {
      (made, reference) = (nil, named)
    }
  }

  /// The document of the same name beside a text, if it has styles: one in the format, else a Word document.
  private static func reference(
    beside path: Path,
    for format: ExportFormat
  ) throws(Platform.Failure) -> Path? {
    guard path != "-" else { return nil }
    for format in format == .docx ? [format] : [format, .docx] {
      let beside = path.splitAtExtension.stem + format.ending
      guard Platform.length(of: beside) != nil else { continue }
      let bytes = try Platform.contents(of: beside)
      let hasStyles =
        format == .odt
        ? OpenDocument.hasStyles(bytes)
        : (try? ZipArchive(bytes).contents(of: "word/styles.xml")) != nil
      if hasStyles { return beside }
    }
    return nil
  }

  /// Makes the document.
  ///
  /// - Throws: `Platform.Failure` if pandoc cannot be used or fails.
  func run() throws(Platform.Failure) -> Result {
    let reading = Reading(of: markup, as: Pandoc.language)
    let stretches = DocxStretch.all(of: markup, reading, by: someone)
    let keys = DocxKeys()
    var last: Conversion?
    var (warnings, others): ([String], [String]) = ([], [])
    let (new, newText) = try text(.clean, reading, stretches, keys, &last, &warnings)
    let (old, oldText) = try text(.original, reading, stretches, keys, &last, &others)
    var remarks = warnings.withWarnings(ofOriginal: others).map { $0.withLine(in: markup) }
    let threads = Set(stretches.indices.filter { stretches[$0].isThread })
    let (newTokens, moved) = newText.liftingComments(threads)
    let (oldTokens, movedToo) = oldText.liftingComments(threads)
    let lifted = moved.union(movedToo).count
    if lifted > 0 {
      let verb = lifted == 1 ? "stands" : "stand"
      remarks.append("\(counted(lifted, "comment")) in footnotes \(verb) at the footnote's number")
    }
    let (placed, strays) = placing(stretches, in: newTokens, oldTokens)
    if strays > 0 {
      remarks.append(
        "\(counted(strays, "comment")) could only be put near the text they are about"
      )
    }
    var merge = DocxMerge(stretches, keys)
    let merged = merge.merged(placed, oldTokens).repaired
    guard merged.resolves(to: placed, clean: true), merged.resolves(to: oldTokens, clean: false)
    else {
      throw Platform.Failure(description: "the changes cannot be put into one document")
    }
    var writer = DocxWriter(
      stretches,
      by: someone,
      DocxReferences(new, old),
      textWidth: new.textWidth
    )
    let body = try writer.body(merged)
    return Result(bytes: package(new, old, body, writer), remarks: remarks)
  }

  /// A variant of the text, as pandoc makes a document of it.
  private func text(
    _ variant: Variant,
    _ reading: Reading,
    _ stretches: [DocxStretch],
    _ keys: DocxKeys,
    _ last: inout Conversion?,
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> (DocxPackage, [DocxToken]) {
    let placing = SentinelPlacing(variant, of: markup, reading, stretches)
    let package = try self.package(of: placing.plain, &last, &warnings)
    if variant == .clean { warnings += try lostLabels(of: placing.plain, package, warnings) }
    let tokens = DocxReader(package, keys, withBookmarks: variant == .clean).tokens()
    guard !stretches.isEmpty else { return (package, tokens) }
    // What is warned of in a text with sentinels may be because of these.
    var ignored: [String] = []
    let marked = try self.package(of: placing.marked, &last, &ignored)
    let others = DocxReader(marked, keys, sentinelCount: stretches.count).tokens()
    return (package, SentinelTransfer(keys: keys).tokens(tokens, with: others))
  }

  /// A text that pandoc has read, and the document that it made of it.
  private struct Conversion {
    let text: [UInt8]
    let document: [UInt8]
    let warnings: [String]
  }

  /// What pandoc makes of a text.
  private func package(
    of text: [UInt8],
    _ last: inout Conversion?,
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> DocxPackage {
    let text = ExportFrontMatter(of: text).withoutOwnKey.withSpacesInScripts
    let standIns = MarkdownStandIns(in: text)
    var made = try conversion(of: standIns.text, last)
    var package = try DocxPackage(made.document)
    if !standIns.fill(package) {
      // A paragraph became something else, as a cell of a table.
      made = try conversion(of: text, made)
      package = try DocxPackage(made.document)
    }
    last = made
    for warning in made.warnings where !warnings.contains(warning) { warnings.append(warning) }
    return package
  }

  private func conversion(
    of text: [UInt8],
    _ last: Conversion?
  ) throws(Platform.Failure) -> Conversion {
    if let last, last.text == text { return last }
    var warnings: [String] = []
    var arguments: [Path] = ["--to", "docx", "--output", "-", "--resource-path", folder]
    if let reference { arguments += ["--reference-doc", reference] }
    let document: [UInt8]
    if ExportTree.isNeeded(for: text) {
      let tree = try ExportTree(of: text, &warnings)
      document = try Pandoc.run(["--from", "json"] + arguments, on: tree.json, &warnings)
    } else {
      document = try Pandoc.run(["--from", ExportTree.format] + arguments, on: text, &warnings)
    }
    return Conversion(text: text, document: document, warnings: warnings)
  }

  /// What is said of the labels of images that pandoc replaces by their descriptions, in some versions without the label.
  private func lostLabels(
    of text: [UInt8],
    _ package: DocxPackage,
    _ warnings: [String]
  ) throws(Platform.Failure) -> [String] {
    guard warnings.contains(where: { $0.hasPrefix(String.missingFile) }) else { return [] }
    var ignored: [String] = []
    let tree = try PandocNode.tree(of: text, in: ExportTree.format, &ignored)
    var labels: [String] = []
    tree.visit { node in
      guard node.type == "Image", case .element(_, let content?) = node,
        case .text(let label)? = content.elements.first?.elements.first, !label.isEmpty
      else { return }
      labels.append(label)
    }
    let kept = Set(
      package.document.all.filter { $0.name == "w:bookmarkStart" }.map { $0["w:name"] }
    )
    // Longer names than Word allows are others there.
    return labels.filter { $0.count <= 40 && !kept.contains($0) }.map { label in
      "the label #\(label) of an image is not in the document, for the image is not there;"
        + " put the image there, or give its path from the text"
    }
  }

  // MARK: Comments without a place

  /// The clean text, with the comments in it of which neither text has the place: behind what stands before them.
  private func placing(
    _ stretches: [DocxStretch],
    in new: [DocxToken],
    _ old: [DocxToken]
  ) -> (tokens: [DocxToken], strays: Int) {
    var placed = Set<Int>()
    for tokens in [new, old] {
      tokens.forEachToken { if let number = $0.sentinel?.number { placed.insert(number) } }
    }
    var result = new
    var strays = 0
    for (number, stretch) in stretches.enumerated() where !placed.contains(number) {
      guard stretch.isThread else { continue }
      let ends = [Sentinel.start(number), .end(number)].map { DocxToken(content: .sentinel($0)) }
      let before = stretches[..<number].indices.last { result.holds(.end($0)) }
      if let before {
        result = result.inserting(ends, behind: .end(before))
      } else {
        result.insert(contentsOf: ends, at: 0)
      }
      strays += 1
    }
    return (result, strays)
  }

  // MARK: The package

  private func package(
    _ new: DocxPackage,
    _ old: DocxPackage,
    _ body: [XML],
    _ writer: DocxWriter
  ) -> [UInt8] {
    var parts = DocxParts(new.archive, writer.references.relations)
    let document = new.document
    if let container = document.first("w:body") {
      let section = container.first("w:sectPr").map { [$0] } ?? []
      container.children = (body + section).map(XML.Node.element)
    }
    parts.set(DocxPackage.Part.document.name, document)
    if let notes = new.footnotes ?? old.footnotes {
      let separators = notes.elements.filter { $0["w:type"] != nil }
      notes.children = (separators + writer.notes).map(XML.Node.element)
      parts.add("footnotes.xml", notes)
    }
    if let numbering = writer.references.numbering { parts.set("word/numbering.xml", numbering) }
    if let styles = writer.references.styles { parts.set("word/styles.xml", styles) }
    for file in writer.references.files { parts.add(file.name, file.contents) }
    if writer.comments.count > 0 {
      parts.add("comments.xml", writer.comments.comments)
      parts.add("commentsExtended.xml", writer.comments.extended)
    }
    if !writer.people.isEmpty { parts.add("people.xml", DocxComments.people(writer.people)) }
    return parts.bytes
  }
}

extension [DocxToken] {
  fileprivate func holds(_ sentinel: Sentinel) -> Bool {
    var isFound = false
    forEachToken { isFound = isFound || $0.sentinel == sentinel }
    return isFound
  }

  /// The tokens with others behind a sentinel, which may be in a table or a note.
  fileprivate func inserting(_ others: [DocxToken], behind sentinel: Sentinel) -> [DocxToken] {
    flatMap { token -> [DocxToken] in
      var token = token
      switch token.content {
      case .sentinel(sentinel): return [token] + others
      case .note(let reference, let tokens):
        token.content = .note(reference, tokens.inserting(others, behind: sentinel))
      case .table(let table):
        token.content = .table(table.mappingCells { $0.inserting(others, behind: sentinel) })
      default: break
      }
      return [token]
    }
  }
}

extension [UInt8] {
  /// The text with a space written as an entity where pandoc has written one behind a backslash, in superscripts and
  /// subscripts: there it cannot write it otherwise, but reads it as one that does not break.
  fileprivate var withSpacesInScripts: [UInt8] {
    let space = Array("\\ ".utf8)
    guard self[...].firstRange(of: space[...]) != nil else { return self }
    var result: [UInt8] = []
    var at = 0
    while at < count {
      let sign = self[at]
      if sign == UInt8(ascii: "\\"), at + 1 < count {
        result += self[at..<at + 2]
        at += 2
        continue
      }
      result.append(sign)
      at += 1
      guard sign == UInt8(ascii: "^") || sign == UInt8(ascii: "~"),
        result.dropLast().last != UInt8(ascii: "["), let end = endOfScript(sign, from: at)
      else { continue }
      for part in self[at..<end].split(separator: space, omittingEmptySubsequences: false) {
        result += part + Array("&#32;".utf8)
      }
      result.removeLast(5)
      result.append(sign)
      at = end + 1
    }
    return result
  }

  /// Where a superscript or subscript ends whose text begins at an offset; nil if there is none.
  private func endOfScript(_ sign: UInt8, from start: Int) -> Int? {
    var at = start
    while at < count {
      switch self[at] {
      case UInt8(ascii: "\\"): at += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"): return nil
      case sign: return at > start ? at : nil
      default: break
      }
      at += 1
    }
    return nil
  }
}
