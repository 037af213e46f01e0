import TestSupport
import Testing

@testable import TrackEngine

@Suite("A clean text that somebody rewrote", .timeLimited) struct CleanRewritingTests {
  /// What somebody does to the clean text: at a fraction of it, so many bytes are replaced.
  struct Change: CustomStringConvertible {
    var at: Double
    var count: Int
    var new: String

    var description: String { ".init(at: \(at), count: \(count), new: \(new.debugDescription))" }
  }

  @Test(
    "It is marked exactly, whatever was written in it",
    arguments: LanguageTests.markdownDrafts + LanguageTests.drafts
  )
  func exact(_ draft: LanguageTests.Sample) {
    let words =
      PromiseTests.plainWords + PromiseTests.hostileWords + ["one two", "`x`", ".\n\n"]
      + (draft.language == .markdown ? [] : LanguageTests.signs(of: draft.language))
    forAll(
      runs(300),
      step: { random in
        Change(
          at: Double.random(in: 0...1, using: &random),
          count: Int.random(in: 0...6, using: &random),
          new: words.randomElement(using: &random) ?? ""
        )
      },
      law: { seed, steps in law(draft, steps, isSigned: seed % 2 == 0) }
    )
  }

  private func law(
    _ draft: LanguageTests.Sample,
    _ steps: [Change],
    isSigned: Bool
  ) -> String? {
    let (text, language) = (Array(draft.text.utf8), draft.language)
    let reading = Reading(of: text, as: language)
    var clean = reading.text(.clean, of: text)
    for step in steps {
      let start = Int(step.at * Double(clean.count))
      let end = min(clean.count, start + step.count)
      clean.replaceSubrange(start..<end, with: step.new.utf8)
    }
    // What it spells is what is read, and the new text is one without marks.
    guard Reading(of: clean, as: language).marks.isEmpty, frontMatter(of: clean).isEmpty else {
      return nil
    }
    let author = isSigned ? AuthorName("fmt") : nil
    guard let edits = text.edits(recordingClean: clean, as: language, by: author) else {
      // Half a mark in it can be in the way of the marks that are there.
      if clean.contains(where: "{}".utf8.contains) { return nil }
      return "it cannot be marked: \(String(decoding: clean, as: UTF8.self).debugDescription)"
    }
    let marked = text.applying(edits)
    return marked.hasVariants(reading.text(.original, of: text), clean, as: language)
      ? nil : String(decoding: marked, as: UTF8.self).debugDescription
  }

  @Test("What is as it was needs no edits")
  func same() {
    let text = Array("a {++b++}{>>c<<} {--d--}e\n".utf8)
    #expect(text.edits(recordingClean: Array("a b e\n".utf8)) == [])
  }
}
