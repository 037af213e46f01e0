import TrackEngine

extension Language {
  /// The language of a document in an editor: as the editor says, or else as the extension of its file does.
  ///
  /// - Parameters:
  ///   - id: A `languageId`, as LSP or an editor names it.
  ///   - path: The file; nil if there is none.
  init(id: String, _ path: Path?) {
    switch id.lowercased() {
    case "markdown": self = .markdown
    case "org": self = .org
    case "latex", "tex", "plaintex", "plain-tex": self = .latex
    case "asciidoc", "asciidoctor", "adoc": self = .asciiDoc
    case "restructuredtext", "rst": self = .restructuredText
    case "typst": self = .typst
    default: self = path.map(Language.init(of:)) ?? .markdown
    }
  }

  /// The language of several documents, which is that of the first that is no stream.
  init(ofOneOf paths: [Path]) {
    self.init(of: paths.first { $0 != "-" } ?? "-")
  }

  /// The language of a file, by its extension, which may be in capitals.
  init(of path: Path) {
    let end = String(decoding: path.splitAtExtension.end.bytes, as: UTF8.self)
    switch end.lowercased() {
    case ".org": self = .org
    case ".tex", ".ltx", ".latex": self = .latex
    case ".adoc", ".asciidoc": self = .asciiDoc
    case ".rst", ".rest": self = .restructuredText
    case ".typ": self = .typst
    default: self = .markdown
    }
  }
}
