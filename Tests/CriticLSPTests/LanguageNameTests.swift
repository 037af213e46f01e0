import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Which language a document is in", .timeLimited) struct LanguageNameTests {
  /// Where `y` is typed at the end of a word between two quotations, and what becomes of it.
  private static let quotations = "``one'' two ``three''\n"
  private static let marked = "``one'' two{++y++} ``three''\n"

  @Test(
    "The editor's word decides, and else the extension of the file",
    arguments: [
      ("latex", "a.md", Language.latex), ("tex", "a", .latex), ("LaTeX", "a.txt", .latex),
      ("org", "a.md", .org), ("markdown", "a.tex", .markdown), ("plaintext", "a.org", .org),
      ("", "A.TEX", .latex), ("typst", "a.md", .typst), ("text", "tex", .markdown),
      ("", ".org", .markdown), ("", "a.typ", .typst), ("asciidoc", "a", .asciiDoc),
      ("asciidoctor", "a.txt", .asciiDoc), ("", "b/a.adoc", .asciiDoc),
      ("rst", "a", .restructuredText),
      ("restructuredtext", "a", .restructuredText), ("text", "a.rst", .restructuredText),
    ]
  )
  func names(_ id: String, _ file: String, _ language: Language) {
    #expect(Language(id: id, Path(file.utf8)) == language)
    if id.isEmpty { #expect(Language(id: id, nil) == .markdown) }
  }

  @Test("What the editor calls LaTeX is marked by its rules, and read by them on request")
  func server() throws {
    let wire = Wire()
    wire.open(Self.quotations, language: "latex")
    try wire.type("y", before: " ``three")
    try wire.pause()
    #expect(wire.buffer == Self.marked)
    wire.open("\\verb|{++a++}| {++b++}\n", language: "latex")
    let clean = try wire.command("export", #""variant":"clean""#)["result"]
    #expect(clean?.string == "\\verb|{++a++}| b\n")
  }

  @Test("A document that is opened again in another language is read by that one's rules")
  func reopened() throws {
    let wire = Wire()
    let (plain, code) = ("\\verb|a| b\n", "\\verb|{++a++}| b\n")
    for (language, clean) in [("markdown", plain), ("latex", code), ("markdown", plain)] {
      wire.open("\\verb|{++a++}| {++b++}\n", language: language)
      #expect(try wire.command("export", #""variant":"clean""#)["result"]?.string == clean)
      wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
    }
  }

  @Test("On the command line the extension decides")
  func commandLine() throws {
    let folder = try Folder()
    let text = "\\verb|{++a++}| {++b++}\n"
    for name in ["a.tex", "a.md", "b/a.org"] { try folder.write(name, text) }
    #expect(try folder.run("export", "a.tex").output == "\\verb|{++a++}| b\n")
    #expect(try folder.run("export", "a.md").output == "\\verb|a| b\n")
    #expect(try folder.run("changes", "--ext", "tex", "a.tex").output.contains("a.tex:1:16:"))
    #expect(try folder.run("accept", "--in-place", "a.tex").code == 0)
    #expect(try folder.text("a.tex") == "\\verb|{++a++}| b\n")
    try folder.write("new.tex", "\\verb|{++c++}| b\n")
    let marked = "{~~\\verb|{++a++}|~>\\verb|{++c++}|~~} b\n"
    #expect(try folder.run("diff", "a.tex", "new.tex").output == marked)
    #expect(try folder.run("diff", "a.tex", "-", input: folder.text("new.tex")).output == marked)
    for (name, code) in [
      ("a.adoc", "----\n{++a++}\n----\n"), ("a.rst", "a::\n\n  {++a++}\n"),
      ("a.typ", "```c {++a++}```\n"),
    ] {
      try folder.write(name, code + "\n{++b++}\n")
      #expect(try folder.run("export", name).output == code + "\nb\n")
    }
    #expect(try folder.run("export", "b/a.org").output == "\\verb|a| b\n")
  }

  @Test(
    "A change in code is a change of all of it, whichever command marks it",
    arguments: [
      ("md", "`", "`"), ("tex", "\\verb|", "|"), ("org", "=", "="), ("adoc", "+", "+"),
      ("rst", "``", "``"), ("typ", "```c ", "```"),
      ("tex", "\\begin{verbatim}\n", "\n\\end{verbatim}"), ("rst", "\n\n.. code::\n\n  ", "\n\n"),
      ("org", "\n#+begin_src\n", "\n#+end_src\n"), ("adoc", "\n\n....\n", "\n....\n"),
    ]
  )
  func commands(_ end: String, _ opener: String, _ closer: String) throws {
    let folder = try Folder()
    func text(_ code: String) -> String { "It is \(opener){++\(code)++}\(closer) so.\n" }
    let names = ["draft", "draft-ada", "draft-ben"].map { "\($0).\(end)" }
    for (name, code) in zip(names, ["x", "xy", "xz"]) { try folder.write(name, text(code)) }
    let tool =
      #"{"hook_event_name":"PreToolUse","cwd":\#(json(folder.url.path)),"tool_name":"Edit","tool_input":"#
      + #"{"file_path":"\#(names[0])","old_string":"{++x++}","new_string":"{++xy++}"}}"#
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"propose","arguments":"#
      + #"{"path":"\#(names[0])","edits":[{"old":"{++x++}","new":"{++xy++}"}]}}}"#
    for (arguments, input) in [
      (["diff", names[0], names[1], "-o", names[0]], ""),
      (["carry", names[0], names[1], "-o", names[0]], ""),
      (["combine", names[0], names[1], "-o", names[0]], ""),
      (["through", names[0], "--in-place", "--", "sed", "s/x/xy/"], ""),
      (["guard", folder.path(names[0])], tool),
      (["mcp", folder.path(names[0])], call + "\n"),
    ] {
      try folder.write(names[0], text("x"))
      let outcome = try folder.run(arguments, input: input)
      #expect(outcome.code < 2, "\(outcome.errors)")
      let marked = try folder.text(names[0])
      #expect(marked != text("x") && marked != text("xy"), "\(arguments): \(outcome.output)")
      #expect(try folder.run("export", "--original", names[0]).output == text("x"), "\(arguments)")
      #expect(try folder.run("export", names[0]).output == text("xy"), "\(arguments)")
    }
    try folder.write(names[0], text("x"))
    let merged = try folder.run(["merge-driver"] + names)
    #expect(merged.code == 1)
    #expect(try folder.run("changes", "--conflicts", names[1]).output.contains(":"))
    #expect(try folder.run("export", "--original", names[1]).output == text("x"))
    // As git calls it, the names say nothing.
    for (name, code) in zip(["a", "b", "c"], ["x", "xy", "xz"]) {
      try folder.write(name, text(code))
    }
    #expect(try folder.run("merge-driver", "--path", names[0], "a", "b", "c").code == 1)
    #expect(try folder.text("b") == folder.text(names[1]))
  }
}
