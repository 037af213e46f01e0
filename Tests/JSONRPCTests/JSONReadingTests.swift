import JSONRPC
import TestSupport
import Testing

@Suite("Values of JSON", .timeLimited)
struct JSONReadingTests {
  @Test(
    "An integral number is an integer however it is written",
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1.0", 1), ("1e2", 100), ("1.5e1", 15),
      ("-1.50E1", -15), ("1200e-2", 12), ("0e99999999999999999999", 0), ("0.000", 0), ("1E+2", 100),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("922337203685477580.7e1", .max),
      ("123456789012345678", 123_456_789_012_345_678),
      ("-99999999999999999", -99_999_999_999_999_999),
      ("1000000000000000000000e-21", 1), ("0.0000000000000000000001e22", 1),
    ] as [(String, Int)]
  )
  func integers(_ source: String, _ value: Int) throws {
    let json = try parse(source)
    #expect(json.kind == .number)
    #expect(json.integer == value)
  }

  @Test(
    "A number that is not integral or does not fit is no integer",
    arguments: [
      "0.5", "1.25e1", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "1e99",
      "1e400",
      "1e99999999999999999999", "1e-99999999999999999999", "99999999999999999999", "9.3e18",
    ]
  )
  func notIntegers(_ source: String) throws {
    #expect(try parse(source).integer == nil)
  }

  @Test(
    "A number is the nearest double",
    arguments: [
      ("0", 0), ("1", 1), ("0.1", 0.1), ("-2.5e-3", -0.0025), ("1e22", 1e22), ("1e23", 1e23),
      ("9007199254740993", 9_007_199_254_740_992), ("9007199254740995", 9_007_199_254_740_996),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude),
      ("1e-400", 0), ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown),
      ("18446744073709551616", 18_446_744_073_709_551_616),
    ] as [(String, Double)]
  )
  func doubles(_ source: String, _ value: Double) throws {
    #expect(try parse(source).double == value)
  }

  @Test("Minus zero keeps its sign and infinity is no double")
  func doubleLimits() throws {
    #expect(try parse("-0").double?.sign == .minus)
    #expect(try parse("-0.0").double?.sign == .minus)
    #expect(try parse("1e400").double == nil)
    #expect(try parse("-1e400").double == nil)
  }

  @Test(
    "Escapes are resolved",
    arguments: [
      (#""""#, ""), (#""plain""#, "plain"), (#""\"\\\/""#, "\"\\/"),
      (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
      (#""\u0041\u00e9\u20AC\u0000""#, "A\u{E9}€\u{0}"), (#""\ud83d\ude00""#, "😀"),
      (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"), (#""😀\n é""#, "😀\n é"),
      (#""12345678\n12345678901234567\u00e9""#, "12345678\n12345678901234567\u{E9}"),
    ]
  )
  func escapes(_ source: String, _ text: String) throws {
    #expect(try parse(source).string == text)
    #expect(try parse(source).utf8 == Array(text.utf8))
  }

  @Test(
    "Half a surrogate pair becomes a replacement character, and its neighbours stay",
    arguments: [
      (#""\ud800""#, "\u{FFFD}"), (#""\udc00""#, "\u{FFFD}"), (#""a\ud800b""#, "a\u{FFFD}b"),
      (#""\ud800\ud800""#, "\u{FFFD}\u{FFFD}"), (#""\ud800\u0041""#, "\u{FFFD}A"),
      (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"), (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"),
      (#""\ud83d\n\ude00""#, "\u{FFFD}\n\u{FFFD}"), (#""\ud83d ude00""#, "\u{FFFD} ude00"),
    ]
  )
  func loneSurrogates(_ source: String, _ text: String) throws {
    #expect(try parse(source).string == text)
  }

  @Test("A string is found to its end at every length and place")
  func stringLengths() throws {
    for padding in 0...33 {
      for special in ["", "\"", "\\", "\n", "é", "😀"] {
        let text = String(repeating: "x", count: padding) + special + "yz"
        var writer = JSONWriter()
        writer.array {
          $0.string(text)
          $0.integer(1)
        }
        let json = try JSON(parsing: writer.bytes)
        #expect(json.first?.string == text)
        #expect(json.count == 2)
      }
    }
  }

  @Test("A member is found by its name, the last one where there are several")
  func members() throws {
    let json = try parse(#"{"a":1,"b":{"a":2},"a":3,"\u0063":4,"":5,"ab":6}"#)
    #expect(json["a"]?.integer == 3)
    #expect(json["b"]?["a"]?.integer == 2)
    #expect(json["c"]?.integer == 4)
    #expect(json[""]?.integer == 5)
    #expect(json["d"] == nil)
    #expect(json["A"] == nil)
    let name = ["a", "b"].joined()
    #expect(json[name]?.integer == 6)
    #expect(json.count == 6)
    #expect(json.members.map(\.key) == ["a", "b", "a", "c", "", "ab"])
    #expect(json.members.map { $0.value.integer ?? -1 } == [1, -1, 3, 4, 5, 6])
  }

  @Test("Elements come in order, nested ones not among them")
  func elements() throws {
    let json = try parse("[1,[2,[3]],{\"a\":[4]},5]")
    #expect(json.elements.map(\.description) == ["1", "[2,[3]]", "{\"a\":[4]}", "5"])
    #expect(json.first?.integer == 1)
    #expect(try parse("[]").first == nil)
    #expect(json.count == 4)
    #expect(json.elements.underestimatedCount == 4)
    #expect(json["a"] == nil)
  }

  @Test("Asking for another type than the value has answers nothing")
  func otherTypes() throws {
    let sources: [(String, JSON.Kind)] = [
      ("null", .null), ("true", .bool), ("1", .number), ("\"1\"", .string), ("[1]", .array),
      ("{\"a\":1}", .object),
    ]
    for (source, kind) in sources {
      let json = try parse(source)
      #expect(json.kind == kind)
      #expect(json.isNull == (kind == .null))
      #expect((json.bool != nil) == (kind == .bool))
      #expect((json.integer != nil) == (kind == .number))
      #expect((json.double != nil) == (kind == .number))
      #expect((json.string != nil) == (kind == .string))
      #expect((json.utf8 != nil) == (kind == .string))
      #expect((json.first != nil) == (kind == .array))
      #expect((json.members.first { _ in true } != nil) == (kind == .object))
      #expect((json["a"] != nil) == (kind == .object))
      #expect(json.count == (kind == .array || kind == .object ? 1 : 0))
    }
    #expect(try parse("false").bool == false)
  }

  @Test("The source of a value is exact")
  func rawBytes() throws {
    let json = try parse(" { \"a\" : [ 1 , \"\\u0041\" ] , \"b\" : -1.0e2 } ")
    #expect(json["a"]?.description == "[ 1 , \"\\u0041\" ]")
    #expect(json["b"].map { Array($0.rawBytes) } == Array("-1.0e2".utf8))
  }

  private func parse(_ source: String) throws -> JSON {
    try JSON(parsing: Array(source.utf8))
  }
}
