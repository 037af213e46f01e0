import TestSupport
import Testing

@testable import TrackEngine

@Suite("Accepting and rejecting chosen changes", .timeLimited) struct ResolvingTests {
  private static let parts = [
    "{++a++}", "{--b--}", "{~~c~>d~~}", "{==e==}", "{>>f<<}", "{==g{++h++}==}", "{++", "++}", "{--",
    "--}", "{~~", "~~}", "~>", "{==", "==}", "{>>", "<<}", "`", "\n", "\n\n", "x", " ", "{", "}",
    "é", "```\n", "{++a{--b--}c++}", "\r\n",
  ]

  private func resolved(_ numbers: [Int], _ variant: Variant, _ bytes: [UInt8]) -> [UInt8]? {
    let reading = Reading(of: bytes)
    let changes = reading.changes
    let chosen = numbers.map { changes[$0] }
    return (try? reading.edits(resolving: chosen, variant, of: bytes)).map { bytes.applying($0) }
  }

  /// Tries a law of texts in which marks, halves of marks and code meet.
  private func forAllTexts(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ law: ([UInt8]) -> String?
  ) {
    forAll(
      runs(500),
      step: { Self.parts.randomElement(using: &$0) ?? "" },
      sourceLocation: sourceLocation,
      law: { _, steps in law(Array(steps.joined().utf8)) }
    )
  }

  @Test("All at once are what the variant is")
  func all() {
    forAllTexts { bytes in
      let reading = Reading(of: bytes)
      for variant in [Variant.clean, .original] {
        let result = resolved(Array(reading.changes.indices), variant, bytes)
        guard let result, result.reads(as: reading.text(variant, of: bytes)) else {
          return "\(variant) is \(result.map { String(decoding: $0, as: UTF8.self) } ?? "refused")"
        }
      }
      return nil
    }
  }

