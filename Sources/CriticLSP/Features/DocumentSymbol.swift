import JSONRPC
import TrackEngine

/// Answers `textDocument/documentSymbol`: the changes, under their headings.
func documentSymbols(_ snapshot: Snapshot, _ params: TextDocumentParams) -> DocumentSymbols {
  let whole = snapshot.whole
  let changes = ChangeEntry.changes(of: snapshot.tracker, in: whole)
  let outline = Outline(of: snapshot.shown(changes, \.range.lowerBound), in: whole)
  return DocumentSymbols(of: outline, in: snapshot)
}

/// A list of `DocumentSymbol`, or of `SymbolInformation` for clients without hierarchy; each symbol is made
/// when it is written.
///
/// A class, because the parts of each symbol refer to it.
final class DocumentSymbols: JSONWritable {
  fileprivate let outline: Outline
  private let uri: String
  private let conversions: Conversions
  private let client: Client

  fileprivate init(of outline: Outline, in snapshot: Snapshot) {
    self.outline = outline
    uri = snapshot.uri
    conversions = snapshot.conversions
    client = snapshot.client
  }

  func write(to writer: inout JSONWriter) {
    writer.array {
      if client.nestsSymbols {
        writeTrees(from: outline.first, to: &$0)
      } else {
        for symbol in outline.symbols where !symbol.isHeading {
          information(symbol).write(to: &$0)
        }
      }
    }
  }

  /// Writes a symbol and the siblings after it, each with its children.
  fileprivate func writeTrees(from first: Int?, to writer: inout JSONWriter) {
    var next = first
    while let index = next {
      let symbol = outline.symbols[index]
      next = symbol.next
      tree(symbol).write(to: &writer)
    }
  }

  @inline(__always)
  private func tree(
    _ symbol: Outline.Symbol
  ) -> DocumentSymbol<SymbolName, SymbolDetail, SymbolChildren> {
    DocumentSymbol(
      name: SymbolName(symbol: symbol, symbols: self),
      detail: outline.detail(of: symbol).map { SymbolDetail(comment: $0) },
      kind: kind(of: symbol),
      tags: tags(of: symbol),
      range: conversions.positions(of: symbol.range),
      selectionRange: conversions.positions(of: symbol.selection),
      children: symbol.firstChild.map { SymbolChildren(first: $0, symbols: self) }
    )
  }

  private func information(_ symbol: Outline.Symbol) -> SymbolInformation<SymbolName> {
    SymbolInformation(
      name: SymbolName(symbol: symbol, symbols: self),
      kind: kind(of: symbol),
      tags: tags(of: symbol),
      location: Location(uri: uri, range: conversions.positions(of: symbol.selection)),
      containerName: outline.heading(above: symbol)
    )
  }

  private func kind(of symbol: Outline.Symbol) -> SymbolKind {
    let kind = outline.kind(of: symbol)
    return client.symbolKinds.contains(kind.rawValue) ? kind : Outline.headingKind
  }

  private func tags(of symbol: Outline.Symbol) -> [SymbolTag] {
    client.tagsSymbols && outline.isDeletion(symbol) ? SymbolTag.struckThrough : []
  }
}

/// The name of a symbol, written in parts.
private struct SymbolName: JSONWritable {
  let symbol: Outline.Symbol
  let symbols: DocumentSymbols

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.string { symbols.outline.writeName(of: symbol, to: &$0) }
  }
}

/// The first comment on a change.
private struct SymbolDetail: JSONWritable {
  let comment: [UInt8]

  func write(to writer: inout JSONWriter) {
    writer.string { Quotation(of: comment).writeText(to: &$0) }
  }
}

/// The children of a symbol.
private struct SymbolChildren: JSONWritable {
  let first: Int
  let symbols: DocumentSymbols

  func write(to writer: inout JSONWriter) {
    writer.array { symbols.writeTrees(from: first, to: &$0) }
  }
}

