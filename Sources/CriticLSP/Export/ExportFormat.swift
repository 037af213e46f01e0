/// A format into which a document is exported with its changes and comments, through pandoc.
enum ExportFormat: String, CaseIterable {
  case html
  case latex
  case json
}

extension ExportFormat {
  /// The extension of its files.
  var ending: Path {
    switch self {
    case .html: ".html"
    case .latex: ".tex"
    case .json: ".json"
    }
  }

  /// A document in the format.
  ///
  /// - Parameters:
  ///   - document: The Markdown.
  ///   - path: Its file, or `-`.
  ///   - trustsHTML: Whether HTML in it stays HTML.
  /// - Returns: The file.
  /// - Throws: `Platform.Failure` if pandoc is not there or cannot read the document.
  func file(
    of document: [UInt8],
    from path: Path,
    trustsHTML: Bool
  ) throws(Platform.Failure) -> [UInt8] {
    let tree = try TrackedTree(document)
    switch self {
    case .html: return Array(try ReviewPage(tree, of: path, trustsHTML: trustsHTML).html.utf8)
    case .latex: return try LaTeXRendering.document(of: tree)
    case .json: return PandocSpans(tree).json + Array("\n".utf8)
    }
  }
}