  @Test("All of one are, where text in its place would be a mark")
  func inPlace() {
    let bytes = Array("{=={++==}++}".utf8)
    #expect(
      resolved([0], .clean, bytes).map { String(decoding: $0, as: UTF8.self) } == "{{>><<}++++}"
    )
  }

  @Test("One after the other are what all at once are")
  func oneByOne() {
    forAllTexts { bytes in
      for variant in [Variant.clean, .original] {
        var text = bytes
        var left = Reading(of: bytes).changes.count
        while left > 0, Reading(of: text).changes.count <= left {
          // What would read as another mark beside its neighbours is refused, not done.
          guard let next = resolved([0], variant, text) else { break }
          left = min(left, Reading(of: text).changes.count) - 1
          text = next
        }
        // What is left when all are resolved is text, even if it spells a mark.
        guard left == 0 else { continue }
        guard text.reads(as: Reading(of: bytes).text(variant, of: bytes)) else {
          return "\(variant): \(String(decoding: text, as: UTF8.self))"
        }
      }
      return nil
    }
  }

  @Test("Resolving one changes neither text of the others")
  func others() {
    forAllTexts { bytes in
      let reading = Reading(of: bytes)
      // What is left when all are resolved is text, even if it spells a mark.
      guard reading.changes.count > 1 else { return nil }
      for number in reading.changes.indices {
        for variant in [Variant.clean, .original] {
          guard let text = resolved([number], variant, bytes) else { continue }
          guard Reading(of: text).text(variant, of: text) == reading.text(variant, of: bytes)
          else { return "\(number) \(variant): \(String(decoding: text, as: UTF8.self))" }
        }
      }
      return nil
    }
  }

  @Test("What is asked for in different ways must all hold, of several values of one way any")
  func filter() {
    let text = """
      a {++b++} {--c--}{>>@ada: [Tone] flat<<}{>>@bob: no<<}
      {~~d~>e~~} {==f==}{>>[accuracy]<<} {>>@bob: g<<}
      {++h++}
      """
    let bytes = Array(text.utf8)
    let changes = Reading(of: bytes).changes
    func numbers(_ set: (inout ChangeFilter) -> Void) -> [Int] {
      var filter = ChangeFilter()
      set(&filter)
      return filter.chosen(among: changes, in: bytes).map { (changes.firstIndex(of: $0) ?? -1) + 1 }
    }
    #expect(numbers { _ in } == [1, 2, 3, 4, 5, 6])
    #expect(numbers { $0.numbers = [2, 6] } == [2, 6])
    #expect(numbers { $0.kinds = [.addition, .comment] } == [1, 5, 6])
    #expect(numbers { $0.lines = [1...1] } == [1, 2])
    #expect(numbers { $0.categories = ["tone"] } == [2])
    #expect(numbers { $0.authors = ["ada"] } == [2])
    #expect(numbers { $0.authors = ["bob"] } == [])
    #expect(numbers { $0.commenters = ["bob"] } == [2, 5])
    #expect(numbers { $0.commenters = ["ada"] } == [2])
    #expect(numbers { $0.isUncommented = true } == [1, 3, 6])
    let both = numbers {
      $0.kinds = [.addition]
      $0.lines = [2...9]
    }
    #expect(both == [6])
  }

  @Test("An author made the change, a commenter wrote a comment: a name alone is none")
  func authors() {
    let text =
      "{++a++}{>>@ada<<}{>>@bob: no<<} {==b==}{>>@ada: why<<} {--c--}{>>@bob: so<<} {>>@cy<<}"
    let bytes = Array(text.utf8)
    let changes = Reading(of: bytes).changes
    func starts(_ set: (inout ChangeFilter) -> Void) -> [UInt8] {
      var filter = ChangeFilter()
      set(&filter)
      return filter.chosen(among: changes, in: bytes).map { bytes[$0.range.lowerBound + 3] }
    }
    #expect(starts { $0.authors = ["ada"] } == Array("a".utf8))
    #expect(starts { $0.authors = ["bob"] } == Array("c".utf8))
    #expect(starts { $0.commenters = ["ada"] } == Array("b".utf8))
    #expect(starts { $0.commenters = ["bob"] } == Array("ac".utf8))
    #expect(starts { $0.commenters = ["cy"] } == Array("@".utf8))
    var filter = ChangeFilter()
    filter.authors = ["ada", "cy"]
    filter.commenters = ["bob", "dee"]
    filter.kinds = [.addition, .substitution]
    filter.lines = [1...1, 2...9]
    filter.categories = ["tone"]
    let missing = filter.missing(from: ChangeFilter.Traits(of: changes, in: bytes))
    #expect(missing.authors == ["cy"])
    #expect(missing.commenters == ["dee"])
    #expect(missing.kinds == [.substitution])
    #expect(missing.lines == [2...9])
    #expect(missing.categories == ["tone"])
  }

  @Test("A highlight that is resolved leaves the changes in it")
  func highlight() {
    let bytes = Array("a {==b {++c++}==}{>>d<<} e".utf8)
    #expect(resolved([0], .clean, bytes) == Array("a b {++c++} e".utf8))
    #expect(resolved([1], .clean, bytes) == Array("a {==b c==}{>>d<<} e".utf8))
    #expect(resolved([0, 1], .original, bytes) == Array("a b  e".utf8))
  }

  @Test("What would read as a mark beside its neighbours is refused")
  func refused() {
    let bytes = Array("{++`++} {==a`==} b".utf8)
    #expect(resolved([0], .clean, bytes) == nil)
    #expect(resolved([0], .original, bytes) == Array(" {==a`==} b".utf8))
    #expect(resolved([0, 1], .clean, bytes) == Array("` a` b".utf8))
  }
}

extension [UInt8] {
  /// Whether it is a text, or, where that spells marks, has no marks but empty comments and reads as that text.
  fileprivate func reads(as text: [UInt8]) -> Bool {
    if Reading(of: text).marks.isEmpty { return self == text }
    let reading = Reading(of: self)
    return reading.text(.markup, of: self) != text && reading.text(.clean, of: self) == text
      && reading.text(.original, of: self) == text
      && reading.marks.allSatisfy { $0.kind == .comment && $0.content.isEmpty }
  }
}

@Suite("Lines and columns of a text", .timeLimited) struct LineCursorTests {
  @Test("Lines end with LF, CRLF and CR, and columns count Unicode scalars")
  func places() {
    let bytes = Array("aé😀b\r\nc\rd\n\ne".utf8)
    var cursor = LineCursor(bytes)
    let places = bytes.indices.map { cursor.place(of: $0) }
    #expect(places.map(\.line) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5])
    #expect(places.map(\.column) == [1, 2, 3, 3, 4, 4, 4, 4, 5, 5, 1, 2, 1, 2, 1, 1])
  }
}

