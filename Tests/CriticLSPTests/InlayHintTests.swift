import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Inlay hints", .timeLimited) struct InlayHintTests {
  private static let hinting =
    #"{"workspace":{"applyEdit":true,"inlayHint":{"refreshSupport":true}},"#
    + #""textDocument":{"inlayHint":{"dynamicRegistration":false}}}"#

  private func wire(_ text: String) -> Wire {
    let wire = Wire(capabilities: InlayHintTests.hinting)
    wire.open(text)
    return wire
  }

  private func ask(_ wire: Wire, _ range: Range<Int>? = nil) throws -> [JSON] {
    let range = wire.range(range ?? 0..<wire.text.count)
    let answer = try wire.request(
      "textDocument/inlayHint",
      #"{"textDocument":{"uri":"\#(wire.uri)"},"range":\#(range)}"#
    )
    return Array(try #require(answer["result"]).elements)
  }

  /// The document with the hints in it, in brackets.
  private func picture(_ wire: Wire, _ hints: [JSON]) throws -> String {
    let conversions = Conversions(text: wire.text, encoding: wire.server.client.encoding)
    var bytes = wire.text.bytes
    // Those at one place come one after the other.
    for hint in hints.reversed() {
      let position = try #require(Position(hint["position"]))
      let label = try #require(hint["label"]?.string)
      bytes.insert(contentsOf: "⟨\(label)⟩".utf8, at: conversions.offset(of: position))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "A change says what its comments are about, or who wrote them",
    arguments: [
      ("a {++b++}{>>[tone] c<<}\n", "a {++b++}{>>[tone] c<<}⟨tone⟩\n"),
      ("a {++b++}{>>@Ada_B: c<<} d\r\ne", "a {++b++}{>>@Ada_B: c<<} d⟨Ada B⟩\r\ne"),
      ("a {++b\nc++}{>>@Ada: c<<}\nd", "a {++b\nc++}{>>@Ada: c<<}⟨Ada⟩\nd"),
      ("a {--b--}{>>@Ada: [tone] c<<}\n", "a {--b--}{>>@Ada: [tone] c<<}⟨tone⟩\n"),
      (
        "{==b==}{>>[tone] c<<}{>>@Ada: d<<}{>>@Ada: e<<}\n",
        "{==b==}{>>[tone] c<<}{>>@Ada: d<<}{>>@Ada: e<<}⟨tone, Ada⟩\n"
      ),
      ("a {>>@Ada: b<<}\n", "a {>>@Ada: b<<}⟨Ada⟩\n"),
      ("é😀{++b++}{>>[tone]<<}\n", "é😀{++b++}{>>[tone]<<}⟨tone⟩\n"),
    ]
  )
  func comments(_ text: String, _ picture: String) throws {
    let wire = wire(text)
    #expect(try self.picture(wire, try ask(wire)) == picture)
  }

  @Test(
    "A comment that says neither has no hint",
    arguments: [
      "{++a++}{>>b<<}", "{++a++}{>>[x](y)<<}", "{++a++}{>>@ada?<<}", "{++a++}{>>[1] b<<}",
      "{++a++}{>>@ada\n: b<<}", "{++a++}{>>@ada could you see: b<<}", "{++a++}{>>[] b<<}",
      "{++a++}{>><<}", "{++a++}{>>a [tone] b<<}",
      "{++a++}", "`{++a++}{>>[tone] b<<}`", "{++a++}{>>[resolved] [tone] b<<}{>>@Ada: c<<}",
    ]
  )
  func none(_ text: String) throws {
    #expect(try ask(wire(text)).isEmpty)
  }

  @Test("The hint tells the comments when it is pointed at")
  func tooltip() throws {
    let hint = try #require(try ask(wire("{++a++}{>>[tone] b<<}{>>@Ada: c<<}{>>d<<}\n")).first)
    #expect(hint["tooltip"]?.string == "[tone] b\n@Ada: c")
    #expect(hint["paddingLeft"]?.bool == true)
  }

  @Test("What was deleted and is not in marks yet is shown at the end of its line")
  func pending() throws {
    let wire = wire("one two three four\n")
    try wire.replace("two ", with: "")
    try wire.replace("four", with: "five")
    try wire.type("x", before: "one")
    let hints = try ask(wire)
    #expect(try picture(wire, hints) == "xone three five⟨deleted “two ”⟩⟨deleted “four”⟩\n")
    wire.takeEdits()
    #expect(try ask(wire).isEmpty)
  }

  @Test("Only the range that is asked for is answered")
  func range() throws {
    let wire = wire("{++a++}{>>[tone] b<<}\n{++c++}{>>[clarity] d<<}\n{++e++}{>>[grammar] f<<}\n")
    let line = try wire.offsets(of: "{++c++}{>>[clarity] d<<}")
    #expect(try ask(wire, line).compactMap { $0["label"]?.string } == ["clarity"])
    let wrong = try wire.request(
      "textDocument/inlayHint",
      #"{"textDocument":{"uri":"\#(wire.uri)"}}"#
    )
    #expect(wrong.code == -32_602)
  }

  @Test("The setting turns them off, and the client is told to ask again")
  func off() throws {
    let wire = wire("{++a++}{>>[tone] b<<}\n")
    #expect(try ask(wire).count == 1)
    let sent = wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"inlayHints":false,"tracking":"on"}}}"#
    )
    #expect(sent.of("workspace/inlayHint/refresh").count == 1)
    #expect(sent.of("workspace/codeLens/refresh").isEmpty)
    #expect(try ask(wire).isEmpty)
  }

  @Test("They are offered to clients that announce them")
  func offered() {
    for (capabilities, isOffered) in [(InlayHintTests.hinting, true), (Wire.editing, false)] {
      let answer = Wire(capabilities: capabilities).messages.first?["result"]
      #expect((answer?["capabilities"]?["inlayHintProvider"] != nil) == isOffered)
    }
  }

  @Test("A hint is told where only a part of its line is shown")
  func partOfLine() throws {
    let wire = wire("{++a++}{>>[tone] b<<} and more\n")
    #expect(try ask(wire, 0..<4).count == 1)
  }

  @Test("Hints come in the order of the text, what is pending among the others")
  func order() throws {
    let wire = wire("{++a++}{>>[tone]<<} two {++b++}{>>[clarity]<<}\n")
    try wire.replace("two ", with: "")
    #expect(
      try picture(wire, try ask(wire))
        == "{++a++}{>>[tone]<<} {++b++}{>>[clarity]<<}⟨tone⟩⟨deleted “two ”⟩⟨clarity⟩\n"
    )
  }
}
