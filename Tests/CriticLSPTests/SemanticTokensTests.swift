import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Semantic tokens", .timeLimited) struct SemanticTokensTests {
  private static func capabilities(_ tokens: String, encodings: String = #""utf-16""#) -> String {
    #"{"general":{"positionEncodings":[\#(encodings)]},"workspace":{"applyEdit":true,"#
      + #""semanticTokens":{"refreshSupport":true}},"#
      + #""textDocument":{"semanticTokens":{"formats":["relative"],\#(tokens)}}}"#
  }

  private static let everything = capabilities(
    #""requests":{"full":{"delta":true},"range":true}"#
  )

  private func wire(_ text: String, _ capabilities: String = everything) -> Wire {
    let wire = Wire(capabilities: capabilities)
    wire.open(text)
    return wire
  }

  private func provider(_ wire: Wire) -> JSON? {
    wire.messages.first?["result"]?["capabilities"]?["semanticTokensProvider"]
  }

  private func ask(_ wire: Wire, _ method: String = "full", _ members: String = "") throws -> JSON {
    let answer = try wire.request(
      "textDocument/semanticTokens/\(method)",
      #"{"textDocument":{"uri":"\#(wire.uri)"}\#(members.isEmpty ? "" : ",\(members)")}"#
    )
    return try #require(answer["result"])
  }

  /// What a client makes of the numbers: `line:start text type.modifier …`.
  private func tokens(_ wire: Wire, _ data: JSON?) throws -> [String] {
    let legend = try #require(provider(wire)?["legend"])
    let kinds = Array(try #require(legend["tokenTypes"]).elements)
    let modifiers = Array(try #require(legend["tokenModifiers"]).elements)
    let numbers = try #require(data).elements.compactMap(\.integer)
    #expect(numbers.count % 5 == 0)
    let conversions = Conversions(text: wire.text, encoding: wire.server.client.encoding)
    var (line, character) = (0, 0)
    return stride(from: 0, to: numbers.count, by: 5).map { index in
      line += numbers[index]
      character = numbers[index] > 0 ? numbers[index + 1] : character + numbers[index + 1]
      let start = conversions.offset(of: Position(line: line, character: character))
      let rest = String(decoding: wire.text[start..<wire.text.count], as: UTF8.self)
      let length = numbers[index + 2]
      let text =
        switch wire.server.client.encoding.unit {
        case .utf8: String(decoding: rest.utf8.prefix(length), as: UTF8.self)
        case .utf16: String(decoding: rest.utf16.prefix(length), as: UTF16.self)
        case .scalar: String(String.UnicodeScalarView(rest.unicodeScalars.prefix(length)))
        }
      let bits = modifiers.indices.filter { numbers[index + 4] >> $0 & 1 == 1 }
      let names = [kinds[numbers[index + 3]]] + bits.map { modifiers[$0] }
      return "\(line):\(character) \(text) \(names.compactMap(\.string).joined(separator: "."))"
    }
  }

  @Test("Delimiters and texts of the five kinds are told apart")
  func kinds() throws {
    let wire = wire("{++a++} {--b--} {~~c~>d~~}\n{==e==} {>>f<<}\n")
    #expect(
      try tokens(wire, try ask(wire)["data"]) == [
        "0:0 {++ operator.addition", "0:3 a string.addition", "0:4 ++} operator.addition",
        "0:8 {-- operator.deletion", "0:11 b regexp.deprecated.deletion",
        "0:12 --} operator.deletion", "0:16 {~~ operator.substitution",
        "0:19 c regexp.deprecated.substitution", "0:20 ~> operator.substitution",
        "0:22 d string.substitution", "0:23 ~~} operator.substitution",
        "1:0 {== operator.highlight", "1:3 e function.highlight", "1:4 ==} operator.highlight",
        "1:8 {>> operator.comment", "1:11 f comment.comment", "1:12 <<} operator.comment",
      ]
    )
  }

  @Test("The comments of a resolved thread say so, with their answers")
  func resolved() throws {
    let wire = wire("{++a++}{>>@x<<}{>>[resolved] b<<}{>>@y<<}{>>c<<} {>>d<<}\n")
    let said = try tokens(wire, try ask(wire)["data"]).filter { $0.contains(" comment.") }
    #expect(
      said == [
        "0:10 @x comment.comment", "0:18 [resolved] b comment.comment.resolved",
        "0:36 @y comment.comment.resolved", "0:44 c comment.comment.resolved",
        "0:52 d comment.comment",
      ]
    )
  }

  @Test("Empty marks have delimiters alone, and what is no mark has nothing")
  func empty() throws {
    let wire = wire("{++++} {~~~>~~} `{++a++}` {++b\n")
    #expect(
      try tokens(wire, try ask(wire)["data"]) == [
        "0:0 {++ operator.addition", "0:3 ++} operator.addition",
        "0:7 {~~ operator.substitution", "0:10 ~> operator.substitution",
        "0:12 ~~} operator.substitution",
      ]
    )
  }

  @Test(
    "A text over several lines is cut at their ends, unless the client takes it whole",
    arguments: ["\n", "\r\n", "\r"]
  )
  func multiline(_ lineBreak: String) throws {
    let text = "x {++a\(lineBreak)\(lineBreak)bc++}\n"
    let cut = wire(text)
    #expect(
      try tokens(cut, try ask(cut)["data"]) == [
        "0:2 {++ operator.addition", "0:5 a string.addition", "2:0 bc string.addition",
        "2:2 ++} operator.addition",
      ]
    )
    let capabilities = Self.capabilities(#""requests":{"full":true},"multilineTokenSupport":true"#)
    let whole = wire(text, capabilities)
    #expect(
      try tokens(whole, try ask(whole)["data"]) == [
        "0:2 {++ operator.addition", "0:5 a\(lineBreak)\(lineBreak)bc string.addition",
        "2:2 ++} operator.addition",
      ]
    )
  }

  @Test("Marks in marks break the text around them, unless the client takes tokens that overlap")
  func overlap() throws {
    let text = "{==a {++b++} c==}\n"
    let flat = wire(text)
    #expect(
      try tokens(flat, try ask(flat)["data"]).map { $0.split(separator: " ", maxSplits: 1)[1] } == [
        "{== operator.highlight", "a  function.highlight", "{++ operator.addition",
        "b string.addition", "++} operator.addition", " c function.highlight",
        "==} operator.highlight",
      ]
    )
    let capabilities = Self.capabilities(
      #""requests":{"full":true},"overlappingTokenSupport":true"#
    )
    let deep = wire(text, capabilities)
    #expect(
      try tokens(deep, try ask(deep)["data"]).map { $0.split(separator: " ", maxSplits: 1)[1] } == [
        "{== operator.highlight", "a {++b++} c function.highlight", "{++ operator.addition",
        "b string.addition", "++} operator.addition", "==} operator.highlight",
      ]
    )
  }

  @Test("Lengths are counted as positions are", arguments: ["utf-8", "utf-16", "utf-32"])
  func encodings(_ encoding: String) throws {
    let capabilities = Self.capabilities(#""requests":{"full":true}"#, encodings: "\"\(encoding)\"")
    let wire = wire("é😀 {++👩‍👩‍👧é++} 😀{--字--}\n", capabilities)
    #expect(
      try tokens(wire, try ask(wire)["data"]).map { $0.split(separator: " ", maxSplits: 1)[1] } == [
        "{++ operator.addition", "👩‍👩‍👧é string.addition", "++} operator.addition",
        "{-- operator.deletion", "字 regexp.deprecated.deletion", "--} operator.deletion",
      ]
    )
  }

  @Test("A range is answered with what meets it")
  func range() throws {
    let wire = wire("{++a++}\n{--b\nc--}\n{==d==}\n")
    let members = #""range":\#(Wire.range(1, 4, 2, 2))"#
    #expect(
      try tokens(wire, try ask(wire, "range", members)["data"]) == [
        "1:3 b regexp.deprecated.deletion", "2:0 c regexp.deprecated.deletion",
        "2:1 --} operator.deletion",
      ]
    )
    #expect(try ask(wire, "range", #""range":\#(Wire.range(9, 0, 9, 0))"#)["data"]?.count == 0)
    let wrong = try wire.request(
      "textDocument/semanticTokens/range",
      #"{"textDocument":{"uri":"\#(wire.uri)"}}"#
    )
    #expect(wrong.code == -32_602)
  }

  // MARK: - Differences

  @Test("What has changed since is all that is told, and makes what is there now")
  func delta() throws {
    let wire = wire("{++a++} {--b--} {==c==}\n")
    var known = try ask(wire)
    var data = try #require(known["data"]).elements.compactMap(\.integer)
    for (old, new) in [
      ("b", "long"), (" {==c==}", ""), ("{++a++}", "{++a++} {>>x<<}"), ("zz", "zz"),
    ] {
      if new != old { try wire.replace(old, with: new) }
      let id = try #require(known["resultId"]?.string)
      let answer = try ask(wire, "full/delta", #""previousResultId":"\#(id)""#)
      #expect(answer["data"] == nil)
      for edit in try #require(answer["edits"]).elements {
        let start = try #require(edit["start"]?.integer)
        let count = try #require(edit["deleteCount"]?.integer)
        let added = try #require(edit["data"]).elements.compactMap(\.integer)
        data.replaceSubrange(start..<start + count, with: added)
      }
      #expect(data == (try ask(wire)["data"])?.elements.compactMap(\.integer))
      // Asked in full, it has another number now.
      known = try ask(wire)
      #expect(known["resultId"]?.string != id)
    }
  }

  @Test("A small change is told in few numbers, and none in none")
  func smallDelta() throws {
    let text = String(repeating: "{++a++} {--b--}\n", count: 200)
    let wire = wire(text)
    let id = try #require(try ask(wire)["resultId"]?.string)
    let same = try ask(wire, "full/delta", #""previousResultId":"\#(id)""#)
    #expect(same["edits"]?.count == 0)
    wire.change([Edit(1603..<1604, Array("xyz".utf8))])
    let next = try #require(same["resultId"]?.string)
    let answer = try ask(wire, "full/delta", #""previousResultId":"\#(next)""#)
    #expect(answer["edits"]?.count == 1)
    #expect((answer["edits"]?.first?["data"]?.count ?? 99) <= 15)
  }

  @Test("Who asks for the difference from what is forgotten gets everything")
  func forgotten() throws {
    let wire = wire("{++a++}\n")
    for id in ["7", "", "x"] {
      let answer = try ask(wire, "full/delta", #""previousResultId":"\#(id)""#)
      #expect(answer["data"]?.count == 15)
      #expect(answer["resultId"] != nil)
    }
  }

  // MARK: - Who gets them

  @Test(
    "What is offered is what the client announces",
    arguments: [
      (#""requests":{"full":{"delta":true},"range":true}"#, #"{"delta":true}"#, "true"),
      (#""requests":{"full":true,"range":false}"#, "true", nil),
      (#""requests":{"full":{"delta":false}}"#, "true", nil),
      (#""requests":{"full":{}}"#, "true", nil),
      (#""requests":{"range":{}}"#, nil, "true"),
    ] as [(String, String?, String?)]
  )
  func offered(_ tokens: String, _ full: String?, _ range: String?) throws {
    let provider = try #require(self.provider(wire("", Self.capabilities(tokens))))
    #expect(provider["full"]?.description == full)
    #expect(provider["range"]?.description == range)
    let kinds = try #require(provider["legend"]?["tokenTypes"]).elements.compactMap(\.string)
    #expect(kinds == ["operator", "string", "regexp", "function", "comment"])
  }

  @Test(
    "A client that can use none is offered none",
    arguments: [
      "{}", #"{"textDocument":{"semanticTokens":{"requests":{"full":false,"range":false}}}}"#,
      #"{"textDocument":{"semanticTokens":{"formats":["other"],"requests":{"full":true}}}}"#,
    ]
  )
  func notOffered(_ capabilities: String) {
    #expect(provider(wire("", capabilities)) == nil)
  }

  @Test("Without differences there are no numbers to remember answers by")
  func noDelta() throws {
    let wire = wire("{++a++}\n", Self.capabilities(#""requests":{"full":true}"#))
    #expect(try ask(wire)["resultId"] == nil)
  }

  @Test("The setting turns them off, and the client is told to ask again")
  func off() throws {
    let wire = wire("{++a++}\n")
    #expect(try ask(wire)["data"]?.count == 15)
    let sent = wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"semanticTokens":false,"tracking":"on"}}}"#
    )
    #expect(sent.of("workspace/semanticTokens/refresh").count == 1)
    #expect(try ask(wire)["data"]?.count == 0)
    #expect(try ask(wire, "range", #""range":\#(Wire.range(0, 0, 1, 0))"#)["data"]?.count == 0)
  }
}
