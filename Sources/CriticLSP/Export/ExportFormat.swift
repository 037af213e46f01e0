import TrackEngine

/// A format into which a document is exported with its changes and comments, through pandoc.
enum ExportFormat: String, CaseIterable {
  case docx
  case odt
  case html
  case latex
  case json
}

extension ExportFormat {
  /// What else is asked for.
  struct Options: Sendable {
    /// Whether HTML in a document stays HTML.
    var trustsHTML = false
    /// The document of Word or LibreOffice whose styles are taken.
    var reference: Path?
    /// Who made the changes that name nobody.
    var author: String?
  }

  /// The extension of its files.
  var ending: Path {
    switch self {
    case .docx: ".docx"
    case .odt: OpenDocument.ending
    case .html: ".html"
    case .latex: ".tex"
    case .json: ".json"
    }
  }

  /// What a document of a word processor is, by its name; nil for another file.
  static func office(named path: Path) -> ExportFormat? {
    let end = path.name.splitAtExtension.end.description.lowercased()
    return allCases.first { $0.isOffice && $0.ending.description == end }
  }

  /// Whether it is that of a word processor, which is binary.
  var isOffice: Bool { self == .docx || self == .odt }

  /// A document in the format, without the annotations block of iA Writer, which is no text.
  ///
  /// - Parameters:
  ///   - document: The Markdown.
  ///   - path: Its file, or `-`.
  ///   - options: What else is asked for.
  /// - Returns: The file, and what is to be said of it.
  /// - Throws: `Platform.Failure` if pandoc or LibreOffice is needed and not there, or cannot read the document.
  func file(
    of document: [UInt8],
    from path: Path,
    _ options: Options
  ) throws(Platform.Failure) -> (bytes: [UInt8], remarks: [String]) {
    let document = document.withoutAnnotations
    switch self {
    case .docx:
      let result = try DocxExport(document, from: path, options, as: self).run()
      return (result.bytes, result.remarks)
    case .odt:
      let result = try DocxExport(document, from: path, options, as: self).run()
      let text = try OpenDocument.text(of: result.bytes)
      return (text.bytes, result.remarks + text.remarks)
    case .html:
      let tree = try TrackedTree(document)
      let page = try ReviewPage(tree, of: path, trustsHTML: options.trustsHTML)
      return (Array(page.html.utf8), page.warnings)
    case .latex:
      let tree = try TrackedTree(document)
      var warnings = tree.warnings
      return (try LaTeXRendering.document(of: tree, &warnings), warnings)
    case .json:
      let tree = try TrackedTree(document)
      return (PandocSpans(tree).json + Array("\n".utf8), tree.warnings)
    }
  }
}
