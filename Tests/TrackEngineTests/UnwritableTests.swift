import TestSupport
import Testing

@testable import TrackEngine

/// The backtick before the marks begins code where another one follows: all that is written behind it with a backtick in
/// a name or a comment would be text.
@Suite("What would not read as meant is left out, and told", .timeLimited) struct UnwritableTests {
  private let tick = AuthorName("x`y")

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("A comparison leaves out a name")
  func comparing() {
    let marked = comparison(
      of: Array("`a red hen".utf8),
      and: Array("`a big hen".utf8),
      as: .markdown,
      author: tick
    )
    #expect(text(marked) == "`a {~~red~>big~~} hen")
  }

  @Test("A recorded change leaves out a name in its paragraph")
  func recording() {
    let (old, new) = (Array("`a red hen\n\nb red hen".utf8), Array("`a big hen\n\nb big hen".utf8))
    let changes = [3, 14].map {
      RecordedChange($0..<$0 + 3, $0..<$0 + 3, attribution: Array("@x`y".utf8))
    }
    let marked = marked(changes, from: old, to: new, as: .markdown)
    #expect(text(marked) == "`a {~~red~>big~~} hen\n\nb {~~red~>big~~}{>>@x`y<<} hen")
  }

  @Test("A mark is not carried where its comment would make code of it, and the others are")
  func carrying() {
    let old = Array("a {++big ++}{>>`why?<<}hen\n\nb {++red ++}fox\n".utf8)
    let new = Array("a `big hen\n\nb red fox\n".utf8)
    var options = Carrying.Options(.markdown)
    options.isRecording = false
    let carrying = Carrying(of: old, onto: new, options)
    let result = new.applying(carrying.edits)
    #expect(carrying.left.map(\.index) == [0])
    #expect(VariantText(.clean, of: result, as: .markdown).bytes == new)
    #expect(text(result).contains("b {++red ++}fox"), "\(text(result))")
  }

  @Test("Of the changes of two copies, one whose name would make code of it is told")
  func combining() throws {
    let copies = try [("`a big hen\n", "x`y"), ("`a red fox\n", "cy")].map {
      Combination.Copy(Array($0.utf8), by: try #require(AuthorName($1)))
    }
    let result = Combination(of: copies, from: Array("`a red hen\n".utf8), as: .markdown)
    #expect(text(result.text) == "`a red {~~hen~>fox~~}{>>@cy<<}\n")
    #expect(result.left.map { text($0.marks) } == ["{~~red~>big~~}{>>@x`y<<}"])
  }

  @Test("Metadata that a text got is not read with what is recorded behind it")
  func comparingBodies() {
    let (old, new) = (Array("---\na: 1\n---\nx`".utf8), Array("---\na: `\n---".utf8))
    let marked = compared(old, new, Carrying.Options(.markdown))
    #expect(VariantText(.clean, of: marked, as: .markdown).bytes == new)
    #expect(VariantText(.original, of: marked, as: .markdown).bytes.suffix(2) == Array("x`".utf8))
  }

  @Test("Roughdraft's comments stay in the endmatter where they would make code of the text")
  func converting() {
    let endmatter = "---\ncomments:\n  c1:\n    body: why` so\n    by: bo\n"
    let text = Array("a ` {++b++}{#s1} c\n\n\(endmatter)".utf8)
    let conversion = DialectConversion(of: text, as: .markdown, to: .criticmark)
    #expect(conversion.losses.contains { if case .endmatter = $0.what { true } else { false } })
    let result = text.applying(conversion.edits)
    #expect(self.text(result).contains("{++b++}"))
    let clean = [text, result].map { VariantText(.clean, of: $0, as: .markdown).bytes }
    #expect(clean[0] == clean[1])
  }
}
