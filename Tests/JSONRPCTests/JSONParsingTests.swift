import JSONRPC
import TestSupport
import Testing

@Suite("Reading JSON", .timeLimited)
struct JSONParsingTests {
  @Test(
    "What RFC 8259 allows is accepted",
    arguments: [
      "null", "true", "false", " null ", "\t\r\n null\n", "0", "-0", "0.0", "-0.0", "1", "10", "-1",
      "0.5", "1.50", "1e5", "1E5", "1e+5", "1e-5", "0e0", "0E+00", "123456789012345678901234567890",
      "1.7976931348623157e308", "1e400", "1e-400", "\"\"", "\"a\"", "\" \"", "\"\u{7F}\"",
      #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9\u00E9""#, #""\ud83d\ude00""#, #""\ud800""#,
      #""\udc00""#, "\"\u{80}\"", "\"é\"", "\"\u{7FF}\"", "\"\u{800}\"", "\"\u{D7FF}\"",
      "\"\u{E000}\"", "\"\u{FFFF}\"", "\"\u{10000}\"", "\"\u{10FFFF}\"", "\"\u{2028}\u{FEFF}\"",
      "[]", "[ ]", "[[]]", "[1]", "[1,2]", "[ 1 , 2 ]", "[null,true,\"a\",{}]", "{}", "{ }",
      "{\"\":0}", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : 2 }", "{\"a\":1,\"a\":2}",
      "{\"a\":{\"b\":[{}]}}",
    ]
  )
  func accepts(_ document: String) throws {
    let json = try JSON(parsing: Array(document.utf8))
    #expect(json.description == document.trimmed)
  }

  @Test(
    "Anything else is rejected at the byte that is wrong",
    arguments: [
      ("", 0), (" ", 1), ("nul", 3), ("nulL", 3), ("True", 0), ("NaN", 0), ("Infinity", 0),
      ("-", 1),
      ("-a", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1.e5", 2), ("1e", 2), ("1e+", 3), ("1ea", 2),
      ("01", 1), ("-01", 2), ("0x10", 1), ("1_000", 1), ("--1", 1), ("1 2", 2), ("1,", 1),
      ("null null", 5), ("'a'", 0), ("\"", 1), ("\"a", 2), ("\"\n\"", 1), ("\"\t\"", 1),
      ("\"\u{0}\"", 1), ("\"abcdefghijklmnop\u{1F}\"", 17), (#""\a""#, 2), (#""\U0041""#, 2),
      (#""\"#, 2), (#""\u""#, 3), (#""\u12""#, 5), (#""\u12g4""#, 5), (#""\""#, 3), ("[", 1),
      ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[1,,2]", 3), ("[1 2]", 3), ("[1}", 2),
      ("]", 0), ("[]]", 2), ("{", 1), ("{\"a\"", 4), ("{\"a\":", 5), ("{\"a\":1", 6),
      ("{\"a\":1,", 7),
      ("{\"a\":1,}", 7), ("{,}", 1), ("{\"a\" 1}", 5), ("{\"a\",1}", 4), ("{a:1}", 1), ("{1:1}", 1),
      ("{\"a\":1]", 6), ("{\"a\":1 \"b\":2}", 7), ("}", 0), ("[1]//", 3), ("/**/1", 0),
      ("\u{FEFF}1", 0), ("\u{A0}1", 0), ("1\u{0}", 1), ("\u{0}", 0), ("\u{C}1", 0),
    ]
  )
  func rejects(_ document: String, _ offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: Array(document.utf8)) }
    #expect(error?.offset == offset)
  }

  @Test(
    "A string that is not UTF-8 is rejected at its first broken sequence",
    arguments: [
      [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0xAF],
      [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]]
  )
  func rejectsInvalidUTF8(_ sequence: [UInt8]) {
    // At every distance from the beginning, so that it meets all widths of the scan.
    for padding in 0...40 {
      let start = Array("\"\(String(repeating: "a", count: padding))".utf8)
      for end in ["\"", "", "\(String(repeating: "b", count: 40))\""] {
        let error = #expect(throws: JSONError.self) {
          try JSON(parsing: start + sequence + Array(end.utf8))
        }
        #expect(error?.offset == start.count)
      }
    }
  }