@Suite("The record of changes in the front matter", .timeLimited) struct ChangeRecordTests {
  private func recorded(
    _ text: String,
    _ variant: Variant = .markup,
    on date: String = "2026-11-24"
  )
    -> String?
  {
    Array(text.utf8).exported(variant, recordedOn: date).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let record = """
      edit_date: 2026-11-24
      changes_total: 2
      changes_commented: 1
      changes_uncommented: 1

    """
  private static let table = """
    edit_date = 2026-11-24
    changes_total = 2
    changes_commented = 1
    changes_uncommented = 1

    """
  private static let members =
    #""edit_date": "2026-11-24", "changes_total": 2, "changes_commented": 1, "changes_uncommented": 1"#
  private static let body = "a {++b++} {--c--}{>>d<<}{==e==}\n"

  @Test(
    "It is put in, and whatever else stands there stays",
    arguments: [
      ("", "---\ncriticmark:\n\(record)---\n"),
      ("---\ntitle: t\n...\n", "---\ntitle: t\ncriticmark:\n\(record)...\n"),
      (
        "---\ncriticmark:\n    tracking: true\nx: y\n---\n",
        "---\ncriticmark:\n    tracking: true\n"
          + record.replacing("  ", with: "    ") + "x: y\n---\n"
      ),
      (
        "---\ncriticmark:\n  edit_date: 2020-01-01\n  changes_total: 9\n---\n",
        "---\ncriticmark:\n\(record)---\n"
      ),
      (
        "---\ncriticmark: {tracking: true, changes_total: 9}\n---\n",
        "---\ncriticmark: {tracking: true, changes_total: 2, edit_date: 2026-11-24, "
          + "changes_commented: 1, changes_uncommented: 1}\n---\n"
      ),
      ("\u{FEFF}---\na: b\n---\n", "\u{FEFF}---\na: b\ncriticmark:\n\(record)---\n"),
      ("+++\na = 1\n+++\n", "+++\na = 1\n[criticmark]\n\(table)+++\n"),
      (
        "---toml\n[criticmark]\ntracking = true\nchanges_total=9\n[b]\nc = 1\n---\n",
        "---toml\n[criticmark]\ntracking = true\nchanges_total = 2\nedit_date = 2026-11-24\n"
          + "changes_commented = 1\nchanges_uncommented = 1\n[b]\nc = 1\n---\n"
      ),
      (
        "+++\ncriticmark = {tracking = true}\n+++\n",
        "+++\ncriticmark = {tracking = true, edit_date = 2026-11-24, changes_total = 2, "
          + "changes_commented = 1, changes_uncommented = 1}\n+++\n"
      ),
      ("{\n\t\"a\": 1\n}\n", "{\n\t\"criticmark\": {\(members)},\n\t\"a\": 1\n}\n"),
      (
        "---json\n{\n  \"a\": 1\n}\n---\n",
        "---json\n{\n  \"criticmark\": {\(members)},\n  \"a\": 1\n}\n---\n"
      ),
      (
        "\u{FEFF}{\n\"criticmark\": {\"changes_total\": 9},\n\"a\": 1\n}\n",
        "\u{FEFF}{\n\"criticmark\": {\"changes_total\": 2, \"edit_date\": \"2026-11-24\", "
          + "\"changes_commented\": 1, \"changes_uncommented\": 1},\n\"a\": 1\n}\n"
      ),
    ]
  )
  func put(_ old: String, _ new: String) {
    #expect(recorded(old + Self.body) == new + Self.body)
    #expect(recorded(new + Self.body) == new + Self.body, "written once more it is the same")
  }

  @Test("Its lines end as the others do")
  func lineEnds() {
    let text = recorded("---\r\na: b\r\n---\r\n{++c++}\r\n")
    #expect(text?.replacing("\r\n", with: "").contains("\n") == false)
  }

  @Test("A text without changes keeps its record, so that an export of an export is the same")
  func kept() throws {
    let clean = try #require(recorded(Self.body, .clean))
    #expect(clean.contains("changes_total: 2"))
    #expect(recorded(clean, .clean, on: "2027-01-01") == clean)
    #expect(recorded("a\n")?.contains("changes_total: 0") == true)
  }

  @Test("Nothing is written where it would be no YAML", arguments: ["true", "{\n  a: b}"])
  func refused(_ value: String) {
    #expect(recorded("---\ncriticmark: \(value)\n---\n") == nil)
  }

  @Test(
    "Nor where it would be no TOML, or no JSON",
    arguments: [
      "+++\ncriticmark.tracking = true\n+++\n", "+++\ncriticmark = true\n+++\n",
      "{\n\"criticmark\": {\n}\n}\n", "---json\n[\n]\n---\n", "---json\n{\n}\n---\n",
    ]
  )
  func refusedElsewhere(_ text: String) {
    #expect(recorded(text) == nil)
  }
}

@Suite("Front matter", .timeLimited) struct FrontMatterTests {
  @Test(
    "It ends after the line that closes it",
    arguments: [
      ("---\na: b\n---\n", "c"), ("---\na: b\n...\n", "c"), ("---\r\na: b\r\n--- \r\n", "c"),
      ("---\n---\n", ""), ("---yaml\na: b\n...\n", ""), ("---toml\n\na = 1\n---\n", "---\n"),
      ("---json\n{}\n---\t\n", ""), ("+++\na = 1\n+++", ""), ("+++\n\n+++\n", "+++\n"),
      ("+++\n---\n+++\n", ""), ("{\n\"a\": 1\n}\n", "}\n"), ("{\r\n  \"a\": {\r\n}\r\n}\r\n", "}"),
      ("{\n\"a\": \"}\"\n}\n", ""), ("{\n\"a\": {\n}\n", "c"), ("{\n\"a\": \"\\\"{\"\n}", ""),
    ]
  )
  func ends(_ front: String, _ rest: String) {
    for mark in ["", "\u{FEFF}"] {
      let bytes = Array((mark + front + rest).utf8)
      #expect(frontMatter(of: bytes) == 0..<(mark + front).utf8.count)
      #expect(Text(bytes).frontMatter == frontMatter(of: bytes))
    }
  }

