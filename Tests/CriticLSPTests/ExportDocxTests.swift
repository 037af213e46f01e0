import Foundation
import TestSupport
import Testing

@testable import CriticLSP

/// Whether there is pandoc, without which nothing is made here.
private let hasPandoc = Shell.has("pandoc")

@Suite("Word documents of texts", .enabled(if: hasPandoc, "there is no pandoc"), .timeLimited)
struct ExportDocxTests {
  /// The Word document of a text.
  private func document(of text: String, _ options: String...) throws -> WordOracle {
    let folder = try Folder()
    try folder.write("a.md", text)
    let arguments = ["export", "--to", "docx", "-o", "out.docx"] + options + ["a.md"]
    let outcome = try folder.run(arguments)
    try #require(outcome.code == 0, "\(outcome.errors)")
    return try WordOracle(folder.bytes("out.docx"))
  }

  /// What pandoc makes of a variant of a text.
  private func plain(_ variant: String, of text: String) throws -> [String] {
    let folder = try Folder()
    try folder.write("a.md", text)
    _ = try folder.run("export", variant, "-o", "plain.md", "a.md")
    let line =
      "pandoc -f markdown-smart+lists_without_preceding_blankline plain.md -o plain.docx"
    let outcome = try Shell.run(line, in: folder)
    try #require(outcome.code == 0, "\(outcome.output)")
    return try WordOracle(folder.bytes("plain.docx")).lines(.none)
  }

  /// Checks that the document of a text is that of its clean text once accepted, and that of its original one rejected,
  /// and that it is well-formed.
  @discardableResult
  private func check(_ text: String) throws -> WordOracle {
    let document = try document(of: text)
    #expect(try document.lines(.accept) == plain("--clean", of: text), "\(text)")
    #expect(try document.lines(.reject) == plain("--original", of: text), "\(text)")
    try checkForm(of: document)
    return document
  }

