import TestSupport
import Testing
import TrackEngine

@Suite("The promises, with random writers", .timeLimited) struct PromiseTests {
  static let drafts = [
    "abcdef", "a {++bc++} d", "a{--bc--}d", "a{~~b~>c~~}d", "a{==bc==}{>>n<<}d",
    "{++a++}{>>n<<}{--b--}", "ab\ncd", "",
    "One.\r\n\r\nTwo {++three++}.\r\n", "é👩‍👩‍👧 {++ü++}🇿🇦 e\u{301}x",
    "Use `code` and ``more`` here.\n", "Before.\n\n```\nlet a = 1\n```\n\nAfter.\n",
    "{++a ++}{--b --}{~~c~>d~~}{==e==}{>>f<<} g", "- one\n- {++two\n- ++}three\n",
  ]
  /// Those whose characters stay what they are when others go beside them.
  static let simpleDrafts = drafts.filter { !$0.unicodeScalars.contains("\u{200D}") }
  /// Long enough for changes to be put into marks apart from the rest of the text.
  static let long = (0..<40).map { number in
    """
    Paragraph \(number) has {++an addition++}, {--a deletion--} and {~~old~>new~~} words with `code`,
    and more of them so that it is as long as paragraphs are, {==some highlighted==}{>>yes<<}.

    ```
    code \(number)
    ```


    """
  }.joined()
  static let simpleWords = ["X", "Y ", "zz", "é", "\n"]
  static let plainWords = simpleWords + ["👍🏽"]
  static let hostileWords = [
    "++}", "~>", "{", "~~", "`", "{++", "--}", "~~}", "{~~", "```", "}", "+", "{==", "<<}", "{>>",
    "\n\n", "x", "{--", "==}", "-", ">", "~", "``",
  ]

  @Test("Original and clean text hold after every pause, whatever is typed", arguments: drafts)
  func plain(_ draft: String) {
    forAll(
      runs(300),
      step: { WriterStep.random(&$0, words: Self.plainWords) },
      law: { _, steps in session(draft, steps) }
    )
  }

  @Test("Original and clean text hold where delimiters are typed as text", arguments: drafts)
  func hostile(_ draft: String) {
    forAll(
      runs(300),
      step: { WriterStep.random(&$0, words: Self.hostileWords) },
      // With a pause after each step, for delimiters typed in one burst are a mark typed by hand.
      law: { _, steps in session(draft, steps, pausing: true) }
    )
  }

  @Test("Original and clean text hold in a text of many passages")
  func passages() {
    forAll(
      runs(60),
      step: { WriterStep.random(&$0, words: Self.plainWords + Self.hostileWords) },
      law: { _, steps in session(Self.long, steps, pausing: true) }
    )
  }

  @Test("They hold where delimiters are eaten and typed into", arguments: simpleDrafts + [long])
  func delimiters(_ draft: String) {
    forAll(
      runs(draft == Self.long ? 30 : 300),
      step: { WriterStep.randomAtDelimiters(&$0, words: Self.simpleWords) },
      law: { _, steps in session(draft, steps) }
    )
  }

  /// Marks that other tools have hung something on; nothing that is typed can touch the text of the first.
  static let foreignDrafts = [
    #"a{--{"author":"x"}@@bc--}{#s1}d{++{"author":"y"}@@ef++}{>>{"author":"z"}@@n<<}{#c1}g"#,
    #"a {--{"author":"x"}@@bc--}{#s1} d {~~{"time":1}@@e~>f~~}[^cn-1] {==gh==}{id="s2" by="y"}{>>@z<<} i"#,
    #"a{--{"author":"x"}@@bc--}{#s1}{++{"author":"x"}@@de++}{++{"author":"y"}@@fg++}{--h--}{#s2}i"#,
  ]

  @Test("They hold where other tools have hung something on marks", arguments: foreignDrafts)
  func foreign(_ draft: String) {
    forAll(
      runs(300),
      step: {
        WriterStep.random(&$0, words: Self.plainWords + Self.hostileWords)
      },
      law: { _, steps in session(draft, steps, pausing: true) }
    )
    forAll(
      runs(300),
      step: { WriterStep.randomAtDelimiters(&$0, words: Self.simpleWords) },
      law: { _, steps in session(draft, steps) }
    )
  }

  @Test("What hangs on a mark that is not touched stays as it is", arguments: foreignDrafts)
  func foreignStays(_ draft: String) {
    let mark = #"{--{"author":"x"}@@bc--}{#s1}"#
    forAll(
      runs(1000),
      step: { WriterStep.random(&$0, words: Self.simpleWords) },
      law: { _, steps in
        var writer = Writer(draft)
        for step in steps + [.pause] {
          if let broken = writer.perform(step) { return broken }
        }
        return writer.text.contains(mark)
          ? nil : "\(writer.text)\n\(writer.log.joined(separator: "\n"))"
      }
    )
  }

  @Test("So they do in the session of a seed that once broke them")
  func passagesOnce() {
    var random = Seeded(seed: 683)
    let words = Self.plainWords + Self.hostileWords
    let steps = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      WriterStep.random(&random, words: words)
    }
    #expect(session(Self.long, steps, pausing: true) == nil)
  }

  @Test("Little is written: what a change takes in new marks is a small multiple of it")
  func thrift() {
    let draft = Self.long.replacing("`code`", with: "code").replacing("```\n", with: "")
    forAll(
      runs(60),
      step: { WriterStep.randomAtDelimiters(&$0, words: Self.plainWords) },
      law: { _, steps in session(draft, steps, isThrifty: true) }
    )
  }

  private func session(
    _ draft: String,
    _ steps: [WriterStep],
    isThrifty: Bool = false,
    pausing: Bool = false
  ) -> String? {
    var writer = Writer(draft, isThrifty: isThrifty)
    for step in steps + [.pause] {
      if let broken = writer.perform(step, pausing: pausing) { return broken }
    }
    return nil
  }
}

@Suite("Undo and redo, with random writers", .timeLimited) struct UndoTests {
  @Test("What is undone or redone is left alone, and what is typed then is marked right")
  func undo() {
    let words = (0..<40).map { "w\($0) " }
    forAll(
      runs(3000),
      length: 16,
      step: { WriterStep.random(&$0, words: words, undoes: true) },
      law: { _, steps in session(steps) }
    )
  }

  private func session(_ steps: [WriterStep]) -> String? {
    var writer = Writer("The {++quick ++}brown {--red --}fox.\nIt {~~runs~>jumps~~}.")
    for step in steps + [.pause] {
      if let broken = writer.perform(step) { return broken }
      switch step {
      case .undo, .redo:
        let text = writer.text
        if let broken = writer.pause() { return broken }
        if writer.isBack, writer.text != text {
          return "6, undo is the user's: \(text) became \(writer.text)"
        }
      case .insert, .type, .remove, .inDelimiter, .pause: break
      }
    }
    return nil
  }
}
