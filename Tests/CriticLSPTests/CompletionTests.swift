import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Completion", .timeLimited) struct CompletionTests {
  private static let snippets = #""completion":{"completionItem":{"snippetSupport":true}}"#
  private static let plain = #""completion":{}"#

  private func wire(
    _ announced: String = plain,
    _ settings: String = "{}",
    _ encoding: PositionEncoding = .utf16,
    client: String = "Eglot"
  ) -> Wire {
    Wire(
      client: client,
      capabilities: Wire.announcing(announced, encoding),
      settings: settings
    )
  }

  private func items(_ text: String, _ wire: Wire) throws -> [JSON] {
    Array(try wire.ask("completion", at: try wire.open(caretIn: text)).elements)
  }

  private func labels(_ text: String, _ settings: String = "{}") throws -> [String] {
    try items(text, wire(CompletionTests.plain, settings)).compactMap { $0["label"]?.string }
  }

  /// What the text becomes when the item that begins with `label` is taken.
  private func taking(_ label: String, in text: String, _ wire: Wire) throws -> String {
    let item = try #require(
      try items(text, wire).first { $0["label"]?.string?.hasPrefix(label) == true },
      "no \(label)"
    )
    let edit = try #require(item["textEdit"])
    let range = try wire.offsets(edit["range"])
    var bytes = wire.text
    bytes.replace(range, with: edit["newText"]?.utf8 ?? [])
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  private static let marks = ["{++++}", "{----}", "{~~~>~~}", "{====}", "{>><<}"]

  @Test(
    "After a brace stand the five marks",
    arguments: ["{‸", "a {‸ b", "a {‸} b", "{++a {‸ b++}", "{‸\n\nx"]
  )
  func brace(_ text: String) throws {
    #expect(try labels(text) == CompletionTests.marks)
  }

  @Test(
    "What is typed of an opener chooses the mark",
    arguments: [
      ("{+", "{++++}"), ("{--", "{----}"), ("{~", "{~~~>~~}"), ("{==", "{====}"), ("{>", "{>><<}"),
    ]
  )
  func opener(_ typed: String, _ label: String) throws {
    #expect(try labels("a \(typed)‸ b") == [label])
    #expect(try taking(label, in: "a \(typed)‸ b", wire()) == "a \(label) b")
    #expect(try taking(label, in: "a \(typed)‸} b", wire()) == "a \(label) b")
  }

  @Test("Snippets have stops where text is to be typed, plain texts have none")
  func snippets() throws {
    let items = try items("a {‸} b", wire(CompletionTests.snippets))
    #expect(items.allSatisfy { $0["insertTextFormat"]?.integer == 2 && $0["kind"]?.integer == 15 })
    #expect(
      items.compactMap { $0["textEdit"]?["newText"]?.string }
        == ["{++$1++}", "{--$1--}", "{~~$1~>$2~~}", "{==$1==}", "{>>$1<<}"]
    )
    #expect(items.allSatisfy { $0["textEdit"]?["range"]?.description == Wire.range(0, 2, 0, 4) })
    #expect(items.compactMap { $0["detail"]?.string } == MarkKind.allCases.map(\.description))
    let plain = try self.items("a {‸ b", wire())
    #expect(plain.compactMap { $0["textEdit"]?["newText"]?.string } == CompletionTests.marks)
    #expect(plain.allSatisfy { $0["insertTextFormat"] == nil })
  }

  @Test(
    "A comment begins with the author, whose name is no snippet",
    arguments: [
      ("Ada", "{>>@Ada: $1<<}", "{>>@Ada: <<}"),
      (#"A$1\\}"#, #"{>>@A\$1\\}: $1<<}"#, #"{>>@A$1\}: <<}"#),
    ]
  )
  func author(_ name: String, _ snippet: String, _ plain: String) throws {
    let settings = #"{"author":"\#(name)"}"#
    #expect(try taking("{>>", in: "{‸", wire(CompletionTests.snippets, settings)) == snippet)
    #expect(try taking("{>>", in: "{‸}", wire(CompletionTests.plain, settings)) == plain)
  }

  @Test("Where a client would cut it at a space, a comment is put in without the author")
  func cutAtSpace() throws {
    let settings = #"{"author":"Ada"}"#
    let old = wire(CompletionTests.plain, settings, client: "Neovim")
    #expect(try taking("{>>", in: "{‸}", old) == "{>><<}")
    let new = wire(CompletionTests.snippets, settings, client: "Neovim")
    #expect(try taking("{>>", in: "{‸}", new) == "{>>@Ada: $1<<}")
  }

  @Test("Categories and authors are snippets too where marks are")
  func allSnippets() throws {
    let wire = wire(CompletionTests.snippets, #"{"author":"A$"}"#)
    for (text, result) in [("{>>[t‸<<}", "[tone] "), ("{>>@‸<<}", #"@A\$: "#)] {
      let item = try #require(try items(text, wire).first)
      #expect(item["insertTextFormat"]?.integer == 2)
      #expect(item["textEdit"]?["newText"]?.string == result)
    }
  }

  @Test(
    "What is offered begins with what is typed and is no shorter than its label",
    arguments: ["{‸", "{+‸", "{>>[‸", "{>>@‸", "{>>a @‸<<} {>>@Ada:<<}"]
  )
  func labelsFit(_ text: String) throws {
    let wire = wire(CompletionTests.plain, #"{"author":"Bo"}"#)
    let items = try items(text, wire)
    #expect(!items.isEmpty)
    let offset = text.split(separator: "‸")[0].utf8.count
    for item in items {
      let label = try #require(item["label"]?.string)
      let range = try wire.offsets(item["textEdit"]?["range"])
      let typed = String(decoding: wire.text[range.lowerBound..<offset], as: UTF8.self)
      #expect(label.hasPrefix(typed))
      #expect(label.utf8.count <= item["textEdit"]?["newText"]?.utf8?.count ?? 0)
      #expect(item["filterText"] == nil)
    }
  }

  @Test(
    "There are no marks elsewhere: in code, in comments, after a backslash or a second brace",
    arguments: [
      "`{‸`", "```\n{‸\n```\n", "```\n{‸", "~~~\na {‸} b\n~~~", "{>>a {‸<<}", "{>>{‸", "\\{‸",
      "{{‸", "‸", "a‸ {",
      "{a‸", "{+-‸", "{+++‸", "``a {‸ b``",
    ]
  )
  func noMarks(_ text: String) throws {
    #expect(try labels(text).isEmpty)
  }

  private static let categories = [
    "[tone]", "[clarity]", "[structure]", "[grammar]", "[concision]", "[accuracy]",
  ]

  @Test(
    "After a bracket in a comment stand the categories",
    arguments: [
      "{>>[‸<<}", "{>>[‸", "{>>[‸]<<}", "{>>@Ada: [‸<<}", "a {++b++}{>>[to‸<<} c",
      "{==a {>>[‸<<} b==}", "{>>[‸ a {>>b<<} c",
    ]
  )
  func bracket(_ text: String) throws {
    #expect(try labels(text) == CompletionTests.categories)
  }

  @Test(
    "A category takes the place of what is typed, with one space after it",
    arguments: [
      ("{>>[‸<<}", "{>>[tone] <<}"), ("{>>[to‸]<<}", "{>>[tone] <<}"),
      ("{>>[‸] a<<}", "{>>[tone] a<<}"),
      ("{>>é [t‸ a<<}", "{>>é [tone] a<<}"), ("{>>[‸", "{>>[tone] "),
    ]
  )
  func category(_ text: String, _ result: String) throws {
    for encoding in [PositionEncoding.utf8, .utf16, .utf32] {
      #expect(try taking("[tone]", in: text, wire(CompletionTests.plain, "{}", encoding)) == result)
    }
  }

  @Test(
    "There are neither categories nor authors elsewhere",
    arguments: [
      "[‸", "@‸ {>>@Ada: a<<}", "{++[‸++}", "`{>>[‸<<}`", "{>>a<<}[‸", "{>[‸>a<<}", "{>>[a b‸<<}",
      "{>>a@‸<<} {>>@Ada: a<<}",
      "{>>a\n\n[‸", "{>>a\n[‸", "```\n{>>[‸<<}\n```",
    ]
  )
  func noCategories(_ text: String) throws {
    #expect(try labels(text).isEmpty)
  }

  @Test(
    "After an @ in a comment stand those who are named in the document, and who writes",
    arguments: [
      ("{>>@‸<<}", []), ("{>>@‸<<} {>>@Ada: a<<} {>>@Bo b<<}", ["Ada", "Bo"]),
      ("{>>@A‸<<} {>>@Ada: a<<}", ["Ada"]), ("{>>@‸ x", []), ("{>>@‸ x\n\n{>>@Bo: x<<}", ["Bo"]),
      ("{>>@‸<<} {>>@Ada Byron: a<<}{>> @Bo Li: a @cy.<<}", ["Ada_Byron", "Bo_Li", "cy"]),
      ("{>>@‸<<} {>>@Ada I think: a<<}", ["Ada"]),
      ("{>>@ai:c‸<<} {>>@ai:claude: a<<}", ["ai:claude"]),
      (#"{>>@‸<<} {++{"author":"Cy D"}@@a++} {++b++}{id="s1" by="Ed"}"#, ["Cy_D", "Ed"]),
      ("{>>@‸<<} {>>ada@example.org @: @- @é!<<}", ["é"]),
      ("{>>@‸<<} {>>see @bo- and @cy.<<}", ["bo", "cy"]),
      ("{>>@‸<<} {++@Ada: a++} `{>>@Bo: a<<}`", []),
      ("{>>@‸<<} {>>@Ada: a<<} {>>@Ada: b<<}", ["Ada"]),
      ("{>>a (@‸)<<} {>>{>>@Ada: a<<}<<} {--{>>@Bo: b<<}--}", ["Ada", "Bo"]),
    ]
  )
  func authors(_ text: String, _ names: [String]) throws {
    #expect(try labels(text) == names.map { "@\($0)" })
    #expect(
      try labels(text, #"{"author":"Zoë Z"}"#) == (names + ["Zoë_Z"]).sorted().map { "@\($0)" }
    )
  }

  @Test(
    "At a comment's beginning an author gets a colon, elsewhere none",
    arguments: [
      ("{>>@‸<<}", "{>>@Ada: <<}"), ("{>> @A‸<<}", "{>> @Ada: <<}"),
      ("{>>@‸: a<<}", "{>>@Ada: a<<}"),
      ("{>>a @‸<<}", "{>>a @Ada<<}"), ("é {>>@‸", "é {>>@Ada: "),
    ]
  )
  func colon(_ text: String, _ result: String) throws {
    let settings = #"{"author":"Ada"}"#
    #expect(try taking("@Ada", in: text, wire(CompletionTests.plain, settings)) == result)
  }

  @Test("A mark that was completed is tracked as the mark it spells")
  func tracked() throws {
    let wire = wire(CompletionTests.plain, #"{"tracking":"on"}"#)
    let offset = try wire.open(caretIn: "a ‸b\n")
    wire.change([Edit(offset..<offset, Array("{".utf8))])
    let item = try #require(try wire.ask("completion", at: offset + 1).first)
    wire.change(wire.edits(try JSON(parsing: Array("[\(try #require(item["textEdit"]))]".utf8))))
    try wire.type("x", before: "++}")
    wire.takeEdits()
    #expect(wire.buffer == "a {++x++}b\n")
  }

  @Test("What makes a client ask is announced")
  func triggers() throws {
    let wire = wire()
    let provider = wire.messages.first?["result"]?["capabilities"]?["completionProvider"]
    #expect(provider?["triggerCharacters"]?.description == #"["{","[","@"]"#)
  }

  @Test("In a document that is not open nothing is completed")
  func closed() throws {
    #expect(try wire().ask("completion", at: 0).description == "[]")
  }
}
