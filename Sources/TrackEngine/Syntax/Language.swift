/// The markup language of a text, which says what in it is code.
public enum Language: Equatable, Sendable, CaseIterable {
  /// Markdown, and all text whose language is not known.
  case markdown
  /// Org: `=verbatim=`, `~code~`, and blocks of source, of examples and for export.
  case org
  /// LaTeX: `\verb`, `\lstinline`, `\mintinline`, and the environments that are printed as they are written.
  case latex
  /// AsciiDoc: delimited blocks of listings, literal text, passthroughs and comments, `` `mono` `` and `+passthrough+`.
  case asciiDoc
  /// reStructuredText: ``` ``literal`` ```, and what is indented after `::` or a directive of code.
  case restructuredText
  /// Typst: raw text, between one backtick and another or between runs of three and more.
  case typst
}

extension Language {
  /// Whether code can begin with a character.
  func isCodeSign(_ byte: UInt8) -> Bool {
    switch self {
    case .markdown: byte.isCodeSign
    case .org: byte == Ascii.equals || byte == Ascii.tilde || byte == Ascii.hash
    case .latex: byte == Ascii.backslash
    case .asciiDoc: byte == Ascii.backtick || "-.+/".utf8.contains(byte)
    case .restructuredText: byte == Ascii.backtick || byte == Ascii.colon || byte == Ascii.period
    case .typst: byte == Ascii.backtick
    }
  }

  /// Whether what stands before a block of code on its line can hide it.
  var hasLineBlocks: Bool {
    switch self {
    case .markdown, .org, .asciiDoc: true
    case .latex, .restructuredText, .typst: false
    }
  }

  /// Whether the lines before a block in its paragraph say whether it is one.
  var readsWholeParagraphs: Bool { self == .asciiDoc }

  /// Whether any backtick can begin and end code.
  var pairsBackticks: Bool { self == .markdown || self == .typst }

  /// Whether bars part the cells of tables.
  var hasBarTables: Bool { self != .latex && self != .typst }

  /// The names of the blocks of code.
  fileprivate var blockNames: [String] {
    switch self {
    case .markdown, .asciiDoc, .restructuredText, .typst: []
    case .org: ["src", "example", "export"]
    case .latex:
      [
        "verbatim", "verbatim*", "Verbatim", "Verbatim*", "BVerbatim", "LVerbatim", "lstlisting",
        "minted", "filecontents", "filecontents*",
      ]
    }
  }

  /// The block of code of a name, as an index.
  func block(named name: Slice<Bytes>) -> Int? {
    blockNames.firstIndex { block in
      // In Org, capitals are as good.
      block.utf8.elementsEqual(name) { $0 == (self == .org ? $1 | 0x20 : $1) }
    }
  }
}

extension Bytes {
  /// The next offset that matters for reading a text that is not Markdown, at or after `offset`.
  func special(from offset: Int, in language: Language) -> Int {
    var at = offset
    while at < count, self[at] < Ascii.open, !language.isCodeSign(self[at]) { at &+= 1 }
    return at
  }

  /// The fence of a block of code that begins at an offset.
  func fence(at offset: Int, in language: Language) -> Fence? {
    switch language {
    case .markdown, .typst: Fence(length: run(at: offset), isTildes: self[offset] == Ascii.tilde)
    case .org: orgBlock(at: offset).map { Fence(block: $0.block) }
    case .latex: environment(at: offset + 6).map { Fence(block: $0.block) }
    case .asciiDoc: asciiDocFence(at: offset)
    // A passage holds all of a block.
    case .restructuredText: nil
    }
  }

  /// The run with which code of a language can begin or end that is not Markdown.
  ///
  /// - Parameters:
  ///   - offset: Where the first of some repeated characters stands.
  ///   - end: Where the last of them ends.
  ///   - language: The language.
  /// - Returns: The run; nil if there is none.
  func codeRun(at offset: Int, repeatedUpTo end: Int, in language: Language) -> Range<Int>? {
    switch language {
    case .markdown, .typst: return nil
    case .asciiDoc: return asciiDocRun(at: offset, repeatedUpTo: end)
    case .restructuredText: return restructuredTextRun(at: offset, repeatedUpTo: end)
    case .org: return orgRun(at: offset, repeatedUpTo: end)
    case .latex:
      guard (end - offset).isMultiple(of: 2) == isEscaped(offset) else { return nil }
      return latexRun(at: end - 1)
    }
  }
}
