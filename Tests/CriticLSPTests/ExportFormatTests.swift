import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: export to other formats", .needsPandoc, .timeLimited) struct ExportFormatTests
{
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// What is exported of a document.
  private func export(_ markup: String, to format: String, _ options: String...) throws -> String {
    let outcome = try folder.run(["export", "--to", format] + options + ["-"], input: markup)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output
  }

  @Test("Several files are written into a folder, with the extension of the format")
  func files() throws {
    for name in ["book/a.md", "book/b.md"] { try folder.write(name, "{++\(name)++}\n") }
    for (format, name) in [("html", "a.html"), ("latex", "a.tex"), ("json", "a.json")] {
      #expect(try folder.run("export", "--to", format, "-o", "out/", "book").code == 0)
      #expect(try folder.text("out/\(name)").contains("book/a.md"))
    }
  }

  @Test("It is refused together with what only Markdown has, and never written over the document")
  func refused() throws {
    try folder.write("a.md", "{++x++}")
    for option in ["--clean", "--in-place", "--front-matter", "--suffix=.x"] {
      let outcome = try folder.run("export", "--to", "html", option, "a.md")
      #expect(outcome.code == 2 && outcome.output.isEmpty)
      let name = option.prefix { $0 != "=" }
      #expect(outcome.errors.contains("Use either --to or \(name), not both."))
    }
    let outcome = try folder.run("export", "--to", "html", "-o", "a.md", "a.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("a.md would be written over"))
    #expect(try folder.text("a.md") == "{++x++}")
    #expect(try folder.run("export", "--to", "rtf", "a.md").errors.contains("--to must be"))
  }

  @Test("Without pandoc it says how to install it, and leaves no file")
  func absent() throws {
    try folder.write("a.md", "{++x++}")
    let none = ["PATH": folder.path("nothing")]
    let outcome = try folder.run(
      ["export", "--to", "html", "-o", "a.html", "a.md"],
      environment: none
    )
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("pandoc is not installed. Install it"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.html")))
    try folder.write("old/pandoc", "#!/bin/sh\necho pandoc 1.19.2\n")
    _ = try Shell.run("chmod +x old/pandoc", in: folder)
    let old = ["PATH": folder.path("old") + ":/usr/bin:/bin"]
    #expect(
      try folder.run(["export", "--to", "json", "a.md"], environment: old)
        .errors.contains("pandoc 1.19.2 is too old, 2.17 or newer is needed.")
    )
  }

  @Test("What pandoc warns of is said, once", arguments: ["docx", "html", "latex", "json"])
  func warnings(format: String) throws {
    try folder.write("a.md", "A {~~red~>blue~~} [hen][a].\n\n[a]: x\n[a]: y\n")
    let outcome = try folder.run("export", "--to", format, "-o", "out", "a.md")
    #expect(outcome.code == 0)
    let said = outcome.errors.split(separator: "\n")
    #expect(said.count == 1, "\(outcome.errors)")
    #expect(said.first?.contains("a.md: pandoc: Duplicate link reference") == true)
  }

  // MARK: - The page

  @Test("The page holds the text with its marks, and an entry for each change, linked both ways")
  func page() throws {
    let page = try export(
      "A {~~red~>blue~~}{>>@ada: why<<}{>>[resolved] no<<} hen {>>[resolved] ok<<}{>>yes<<}.\n",
      to: "html"
    )
    #expect(page.contains(#"<del data-change="1">red</del><ins data-change="1">blue</ins>"#))
    #expect(page.contains(##"id="place-1" href="#entry-1""##))
    #expect(page.contains(##"<li id="entry-1""##) && page.contains(##"href="#place-1""##))
    #expect(page.contains("<b>ada</b> why"))
    #expect(page.contains(#"data-authors="" class="resolved""#))
    #expect(page.split(separator: #"class="resolved""#).count == 2)
  }

  @Test("Nothing of the document becomes HTML of the page, unless it is trusted")
  func escapes() throws {
    let draft = """
      {++<b onclick="x()">++} <script>y()</script> [l](javascript:z) {>>@a: <i>"'&<<}

      <div onclick="x()" class="only-ins">d</div>

      ![p](http://example.org/p.png "t") {--</script>--} `</style>`{.c onclick=x}

      """
    let page = try export(draft, to: "html")
    let body = try #require(page.components(separatedBy: "<body>").last)
    let main = try #require(body.components(separatedBy: "</main>").first)
    let signs = [
      "<b on", "<script>y", "javascript:", "<i>", "<div on", "<code on", "src=\"http",
      "class=\"only",
    ]
    for sign in signs {
      #expect(!main.contains(sign), "\(sign)")
    }
    #expect(body.components(separatedBy: "</script>").count == 3)
    let script = Array(ReviewPage.script.utf8)
    #expect(page.contains("script-src 'sha256-\(script.sha256.base64)';"))
    #expect(page.contains("<script>\(ReviewPage.script)</script>"))
    let trusted = try export(draft, to: "html", "--trust-html")
    #expect(trusted.contains("<script>y()</script>"))
    #expect(!trusted.contains("Content-Security-Policy"))
  }

  @Test("Pictures beside the document are in the page")
  func pictures() throws {
    try folder.write("book/a b.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    try folder.write("book/secret.txt", "not a picture")
    try folder.write("book/a.md", "![x](a%20b.svg) ![y](secret.txt) ![z](/etc/hostname)\n")
    let page = try folder.run("export", "--to", "html", "book/a.md").output
    #expect(page.contains("data:image/svg+xml;base64,"))
    #expect(page.components(separatedBy: "<img").count == 2)
  }

  @Test(
    "Bytes are written in base 64",
    arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("fooba", "Zm9vYmE=")]
  )
  func base64(_ text: String, _ written: String) { #expect(Array(text.utf8).base64 == written) }

  // MARK: - Filters

  @Test("The filter of docs/pandoc.md underlines, strikes out and makes notes")
  func filter() throws {
    let guide = try Repository.text("docs/pandoc.md")
    let filter = try #require(guide.components(separatedBy: "```lua\n").last)
    try folder.write("changes.lua", try #require(filter.components(separatedBy: "```").first))
    try folder.write("a.json", try export("A {~~b~>c~~}{>>@ada: why<<}.\n", to: "json"))
    let made = try Shell.run("pandoc -f json -L changes.lua -t markdown a.json", in: folder)
    #expect(made.output == "A [^1]~~b~~[c]{.underline}.\n\n[^1]: **ada:** why\n")
  }

  // MARK: - LaTeX

  /// A document with all that LaTeX has rules of its own for.
  private let delicate = """
    ---
    title: T & *x*
    ---

    # A {++new [link](http://x.y)++} {--old `code`--} {~~a~>b~~}{>>@ada: 50% of #1 {x} \\ ~ ^ <y><<}

    Text {++with a note[^1], $x^2$ and **bold *it*** & 100% `a_b{`++} {--[l](http://a.b/c_d) `x y` **b**--}.

    {==high `c`[^2] **b**==}{>>@Bob_X: c<<} {++two

    paragraphs++}

    [^1]: Foot {++note++} {--x--} {>>@ada: in a note<<}

    [^2]: Plain.

    > {++quote
    > two++}

    | a | b |
    |---|---|
    | c {++x++}{>>cell<<} | {==d==}{>>e<<} |
    {++| e | f |
    ++}
    {++
    - item **x**

    ```python
    x = 1 # {%}
    ```
    ++}

    """

  @Test("Changes and comments are commands of the package changes, by their authors")
  func latex() throws {
    let text = try export(delicate, to: "latex").split(separator: "\n").joined(separator: " ")
    #expect(text.contains(#"\usepackage[commandnameprefix=ifneeded]{changes}"#))
    #expect(text.contains(#"\definechangesauthor[name={ada}]{author1}"#))
    #expect(text.contains(#"\definechangesauthor[name={Bob X}]{author2}"#))
    #expect(text.contains(#"\replacedby{1}{b}{a}"#))
    #expect(text.contains(##"50\% of \#1 \{x\} \textbackslash{} \textasciitilde{}"##))
    #expect(text.contains(#"\highlight[id=author2]{high \texttt{c}}\footnote{Plain.}\highlight"#))
    #expect(text.contains(#"\comment[id=author2]{c}"#))
    let signs = text.replacing("\\{", with: "").replacing("\\}", with: "")
    #expect(signs.count { $0 == "{" } == signs.count { $0 == "}" })
  }

  @Test(
    "LuaLaTeX makes a document of it",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/latexmk"),
      "latexmk is not installed"
    )
  )
  func compiled() throws {
    try folder.write("a.tex", try export(delicate, to: "latex"))
    let made = try Shell.run(
      "latexmk -lualatex -interaction=nonstopmode -halt-on-error a.tex > out 2>&1 || grep -A9 '^!' out",
      in: folder
    )
    #expect(FileManager.default.fileExists(atPath: folder.path("a.pdf")), "\(made.output)")
  }
}
