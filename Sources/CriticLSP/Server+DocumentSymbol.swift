import JSONRPC
import TrackEngine

extension Server {
  /// The outline of the changes, under the headings they stand below.
  func documentSymbol(_ params: JSON?) throws(ResponseError) -> Answer {
    guard let document = try openDocument(params) else { return { $0.array { _ in } } }
    let outline = Outline(of: document.tracker)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return { [self] writer in
      writer.array {
        if client.nestsSymbols {
          for index in outline.top { write(index, of: outline, conversions, to: &$0) }
        } else {
          for symbol in outline.symbols where !symbol.isHeading {
            write(symbol, of: outline, document.uri, conversions, to: &$0)
          }
        }
      }
    }
  }

  /// Writes a `DocumentSymbol` with those below it.
  private func write(
    _ index: Int,
    of outline: Outline,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    let symbol = outline.symbols[index]
    writer.object {
      $0.member("name", string: symbol.writeName)
      if let detail = symbol.detail {
        $0.member("detail", string: { Quotation(of: detail).writeText(to: &$0) })
      }
      writeKind(of: symbol, to: &$0)
      $0.key("range")
      conversions.write(symbol.range, to: &$0)
      $0.key("selectionRange")
      conversions.write(symbol.selection, to: &$0)
      guard !symbol.children.isEmpty else { return }
      $0.member(
        "children",
        array: {
          for child in symbol.children { write(child, of: outline, conversions, to: &$0) }
        }
      )
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
      $0.member("name", string: symbol.writeName)
      writeKind(of: symbol, to: &$0)
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

  private func writeKind(of symbol: Outline.Symbol, to writer: inout JSONWriter) {
    let isKnown = client.symbolKinds.contains(symbol.kind)
    writer.member("kind", isKnown ? symbol.kind : Outline.headingKind)
    if symbol.isDeletion, client.tagsSymbols { writer.member("tags", [1]) }
  }
}

/// The changes of a document and the headings above them, as a tree.
private struct Outline {
  struct Symbol {
    var content: Content
    var range: Range<Int>
    /// What is shown when the symbol is chosen; lies in `range`.
    var selection: Range<Int>
    var parent: Int?
    var children: [Int] = []

    enum Content {
      case heading(Heading)
      case entry(ChangeEntry)
    }
  }

  /// In the order of the document, those that hold others before them.
  private(set) var symbols: [Symbol]
  /// The indices of those that are in no other.
  private(set) var top: [Int] = []

  /// LSP's `SymbolKind.String`, as other Markdown servers have it.
  static let headingKind = 15
  /// Deeper ones are shown side by side.
  static let mostLevels = 12

  init(of tracker: Tracker) {
    let whole = tracker.excerpt(around: 0..<tracker.buffer.count)
    let headings = Heading.headings(of: whole.bytes, whole.reading)
    let entries = ChangeEntry.changes(of: tracker, in: whole)
    symbols = headings.map(Symbol.init) + entries.map(Symbol.init)
    // Numbers are sorted faster than what has arrays in it.
    symbols = symbols.enumerated().map { ($1.range.lowerBound, -$1.range.upperBound, $0) }
      .sorted(by: <).map { symbols[$0.2] }
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
    for index in symbols.indices where isUsed[index] {
      if let parent = symbols[index].parent {
        symbols[parent].children.append(index)
      } else {
        top.append(index)
      }
    }
  }

  /// The name of the heading that a symbol stands below.
  func heading(above symbol: Symbol) -> String? {
    var parent = symbol.parent
    while let index = parent {
      if case .heading(let heading) = symbols[index].content { return heading.shownName }
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

extension Outline.Symbol {
  fileprivate init(_ heading: Heading) {
    content = .heading(heading)
    range = heading.section
    selection = heading.range
  }

  fileprivate init(_ entry: ChangeEntry) {
    content = .entry(entry)
    range = entry.range.lowerBound..<(entry.thread.last?.upperBound ?? entry.range.upperBound)
    selection = entry.range
  }

  fileprivate var isHeading: Bool {
    if case .heading = content { true } else { false }
  }

  fileprivate var isDeletion: Bool {
    if case .entry(let entry) = content { entry.code == "deletion" } else { false }
  }

  /// LSP's `SymbolKind`.
  fileprivate var kind: Int {
    if case .entry(let entry) = content { entry.symbolKind } else { Outline.headingKind }
  }

  /// Writes the name as a part of a string.
  fileprivate func writeName(to writer: inout JSONWriter) {
    switch content {
    case .heading(let heading): writer.text(heading.shownName)
    case .entry(let entry): entry.writeSummary(to: &writer)
    }
  }

  /// The first comment on what the name tells.
  fileprivate var detail: [UInt8]? {
    guard case .entry(let entry) = content else { return nil }
    return (entry.code == "comment" ? entry.comments.dropFirst() : entry.comments[...]).first
  }
}
