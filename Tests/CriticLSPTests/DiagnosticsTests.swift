import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Diagnostics", .timeLimited) struct DiagnosticsTests {
  private static let everything =
    #"{"workspace":{"applyEdit":true},"textDocument":{"publishDiagnostics":"#
    + #"{"relatedInformation":true,"tagSupport":{"valueSet":[1,2]}},"documentSymbol":{},"#
    + #""codeLens":{}}}"#

  private func wire(_ text: String, _ settings: String = #"{"tracking":"on"}"#) -> Wire {
    let wire = Wire(capabilities: DiagnosticsTests.everything, settings: settings)
    wire.open(text)
    return wire
  }

  private func list(_ wire: Wire) throws -> [JSON] {
    Array(try #require(wire.messages.published.last?["diagnostics"]).elements)
  }

  @Test("A change is listed with its range, code, source, and five words around it")
  func change() throws {
    let wire = wire("one two three four five six {++seven++} one two three four five six\nmore\n")
    let diagnostic = try #require(try list(wire).first)
    #expect(diagnostic["range"]?.description == Wire.range(0, 28, 0, 39))
    #expect(diagnostic["severity"]?.integer == 3)
    #expect(diagnostic["code"]?.string == "addition")
    #expect(diagnostic["source"]?.string == "critic")
    let context = "two three four five six […] one two three four five"
    #expect(diagnostic["message"]?.string == "Added “seven” in “\(context)”")
  }

  @Test("Everything is listed in the order of the document, with the version")
  func order() throws {
    let wire = Wire(settings: #"{"tracking":"on"}"#)
    wire.open("{==a==} {--b--} {>>c<<} {~~d~>e~~} {++f++} {++g\n", version: 7)
    #expect(wire.messages.published.map { $0["version"]?.integer } == [7])
    #expect(
      try list(wire).compactMap { $0["code"]?.string } == [
        "highlight", "deletion", "comment", "substitution", "addition", "unclosed-mark",
      ]
    )
  }

  @Test(
    "No more than maxChanges are listed, those nearest to the last edit, and how many more there are"
  )
  func most() throws {
    let wire = wire(
      "{++a++}\n{++b++}\n{++c++}\n{++d++}\n{++e++}\n",
      #"{"tracking":"on","maxChanges":2}"#
    )
    func told() throws -> [String] { try list(wire).compactMap { $0["message"]?.string } }
    func isNamed(_ names: String...) throws -> Bool {
      let told = try told()
      return told.count == names.count + 1
        && zip(told, names).allSatisfy { $0.hasPrefix("Added “\($1)”") }
        && told.last == "3 more changes are not listed."
    }
    #expect(try isNamed("a", "b"))
    #expect(try list(wire).last?["severity"]?.integer == 3)
    #expect(try list(wire).last?["range"]?.description == Wire.range(2, 0, 2, 0))
    try wire.type("x", before: "e++}")
    wire.wait(10_000)
    #expect(try isNamed("d", "xe"))
    // Who asks gets all.
    #expect(try wire.command("changes")["result"]?.count == 5)
    let symbols = try wire.ask("documentSymbol").elements
    #expect(Array(symbols).count == 2)
    let lenses = try wire.ask("codeLens").elements
    #expect(Array(lenses).count == 2 * 3)
    #expect(try wire.command("status")["result"]?["changes"]?.integer == 5)
  }

  @Test("As many as maxChanges are all listed, and nothing about more")
  func justAll() throws {
    let wire = wire("{++a++} {++b++}\n", #"{"tracking":"on","maxChanges":2}"#)
    #expect(try list(wire).count == 2)
  }

  @Test("With a maxChanges of 0 there are no lists, and who asks still gets all")
  func none() throws {
    let wire = wire("{++a++} {++b++}\n", #"{"tracking":"on","maxChanges":0}"#)
    #expect(try list(wire).isEmpty)
    #expect(try wire.ask("codeLens").count == 0)
    #expect(try wire.command("changes")["result"]?.count == 2)
  }

  @Test(
    "Each kind says what was changed into what",
    arguments: [
      ("{++a++}", "Added “a”"), ("{--a--}", "Deleted “a”"), ("{~~a~>b~~}", "“a” → “b”"),
      ("{==a==}", "Highlighted “a”"), ("{>>a<<}", "Comment “a”"), ("{++a\nb++}", "Added “a⏎b”"),
      ("x {--a--}", "Deleted “a” in “x […]”"), ("{--a--} y\nz", "Deleted “a” in “[…] y”"),
      ("x {>>a<<} y", "Comment “a”"),
      (
        "x {++a++}{>>@jo | 2026-11-20: [tone] b<<}{>>c<<} y",
        "Added “a” · jo: [tone] b\nc\nin “x […] y”"
      ),
      (
        "x {++a++}{>>@anna | 2026-11-20<<}{>>@jo: b<<}",
        "Added “a” · anna, 20 Nov 2026 · jo: b\nin “x […]”"
      ),
      ("x {++a++}{>>@anna<<} y", "Added “a” in “x […] y” · anna"),
    ]
  )
  func messages(_ text: String, _ message: String) throws {
    #expect(try list(wire(text)).map { $0["message"]?.string } == [message])
  }

  @Test("The words around a change are those of the clean text, without marks of others")
  func cleanContext() throws {
    let wire = wire(
      "one {--two --}{++three ++}{>>why?<<}{~~four~>five~~} six {++seven++}{>>@jo<<}, {==eight==} nine"
    )
    let told = try list(wire).compactMap { $0["message"]?.string }.filter { $0.contains("five") }
    #expect(told.contains("Added “seven” in “one three five six […], eight nine” · jo"))
    #expect(told.contains("“four” → “five” in “one three […] six seven, eight nine”"))
  }

  @Test("A long text is cut to a line that can be read")
  func long() throws {
    let message = try list(wire("{++\(String(repeating: "é", count: 500))++}"))[0]["message"]
    #expect(message?.string == "Added “\(String(repeating: "é", count: 40))…”")
  }

  @Test("Long texts without spaces and long characters are never cut inside a character")
  func cuts() throws {
    let family = "👩‍👩‍👧‍👦"
    for text in [
      String(repeating: "字", count: 100) + "{++x++}" + String(repeating: "字", count: 100),
      "a{++" + String(repeating: family, count: 30) + "++}",
    ] {
      let message = try #require(try list(wire(text))[0]["message"]?.string)
      #expect(!message.contains("\u{FFFD}"))
    }
  }

  @Test("The words around a change are those of its line, wherever it is and whatever is there")
  func words() {
    let pieces = [
      "word ", "a ", " ", "  ", "é", "字字 ", "😀", "\t", "\n", "\r\n", "\r", "“quoted” ",
      String(repeating: "x", count: 120), String(repeating: "ö", count: 99),
      String(repeating: "line of a paragraph ", count: 90), String(repeating: "\n", count: 700),
    ]
    forAll(
      runs(300),
      length: 30,
      step: { pieces[Int.random(in: 0..<pieces.count, using: &$0)] },
      law: { (seed, pieces: [String]) -> String? in
        let head = pieces[..<(Int(seed) % (pieces.count + 1))].joined()
        let tail = pieces[(Int(seed) % (pieces.count + 1))...].joined()
        let message = try? list(wire("\(head){++new++}\(tail)")).first?["message"]?.string
        let (before, after) = slowWords(Array(head.utf8), Array(tail.utf8))
        let context = before.isEmpty && after.isEmpty ? "" : " in “\(before)[…]\(after)”"
        let expected = "Added “new”\(context)"
        return message == expected ? nil : "\(message ?? "nothing") instead of \(expected)"
      }
    )
  }

  /// Five words before a place and five after it, of at most 80 Unicode scalars of the line.
  private func slowWords(_ head: [UInt8], _ tail: [UInt8]) -> (String, String) {
    func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
    let lineHead = head[((head.lastIndex(where: isLineBreak) ?? -1) + 1)...]
    let lineTail = tail[..<(tail.firstIndex(where: isLineBreak) ?? tail.count)]
    let before = String(
      String(decoding: lineHead, as: UTF8.self).unicodeScalars.suffix(80)
    )
    let after = String(String(decoding: lineTail, as: UTF8.self).unicodeScalars.prefix(80))
    let wordsBefore = before.split(separator: " ").suffix(5).joined(separator: " ")
    let wordsAfter = after.split(separator: " ").prefix(5).joined(separator: " ")
    return (
      wordsBefore + (before.hasSuffix(" ") && !wordsBefore.isEmpty ? " " : ""),
      (after.hasPrefix(" ") && !wordsAfter.isEmpty ? " " : "") + wordsAfter
    )
  }

  @Test("The thread stands in the message, line by line, and as related information")
  func thread() throws {
    let wire = wire("a {--b--}{>>why?<<}{>>so “that”<<} c\n")
    let diagnostic = try #require(try list(wire).first)
    #expect(diagnostic["message"]?.string == "Deleted “b” · why?\nso “that”\nin “a […] c”")
    #expect(diagnostic["tags"]?.description == "[2]")
    #expect(diagnostic["range"]?.description == Wire.range(0, 2, 0, 9))
    let related = Array(try #require(diagnostic["relatedInformation"]).elements)
    #expect(related.map { $0["message"]?.string } == ["why?", "so “that”"])
    #expect(related.map { $0["location"]?["uri"]?.string } == [wire.uri, wire.uri])
    #expect(related[0]["location"]?["range"]?.description == Wire.range(0, 9, 0, 19))
  }

  @Test("Only deletions are tagged, and only where there is a thread is information related")
  func tags() throws {
    for diagnostic in try list(wire("{++a++} {~~b~>c~~} {==d==}\n")) {
      #expect(diagnostic["tags"] == nil)
      #expect(diagnostic["relatedInformation"] == nil)
    }
  }

  @Test("What was said and is resolved is a dim hint; a change stays what it is")
  func resolved() throws {
    let said = try list(wire("{==a==}{>>@ada: [Resolved] b<<}{>>c<<} {>>[resolved]<<} {>>d<<}\n"))
    #expect(said.map { $0["severity"]?.integer } == [4, 4, 3])
    #expect(said.map { $0["tags"]?.description } == ["[1]", "[1]", nil])
    let change = try #require(try list(wire("{++a++}{>>[resolved] b<<}\n")).first)
    #expect(change["severity"]?.integer == 3)
    #expect(change["tags"] == nil)
  }

  @Test(
    "The setting gives the severity of changes, malformed marks are warnings",
    arguments: [("error", 1), ("warning", 2), ("information", 3), ("hint", 4)]
  )
  func severity(_ name: String, _ number: Int) throws {
    let wire = wire("{++a++} {++b\n", #"{"tracking":"on","severity":"\#(name)"}"#)
    #expect(try list(wire).compactMap { $0["severity"]?.integer } == [number, 2])
  }

  @Test(
    "What is pending is listed as that until it is in marks",
    arguments: [
      ("two", "xtwo", "Not in marks yet: added “x”", 4, 5, "addition"),
      ("two", "", "Not in marks yet: deleted “two”", 4, 4, "deletion"),
      ("two", "ten", "Not in marks yet: “two” → “ten”", 4, 7, "substitution"),
    ]
  )
  func pending(
    _ old: String,
    _ new: String,
    _ summary: String,
    _ start: Int,
    _ end: Int,
    _ code: String
  ) throws {
    let wire = wire("one two three\n")
    let offsets = try wire.offsets(of: old)
    let typed = new.hasSuffix(old) ? offsets.lowerBound..<offsets.lowerBound : offsets
    wire.change([Edit(typed, Array(new.hasSuffix(old) ? "x".utf8 : new.utf8))])
    wire.wait(200)
    let diagnostics = try list(wire)
    #expect(diagnostics.map { $0["code"]?.string } == ["pending"])
    #expect(diagnostics.first?["message"]?.string?.hasPrefix(summary) == true)
    #expect(diagnostics.first?["range"]?.description == Wire.range(0, start, 0, end))
    try wire.pause()
    #expect(try list(wire).map { $0["code"]?.string } == [code])
  }

  @Test("A comment typed by hand is pending no more once the pause is over")
  func handTyped() throws {
    let wire = wire("one {++two++} three\n")
    let end = try wire.offsets(of: "++}").upperBound
    wire.change([Edit(end..<end, Array("{>>why<<}".utf8))])
    wire.wait(200)
    #expect(try list(wire).map { $0["code"]?.string } == ["addition", "pending"])
    wire.wait(2000)
    #expect(try list(wire).map { $0["code"]?.string } == ["addition"])
    #expect(try list(wire).first?["message"]?.string?.hasPrefix("Added “two” · why\n") == true)
  }

  @Test(
    "Malformed marks are warnings that say what to do",
    arguments: [
      ("a {++b\n", "unclosed-mark", 2, 5, "++}"), ("a b++} c\n", "stray-closer", 3, 6, "{++"),
      ("a {~~b~~} c\n", "undivided-substitution", 2, 9, "~>"),
      ("{++a {--b++} c--}\n", "overlapping-marks", 5, 8, "--}"),
      ("a {\u{2014}\u{2014}b--}\n", "lookalike-dash", 2, 5, "{--"),
    ]
  )
  func malformed(_ text: String, _ code: String, _ start: Int, _ end: Int, _ hint: String) throws {
    let found = try list(wire(text)).filter { $0["code"]?.string == code }
    #expect(found.count == 1)
    #expect(found.first?["severity"]?.integer == 2)
    #expect(found.first?["range"]?.description == Wire.range(0, start, 0, end))
    #expect(found.first?["message"]?.string?.contains(hint) == true)
  }

  @Test("Marks in code and escaped ones are neither listed nor malformed")
  func code() throws {
    #expect(try list(wire("`{++a++}` \\{++b\n\n```\n{--c\n```\n")).isEmpty)
  }

  @Test("Typing publishes once, 200 ms after the last key; marks at once")
  func debounced() throws {
    let wire = wire("one two\n")
    #expect(wire.messages.published.count == 1, "at once when it is opened")
    for _ in 1...3 {
      try wire.type("x", before: "two")
      wire.wait(150)
    }
    #expect(wire.messages.published.count == 1)
    wire.wait(50)
    #expect(wire.messages.published.count == 2)
    #expect(wire.messages.published.last?["version"]?.integer == wire.version)
    let request = try #require(wire.wait(750).edits.first)
    #expect(wire.apply(request).published.count == 1)
    wire.wait(60_000)
    #expect(wire.messages.published.count == 3)
  }

  @Test("A long list waits longer: a millisecond for every hundred changes")
  func longList() throws {
    let wire = wire("one\n" + String(repeating: "{++a++} ", count: 3000))
    #expect(wire.messages.published.count == 1)
    try wire.type("x", before: "one")
    wire.wait(229)
    #expect(wire.messages.published.count == 1)
    wire.wait(1)
    #expect(wire.messages.published.count == 2)
    let request = try #require(wire.wait(750).edits.first)
    #expect(wire.apply(request).published.isEmpty)
    #expect(wire.wait(30).published.count == 1)
  }

  @Test("A document that is closed is cleared from the list")
  func cleared() throws {
    let wire = wire("{++a++}\n")
    let sent = wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
    #expect(sent.published.map { $0["uri"]?.string } == [wire.uri])
    #expect(sent.published.first?["diagnostics"]?.description == "[]")
    #expect(wire.wait(60_000).isEmpty)
  }

  @Test("A change of the settings is shown at once")
  func settings() throws {
    let wire = wire("{++a++}\n")
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"severity":"hint"}}}"#
    )
    #expect(try list(wire).map { $0["severity"]?.integer } == [4])
  }

  @Test("Of two changes that are equally near, the one before the last edit is listed")
  func tie() throws {
    let wire = wire(
      "aa{++b++} cc dddd{++e++}\n",
      #"{"tracking":"off","maxChanges":1}"#
    )
    wire.change([Edit(10..<10, Array("x".utf8))])
    wire.wait(10_000)
    #expect(try list(wire).first?["message"]?.string?.hasPrefix("Added “b”") == true)
  }
}