/// The changes of a document and the headings above them, as a tree.
private struct Outline {
  /// Only numbers, because there can be very many.
  struct Symbol {
    var content: Content
    var range: Range<Int>
    /// What to select when the symbol is chosen; lies in `range`.
    var selection: Range<Int>
    var parent: Int?
    var firstChild: Int?
    /// The next sibling.
    var next: Int?

    /// An index into `headings` or `entries`.
    enum Content {
      case heading(Int)
      case entry(Int)
    }

    var isHeading: Bool {
      if case .heading = content { true } else { false }
    }
  }

  /// In the order of the document, parents before their children.
  private(set) var symbols: [Symbol]
  /// The index of the first symbol without a parent.
  private(set) var first: Int?
  private let headings: [Heading]
  private let entries: [ChangeEntry]

  /// The kind that other Markdown servers use.
  static let headingKind = SymbolKind.string
  /// Deeper symbols become siblings.
  static let maxLevels = 12

  /// The outline of changes of a document; the excerpt is the whole document.
  init(of changes: ArraySlice<ChangeEntry>, in whole: Excerpt) {
    headings = Heading.headings(of: whole.bytes, whole.reading)
    entries = Array(changes)
    symbols = headings.enumerated().map {
      Symbol(content: .heading($0), range: $1.section, selection: $1.range)
    }
    // By index, because iterating over the entries would copy each of them.
    symbols += entries.indices.map { index in
      let range = entries[index].range
      let whole = range.lowerBound..<entries[index].end
      return Symbol(content: .entry(index), range: whole, selection: range)
    }
    symbols.sort {
      ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
    }
    nest()
    keepHeadingsInUse()
  }

  /// Makes the smallest symbol that holds a symbol its parent.
  private mutating func nest() {
    var open: [Int] = []
    for index in symbols.indices {
      let range = symbols[index].range
      while let last = open.last,
        symbols[last].range.upperBound < range.upperBound
          || symbols[last].range.upperBound <= range.lowerBound
      { open.removeLast() }
      symbols[index].parent = open.last
      if open.count < Outline.maxLevels { open.append(index) }
    }
  }

  /// Leaves out headings without changes, and links the others.
  private mutating func keepHeadingsInUse() {
    var isUsed = symbols.map { !$0.isHeading }
    for index in symbols.indices.reversed() where isUsed[index] {
      if let parent = symbols[index].parent { isUsed[parent] = true }
    }
    for index in symbols.indices.reversed() where isUsed[index] {
      if let parent = symbols[index].parent {
        symbols[index].next = symbols[parent].firstChild
        symbols[parent].firstChild = index
      } else {
        symbols[index].next = first
        first = index
      }
    }
  }
}

extension Outline {
  /// Writes the name of a symbol as a part of a string.
  fileprivate func writeName(of symbol: Symbol, to writer: inout JSONWriter) {
    switch symbol.content {
    case .heading(let index): writer.text(headings[index].shownName)
    case .entry(let index): entries[index].writeSummary(to: &writer)
    }
  }

  /// The first comment on a change, or else who made it; of a lone comment, the first answer.
  fileprivate func detail(of symbol: Symbol) -> [UInt8]? {
    guard case .entry(let index) = symbol.content else { return nil }
    return entries[index].remark
  }

  fileprivate func kind(of symbol: Symbol) -> SymbolKind {
    switch symbol.content {
    case .heading: Outline.headingKind
    case .entry(let index): entries[index].symbolKind
    }
  }

  fileprivate func isDeletion(_ symbol: Symbol) -> Bool {
    if case .entry(let index) = symbol.content {
      entries[index].code == .mark(.deletion)
    } else {
      false
    }
  }

  /// The name of the heading that a symbol is under.
  fileprivate func heading(above symbol: Symbol) -> String? {
    var parent = symbol.parent
    while let index = parent {
      if case .heading(let heading) = symbols[index].content { return headings[heading].shownName }
      parent = symbols[index].parent
    }
    return nil
  }
}

extension Heading {
  /// The name in the outline.
  fileprivate var shownName: String {
    name.isEmpty ? String(repeating: "#", count: level) : clipped(name)
  }
}
