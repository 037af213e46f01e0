import JSONRPC
import TestSupport
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  @Test("Commas and colons come by themselves")
  func punctuation() {
    let text = written { writer in
      writer.object { object in
        object.member("a", 1)
        object.member(
          "b",
          array: { array in
            array.null()
            array.object { _ in }
            array.array { _ in }
            array.value("x")
          }
        )
        object.member("c", object: { $0.member("d", true) })
        object.key(["e", "f"].joined())
        object.double(0.5)
      }
    }
    #expect(text == #"{"a":1,"b":[null,{},[],"x"],"c":{"d":true},"ef":0.5}"#)
  }

  @Test(
    "Integers are written in full",
    arguments: [0, 1, 9, 10, 99, 100, -1, -10, 1_234_567_890, .max, .min]
  )
  func integers(_ value: Int) {
    #expect(written { $0.integer(value) } == String(value))
  }

  @Test("Infinity and NaN are written as null")
  func nonFinite() {
    let text = written { writer in
      writer.array {
        $0.double(.infinity)
        $0.double(-.infinity)
        $0.double(.nan)
      }
    }
    #expect(text == "[null,null,null]")
  }

  @Test("What must be escaped is escaped, and nothing else")
  func escapes() {
    let text = written { $0.string("\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é😀\u{2028}") }
    #expect(text == #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}é😀\u{2028}\"")
    #expect(written { $0.object { $0.member("a\"b", 1) } } == #"{"a\"b":1}"#)
  }

  @Test("Bytes that are not UTF-8 become replacement characters, as many as Swift makes of them")
  func invalidUTF8() throws {
    var random = Seeded(seed: 2)
    let alphabet: [UInt8] = [
      0x41, 0x22, 0x5C, 0x0A, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xE2, 0xED,
      0xEF,
      0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<5_000 {
      let length = Int.random(in: 0...20, using: &random)
      let bytes = (0..<length).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      var writer = JSONWriter()
      writer.string(utf8: bytes)
      #expect(try JSON(parsing: writer.bytes).string == String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test("Bytes from any collection are written alike")
  func collections() {
    let bytes = Array("a\"é".utf8)
    let expected = #""a\"é""#
    #expect(written { $0.string(utf8: bytes) } == expected)
    #expect(written { $0.string(utf8: bytes[...]) } == expected)
    #expect(written { $0.string(utf8: bytes.lazy.map { $0 }) } == expected)
    #expect(written { $0.string(utf8: "a\"é".utf8) } == expected)
  }

  @Test("A parsed value is copied as it was spelled")
  func copies() throws {
    let json = try JSON(parsing: Array(#"{"a": [1.0, "\ud800"]}"#.utf8))
    let text = written { writer in
      writer.array {
        $0.value(json)
        $0.json(json)
      }
    }
    #expect(text == #"[{"a": [1.0, "\ud800"]},{"a": [1.0, "\ud800"]}]"#)
  }

  @Test("Everything that can be written is written as its own kind")
  func writables() {
    let text = written { writer in
      writer.array {
        $0.value([1, 2])
        $0.value(String?.none)
        $0.value(Optional("a"))
        $0.value([[Bool]]())
        $0.value(-0.25)
        $0.value(RequestID.number(1))
        $0.value(RequestID.string("1"))
      }
    }
    #expect(text == #"[[1,2],null,"a",[],-0.25,1,"1"]"#)
  }

  @Test("A copy of a writer goes its own way")
  func copiesAreIndependent() {
    var writer = JSONWriter()
    writer.integer(1)
    var copy = writer
    copy.integer(2)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "1")
    #expect(String(decoding: copy.bytes, as: UTF8.self) == "1,2")
    #expect(writer.count == 1)
  }

  @Test("What is written reads back equal", arguments: 0..<300)
  func roundTrip(_ seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let value = Value.random(depth: 5, using: &random)
    var writer = JSONWriter()
    writer.value(value)
    let json = try JSON(parsing: writer.bytes)
    #expect(Value(json) == value)
    for length in 0..<writer.count where json.kind != .number {
      #expect(throws: JSONError.self) { try JSON(parsing: Array(writer.bytes[..<length])) }
    }
  }

  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
