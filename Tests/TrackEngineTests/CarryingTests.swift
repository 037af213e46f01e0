import TestSupport
import Testing

@testable import TrackEngine

@Suite("Marks that are carried onto another text", .timeLimited) struct CarryingTests {
  @Test("Every picture shows what is carried, and what is left", arguments: try specBlocks("carry"))
  func picture(_ block: SpecBlock) throws {
    let (old, new) = (Array(block.frames[0].picture.utf8), Array(block.frames[1].picture.utf8))
    let titles = block.frames.flatMap(\.actions).map(\.text)
    try #require(titles.prefix(2) == ["new", "carried"])
    var options = Carrying.Options()
    options.isRecording = !block.options.contains("plain")
    options.isAppending = block.options.contains("append")
    let carrying = Carrying(of: old, onto: new, options)
    let text = new.applying(carrying.edits)
    #expect(
      String(decoding: text, as: UTF8.self) == block.frames[2].picture,
      sourceLocation: block.location(block.frames[2].line)
    )
    let left = carrying.left.map { "\(carrying.changes[$0.index].kind) \($0.obstacle)" }
    let expected = block.frames.count > 3 ? block.frames[3].picture : ""
    #expect(left.joined(separator: "\n") == expected, sourceLocation: block.location(block.line))
    #expect(Self.broken(old, new, options) == nil, sourceLocation: block.location(block.line))
  }

  /// What is not as promised; nil if all is.
  private static func broken(_ old: [UInt8], _ new: [UInt8], _ options: Carrying.Options) -> String?
  {
    let language = options.language
    let carrying = Carrying(of: old, onto: new, options)
    let text = new.applying(carrying.edits)
    let clean = VariantText(.clean, of: text, as: language)
    let original = VariantText(.original, of: text, as: language)
    func told(_ what: String) -> String {
      "\(what): \(String(decoding: text, as: UTF8.self).debugDescription)"
    }
    let old = carrying.source
    let source = VariantText(.original, of: old, as: language)
    if clean.bytes != VariantText(.clean, of: new, as: language).bytes {
      return told("another clean text")
    }
    if options.isRecording, old.headLength == 0, new.headLength == 0,
      original.bytes != source.bytes
    {
      return told("another original")
    }
    // Every comment is there, or it is told that it is not.
    let left = carrying.left.flatMap(\.comments)
    var there: [[UInt8]: Int] = [:]
    for mark in clean.reading.comments(in: text.indices) {
      there[Array(text[mark.range]), default: 0] += 1
    }
    for mark in source.reading.comments(in: old.indices) {
      let comment = Array(old[mark.range])
      if left.contains(mark) {
        if options.isAppending, there[comment, default: 0] == 0 { return told("not at the end") }
        continue
      }
      guard let count = there[comment], count > 0 else {
        return told("\(String(decoding: comment, as: UTF8.self)) is gone in silence")
      }
      there[comment] = count - 1
    }
    return nil
  }

  @Test(
    "The clean text is the new one, the original the old one, and no comment is lost in silence",
    arguments: LanguageTests.markdownDrafts + LanguageTests.drafts
  )
  func promises(_ draft: LanguageTests.Sample) {
    let language = draft.language
    let words =
      PromiseTests.plainWords + PromiseTests.hostileWords
      + (language == .markdown ? [] : LanguageTests.signs(of: language))
      + ["one two", "`x`", ".\n\n", "{++new++}", "{>>@me: so<<}", "{==", "<<}", "```\n"]
    forAll(
      runs(60),
      step: { random in
        CleanRewritingTests.Change(
          at: Double.random(in: 0...1, using: &random),
          count: Int.random(in: 0...12, using: &random),
          new: words.randomElement(using: &random) ?? ""
        )
      },
      law: { seed, steps in
        let old = Array(draft.text.utf8)
        // Every other new text has some of the marks still.
        var new = seed % 4 == 0 ? old : VariantText(.clean, of: old, as: language).bytes
        for step in steps {
          let start = Int(step.at * Double(new.count))
          new.replaceSubrange(start..<min(new.count, start + step.count), with: step.new.utf8)
        }
        var options = Carrying.Options(language)
        options.isRecording = seed % 2 == 0 || seed % 3 == 0
        options.author = seed % 3 == 0 ? AuthorName("ai:model") : nil
        return Self.broken(old, new, options)
      }
    )
  }

  @Test("Nothing is changed, and everything is carried, where the new text is the clean one")
  func unchanged() {
    for seed in 0..<20 as Range<UInt64> {
      let old = Array(Manuscript(of: 3000, seed: seed).text.utf8)
      let new = VariantText(.clean, of: old).bytes
      for isRecording in [true, false] {
        var options = Carrying.Options()
        options.isRecording = isRecording
        let carrying = Carrying(of: old, onto: new, options)
        let text = String(decoding: new.applying(carrying.edits), as: UTF8.self)
        #expect(carrying.left.isEmpty, "seed \(seed)")
        #expect(text == String(decoding: old, as: UTF8.self), "seed \(seed)")
      }
    }
  }
}