  @Test(
    "What only begins like it is text",
    arguments: [
      "", "---", "---\n", "---\n\na\n---\n", "---\na\n", " ---\na\n---\n", "----\na\n----\n",
      "---css\na\n---\n",
      "---toml\na\n...\n", "+++", "+++\na\n---\n", "+++\na\n+++}\n", "{+++\na\n+++\n",
      "++\na\n++\n", "{", "{\n}\n",
      "{\na\n}\n", "{\n\"a\"\n", "{\n\"a\" }\n", "{\"a\": 1}\n", "{ \"a\"\n}\n", "{++\n\"a\"\n}\n",
      "{\n\n\"a\"\n}\n",
      "a\n---\nb\n---\n", "\u{FEFF}", "\u{FEFF}\u{FEFF}---\na\n---\n",
    ]
  )
  func none(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(frontMatter(of: bytes).isEmpty)
    #expect(Text(bytes).frontMatter.isEmpty)
  }

  @Test("It can be longer than what is looked at first")
  func long() {
    for (opening, line, closing) in [("---\n", "a: b\n", "---\n"), ("{\n", "\"a\": 1,\n", "}\n")] {
      let front = Array((opening + String(repeating: line, count: 2000) + closing).utf8)
      #expect(Text(front + Array("text".utf8)).frontMatter == front.indices)
    }
  }

  @Test(
    "It can ask for tracking, in each of its languages",
    arguments: [
      "---\ncriticmark: {tracking: true}\n---\n", "---\ncriticmark:\n  tracking: true\n---\n",
      "+++\n[criticmark]\ntracking = true\n+++\n", "+++\ncriticmark.tracking=true\n+++\n",
      "+++\ncriticmark = { tracking = true }\n+++\n",
      "---toml\n[a]\nb=1\n[ criticmark ]\ntracking= true\n---\n",
      "{\n\"criticmark\": {\"tracking\": true}\n}\n",
      "{\r\n  \"a\": {},\r\n  \"criticmark\" : {\r\n    \"tracking\": true\r\n  }\r\n}\r\n",
      "---json\n{\"criticmark\":{\"tracking\":true}}\n---\n",
      "---\r\na: b\r\ncriticmark:   # c\r\n\r\n  # d\r\n    x: y\r\n    tracking: true # e\r\n---\r\n",
      "---\n\"criticmark\" :\n\t'tracking': \"true\"\n...\n",
      "---\ncriticmark: {a: {b: c, d: [e, {f: g}]}, # h\n  \"tracking\":true}\n---\n",
      "---\n{criticmark: {tracking: true}}\n---\n",
      "---\ncriticmark:\n  {tracking: true}\n---\n",
      "---\ncriticmark: # a\n  {\n  b: c,\n  tracking: true}\n---\n",
      "---\ncriticmark: !!map {tracking: true}\n---\n",
      "---\ncriticmark: &a {b: !!str c, tracking: !!bool true}\n---\n",
      "---\ncriticmark: &a !!map # b\n  tracking: true\n---\n",
      "---\na: 'b''# {'\ncriticmark: {tracking: true\n---\n",
      "+++\n[criticmark] # a\nb = \"\"\"\n[c]\n\"\"\"\n\"tracking\" = true # d\n+++\n",
      "+++\ncriticmark = {a = [1, {b = 2}], tracking = true}\n+++\n",
      "{\n\"a\": [\"}\", {\"b\": 1}],\n\"criticmark\": {\"x\": {}, \"tracking\": true}\n}\n",
    ]
  )
  func asks(_ text: String) {
    for mark in ["", "\u{FEFF}"] {
      #expect(frontMatterAsksForTracking(Array((mark + text).utf8)))
      let refused = text.replacing("true", with: "false")
      #expect(!frontMatterAsksForTracking(Array((mark + refused).utf8)))
      #expect(!frontMatterAsksForTracking(Array((mark + "a\n" + text).utf8)))
      for (name, other) in [
        ("criticmark", "other"), ("criticmark", "mycriticmark"), ("tracking", "mytracking"),
        ("tracking", "tracking.x"), ("true", "trueish"),
      ] {
        let changed = text.replacing(name, with: other)
        #expect(!frontMatterAsksForTracking(Array((mark + changed).utf8)), "\(changed)")
      }
    }
  }

