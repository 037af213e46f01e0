import JSONRPC
import TrackEngine

extension Server {
  /// The outline of the changes, under the headings they stand below.
  func documentSymbol(_ params: JSON?) throws(ResponseError) -> Answer {
    guard let document = try openDocument(params) else { return { $0.array { _ in } } }
    let whole = document.tracker.excerpt(around: 0..<document.tracker.buffer.count)
    let changes = ChangeEntry.changes(of: document.tracker, in: whole)
    let outline = Outline(of: shown(changes, of: document, \.range.lowerBound), in: whole)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return { [self] writer in
      writer.array {
        if client.nestsSymbols {
          writeSymbols(from: outline.first, of: outline, conversions, to: &$0)
        } else {
          for symbol in outline.symbols where !symbol.isHeading {
            write(symbol, of: outline, document.uri, conversions, to: &$0)
          }
        }
      }
    }
  }

  /// Writes a `DocumentSymbol` and those beside it, each with those below it.
  private func writeSymbols(
    from first: Int?,
    of outline: Outline,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    var next = first
    while let index = next {
      let symbol = outline.symbols[index]
      next = symbol.next
      writer.object {
        $0.member("name", string: { outline.writeName(of: symbol, to: &$0) })
        if let detail = outline.detail(of: symbol) {
          $0.member("detail", string: { Quotation(of: detail).writeText(to: &$0) })
        }
        writeKind(of: symbol, in: outline, to: &$0)
        $0.key("range")
        conversions.write(symbol.range, to: &$0)
        $0.key("selectionRange")
        conversions.write(symbol.selection, to: &$0)
        guard let child = symbol.firstChild else { return }
        $0.member(
          "children",
          array: { writeSymbols(from: child, of: outline, conversions, to: &$0) }
        )
      }
    }
  }

  /// Writes a `SymbolInformation`.
  private func write(
    _ symbol: Outline.Symbol,
    of outline: Outline,
    _ uri: String,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    writer.object {
      $0.member("name", string: { outline.writeName(of: symbol, to: &$0) })
      writeKind(of: symbol, in: outline, to: &$0)
      $0.member(
        "location",
        object: {
          $0.member("uri", uri)
          $0.key("range")
          conversions.write(symbol.selection, to: &$0)
        }
      )
      if let heading = outline.heading(above: symbol) { $0.member("containerName", heading) }
    }
  }

  private func writeKind(
    of symbol: Outline.Symbol,
    in outline: Outline,
    to writer: inout JSONWriter
  ) {
    let kind = outline.kind(of: symbol)
    writer.member("kind", client.symbolKinds.contains(kind) ? kind : Outline.headingKind)
    if client.tagsSymbols, outline.isDeletion(symbol) { writer.member("tags", [1]) }
  }
}

/// The changes of a document and the headings above them, as a tree.
private struct Outline {
  /// Numbers alone, for there can be very many.
  struct Symbol {
    var content: Content
    var range: Range<Int>
    /// What is shown when the symbol is chosen; lies in `range`.
    var selection: Range<Int>
    var parent: Int?
    var firstChild: Int?
    /// The one after it that has the same parent.
    var next: Int?

    /// An index of `headings` or of `entries`.
    enum Content {
      case heading(Int)
      case entry(Int)
    }

    var isHeading: Bool {
      if case .heading = content { true } else { false }
    }
  }

  /// In the order of the document, those that hold others before them.
  private(set) var symbols: [Symbol]
  /// The index of the first of those that are in no other.
  private(set) var first: Int?
  private let headings: [Heading]
  private let entries: [ChangeEntry]

  /// LSP's `SymbolKind.String`, as other Markdown servers have it.
  static let headingKind = 15
  /// Deeper ones are shown side by side.
  static let mostLevels = 12

  /// The outline of changes of a document, all of which is in the excerpt.
  init(of changes: ArraySlice<ChangeEntry>, in whole: Excerpt) {
    headings = Heading.headings(of: whole.bytes, whole.reading)
    entries = Array(changes)
    symbols = headings.enumerated().map {
      Symbol(content: .heading($0), range: $1.section, selection: $1.range)
    }
    // An index for each, for to take the entries out would cost more than to look at them.
    symbols += entries.indices.map { index in
      let range = entries[index].range
      let end = entries[index].thread.last?.upperBound ?? range.upperBound
      return Symbol(content: .entry(index), range: range.lowerBound..<end, selection: range)
    }
    symbols.sort {
      ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
    }
    nest()
    keepHeadingsInUse()
  }

  /// Puts each symbol into the smallest one that holds all of it.
  private mutating func nest() {
    var open: [Int] = []
    for index in symbols.indices {
      let range = symbols[index].range
      while let last = open.last,
        symbols[last].range.upperBound < range.upperBound
          || symbols[last].range.upperBound <= range.lowerBound
      { open.removeLast() }
      symbols[index].parent = open.last
      if open.count < Outline.mostLevels { open.append(index) }
    }
  }

  /// Takes out the headings with no change below them.
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

  /// The first comment on what the name tells.
  fileprivate func detail(of symbol: Symbol) -> [UInt8]? {
    guard case .entry(let index) = symbol.content else { return nil }
    let comments = entries[index].comments
    return (entries[index].code == "comment" ? comments.dropFirst() : comments[...]).first
  }

  /// LSP's `SymbolKind`.
  fileprivate func kind(of symbol: Symbol) -> Int {
    switch symbol.content {
    case .heading: Outline.headingKind
    case .entry(let index): entries[index].symbolKind
    }
  }

  fileprivate func isDeletion(_ symbol: Symbol) -> Bool {
    if case .entry(let index) = symbol.content { entries[index].code == "deletion" } else { false }
  }

  /// The name of the heading that a symbol stands below.
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
  /// What an outline calls it.
  fileprivate var shownName: String {
    name.isEmpty ? String(repeating: "#", count: level) : clipped(name)
  }
}
