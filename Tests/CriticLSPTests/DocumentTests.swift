import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Documents", .timeLimited) struct DocumentTests {
  /// A document whose edits are plain, so that the server's text can be asked for as it is.
  private func plain(_ text: String, _ encoding: String = "utf-16", version: Int = 1) -> Wire {
    let wire = Wire(
      client: "Zed",
      capabilities: #"{"general":{"positionEncodings":["\#(encoding)"]}}"#,
      settings: #"{"tracking":"off"}"#
    )
    wire.open(text, version: version)
    return wire
  }

  private func text(_ wire: Wire) throws -> String {
    try wire.command("export", #""variant":"markup""#)["result"]?.string ?? "no text"
  }

  private func insert(_ new: String, _ line: Int, _ character: Int) -> String {
    #"{"range":\#(Wire.range(line, character, line, character)),"text":\#(json(new))}"#
  }

  // MARK: - Changes

  @Test("Changes of a notification are made one after the other, each on the text before it")
  func sequential() throws {
    let wire = plain("one\n")
    wire.didChange("[\(insert("a", 0, 0)),\(insert("b", 0, 1)),\(insert("c\n", 0, 5))]", version: 2)
    #expect(try text(wire) == "abonec\n\n")
  }

  @Test("A change without a range replaces the whole text, alone or among others")
  func full() throws {
    let wire = plain("one\n")
    wire.didChange(#"[{"text":"two\n"}]"#, version: 2)
    #expect(try text(wire) == "two\n")
    wire.didChange(#"[{"text":"three"},\#(insert("!", 0, 5))]"#, version: 3)
    #expect(try text(wire) == "three!")
    wire.didChange(#"[\#(insert("?", 0, 6)),{"text":""}]"#, version: 4)
    #expect(try text(wire).isEmpty)
  }

  @Test("The old rangeLength does not matter")
  func rangeLength() throws {
    let wire = plain("one two\n")
    wire.didChange(
      #"[{"range":\#(Wire.range(0, 0, 0, 4)),"rangeLength":77,"text":""}]"#,
      version: 2
    )
    #expect(try text(wire) == "two\n")
  }

  @Test("No changes move the version and nothing else")
  func noChanges() throws {
    let wire = Wire(client: "Zed")
    wire.open("one two")
    try wire.type("x", before: "two")
    wire.didChange("[]", version: 9)
    // The idle time runs from the last real change.
    let request = try #require(wire.wait(750).edits.first)
    let document = request["params"]?["edit"]?["documentChanges"]?.first?["textDocument"]
    #expect(document?["version"]?.integer == 9)
    #expect(
      try wire.command("export", #""variant":"markup""#)["result"]?.string == "one {++x++}two"
    )
  }

  @Test(
    "Versions that come out of order end in the right text",
    arguments: [[5, 6, 7], [7, 5, 6], [7, 6, 5], [5, 7, 6], [6, 7, 5], [6, 5, 7]]
  )
  func outOfOrder(_ order: [Int]) throws {
    let changes = [
      5: "[\(insert("a", 0, 0))]", 6: "[\(insert("b", 0, 1)),\(insert("ü\n", 0, 2))]",
      7: "[\(insert("c", 1, 3))]",
    ]
    let wire = plain("one\n", version: 4)
    for version in order { wire.didChange(try #require(changes[version]), version: version) }
    #expect(try text(wire) == "abü\nonec\n")
    #expect(wire.server.documents.all.map(\.version) == [7])
  }

  @Test("Changes that come out of order are tracked as if they had not")
  func outOfOrderTracked() throws {
    let wire = Wire()
    wire.open("one\n", version: 4)
    for (version, letter) in [(7, "c"), (5, "a"), (6, "b")] {
      wire.didChange("[\(insert(letter, 0, version - 5))]", version: version)
    }
    #expect(
      try wire.command("export", #""variant":"markup""#)["result"]?.string == "{++abc++}one\n"
    )
    #expect(
      try wire.command("export", #""variant":"original""#)["result"]?.string == "one\n"
    )
  }

  @Test("A change of a document that was never opened is told once and does no harm")
  func unopened() throws {
    let wire = Wire()
    for version in 2...3 {
      wire.didChange("[\(insert("x", 0, 0))]", version: version, uri: "file:///other.md")
    }
    #expect(wire.messages.shown.isEmpty)
    #expect(wire.messages.logged.count { $0.contains("file:///other.md") } == 1)
    #expect(wire.server.documents.all.isEmpty)
  }

  // MARK: - Positions

  @Test(
    "Positions beyond a line mean its end, lines beyond the text its end",
    arguments: [
      ("one\ntwo", 0, 1_000_000, "oneX\ntwo"), ("one\ntwo", 1, 4, "one\ntwoX"),
      ("one\ntwo", 2, 0, "one\ntwoX"), ("one\ntwo\n", 2, 0, "one\ntwo\nX"),
      ("one\ntwo\n", 1_000_000, 0, "one\ntwo\nX"), ("one\r\ntwo", 0, 4, "oneX\r\ntwo"),
      ("one\r\ntwo", 0, 5, "oneX\r\ntwo"), ("", 3, 7, "X"),
    ]
  )
  func clamping(_ old: String, _ line: Int, _ character: Int, _ new: String) throws {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
      let wire = plain(old, encoding)
      wire.didChange("[\(insert("X", line, character))]", version: 2)
      #expect(try text(wire) == new)
    }
  }

  @Test(
    "Lines end with LF, CRLF and CR, and with nothing else",
    arguments: ["\n", "\r\n", "\r"],
    ["\u{2028}", "\u{0B}", "\u{0C}", "\u{85}"]
  )
  func lines(_ end: String, _ other: String) throws {
    let wire = plain("a\(other)b\(end)c\(end)\(end)d")
    wire.didChange("[\(insert("X", 1, 1)),\(insert("Y", 3, 0))]", version: 2)
    #expect(try text(wire) == "a\(other)b\(end)cX\(end)\(end)Yd")
  }

  @Test(
    "Characters are counted in the units of the encoding",
    arguments: [
      ("utf-8", [1, 3, 6, 10]), ("utf-16", [1, 2, 3, 5]), ("utf-32", [1, 2, 3, 4]),
    ]
  )
  func units(_ encoding: String, _ ends: [Int]) throws {
    for (index, end) in ends.enumerated() {
      let wire = plain("aé€😀z", encoding)
      wire.didChange("[\(insert("X", 0, end))]", version: 2)
      var expected = "aé€😀z"
      expected.insert("X", at: expected.index(expected.startIndex, offsetBy: index + 1))
      #expect(try text(wire) == expected)
    }
  }

  @Test(
    "In long documents and long lines positions are what plain counting gives",
    arguments: ["utf-8", "utf-16", "utf-32"]
  )
  func longDocuments(_ encoding: String) throws {
    var random = Seeded(seed: 7)
    let pieces = ["a", "é", "€", "😀", "e\u{301}", "{++x++}", " word", "\u{2028}"]
    var lines = (0..<60).map { _ -> [UnicodeScalar] in
      let count = Int.random(in: 0...9, using: &random) == 0 ? 4000 : 40
      let words = (0..<Int.random(in: 0...count, using: &random))
        .compactMap { _ in pieces.randomElement(using: &random) }
      return Array(words.joined().unicodeScalars)
    }
    func text() -> String {
      lines.map { line in
        var text = String.UnicodeScalarView()
        text.append(contentsOf: line)
        return String(text)
      }.joined(separator: "\r\n")
    }
    func units(_ scalars: ArraySlice<UnicodeScalar>) -> Int {
      switch encoding {
      case "utf-8": scalars.reduce(0) { $0 + UTF8.width($1) }
      case "utf-16": scalars.reduce(0) { $0 + UTF16.width($1) }
      default: scalars.count
      }
    }
    let wire = plain(text(), encoding)
    for version in 2...100 {
      let line = Int.random(in: lines.indices, using: &random)
      let start = Int.random(in: 0...lines[line].count, using: &random)
      let end = Int.random(in: start...min(start + 9, lines[line].count), using: &random)
      let range = Wire.range(line, units(lines[line][..<start]), line, units(lines[line][..<end]))
      wire.didChange(#"[{"range":\#(range),"text":"😀ü"}]"#, version: version)
      lines[line].replaceSubrange(start..<end, with: ["😀", "ü"])
    }
    #expect(try self.text(wire).utf8.elementsEqual(text().utf8))
  }

  @Test("A position inside a surrogate pair means the place before it")
  func surrogates() throws {
    let wire = plain("a😀b")
    wire.didChange("[\(insert("X", 0, 2))]", version: 2)
    #expect(try text(wire) == "aX😀b")
    wire.didChange(#"[{"range":\#(Wire.range(0, 3, 0, 4)),"text":""}]"#, version: 3)
    #expect(try text(wire) == "aXb", "the end lies after the pair")
  }

  @Test("Positions of ours count as the client's do", arguments: ["utf-8", "utf-16", "utf-32"])
  func ourPositions(_ encoding: String) throws {
    let wire = Wire(capabilities: #"{"general":{"positionEncodings":["\#(encoding)"]}}"#)
    wire.open("\r\né😀{++ü++}\n")
    let range = try #require(wire.messages.published.first?["diagnostics"]?.first?["range"])
    let (start, length) = ["utf-8": (6, 8), "utf-16": (3, 7), "utf-32": (2, 7)][encoding] ?? (0, 0)
    #expect(range.description == Wire.range(1, start, 1, start + length))
  }

  // MARK: - Opening and closing

  @Test(
    "Neovim counts a last line break that its texts may lack, and so do we",
    arguments: [("one", "\n"), ("", "\n"), ("one\r\ntwo", "\r\n"), ("one\n", ""), ("one\r\n", "")]
  )
  func lastLineBreak(_ text: String, _ end: String) throws {
    let wire = Wire(client: "Neovim", settings: #"{"tracking":"off"}"#)
    wire.open(text)
    #expect(try self.text(wire) == text + end)
    let last = (text + end).utf8.count { $0 == UInt8(ascii: "\n") }
    wire.didChange("[\(insert("new\n", last, 0))]", version: 2)
    #expect(try self.text(wire) == text + end + "new\n")
    wire.didChange(#"[{"text":\#(json(text))}]"#, version: 3)
    #expect(try self.text(wire) == text + end)
    let other = Wire(client: "Zed", settings: #"{"tracking":"off"}"#)
    other.open(text)
    #expect(try self.text(other) == text)
  }

  @Test("A second didOpen is a new beginning")
  func openTwice() throws {
    let wire = Wire(client: "Zed")
    wire.open("one two")
    try wire.type("x", before: "two")
    wire.open("three", version: 1)
    #expect(wire.wait(10_000).edits.isEmpty)
    #expect(try wire.command("status")["result"]?["pending"]?.integer == 0)
    #expect(try wire.command("export", #""variant":"original""#)["result"]?.string == "three")
    try wire.type("x")
    #expect(wire.wait(750).edits.count == 1)
  }

  @Test("A document that is closed is forgotten, also while an edit of ours is on its way")
  func close() throws {
    let wire = Wire()
    wire.open("one")
    try wire.type("x")
    let request = try #require(wire.wait(750).edits.first)
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
    #expect(wire.wait(5000).edits.isEmpty)
    #expect(wire.server.deadline == nil)
    #expect(wire.reply(to: request, #"{"applied":false}"#).isEmpty)
    #expect(try wire.command("status").code == -32_602)
  }

  @Test("Closing what was never opened is passed over")
  func closeUnknown() {
    let wire = Wire()
    #expect(
      wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"file:///x"}}"#).isEmpty
    )
  }

  @Test("Documents do not disturb each other")
  func several() throws {
    let wire = Wire()
    wire.open("{++other++}", uri: "file:///other.md")
    wire.open("one")
    try wire.type("x")
    let edits = wire.wait(10_000).edits
    #expect(!edits.isEmpty)
    for request in edits {
      let document = request["params"]?["edit"]?["documentChanges"]?.first?["textDocument"]
      #expect(document?["uri"]?.string == wire.uri)
    }
  }

  // MARK: - URIs

  @Test(
    "A document is known by any spelling of its URI, and told of in the client's own",
    arguments: [
      ("file:///c%3A/x.md", "file:///C:/x.md"), ("file:///C:/x.md", "file:///c%3a/x.md"),
      ("file:///a%20b/%C3%A9.md", "file:///a b/é.md"),
      ("untitled:Untitled-1", "untitled:Untitled-1"),
    ]
  )
  func spelling(_ opened: String, _ other: String) throws {
    let wire = Wire()
    wire.open("{--a--} b\n", uri: opened)
    #expect(wire.messages.published.map { $0["uri"]?.string } == [opened])
    wire.didChange("[\(insert("x", 1, 0))]", version: 2, uri: other)
    #expect(wire.messages.shown.isEmpty)
    let request = try #require(wire.wait(750).edits.first)
    let document = request["params"]?["edit"]?["documentChanges"]?.first?["textDocument"]
    #expect(document?["uri"]?.string == opened)
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":\#(json(other))}}"#)
    #expect(wire.messages.published.last?["uri"]?.string == opened)
    #expect(wire.server.documents.all.isEmpty)
  }

  @Test("URIs that differ are different documents", arguments: ["file:///X.md", "file:///y.md"])
  func different(_ other: String) {
    let wire = Wire()
    wire.open("a", uri: "file:///x.md")
    wire.open("b", uri: other)
    #expect(wire.server.documents.all.count == 2)
  }

  @Test(
    "Any language is taken, and a missing version",
    arguments: ["text", "gfm", "quarto", ""]
  )
  func language(_ language: String) throws {
    let wire = Wire()
    wire.notify(
      "textDocument/didOpen",
      #"{"textDocument":{"uri":"\#(wire.uri)","languageId":"\#(language)","text":"{++a++}"}}"#
    )
    #expect(try wire.command("status")["result"]?["changes"]?.integer == 1)
  }
}