  private func checkForm(of document: WordOracle) throws {
    let roots = [document.document] + (document.footnotes.map { [$0] } ?? [])
    let all = roots.flatMap(\.all)
    let once = [
      "w:ins", "w:del", "w:pPrChange", "w:commentRangeStart", "w:bookmarkStart",
    ]
    let ids = all.filter { once.contains($0.name) }.compactMap { $0["w:id"] }
    #expect(Set(ids).count == ids.count)
    let comments = try document.part("word/comments.xml")?.elements.compactMap { $0["w:id"] } ?? []
    for name in ["w:commentRangeStart", "w:commentRangeEnd", "w:commentReference"] {
      #expect(
        all.filter { $0.name == name }.compactMap { $0["w:id"] }.sorted() == comments.sorted()
      )
    }
    for change in all where change.name == "w:ins" || change.name == "w:del" {
      #expect(!change.elements.contains { $0.name.hasPrefix("w:comment") })
      #expect(!change.elements.contains { $0.name == "w:ins" || $0.name == "w:del" })
    }
    for (name, order) in [("w:pPr", XML.paragraphProperties), ("w:rPr", XML.runProperties)] {
      for properties in all where properties.name == name {
        let ranks = properties.elements.map { order.firstIndex(of: String($0.name.dropFirst(2))) }
        #expect(!ranks.contains(nil), "\(properties.written)")
        #expect(
          ranks.compactMap(\.self) == ranks.compactMap(\.self).sorted(),
          "\(properties.written)"
        )
      }
    }
  }

  @Test(
    "Accepted it is the document of the clean text, rejected that of the original one",
    arguments: [
      "The {~~red~>blue~~} hen{++ sat++}{-- down--}.\n",
      "The {~~*red*~>**blue**~~} hen *that {++really ++}sat* {++*so*++}down.\n",
      "*one {--two* three--}{++four*++} five\n",
      "One.{++\n\nTwo.++}\n\nThree.\n",
      "One.\n\n{++Two.\n\n++}Three.\n",
      "One.\n\n{++Two.++}\n\nThree.\n",
      "One.\n\n{--Two.--}\n\nThree.\n",
      "One.\n\n{--Two.--}\n",
      "{--One.\n\n--}Two.\n",
      "Joined{--\n\n--}{++ ++}here.\n\nSplit{++\n\n++}{-- --}there.\n",
      "One {~~two.\n\nThree~>four.\n\nFive.\n\nSix~~} seven.\n",
      "- one\n{++- two\n++}- three\n{--- four\n--}- five\n",
      "- one\n  - {~~two~>three~~}\n{++  - four\n++}- five\n",
      "1. one\n{--2. two\n--}{~~3~>2~~}. three\n\nText.\n\n{++1. another\n2. list\n\n++}End.\n",
      "{--- one\n- two\n\n--}Text.\n\n1. three\n",
      "{++# ++}Title\n\n{--## --}Text.\n\n{~~#~>##~~} Heading\n",
      "# A {~~red~>blue~~} hen {#hen}\n\n{--## Old section\n\nIts text.\n\n--}{++## New section {#new}\n\n++}Text.\n",
      "| a | b |\n|---|---|\n| c | d{++ x++} |\n{++| n | m |\n++}| e | f |\n{--| g | h |\n--}| i | j |\n",
      "| a | b |\n|---|---|\n| {~~c~>x~~} | {++d++} |\n",
      "Text.\n\n{++| a | b |\n|---|---|\n| c | d |\n\n++}Text.\n\n{--| a | b |\n|---|---|\n| c | d |\n\n--}End.\n",
      "One{--\n\n| a | b |\n|---|---|\n| c | d |\n\n--}two.\n",
      "A[^1], {++b[^2], ++}{--c[^3], --}d.\n\n[^1]: The {~~first~>one~~}.\n\n[^2]: Second.\n\n[^3]: *Third*.\n",
      "A{++[^2]++} note{--[^1]--}.\n\n{--[^1]: Old.\n\n--}{++[^2]: New.\n\n++}End.\n",
      "`co{--de` and `--}more`, {++`new`++}.\n\n```python\nx = 1\n```\n\n{++```\nadded\n\nlines\n```\n\n++}End.\n",
      "A [li{++n++}k](http://a.example/x), {--[gone](http://a.example/y)--}{++[new](http://a.example/z)++}.\n",
      "中文{++新++}文本，{--没有--}空格的{~~段落~>句子~~}。\n",
      "> quote {++one\n>\n> > nested ++}two\n\n{++> added\n\n++}End.\n",
      "Term\n: {~~Old~>New~~} definition\n\n{++Other\n: More\n\n++}End.\n",
      "Literal \\{++ and \\{-- stay, {++as++} `{++` does.\n",
      "Hard  \n{++break  \n++}line\\\n{--more\\\n--}end.\n",
      "$a {++b++}$ and {--$c$--}{++$d$++}.\n\n---\n\n{++---\n\n++}End.\n",
      "- [ ] task\n- [x] {++done++}\n{++- [ ] new\n++}\n",
      "---\ntitle: The {~~old~>new~~} title\nauthor: Ada\n---\n\nText{++.++}\n",
      "One{++ {--two--} three++} {--four {++five++} six--}.\n",
      "{++All is new.\n++}",
      "{--All is gone.\n--}",
      "Nothing is changed.\n",
      "One.\r\n\r\n{++Two.\r\n\r\n++}Three {--four--}.\r\n",
    ]
  )
  func resolved(_ text: String) throws {
    try check(text)
  }

  @Test("So it is for random texts", arguments: 0..<12)
  func random(_ seed: UInt64) throws {
    try check(Manuscript(of: 1500, mostComments: 3, seed: seed).text)
  }

  @Test("So it is for random marks anywhere in a text", arguments: 0..<12)
  func anywhere(_ seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var text = Array(
      """
      # Hens

      The red *hen* sat[^1].

      - one
      - two

      | a | b |
      |---|---|
      | c | d |

      > A quotation

      ```
      x = 1
      ```

      The end.

      [^1]: Down.

      """.unicodeScalars
    )
    for _ in 0..<4 {
      let start = Int.random(in: 0...text.count, using: &random)
      let end = min(text.count, start + Int.random(in: 0..<40, using: &random))
      let stretch = text[start..<end]
      guard !stretch.contains("{"), !stretch.contains("}") else { continue }
      let (opener, closer) =
        [("{++", "++}"), ("{--", "--}"), ("{==", "==}{>>why<<}"), ("{~~", "~>new~~}")]
        .randomElement(using: &random) ?? ("", "")
      text.replaceSubrange(
        start..<end,
        with: Array(opener.unicodeScalars) + stretch + closer.unicodeScalars
      )
    }
    try check(String(String.UnicodeScalarView(text)))
  }

  // MARK: Changes

  @Test("Changes say who made them and when, as far as the text does")
  func authors() throws {
    let text =
      "a {++b++}{>>@Ada_Byron | 2026-11-22 10:30<<} c {--d--}{>>@bob<<} e {++f++} g {~~h~>i~~}{>>why<<}\n"
    let changes = try check(text).document.all.filter { $0.name == "w:ins" || $0.name == "w:del" }
    #expect(changes.map { $0["w:author"] } == ["Ada Byron", "bob", "Author", "Author", "Author"])
    #expect(changes.map { $0["w:date"] } == ["2026-11-22T10:30:00Z", nil, nil, nil, nil])
  }

  @Test(
    "Who is named nowhere is who the option names, or the front matter",
    arguments: [
      ("", ["--author", "Carl_Maria"], "Carl Maria"), ("", [], "Author"),
      ("---\ncriticmark: {author: \"Eve \\\"E\\\" X\"}\n---\n\n", [], "Eve \"E\" X"),
      ("---\ncriticmark:\n  author: Eve\n  tracking: true\ntitle: T\n---\n\n", [], "Eve"),
      ("---\ncriticmark: {author: Eve}\n---\n\n", ["--author", "Dan"], "Dan"),
    ]
  )
  func someone(_ front: String, _ options: [String], _ name: String) throws {
    let folder = try Folder()
    try folder.write("a.md", front + "a {++b++}{>>c<<}\n")
    let arguments = ["export", "--to", "docx", "-o", "out.docx"] + options + ["a.md"]
    #expect(try folder.run(arguments).code == 0)
    let document = try WordOracle(folder.bytes("out.docx"))
    #expect(document.document.all.first { $0.name == "w:ins" }?["w:author"] == name)
    #expect(try document.part("word/comments.xml")?.elements.map { $0["w:author"] } == [name])
    #expect(try document.part("docProps/custom.xml")?.elements.isEmpty != false)
    #expect(try document.lines(.accept).last == ": a b")
  }

  @Test("An inserted end of a paragraph is the first of its properties")
  func paragraphMark() throws {
    let document = try check("One.{++\n\nTwo.++}\n")
    let marks = document.document.all.filter { $0.name == "w:rPr" && $0.first("w:ins") != nil }
    #expect(marks.map { $0.elements.first?.name } == ["w:ins"])
  }

  @Test("A heading that becomes text is a change of the paragraph's properties")
  func heading() throws {
    let document = try check("{--# --}Title\n\nText.\n").document
    let change = try #require(document.all.first { $0.name == "w:pPrChange" })
    #expect(change.first("w:pPr")?.first("w:pStyle")?["w:val"] == "Heading1")
  }

  @Test("Rows are inserted and deleted as such")
  func rows() throws {
    let text = "| a |\n|---|\n| b |\n{++| c |\n++}| d |\n{--| e |\n--}| f |\n"
    let rows = try check(text).document.all.filter { $0.name == "w:tr" }
    let states = rows.map { row in
      row.first("w:trPr")?.elements.first { $0.name != "w:tblHeader" }?.name ?? ""
    }
    #expect(states == ["", "", "w:ins", "", "w:del", ""])
  }

  @Test("A deleted footnote keeps its text, as deleted")
  func deletedFootnote() throws {
    let document = try check("A{--[^1]--}.\n\n[^1]: Gone.\n")
    let note = try #require(document.footnotes?.elements.first { $0["w:type"] == nil })
    #expect(note.all.filter { $0.name == "w:delText" }.map(\.text).joined().contains("Gone."))
    #expect(!note.all.contains { $0.name == "w:t" && $0.text.contains("Gone") })
  }

  /// A picture of one dot.
  private static let image: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0,
    0, 1, 0,
    0, 0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78,
    0x9C,
    0x63, 0, 1, 0, 0, 5, 0, 1, 0x0D, 0x0A, 0x2D, 0xB4, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE,
    0x42,
    0x60, 0x82,
  ]

  @Test("An image that is only in the original text is in the document")
  func images() throws {
    let folder = try Folder()
    try folder.write("texts/old.png", Self.image)
    try folder.write("texts/new.png", Self.image + [0])
    try folder.write("texts/a.md", "An {--![old](old.png)--}{++![new](new.png)++} image.\n")
    #expect(try folder.run("export", "--to", "docx", "-o", "b.docx", "texts/a.md").code == 0)
    let document = try WordOracle(folder.bytes("b.docx"))
    #expect(try document.lines(.accept) == [": An <w:drawing[\(Self.image.count + 1)]> image."])
    #expect(try document.lines(.reject) == [": An <w:drawing[\(Self.image.count)]> image."])
    let types = try #require(try document.part("[Content_Types].xml"))
    #expect(
      types.elements.contains {
        $0["Extension"] == "png" || $0["PartName"]?.hasSuffix(".png") == true
      }
    )
  }

  @Test("A table in HTML and an image of a size are in the document")
  func html() throws {
    let folder = try Folder()
    try folder.write("a.png", Self.image)
    let rows = "<tr><td><p>one</p>\n<p>{~~two~>three~~}</p></td>\n<td>*four*</td></tr>"
    let image = "<img src=\"a.png\" style=\"width:1in;height:2in\" />"
    try folder.write("a.md", "<table>\n\(rows)\n</table>\n\nAn \(image) image.\n")
    #expect(try folder.run("export", "--to", "docx", "-o", "b.docx", "a.md").code == 0)
    let document = try WordOracle(folder.bytes("b.docx"))
    let text = try document.lines(.accept).joined(separator: " ")
    for word in ["one", "three", "*four*", "<w:drawing[\(Self.image.count)]>"] {
      #expect(text.contains(word), "\(text)")
    }
    #expect(try document.lines(.reject).joined().contains("two"))
    #expect(document.document.all.contains { $0.name == "w:tbl" })
    let size = try #require(document.document.all.first { $0.name == "wp:extent" })
    #expect(size["cx"] == "914400" && size["cy"] == "1828800")
  }

  @Test("A paragraph that goes on in an item is indented, and no item")
  func goingOn() throws {
    let document = try self.document(of: "- one\n\n    {++more++}\n\n- two\n").document
    let lists = document.all.filter { $0.name == "w:numId" }.map { $0["w:val"] }
    #expect(lists.count == 3 && lists[1] == "0" && lists[0] == lists[2] && lists[0] != "0")
    #expect(document.all.contains { $0.name == "w:ind" && $0["w:left"] == "720" })
  }

  // MARK: Comments

  /// What the range of each comment holds, changes in brackets.
  private func ranges(_ document: WordOracle) -> [String] {
    var open: [String: String] = [:]
    var order: [String] = []
    var ended = Set<String>()
    for element in document.document.all {
      let id = element["w:id"] ?? ""
      switch element.name {
      case "w:commentRangeStart":
        open[id] = ""
        order.append(id)
      case "w:commentRangeEnd": ended.insert(id)
      case "w:t": for id in order where !ended.contains(id) { open[id]? += element.text }
      case "w:delText":
        for id in order where !ended.contains(id) { open[id]? += "-\(element.text)-" }
      default: break
      }
    }
    return order.map { open[$0] ?? "" }
  }

  @Test("A thread is a comment and the answers to it, in one range; a resolved one is done")
  func threads() throws {
    let document = try check(
      "a {==b==}{>>@ada: one<<}{>>@bob | 2026-01-02: two ¶ three<<} c{>>@eve: [resolved] point<<}{>>yes<<} {++d++}{>>e<<}\n"
    )
    let comments = try #require(try document.part("word/comments.xml")).elements
    #expect(
      comments.map { $0.elements.map(\.text) } == [
        ["one"], ["two", "three"], ["point"], ["yes"], ["e"],
      ]
    )
    #expect(comments.map { $0["w:author"] } == ["ada", "bob", "eve", "Author", "Author"])
    #expect(comments.map { $0["w:date"] } == [nil, "2026-01-02T00:00:00Z", nil, nil, nil])
    #expect(comments.map { $0["w:initials"] } == ["a", "b", "e", "A", "A"])
    let paragraphs = comments.map { $0.elements.last?["w14:paraId"] }
    let entries = try #require(try document.part("word/commentsExtended.xml")).elements
    #expect(entries.map { $0["w15:paraId"] } == paragraphs)
    #expect(
      entries.map { $0["w15:paraIdParent"] } == [nil, paragraphs[0], nil, paragraphs[2], nil]
    )
    #expect(entries.map { $0["w15:done"] } == ["0", "0", "1", "1", "0"])
    #expect(ranges(document) == ["b", "b", "", "", "d"])
    let people = try #require(try document.part("word/people.xml")).elements.map {
      $0["w15:author"]
    }
    #expect(Set(people) == ["ada", "bob", "eve", "Author"])
    let types = try #require(try document.part("[Content_Types].xml")).elements.map {
      $0["PartName"]
    }
    for name in ["comments", "commentsExtended", "people"] {
      #expect(types.count { $0 == "/word/\(name).xml" } == 1)
    }
  }

  @Test(
    "A comment is about what it touches",
    arguments: [
      ("a {==b ==}{~~c~>d~~}{== e==}{>>why<<} f", "b -c-d e"),
      ("a {==b ==}{~~c~>d~~}{>>why<<} f", "b -c-d"),
      ("a {~~c~>d~~}{==b==}{>>why<<} f", "b"),
      ("a {==b==} {++c++}{>>why<<} f", "c"),
      ("a {==b {++c++} d==}{>>why<<} f", "b c d"),
      ("a {--b--}{>>why<<} f", "-b-"),
      ("a {>>why<<} f", ""),
      ("a {++b {==c==}{>>why<<} d++} e", "c"),
      ("a {==b\n\nc==}{>>why<<} d", "bc"),
      ("- a\n{++- b\n++}{>>why<<}- c", "b"),
      ("{++a\n\n++}{>>why<<}", "a"),
      ("| {==a==}{>>why<<} |\n|---|\n| b |", "a"),
    ]
  )
  func about(_ text: String, _ range: String) throws {
    #expect(try ranges(check(text + "\n")) == [range])
  }

  @Test("Who made a change is no comment, and a highlight without one is highlighted")
  func attribution() throws {
    let document = try check("a {++b++}{>>@ada<<} {==c==} d\n")
    #expect(try document.part("word/comments.xml")?.elements.isEmpty != false)
    #expect(try document.part("word/commentsExtended.xml") == nil)
    let runs = document.document.all.filter { $0.name == "w:r" }
    let yellow = runs.filter { $0.first("w:rPr")?.first("w:highlight") != nil }
    #expect(yellow.map(\.text) == ["c"])
  }

  @Test("A comment in a footnote stands at the footnote's number, which is said")
  func footnoteComment() throws {
    let folder = try Folder()
    try folder.write("a.md", "A[^1] b.\n\n[^1]: The {==text==}{>>why<<}.\n")
    let outcome = try folder.run("export", "--to", "docx", "-o", "a.docx", "a.md")
    #expect(
      outcome.errors == "critic-lsp: a.md: 1 comment in footnotes stands at the footnote's number\n"
    )
    let document = try WordOracle(folder.bytes("a.docx"))
    try checkForm(of: document)
    let body = try #require(document.document.first("w:body")?.elements.first)
    #expect(body.elements.map(\.name).contains("w:commentRangeStart"))
  }

  @Test("A comment in an address stays near it, which is said")
  func stray() throws {
    let folder = try Folder()
    try folder.write("a.md", "A [link](http://a.exa{>>why<<}mple).\n")
    let outcome = try folder.run("export", "--to", "docx", "-o", "a.docx", "a.md")
    #expect(outcome.errors.contains("1 comment could only be put near the text"))
    try checkForm(of: WordOracle(folder.bytes("a.docx")))
  }

  // MARK: The command

  @Test("The styles are those of a document of the same name, or of the one that is named")
  func styles() throws {
    let folder = try Folder()
    for (name, size) in [("a", "72"), ("other", "96")] {
      _ = try Shell.run(
        "pandoc --print-default-data-file reference.docx > \(name).docx",
        in: folder
      )
      var archive = try ZipArchive(folder.bytes("\(name).docx"))
      let styles = try #require(try archive.contents(of: "word/styles.xml"))
      let changed = String(decoding: styles, as: UTF8.self).replacing(/w:sz w:val="\d+"/) { _ in
        "w:sz w:val=\"\(size)\""
      }
      archive.set("word/styles.xml", Array(changed.utf8))
      try folder.write("\(name).docx", archive.bytes)
    }
    try folder.write("a.md", "a {++b++}\n")
    func sizes(_ options: String...) throws -> Set<String?> {
      let arguments = ["export", "--to", "docx", "-o", "out.docx"] + options + ["a.md"]
      #expect(try folder.run(arguments).code == 0)
      let styles = try #require(try WordOracle(folder.bytes("out.docx")).part("word/styles.xml"))
      return Set(styles.all.filter { $0.name == "w:sz" }.map { $0["w:val"] })
    }
    #expect(try sizes().contains("72"))
    #expect(try sizes("--reference", "other.docx").contains("96"))
    try folder.write("a.docx", "no document")
    #expect(try !sizes().contains("72"))
  }

  @Test("Whatever its style is called, a first paragraph is no other block than one behind it")
  func plainStyles() throws {
    let folder = try Folder()
    _ = try Shell.run("pandoc --print-default-data-file reference.docx > styles.docx", in: folder)
    var archive = try ZipArchive(folder.bytes("styles.docx"))
    let styles = try #require(try archive.contents(of: "word/styles.xml"))
    archive.set("word/styles.xml", styles.replacing("BodyText".utf8, with: "TextBody".utf8))
    try folder.write("styles.docx", archive.bytes)
    try folder.write("a.md", "# Title\n\n{++New.\n\n++}Old.\n")
    let target = ["export", "--to", "docx", "-o", "b.docx"]
    #expect(try folder.run(target + ["--reference", "styles.docx", "a.md"]).code == 0)
    let document = try WordOracle(folder.bytes("b.docx")).document
    #expect(document.all.contains { $0.name == "w:pStyle" && $0["w:val"] == "TextBody" })
    #expect(!document.all.contains { $0.name == "w:pPrChange" })
  }

  @Test("Several texts become documents in a folder, and one goes to standard output too")
  func several() throws {
    let folder = try Folder()
    try folder.write("texts/a.md", "a {++b++}\n")
    try folder.write("texts/more/b.md", "c\n")
    #expect(try folder.run("export", "--to", "docx", "-o", "out/", "texts").code == 0)
    #expect(
      folder.names.filter { $0.hasPrefix("out/") } == ["out/a.docx", "out/more", "out/more/b.docx"]
    )
    #expect(try folder.run("export", "--to", "docx", "-", input: "a\n").output.hasPrefix("PK"))
    let outcome = try folder.run("export", "--to", "docx", "texts")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("name a folder for them with -o"))
  }

  @Test("Nothing is left where it fails, and why is said")
  func failures() throws {
    let folder = try Folder()
    try folder.write("a.md", "a {++b++}\n")
    func fails(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
      let outcome = try folder.run(["export"] + arguments, environment: environment)
      #expect(outcome.code == 2)
      #expect(outcome.output.isEmpty)
      return outcome.errors
    }
    #expect(
      try fails("--to", "docx", "-o", "a.md", "a.md").contains("a.md is the document itself")
    )
    #expect(
      try fails("--to", "docx", "-o", "b.docx", "--reference", "c.docx", "a.md")
        .contains("there is no document c.docx")
    )
    #expect(try fails("--to", "docx", "--clean", "a.md").contains("Use either --to or --clean"))
    #expect(try fails("--author", "x", "a.md").contains("are for --to docx"))
    #expect(try fails("--to", "docx", "-o", "b.docx", "none.md").contains("none.md"))
    try folder.write("c.docx", "no document")
    #expect(try !fails("--to", "docx", "-o", "b.docx", "--reference", "c.docx", "a.md").isEmpty)
    #expect(folder.names == ["a.md", "c.docx"])
  }
}

@Suite("Word documents without pandoc", .timeLimited) struct ExportDocxWithoutPandocTests {
  @Test("Without pandoc, how to install it is said, and no file is left")
  func absent() throws {
    let folder = try Folder()
    try folder.write("a.md", "a {++b++}\n")
    let outcome = try folder.run(
      ["export", "--to", "docx", "-o", "a.docx", "a.md"],
      environment: ["PATH": folder.url.path]
    )
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("apt install pandoc"))
    #expect(folder.names == ["a.md"])
  }
}
