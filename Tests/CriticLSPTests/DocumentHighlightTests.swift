import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Document highlights", .timeLimited) struct DocumentHighlightTests {
  private func wire(_ encoding: PositionEncoding = .utf16) -> Wire {
    Wire(capabilities: Wire.announcing(#""documentHighlight":{}"#, encoding))
  }

  /// What is highlighted when the caret of a text is where it is; `r` is read, `w` written.
  private func highlights(_ text: String, _ encoding: PositionEncoding = .utf16) throws -> [String]
  {
    let wire = wire(encoding)
    let answer = try wire.ask("documentHighlight", at: try wire.open(caretIn: text))
    return try answer.elements.map { highlight in
      let kind = try #require(highlight["kind"]?.integer)
      return try "\(["?", "", "r ", "w "][kind])\(wire.text(in: highlight["range"]))"
    }
  }

  @Test(
    "What belongs together is highlighted: sides of a substitution, marks of a change, its comments",
    arguments: [
      ("{~~la‸zy~>sleepy~~}", ["r lazy", "w sleepy"]),
      ("{~~lazy~>slee‸py~~}", ["r lazy", "w sleepy"]),
      ("‸{~~lazy~>~~}{>>a<<}", ["r lazy", "{>>a<<}"]), ("{~~~>‸x~~}", ["w x"]),
      ("{++a‸++}", ["w {++a++}"]), ("{++a++}{++‸b++}", ["w {++a++}", "w {++b++}"]),
      ("{--a--‸}{>>b<<}{>>c<<}", ["r {--a--}", "{>>b<<}", "{>>c<<}"]),
      ("{--a--}{>>b<<}{>>‸c<<}", ["r {--a--}", "{>>b<<}", "{>>c<<}"]),
      ("{==a‸==}{>>b<<}", ["{==a==}", "{>>b<<}"]), ("x {>>a‸<<}", ["{>>a<<}"]),
      ("{==a {++‸b++}{>>c<<} d==}{>>e<<}", ["w {++b++}", "{>>c<<}"]),
      ("{==a‸ {++b++}{>>c<<} d==}{>>e<<}", ["{==a {++b++}{>>c<<} d==}", "{>>e<<}"]),
      ("{++a {>>‸b<<} c++}", ["w {++a {>>b<<} c++}"]),
    ]
  )
  func together(_ text: String, _ expected: [String]) throws {
    #expect(try highlights(text) == expected)
  }

  @Test(
    "Ranges are right after characters of any length",
    arguments: [PositionEncoding.utf8, .utf16, .utf32]
  )
  func encodings(_ encoding: PositionEncoding) throws {
    #expect(try highlights("👩‍👩 {~~é‸𝄞~>字~~}{>>𝄞<<}", encoding) == ["r é𝄞", "w 字", "{>>𝄞<<}"])
  }

  @Test(
    "Nothing is highlighted beside marks and in code",
    arguments: ["a ‸b {++c++}", "`{++‸a++}`", "‸"]
  )
  func none(_ text: String) throws {
    #expect(try highlights(text).isEmpty)
  }

  @Test("A document that is not open has no highlights")
  func closed() throws {
    #expect(try wire().ask("documentHighlight", at: 0).description == "[]")
  }
}