  @Test(
    "What is commented out, is in a value, or belongs to another key asks for nothing",
    arguments: [
      "---\ncriticmark:\n  # tracking: true\n---\n",
      "---\n# criticmark: {tracking: true}\na: b\n---\n",
      "---\ncriticmark: {x: 1} # {tracking: true}\n---\n",
      "---\ncriticmark: # {tracking: true}\n---\n",
      "---\ncriticmark: {# tracking: true\n}\n---\n", "---\ncriticmark:\n  mytracking: true\n---\n",
      "---\ncriticmark:\n  a:\n    tracking: true\n---\n",
      "---\ncriticmark: {a: {tracking: true}}\n---\n",
      "---\na:\n  criticmark:\n    tracking: true\n---\n",
      "---\na: {criticmark: {tracking: true}}\n---\n",
      "---\ncriticmark:\n  note: |\n    tracking: true\n---\n",
      "---\ncriticmark:\n  note: \"tracking: true\"\n---\n",
      "---\ncriticmark:\n  note: tracking: true\n---\n",
      "---\ncriticmark: {note: 'x, tracking: true'}\n---\n",
      "---\ncriticmark: |\n  tracking: true\n---\n",
      "---\ncriticmark:\nb:\n  tracking: true\n---\n",
      "---\ncriticmark:\ntracking: true\n---\n",
      "---\r\ncriticmark:\r\n  #tracking: true\r\n---\r\n",
      "---\ncriticmark: [{tracking: true}]\n---\n", "---\n- criticmark: {tracking: true}\n---\n",
      "+++\n[criticmark]\n# tracking = true\n+++\n", "+++\n# [criticmark]\ntracking = true\n+++\n",
      "+++\n[criticmark.a]\ntracking = true\n+++\n", "+++\n[a.criticmark]\ntracking = true\n+++\n",
      "+++\n[[criticmark]]\ntracking = true\n+++\n",
      "+++\n[criticmark]\na = \"\"\"\ntracking = true\n\"\"\"\n+++\n",
      "+++\n[criticmark]\na = 'tracking = true'\n[b]\ntracking = true\n+++\n",
      "+++\ncriticmark.a.tracking = true\n+++\n",
      "+++\ncriticmark = {a = {tracking = true}}\n+++\n",
      "{\n\"a\": {\"criticmark\": {\"tracking\": true}}\n}\n",
      "{\n\"criticmark\": {\"a\": {\"tracking\": true}}\n}\n",
      "{\n\"criticmark\": {\"a\": \"tracking: true\", \"b\": \"\\\"tracking\\\":true\"}\n}\n",
      "{\n\"criticmark\": [{\"tracking\": true}]\n}\n",
    ]
  )
  func asksNothing(_ text: String) {
    #expect(!frontMatterAsksForTracking(Array(text.utf8)))
    let bytes = Array(text.replacing("tracking", with: "attribution").utf8)
    #expect(frontMatterValue(of: "attribution", in: bytes) != "true")
  }

  @Test("Anything can be front matter, and is read without an end")
  func anything() {
    let parts = [
      "criticmark", "tracking", "true", ":", ": ", "=", " = ", "{", "}", "[", "]", ",", "\"", "'",
      "#",
      " # ", "\n", "\r\n", "  ", "\\", ".", "\"\"\"", "''", "-", "|", "é",
    ]
    forAll(
      runs(500),
      length: 30,
      step: { parts.randomElement(using: &$0) ?? "" },
      law: { _, steps in
        for fence in ["---", "+++", "---toml", "---json"] {
          let end = fence == "+++" ? fence : "---"
          let text = "\(fence)\n\(steps.joined())\n\(end)\n"
          _ = frontMatterAsksForTracking(Array(text.utf8))
        }
        return nil
      }
    )
    let deep = String(repeating: "{a: [", count: 20_000)
    #expect(!frontMatterAsksForTracking(Array("---\n\(deep)\n---\n".utf8)))
  }
}
