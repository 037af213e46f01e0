import JSONRPC
import TestSupport
import Testing

@Suite("Reading types from JSON", .timeLimited)
struct JSONReadableTests {
  private struct Inner: JSONReadable {
    let number: Int
    let word: String?

    init(_ json: JSON) throws(ResponseError) {
      number = try json.read("number")
      word = try json.readIfPresent("word")
    }
  }

  private struct Outer: JSONReadable {
    let list: [Inner]
    let isOn: Bool?

    init(_ json: JSON) throws(ResponseError) {
      list = try json.read("list")
      isOn = try json.readIfPresent("on")
    }
  }

  private enum Level: Int, CaseIterable, JSONReadable, JSONWritable {
    case low = 1
    case high
  }

  @Test("Members that need not be there may be null or missing")
  func members() throws {
    let json = try JSON(
      parsing: Array(#"{"list":[{"number":1},{"number":2,"word":"w"}],"on":null}"#.utf8)
    )
    let outer = try Outer(json)
    #expect(outer.list.map(\.number) == [1, 2])
    #expect(outer.list.map(\.word) == [nil, "w"])
    #expect(outer.isOn == nil)
  }

  @Test(
    "An error says what is expected, and names the way to it",
    arguments: [
      (#"{}"#, "list: missing"),
      (#"{"list":7}"#, "list: expected an array"),
      (#"{"list":[{"number":1},{"number":"x"}]}"#, "list[1].number: expected an integer"),
      (#"{"list":[{"number":1,"word":2}]}"#, "list[0].word: expected a string"),
      (#"{"list":[{}]}"#, "list[0].number: missing"),
      (#"{"list":[],"on":"yes"}"#, "on: expected true or false"),
    ]
  )
  func errors(_ text: String, _ message: String) throws {
    let json = try JSON(parsing: Array(text.utf8))
    #expect(throws: ResponseError.invalidParams(message)) { try Outer(json) }
  }

  @Test("What cannot be read can be left out of a list")
  func readable() throws {
    let json = try JSON(parsing: Array(#"[{"number":1},7,{"number":null},{"number":3}]"#.utf8))
    #expect(json.readable(as: Inner.self).map(\.number) == [1, 3])
  }

  @Test("A case of an enumeration goes as what it stands for")
  func cases() throws {
    let json = try JSON(parsing: Array("[2,3]".utf8))
    #expect(try Level(#require(json.first)) == .high)
    #expect(throws: ResponseError.invalidParams("[1]: expected one of 1, 2")) {
      try [Level](json)
    }
    var writer = JSONWriter()
    writer.value([Level.low, .high])
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "[1,2]")
  }
}
