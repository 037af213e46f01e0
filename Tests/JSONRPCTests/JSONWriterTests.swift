import JSONRPC
import TestSupport
import Testing

@Suite("Writing JSON", .timeLimited)
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

  @Test("Members that say nothing are left out")
  func leftOut() {
    let text = written { writer in
      writer.object {
        $0.member("a", ifPresent: Int?.none)
        $0.member("b", ifPresent: 1)
        $0.member("c", ifTrue: false)
        $0.member("d", ifTrue: true)
        $0.member("e", utf8: Array("é".utf8))
      }
    }
    #expect(text == #"{"b":1,"d":true,"e":"é"}"#)
  }

  #if DEBUG
    @Test("A name without a value stops the program while it is developed")
    func nameWithoutValue() async {
      await #expect(processExitsWith: .failure) {
        var writer = JSONWriter()
        writer.object { $0.key("a") }
      }
      await #expect(processExitsWith: .failure) {
        var writer = JSONWriter()
        writer.object {
          $0.key("a")
          $0.member("b", 1)
        }
      }
    }
  #endif

  /// Every power of ten and its neighbours, positive and negative.
  private static let powersOfTen: [Int] = {
    let powers = sequence(first: 10) { (power: Int) in power > .max / 10 ? nil : power * 10 }
    return powers.flatMap { [$0 - 1, $0, 1 - $0, -$0] }
  }()

  @Test(
    "Integers are written in full",
    arguments: [0, 1, -1, 10_203_040, 1_234_567_890, -987_654_321, .max, .min] + powersOfTen
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
    let name = "a\"b"
    let object = written { writer in
      writer.object {
        $0.key(name)
        $0.integer(1)
      }
    }
    #expect(object == #"{"a\"b":1}"#)
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

  @Test("Any bytes read back as Swift decodes them, and any text as it is")
  func anyBytes() {
    forAllTexts(runs(2000)) { _, pieces in
      let bytes = pieces.flatMap(\.bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      var writer = JSONWriter()
      writer.array {
        $0.string(utf8: bytes)
        $0.string(text)
        $0.string(utf8: bytes[...].lazy.map { $0 })
      }
      let read = (try? JSON(parsing: writer.bytes))?.elements.map { $0.string ?? "" } ?? []
      return read == [text, text, text] ? nil : "\(read) instead of \(text)"
    }
  }

  @Test("Every byte reads back at every place of a text of up to seventy bytes")
  func everyByte() throws {
    for length in 1...70 {
      var writer = JSONWriter()
      let texts = (UInt8.min...UInt8.max).map { byte -> [UInt8] in
        var text = Array(repeating: UInt8(ascii: "a"), count: length)
        text[Int(byte) * 7 % length] = byte
        return text
      }
      writer.array { for text in texts { $0.string(utf8: text) } }
      let read = try JSON(parsing: writer.bytes).elements.compactMap(\.string)
      #expect(read == texts.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  @Test("A string in parts is what its parts are, one after the other")
  func parts() {
    forAllTexts(runs(1000), pieces: 12) { _, pieces in
      var writer = JSONWriter()
      writer.object {
        $0.member(
          "a",
          string: {
            $0.text(plain: "“")
            for piece in pieces { $0.text(utf8: piece.bytes) }
            $0.text("\n”")
          }
        )
        $0.member("b", 1)
        $0.key("c")
        $0.string(plain: "d")
      }
      let json = try? JSON(parsing: writer.bytes)
      let parts = pieces.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
      let isRight =
        json?["a"]?.string == "“\(parts)\n”" && json?["b"]?.integer == 1
        && json?["c"]?.string == "d"
      return isRight ? nil : "\(String(decoding: writer.bytes, as: UTF8.self))"
    }
  }

  @Test("A long document is written whole, however it grows")
  func growth() throws {
    for length in [0, 1, 15, 16, 17, 63, 64, 65, 500, 511, 512, 513, 3000, 100_000] {
      let text = String(repeating: "x", count: length)
      var writer = JSONWriter()
      writer.array {
        for number in 0..<100 {
          $0.string(text)
          $0.integer(number)
          $0.object { $0.member("key", text) }
        }
      }
      let json = try JSON(parsing: writer.bytes)
      #expect(json.count == 300)
      let expected = (0..<100).map { "\"\(text)\",\($0),{\"key\":\"\(text)\"}" }
      #expect(json.description == "[\(expected.joined(separator: ","))]")
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

  @Test("What is written reads back equal", arguments: 0..<300)
  func roundTrip(_ seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let value = Value.random(depth: 5, using: &random)
    var writer = JSONWriter()
    writer.value(value)
    let bytes = writer.bytes
    let json = try JSON(parsing: bytes)
    #expect(writer.count == bytes.count)
    #expect(Value(json) == value)
    for length in 0..<bytes.count where json.kind != .number {
      #expect(throws: JSONError.self) { try JSON(parsing: Array(bytes[..<length])) }
    }
  }

  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
