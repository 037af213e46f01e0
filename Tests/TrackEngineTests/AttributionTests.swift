import TestSupport
import Testing
import TrackEngine

@Suite("Who made a change, in the words of other tools", .timeLimited) struct AttributionTests {
  @Test(
    "Author and date are found wherever a tool writes them",
    arguments: [
      (#"{++{"author":"Ada B","time":1708879304}@@a++}"#, "Ada B", "2024-02-25T16:41:44Z"),
      (#"{++{"author":"Ada B","time":1708879304000}@@a++}"#, "Ada B", "2024-02-25T16:41:44Z"),
      (#"{++{"author":"Ada B","time":"today"}@@a++}"#, "Ada B", "today"),
      (#"{++{"author":"Ada B","time":0}@@a++}"#, "Ada B", "1970-01-01T00:00:00Z"),
      (#"{++{"author":"x\u00e9\t\"\\"}@@a++}"#, "xé\t\"\\", nil),
      // Before 1970, or in a year with five digits.
      (#"{++{"author":"Ada B","time":-1}@@a++}"#, "Ada B", nil),
      (#"{++{"author":"Ada B","time":253402300800000}@@a++}"#, "Ada B", nil),
      (#"{++{"author":"Ada B","time":253402300799000}@@a++}"#, "Ada B", "9999-12-31T23:59:59Z"),
      (#"{author="Ada B" date="2026-06-14"++a++}"#, "Ada B", "2026-06-14"),
      (#"{++a++}{id="s1" by="anna" at="2026-11-22"}"#, "anna", "2026-11-22"),
      (#"{++a++}{id="s1" by=anna}"#, "anna", nil),
      // What a value spells is not said by the metadata.
      (#"{note="by author=bob" author="Claude"++x++}"#, "Claude", nil),
      (#"{a="x author=" author="Ada" b=" date=1" date="2"++x++}"#, "Ada", "2"),
      (#"{++x++}{id="s1" note="x by=eve" by="anna"}"#, "anna", nil),
      (#"{++x++}{id="s1" note=" at=1 {by=eve" by=anna at="2"}"#, nil, nil),
      (#"{++x++}{id="s1" xby="eve" x="by=" at.x=1 by=anna}"#, "anna", nil),
      (#"{++x++}{id="s1" note="[by=bob]"}{id=s2 by=anna}"#, "anna", nil),
      (#"{++{"x":{"author":"eve"},"y":"author","author":"anna"}@@x++}"#, "anna", nil),
      // A name in the metadata goes before one in a comment, whose date is that of the comment.
      (#"{++a++}{id="s1" by="anna"}{>>@bo | 2026-11-22<<}"#, "anna", nil),
      (#"{>>@bo | 2026-11-22 | why<<}{id="s1" by="anna"}"#, "anna", nil),
      (#"{>>@bo | 2026-11-22 | why<<}{id="s1"}"#, "bo", "2026-11-22"),
      ("{++a++}{#s1}", nil, nil),
    ] as [(String, String?, String?)]
  )
  func metadata(_ text: String, _ author: String?, _ date: String?) throws {
    let bytes = Array(text.utf8)
    let changes = Reading(of: bytes).changes
    let change = try #require(changes.first)
    #expect(changes.count == 1)
    #expect(change.author(in: bytes) == author)
    #expect(change.date(in: bytes) == date)
  }

  @Test(
    "A head is an object of JSON on one line, and anything else is the mark's text",
    arguments: [
      (#"{}"#, true), (#"{ "a" : -0.5e+3 , "b":1E-2}"#, true), (#"{"a":[],"b":[ ],"c":{}}"#, true),
      (#"{"a":[1,[2, 0],{"b":"c"}]}"#, true), (#"{"a":true,"b":false,"c":null}"#, true),
      (#"{"a":"\u00E9\n\\\"\/"}"#, true), (#"{"a":12e5}"#, true),
      (#"{"a":[1 2]}"#, false), (#"{"a":[1}"#, false), (#"{"a":[1,]}"#, false),
      (#"{"a":[tru]}"#, false), (#"{"a":"\x"}"#, false), (#"{"a":"\u12"}"#, false),
      (#"{"a":"\u12g4"}"#, false), (#"{"a":01}"#, false), (#"{"a":1.}"#, false),
      (#"{"a":1e}"#, false), (#"{"a":1e+-1}"#, false), (#"{"a":+1}"#, false), (#"{"a":-}"#, false),
      (#"{"a" 1}"#, false), (#"{a:1}"#, false), (#"{"a":1,}"#, false), (#"{"a":1"b":2}"#, false),
      (#"["a"]"#, false), ("{\"a\":\n1}", false),
    ]
  )
  func heads(_ head: String, _ isHead: Bool) throws {
    let bytes = Array("{++\(head)@@x++}".utf8)
    let marks = Reading(of: bytes).marks
    let mark = try #require(marks.first)
    #expect(marks.count == 1)
    #expect(String(decoding: bytes[mark.content], as: UTF8.self) == (isHead ? "x" : "\(head)@@x"))
  }

  @Test("A head or a tail that is only begun is text")
  func begun() throws {
    let head = #"{"a":["\u00e9",-1.5e+3,true]}@@"#
    for length in 1..<head.utf8.count {
      let begun = head.prefix(length)
      let bytes = Array("{++\(begun)++}".utf8)
      let mark = try #require(Reading(of: bytes).marks.first)
      #expect(String(decoding: bytes[mark.content], as: UTF8.self) == begun)
    }
    for tail in [#"{id="s1" by="anna"}"#, "{id=s1  at=now}", "[^cn-1.2]", "{#s1}"] {
      for length in 1...tail.utf8.count {
        let begun = tail.prefix(length)
        let bytes = Array("{++a++}\(begun)".utf8)
        let mark = try #require(Reading(of: bytes).marks.first)
        #expect(mark.end == (begun == tail ? bytes.count : 7), "\(begun)")
      }
    }
    let attributes = #"author="Ada" date="1""#
    for length in 1..<attributes.utf8.count {
      #expect(Reading(of: Array("{\(attributes.prefix(length))".utf8)).marks.isEmpty)
    }
    #expect(Reading(of: Array("{\(attributes)++a++}".utf8)).marks.count == 1)
    #expect(Reading(of: Array(#"{id="Ada"++a++}"#.utf8)).marks.isEmpty)
  }

  @Test(
    "Of footnotes with one name the first says it, as it is the one that is shown",
    arguments: [
      ("@bo | 2026-11-22 | ins | proposed", "bo", "2026-11-22", "proposed"),
      ("@bo | 2026-11-22 | ins", "bo", "2026-11-22", nil),
      (
        "@Ada_B | 2026-11-22 09:30 | ins | rejected by @cy", "Ada B", "2026-11-22 09:30",
        "rejected by @cy"
      ),
    ] as [(String, String?, String?, String?)]
  )
  func footnotes(_ line: String, _ author: String?, _ date: String?, _ status: String?) throws {
    let text = "{++a++}[^cn-1]\n\n[^cn-1]: \(line)\n[^cn-1]: @cy | 2026-11-23 | ins | accepted\n"
    let bytes = Array(text.utf8)
    let change = try #require(Reading(of: bytes).changes.first)
    let found = change.attribution(in: bytes, Footnotes(of: bytes))
    #expect(found.author == author)
    #expect(found.date == date)
    #expect(found.status == status)
  }

  @Test(
    "What is exported has no footnote of a tool, and all text between them",
    arguments: [
      // Text stands between them; one is indented in another one; one goes on; one is signed by nobody.
      (
        "A{++b++}[^cn-1]{--c--}[^cn-2].\n\n[^cn-1]: @a | 1\n\nText.\n\n[^cn-2]: @a | 1\n\nMore.\n",
        "Ab.\n\nText.\n\nMore.\n"
      ),
      (
        "A{++b++}[^cn-1]{--c--}[^cn-2].\n\n[^cn-1]: @a | 1\n  [^cn-2]: @a | 1\n\nMore.\n",
        "Ab.\n\nMore.\n"
      ),
      (
        "A{++b++}[^cn-1].\n\n[^cn-1]: @a | 1\n\n    Said more.\n\nMore.\n",
        "Ab.\n\nMore.\n"
      ),
      ("A{++b++}[^cn-1].\n\n[^cn-1]: Mine.\n", "Ab[^cn-1].\n\n[^cn-1]: Mine.\n"),
      // Two references in one mark's tail, and one in the text.
      ("A{++b++}[^cn-1][^cn-1].\n\n[^cn-1]: @a | 1\n", "Ab.\n"),
      ("A[^cn-1]{++b++}[^cn-1].\n\n[^cn-1]: @a | 1\n", "A[^cn-1]b.\n\n[^cn-1]: @a | 1\n"),
    ]
  )
  func export(_ text: String, _ expected: String) {
    let bytes = Array(text.utf8)
    let exported = Reading(of: bytes).export(.clean, of: bytes)
    #expect(String(decoding: exported, as: UTF8.self) == expected)
  }
}
