import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Document symbols", .timeLimited) struct DocumentSymbolTests {
  private static let nested =
    #""documentSymbol":{"hierarchicalDocumentSymbolSupport":true,"# + valueSet
  private static let flat = #""documentSymbol":{"# + valueSet
  private static let valueSet =
    #""symbolKind":{"valueSet":["# + (1...26).map(String.init).joined(separator: ",") + "]}}"

  private func wire(_ text: String, _ announced: String = nested) -> Wire {
    let wire = Wire(capabilities: Wire.announcing(announced))
    wire.open(text)
    return wire
  }

  /// The tree of a document's symbols, a line for each, indented.
  private func outline(_ text: String) throws -> [String] {
    let wire = wire(text)
    var lines: [String] = []
    func add(_ symbol: JSON, _ depth: Int, within outer: Range<Int>) throws {
      let name = try #require(symbol["name"]?.string)
      lines.append(String(repeating: "  ", count: depth) + name)
      let range = try wire.offsets(symbol["range"])
      let selection = try wire.offsets(symbol["selectionRange"])
      #expect(!name.isEmpty && !name.contains { $0.isNewline })
      #expect(
        range.lowerBound <= selection.lowerBound && selection.upperBound <= range.upperBound
      )
      #expect(
        outer.lowerBound <= range.lowerBound && range.upperBound <= outer.upperBound,
        "\(name) reaches out of what it lies in"
      )
      for child in symbol["children"].map({ Array($0.elements) }) ?? [] {
        try add(child, depth + 1, within: range)
      }
    }
    for symbol in try wire.ask("documentSymbol").elements {
      try add(symbol, 0, within: 0..<wire.text.count)
    }
    return lines
  }

  @Test("Changes stand under their headings, and headings without changes are left out")
  func headings() throws {
    let text = """
      {++Before++} all.

      # One
      {--a--}

      ## Two
      Nothing here.

      ## Three #
      {==b {++c++}==}{>>why?<<}

      Four
      {~~d~>e~~} five
      ====

      {>>f<<}

      """
    #expect(
      try outline(text) == [
        "Added “Before”", "One", "  Deleted “a”", "  Three", "    Highlighted “b c”",
        "      Added “c”", "Four⏎e five", "  “d” → “e”", "  Comment “f”",
      ]
    )
  }

  @Test("A symbol has its kind, its place with the thread, and the first comment as detail")
  func members() throws {
    let wire = wire("# One\n\na {--b--}{>>why?\nwhy?<<}{>>so<<} c\n")
    let heading = try #require(try wire.ask("documentSymbol").first)
    #expect(heading["kind"]?.integer == 15)
    #expect(try wire.text(in: heading["range"]) == wire.buffer)
    #expect(try wire.text(in: heading["selectionRange"]) == "# One")
    let change = try #require(heading["children"]?.first)
    #expect(change["kind"]?.integer == 24)
    #expect(change["detail"]?.string == "why?⏎why?")
    #expect(try wire.text(in: change["range"]) == "{--b--}{>>why?\nwhy?<<}{>>so<<}")
    #expect(try wire.text(in: change["selectionRange"]) == "{--b--}")
    #expect(change["children"] == nil)
  }

  @Test("Each kind of change has a kind of symbol, pending ones too")
  func kinds() throws {
    let wire = wire("{++a++} {--b--} {~~c~>d~~} {==e==} {>>f<<} g h\n")
    try wire.replace("g ", with: "")
    let symbols = try wire.ask("documentSymbol").elements
    #expect(symbols.compactMap { $0["kind"]?.integer } == [24, 24, 24, 14, 20, 24])
    #expect(symbols.compactMap { $0["name"]?.string }.last == "Not in marks yet: deleted “g ”")
  }

  @Test("Kinds that a client does not know are not used")
  func unknownKinds() throws {
    let plain = wire("{++a++} {--b--}", #""documentSymbol":{}"#)
    let symbols = try plain.ask("documentSymbol").elements
    #expect(symbols.compactMap { $0["kind"]?.integer } == [15, 15])
  }

  @Test("Deletions are tagged as deprecated where that is announced")
  func tags() throws {
    let tagged = wire("{++a++} {--b--}", #""documentSymbol":{"tagSupport":{"valueSet":[1]}}"#)
    #expect(
      try tagged.ask("documentSymbol").elements.map { $0["tags"]?.description } == [nil, "[1]"]
    )
    let plain = wire("{++a++} {--b--}")
    #expect(try plain.ask("documentSymbol").elements.allSatisfy { $0["tags"] == nil })
  }

  @Test("Clients without hierarchy get a list of the changes, with the heading as container")
  func list() throws {
    let wire = wire("{++a++}\n\n# One\n{==b {--c--}==}\n", DocumentSymbolTests.flat)
    let symbols = Array(try wire.ask("documentSymbol").elements)
    #expect(
      symbols.compactMap { $0["name"]?.string } == [
        "Added “a”", "Highlighted “b ”", "Deleted “c”",
      ]
    )
    #expect(symbols.map { $0["containerName"]?.string } == [nil, "One", "One"])
    #expect(symbols.allSatisfy { $0["location"]?["uri"]?.string == wire.uri })
    #expect(try wire.text(in: symbols[2]["location"]?["range"]) == "{--c--}")
    #expect(symbols.allSatisfy { $0["children"] == nil && $0["range"] == nil })
  }

  @Test(
    "These are headings",
    arguments: [
      ("# One", "One"), ("   ###### One ##", "One"), ("#\tOne#", "One#"), ("#", "#"),
      ("### #", "###"),
      ("One\n===", "One"), ("One  \n   -  ", "One"), ("One\ntwo\n---", "One⏎two"),
      ("# {++The ++}One", "The One"), ("# {--The --}One{>>why<<}", "One"), ("{++# One++}", "One"),
      ("{~~Two~># One~~}", "One"), ("{++One\n===++}", "One"), ("text\n# One", "One"),
      ("- item\n\n# One", "One"), ("# `code`", "`code`"), ("a\r\n# One\r", "One"),
      ("---\ntitle: x\n---\n# One", "One"), ("<!-- # No\n# No -->\n# One", "One"),
      ("```\n# No\n```\n# One", "One"), ("* a\n\nOne\n---", "One"), ("***\nOne\n-", "One"),
      ("`a\n# One`", "One`"),
    ]
  )
  func isHeading(_ text: String, _ name: String) throws {
    #expect(try outline("\(text)\n{++x++}\n").first == name)
  }

  @Test(
    "These are none",
    arguments: [
      "#One", "####### One", "    # One", "\t# One", "\\# One", "```\n# One\n```",
      "~~~\n# One\n~~~",
      "---\n# comment: x\n---", "---\ntitle: x\n---", "- One\n---", "> One\n---", "1. One\n---",
      "One\n\n---", "- One\ntwo\n---", "{--# One--}", "{>># One<<}", "{~~# One~>two~~}",
      "<!--\n# One\n-->", "One\n--- x", "One\n***", "One\n=-=", "===",
    ]
  )
  func isNone(_ text: String) throws {
    let lines = try outline("\(text)\n\n{++x++}\n")
    #expect(lines.last == "Added “x”", "\(lines)")
  }

  @Test("A change that reaches over headings stands beside them")
  func acrossHeadings() throws {
    #expect(
      try outline(
        "# One\n## Two\n{++a++} {--b\n## Three\n--}\n## Four\n{++c++} {++d\n\n## Five\ne++}\n"
      )
        == [
          "One", "  Two", "    Added “a”", "    Deleted “b⏎## Three⏎”", "  Four", "    Added “c”",
          "  Added “d⏎⏎## Five⏎e”",
        ]
    )
  }

  @Test("A heading that was added holds its own change")
  func addedHeading() throws {
    #expect(
      try outline("# One\n\n{++## Two++}\n\n{++a++}\n") == [
        "One", "  Two", "    Added “## Two”", "    Added “a”",
      ]
    )
  }

  @Test(
    "Ranges are right after characters of any length",
    arguments: [PositionEncoding.utf8, .utf16, .utf32]
  )
  func encodings(_ encoding: PositionEncoding) throws {
    let wire = Wire(capabilities: Wire.announcing(DocumentSymbolTests.nested, encoding))
    wire.open("# 👩‍👩 é\n\n字𝄞 {++é𝄞++}\n")
    let heading = try #require(try wire.ask("documentSymbol").first)
    #expect(try wire.text(in: heading["selectionRange"]) == "# 👩‍👩 é")
    #expect(try wire.text(in: heading["children"]?.first?["selectionRange"]) == "{++é𝄞++}")
  }

  @Test("Names are cut to one line that can be read")
  func names() throws {
    let long = String(repeating: "x", count: 100)
    let lines = try outline("# \(long)\n{++\(long)\n\(long)++}\n")
    #expect(
      lines == [
        String(repeating: "x", count: 40) + "…",
        "  Added “" + String(repeating: "x", count: 40) + "…”",
      ]
    )
  }

  @Test("Highlights that lie deep in each other are an outline all the same")
  func deep() throws {
    let text = String(repeating: "{==", count: 50) + "x" + String(repeating: "==}", count: 50)
    #expect(try outline(text).count == 50)
  }

  @Test("A random document's symbols lie in each other")
  func property() {
    let lines = [
      "# A", "## B", "text", "{++", "++}", "{--", "--}", "{==", "==}", "===", "---", "", "```",
      "- x",
      "{++a++}", "{~~b~>", "# c~~}", "{>>d<<}", "> e", "<!--", "-->", "\t", "{++## F++}",
    ]
    forAll(
      runs(300),
      step: { lines[Int.random(in: lines.indices, using: &$0)] },
      law: { _, lines in
        let text = lines.joined(separator: "\n")
        let tracker = Tracker(Text(Array(text.utf8)))
        let whole = tracker.excerpt(around: 0..<tracker.buffer.count)
        let count = ChangeEntry.changes(of: tracker, in: whole).count
        guard let outline = try? outline(text) else { return "no outline" }
        let changes = outline.count { line in
          ["Added", "Deleted", "Highlighted", "Comment", "“"].contains {
            line.drop { $0 == " " }.hasPrefix($0)
          }
        }
        return changes == count ? nil : "\(changes) of \(count) changes in \(outline)"
      }
    )
  }

  @Test("A document that is not open, or has no changes, has no symbols")
  func none() throws {
    let wire = wire("# One\n")
    #expect(try wire.ask("documentSymbol").description == "[]")
    let answer = try wire.request(
      "textDocument/documentSymbol",
      #"{"textDocument":{"uri":"file:///x"}}"#
    )
    #expect(answer["result"]?.description == "[]")
  }
}
