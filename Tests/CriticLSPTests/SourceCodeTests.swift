import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Which documents are tracked", .timeLimited) struct SourceCodeTests {
  private func wire(_ language: String, _ text: String) -> Wire {
    let wire = Wire(
      capabilities: Wire.announcing(
        #""codeAction":{"codeActionLiteralSupport":{}},"publishDiagnostics":{}"#
      )
    )
    wire.open(text, language: language)
    return wire
  }

  private func titles(_ wire: Wire) throws -> [String] {
    let actions = try wire.request(
      "textDocument/codeAction",
      #"{"textDocument":{"uri":"\#(wire.uri)"},"range":\#(wire.range(0..<0)),"context":{"diagnostics":[]}}"#
    )["result"]
    return actions?.elements.compactMap { $0["title"]?.string } ?? []
  }

  @Test(
    "Every text is, whatever the editor calls it",
    arguments: [
      "markdown", "plaintext", "text", "org", "latex", "tex", "asciidoc", "restructuredtext", "rst",
      "typst", "gitcommit", "git-commit", "quarto", "html", "",
    ]
  )
  func texts(_ language: String) throws {
    let wire = wire(language, "one two\n")
    try wire.type("x ", before: "two")
    try wire.pause()
    #expect(wire.buffer == "one {++x ++}two\n")
    #expect(try titles(wire).contains("Stop tracking changes"))
  }

  @Test("Source code is not, and it can't be turned on", arguments: ["c", "python", "Rust", "sh"])
  func sourceCode(_ language: String) throws {
    let wire = wire(language, "for (;; {++i}) {--j;}\nreturn {++k++};\n")
    #expect(wire.messages.published.allSatisfy { $0["diagnostics"]?.count == 0 })
    try wire.type("int x; ", before: "return")
    wire.wait(2000)
    #expect(wire.buffer.contains("\nint x; return"))
    #expect(wire.messages.edits.isEmpty)
    let status = try wire.command("status")["result"]
    #expect(status?["tracking"]?.bool == false)
    #expect(status?["summary"]?.string == "source code")
    #expect(try !titles(wire).contains { $0.hasSuffix(" changes") && $0.contains("rack") })
    let answer = try wire.command("toggleTracking")
    #expect(answer.code == -32_803)
    #expect(answer["error"]?["message"]?.string?.contains("it is source code") == true)
    #expect(try wire.command("toggleTracking", #""on":false"#)["result"]?.bool == false)
  }
}