  @Test("A byte order mark is named in the error")
  func namesByteOrderMark() {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: [0xEF, 0xBB, 0xBF, 0x31]) }
    #expect(error?.description == "a byte order mark is not allowed at byte 0")
  }

  @Test("Every strict prefix of a document is rejected at its end")
  func rejectsPrefixes() throws {
    let document = Array(
      #"{"a":[1.5,-2,true,false,null,{"b":"x\n\u00e9\ud83d\ude00é€😀"}],"long name":"\#(longText)"}"#
        .utf8
    )
    _ = try JSON(parsing: document)
    for length in 0..<document.count {
      let error = #expect(throws: JSONError.self) { try JSON(parsing: Array(document[..<length])) }
      // A broken sequence is reported where it begins.
      #expect(length - (error?.offset ?? -9) <= 3)
    }
  }

  @Test("A number is rejected when it is cut off after its sign, point or exponent")
  func acceptsPrefixesOfNumbers() {
    let number = Array("-10.25e+30".utf8)
    let accepted = (0...number.count).filter { (try? JSON(parsing: Array(number[..<$0]))) != nil }
    #expect(accepted == [2, 3, 5, 6, 9, 10])
  }

  @Test("Nesting is limited, and deep nesting is no danger")
  func limitsDepth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: "[{\"a\":", count: depth) + "1" + String(repeating: "}]", count: depth))
          .utf8
      )
    }
    #expect(try JSON(parsing: nested(256)).count == 1)
    let error = #expect(throws: JSONError.self) { try JSON(parsing: nested(257)) }
    #expect(error?.offset == 256 * 6)
    #expect(try JSON(parsing: nested(100_000), depthLimit: 200_000).count == 1)
    #expect(throws: JSONError.self) { try JSON(parsing: Array("[]".utf8), depthLimit: 0) }
    #expect(try JSON(parsing: Array("1".utf8), depthLimit: 0).integer == 1)
  }

  @Test("Siblings do not add to the depth")
  func countsDepthNotContainers() throws {
    let document = "[\(Array(repeating: "[]", count: 1000).joined(separator: ","))]"
    #expect(try JSON(parsing: Array(document.utf8), depthLimit: 2).count == 1000)
  }

  @Test("Random bytes never trap the parser")
  func survivesRandomBytes() {
    var random = Seeded(seed: 1)
    let alphabet =
      Array("[]{}\",:\\u0123456789abcdefnrtlse-+.E \n".utf8) + [0, 0x80, 0xC3, 0xE2, 0xF0]
    var accepted = 0
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...24, using: &random)
      let bytes = (0..<length).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      if let json = try? JSON(parsing: bytes) {
        accepted += 1
        visit(json)
      }
    }
    #expect(accepted > 100)
  }

  @Test("A document with a changed byte is rejected or can be read in full")
  func survivesMutations() throws {
    let document = Array(#"{"a":[1.5e3,"x\u00e9\n😀",{"b":null,"c":[true,false]}],"d":""}"#.utf8)
    let replacements = Array("\"\\[]{},:0u. -".utf8) + [0, 0x80, 0xC3, 0xED, 0xFF]
    var accepted = 0
    for offset in document.indices {
      for replacement in replacements {
        var mutated = document
        mutated[offset] = replacement
        if let json = try? JSON(parsing: mutated) {
          accepted += 1
          visit(json)
        }
        mutated.remove(at: offset)
        if let json = try? JSON(parsing: mutated) { visit(json) }
      }
    }
    #expect(accepted > 50)
  }

  /// Reads everything there is to read.
  private func visit(_ json: JSON) {
    #expect((json.string == nil) == (json.kind != .string))
    #expect(json.utf8.map { String(decoding: $0, as: UTF8.self) } == json.string)
    _ = (json.bool, json.integer, json.double)
    for element in json.elements { visit(element) }
    for (key, value) in json.members {
      #expect(json[key] != nil)
      visit(value)
    }
  }
}

private let longText = String(repeating: "long text with é and \\n in it ", count: 4)

extension String {
  fileprivate var trimmed: String {
    var text = unicodeScalars[...]
    while let first = text.first, " \t\r\n".unicodeScalars.contains(first) { text.removeFirst() }
    while let last = text.last, " \t\r\n".unicodeScalars.contains(last) { text.removeLast() }
    return String(text)
  }
}
