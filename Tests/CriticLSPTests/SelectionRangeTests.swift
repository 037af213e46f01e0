import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Selection ranges", .timeLimited) struct SelectionRangeTests {
  private func wire(_ encoding: PositionEncoding = .utf16) -> Wire {
    Wire(client: "Zed", capabilities: Wire.announcing(#""selectionRange":{}"#, encoding))
  }

  private func ask(_ wire: Wire, at offsets: [Int]) throws -> JSON {
    let conversions = Conversions(text: wire.text, encoding: wire.server.client.encoding)
    let positions = offsets.map { offset -> String in
      let position = conversions.position(of: offset)
      return #"{"line":\#(position.line),"character":\#(position.character)}"#
    }
    return try wire.ask("selectionRange", #""positions":[\#(positions.joined(separator: ","))]"#)
  }

  /// What is selected step by step.
  private func steps(_ selection: JSON?, _ wire: Wire) throws -> [Range<Int>] {
    var steps: [Range<Int>] = []
    var selection = selection
    while let next = selection {
      steps.append(try wire.offsets(next["range"]))
      selection = next["parent"]
    }
    return steps
  }

  private func texts(_ text: String, _ encoding: PositionEncoding = .utf16) throws -> [String] {
    let wire = wire(encoding)
    let offset = try wire.open(caretIn: text)
    return try steps(try ask(wire, at: [offset]).first, wire).map {
      String(decoding: wire.text[$0], as: UTF8.self)
    }
  }

  @Test(
    "It grows from the text in a mark to the mark, its change with the thread, the paragraph, all",
    arguments: [
      (
        "a\n\nb {++c‸++}{>>d<<} e\nf\n\ng",
        ["c", "{++c++}", "{++c++}{>>d<<}", "b {++c++}{>>d<<} e\nf"]
      ),
      ("{++a++}{++‸b++} c\n\n", ["b", "{++b++}", "{++a++}{++b++}", "{++a++}{++b++} c"]),
      ("{~~a‸~>b~~} c\n\n", ["a", "{~~a~>b~~}", "{~~a~>b~~} c"]),
      ("{~~a~>b‸~~} c\n\n", ["b", "{~~a~>b~~}", "{~~a~>b~~} c"]),
      ("{‸~~a~>b~~} c\n\n", ["{~~a~>b~~}", "{~~a~>b~~} c"]),
      (
        "{==a {--b‸--} c==}{>>d<<}\n\n",
        ["b", "{--b--}", "a {--b--} c", "{==a {--b--} c==}", "{==a {--b--} c==}{>>d<<}"]
      ),
      ("{++a++}{>>b‸<<}{>>c<<}\n\n", ["b", "{>>b<<}", "{++a++}{>>b<<}{>>c<<}"]),
      ("a ‸b\r\nc\r\n\r\n", ["a b\r\nc"]), ("a\n \t\n‸b", ["b"]), ("a\n\n‸\n\nb", [""]),
      ("a\n{++b‸\n\nc++}\nd\n\n", ["b\n\nc", "{++b\n\nc++}", "a\n{++b\n\nc++}\nd"]),
      ("`{++‸a++}` b\n\n", ["`{++a++}` b"]),
    ]
  )
  func growing(_ text: String, _ expected: [String]) throws {
    #expect(try texts(text) == expected + [text.replacing("‸", with: "")])
  }

  @Test("A document of one paragraph, and an empty one, are selected once")
  func small() throws {
    #expect(try texts("a ‸b") == ["a b"])
    #expect(try texts("‸") == [""])
  }

  @Test("Each position has an answer of its own, in their order")
  func positions() throws {
    let wire = wire()
    wire.open("{++a++}\n\nb\n")
    let answer = try ask(wire, at: [10, 4, 10])
    #expect(answer.count == 3)
    let first = try answer.elements.map { try steps($0, wire)[0] }
    #expect(first == [9..<10, 3..<4, 9..<10])
  }

  @Test(
    "Ranges are right after characters of any length",
    arguments: [PositionEncoding.utf8, .utf16, .utf32]
  )
  func encodings(_ encoding: PositionEncoding) throws {
    #expect(
      try texts("👩‍👩 {++é‸𝄞++} 字\n\n𝄞", encoding) == [
        "é𝄞", "{++é𝄞++}", "👩‍👩 {++é𝄞++} 字", "👩‍👩 {++é𝄞++} 字\n\n𝄞",
      ]
    )
  }

  @Test("Each step holds the position and the step before, in any document")
  func property() {
    let bits = [
      "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{==", "==}", "{>>", "<<}", "a", "\n", "\n\n",
      "`", " ",
    ]
    forAll(
      runs(100),
      step: { bits[Int.random(in: bits.indices, using: &$0)] },
      law: { _, bits in
        let wire = wire()
        wire.open(bits.joined())
        for offset in 0...wire.text.count {
          guard let steps = try? steps(try ask(wire, at: [offset]).first, wire), !steps.isEmpty
          else {
            return "no answer at \(offset)"
          }
          for (inner, outer) in zip([offset..<offset] + steps, steps) {
            let isHeld =
              outer.lowerBound <= inner.lowerBound && inner.upperBound <= outer.upperBound
            if !isHeld { return "\(outer) does not hold \(inner)" }
          }
          if Set(steps).count < steps.count { return "a step that does not grow in \(steps)" }
          if steps.last != 0..<wire.text.count { return "not all of the document at \(offset)" }
        }
        return nil
      }
    )
  }

  @Test("Marks that lie deep in each other are answered all the same")
  func deep() throws {
    let text = String(repeating: "{==", count: 300) + "‸x" + String(repeating: "==}", count: 300)
    #expect(try texts(text).count > 20)
  }

  @Test("A paragraph of very many lines is passed over")
  func longParagraph() throws {
    let text = String(repeating: "a\n", count: 1500)
    #expect(try texts("\n\(text)b ‸{++c++}\n") == ["{++c++}", "\n\(text)b {++c++}\n"])
    #expect(try texts("\n\(text)\n‸b\n\n\(text)")[0] == "b")
  }

  @Test("A document that is not open has none; positions must be there")
  func wrong() throws {
    let wire = wire()
    #expect(try ask(wire, at: [0]).isNull)
    wire.open("a")
    for positions in ["", #","positions":[1]"#, #","positions":null"#] {
      let answer = try wire.request(
        "textDocument/selectionRange",
        #"{"textDocument":{"uri":"file:///draft.md"}\#(positions)}"#
      )
      #expect(answer.code == -32602, "\(positions)")
    }
  }
}
