import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Definition and references", .timeLimited) struct ReferencesTests {
  private func wire(_ definition: String = "{}", _ encoding: PositionEncoding = .utf16) -> Wire {
    Wire(
      capabilities: Wire.announcing(#""definition":\#(definition),"references":{}"#, encoding)
    )
  }

  /// The places that an answer lists, as the text there.
  private func places(_ answer: JSON, _ wire: Wire) throws -> [String] {
    try answer.elements.map { place in
      #expect(place["uri"]?.string == wire.uri)
      return try wire.text(in: place["range"])
    }
  }

  @Test(
    "From a comment it goes to what the comment is about",
    arguments: [
      ("{++a++}{>>b‸<<}", "{++a++}"), ("{++a++}{++b++}{>>c<<}{>‸>d<<}", "{++a++}{++b++}"),
      ("{==a==}{>>‸b<<}", "{==a==}"), ("{==a {--b--}{>>‸c<<}==}{>>d<<}", "{--b--}"),
      ("{==a {--b--}{>>c<<}==}{>>‸d<<}", "{==a {--b--}{>>c<<}==}"),
      ("{++a {>>‸b<<} c++}", "{++a {>>b<<} c++}"), ("{==a {>>‸b<<} c==}", "{==a {>>b<<} c==}"),
      ("{~~a~>b~~}{>>c {>>‸d<<}<<}", "{~~a~>b~~}"),
    ]
  )
  func definition(_ text: String, _ target: String) throws {
    let wire = wire()
    let answer = try wire.ask("definition", at: try wire.open(caretIn: text))
    #expect(try places(answer, wire) == [target])
  }

  @Test(
    "From elsewhere it goes nowhere",
    arguments: ["{++‸a++}{>>b<<}", "x {>>‸b<<}", "‸x", "`{++a++}{>>‸b<<}`", "{>>a {>>‸b<<}<<}"]
  )
  func noDefinition(_ text: String) throws {
    let wire = wire()
    let answer = try wire.ask("definition", at: try wire.open(caretIn: text))
    #expect(answer.description == "[]")
  }

  @Test("Clients that take links are told which comment leads there")
  func links() throws {
    let wire = wire(#"{"linkSupport":true}"#)
    let answer = try wire.ask("definition", at: try wire.open(caretIn: "é {++a++}{>>b<<}{>>‸c<<}"))
    let link = try #require(answer.first)
    #expect(answer.count == 1)
    #expect(try wire.text(in: link["originSelectionRange"]) == "{>>c<<}")
    #expect(link["targetUri"]?.string == wire.uri)
    #expect(try wire.text(in: link["targetRange"]) == "{++a++}")
    #expect(try wire.text(in: link["targetSelectionRange"]) == "{++a++}")
    #expect(link["uri"] == nil)
  }

  @Test(
    "References are the comments of a change, with the change itself where that is asked for",
    arguments: [
      ("{++‸a++}{>>b<<}{>>c<<}", "{++a++}", ["{>>b<<}", "{>>c<<}"]),
      ("{++a++}{>>b<<}{>>‸c<<}", "{++a++}", ["{>>b<<}", "{>>c<<}"]),
      ("{==‸a {--b--}{>>c<<}==}{>>d<<}", "{==a {--b--}{>>c<<}==}", ["{>>d<<}"]),
      ("{==‸a {>>b<<} c==}", "{==a {>>b<<} c==}", ["{>>b<<}"]),
      ("{++‸a {>>b<<} c++}{>>d<<}", "{++a {>>b<<} c++}", ["{>>b<<}", "{>>d<<}"]),
      ("{--‸a--} {>>b<<}", "{--a--}", []),
    ]
  )
  func references(_ text: String, _ change: String, _ comments: [String]) throws {
    let wire = wire()
    let offset = try wire.open(caretIn: text)
    let without = try wire.ask(
      "references",
      at: offset,
      #","context":{"includeDeclaration":false}"#
    )
    #expect(try places(without, wire) == comments)
    let with = try wire.ask("references", at: offset, #","context":{"includeDeclaration":true}"#)
    #expect(try places(with, wire) == [change] + comments)
  }

  @Test("A lone comment is its own thread; beside marks there are no references")
  func lone() throws {
    let wire = wire()
    let lone = try wire.ask("references", at: try wire.open(caretIn: "x {>>a<<}{>>‸b<<}"))
    #expect(try places(lone, wire) == ["{>>a<<}", "{>>b<<}"])
    let none = try wire.ask("references", at: try wire.open(caretIn: "‸x {>>a<<}"))
    #expect(none.description == "[]")
  }

  @Test(
    "Ranges are right after characters of any length",
    arguments: [PositionEncoding.utf8, .utf16, .utf32]
  )
  func encodings(_ encoding: PositionEncoding) throws {
    let wire = wire("{}", encoding)
    let offset = try wire.open(caretIn: "👩‍👩\n𝄞 {++é𝄞++}{>>‸字<<}")
    #expect(try places(try wire.ask("definition", at: offset), wire) == ["{++é𝄞++}"])
    #expect(try places(try wire.ask("references", at: offset), wire) == ["{>>字<<}"])
  }

  @Test("In a document that is not open nothing is found")
  func closed() throws {
    #expect(try wire().ask("definition", at: 0).description == "[]")
    #expect(try wire().ask("references", at: 0).description == "[]")
  }
}
