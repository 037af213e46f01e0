import TestSupport
import Testing

@testable import TrackEngine

@Suite("The promises, with random writers", .timeLimited) struct PromiseTests {
  static let drafts = [
    "abcdef", "a {++bc++} d", "a{--bc--}d", "a{~~b~>c~~}d", "a{==bc==}{>>n<<}d",
    "{++a++}{>>n<<}{--b--}", "ab\ncd", "",
    "One.\r\n\r\nTwo {++three++}.\r\n", "é👩‍👩‍👧 {++ü++}🇿🇦 e\u{301}x",
    "Use `code` and ``more`` here.\n", "Before.\n\n```\nlet a = 1\n```\n\nAfter.\n",
    "{++a ++}{--b --}{~~c~>d~~}{==e==}{>>f<<} g", "- one\n- {++two\n- ++}three\n",
    "C\\a{++} and C\\a{++}, \\b{--c} 1{--}2, {==\\d{e}==} {++}++}{--} f {g}--}\n",
    "$\\a + \\b$ and {++\\c++}\\d\\\n^e^{==f==}\\g{#s1}\n| h \\\\\n| i \\\\\n",
  ]
  /// Marks of all kinds, some over several lines.
  static let crossed = """
    # One {--gone --}title

    He said {--no--} and {++then ++}it {~~was~>is~~} over{>>why?<<}, -- and ==so==.
    {--A line that went
    away now.
    --}Next {==line ~~with==}{>>note<<} {++more
    than ++}that.{~~
    Old end.~>
    New end.~~}

    """
  /// Front matter above marks.
  static let described = """
    ---
    title: a
    ---

    The {++big ++}{>>@ada: why<<}hen {--did --}not {~~run~>sleep~~}.

    """
  /// iA Writer's annotations below marks.
  static let annotated = """
    The {++big ++}{>>@ada: why<<}hen {--did --}not {~~run~>sleep~~}.

    ---
    Annotations: 0,4 SHA-256 x
    @Ada: 0,4
    ...

    """
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
    "\n\n", "x", "{--", "==}", "-", ">", "~", "``", "\\", "^", "\\{", "{#x1}", "{\"a\":1}@@",
    "{++}", "{--}", "{---}", "\\a", "} b {",
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

  /// Halves of delimiters, and what looks like them.
  static let signWords =
    plainWords + [
      "+{", "++", "+}", "--", "-", "~~", "~", "~ >", ">", ">>", "==", "=", "<<", "{", "}", "{ ",
      " b",
      "deletion", "old ",
    ]

  @Test(
    "They hold where selections across marks are replaced, however the client reports it",
    arguments: drafts + [crossed, long]
  )
  func selections(_ draft: String) {
    forAll(
      runs(draft == Self.long ? 30 : 300),
      step: { WriterStep.randomSelecting(&$0, words: Self.signWords) },
      law: { _, steps in session(draft, steps, pausing: true) }
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

  /// Changes that somebody has signed, with comments on them.
  static let signedDrafts = [
    "ab {++cd++}{>>@anna<<} ef",
    "a{--bc--}{>>@bo | 2026-11-20<<}{>>@anna: why?<<}{++de++}{>>@anna<<}f",
    "One {~~two~>too~~}{>>@bo<<} {==three {++so ++}{>>@anna<<}four==}{>>@bo: n<<}.\n\nFive {++six++}.\n",
    "- one\n- {++two\n- ++}{>>@bo<<}three `code` and\n\n```\nmore\n```\n",
  ]

  @Test(
    "They hold where authors take turns, and nobody's addition is extended by another",
    arguments: signedDrafts
  )
  func signed(_ draft: String) {
    let authors = ["anna", "bo"]
    forAll(
      runs(300),
      step: { WriterStep.random(&$0, words: Self.plainWords, undoes: false) },
      law: { _, steps in session(draft, steps, authors: authors) }
    )
    forAll(
      runs(300),
      step: { WriterStep.randomAtDelimiters(&$0, words: Self.simpleWords) },
      law: { _, steps in session(draft, steps, authors: authors) }
    )
    forAll(
      runs(300),
      step: { WriterStep.randomSelecting(&$0, words: Self.plainWords) },
      law: { _, steps in session(draft, steps, pausing: true, authors: authors) }
    )
  }

  @Test(
    "They hold where authors take turns and type what looks like marks and code",
    arguments: signedDrafts
  )
  func signedHostile(_ draft: String) {
    forAll(
      runs(300),
      step: { WriterStep.random(&$0, words: Self.plainWords + Self.hostileWords) },
      law: { _, steps in session(draft, steps, pausing: true, authors: ["anna", "bo"]) }
    )
  }

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

  /// Text between marks that nobody is to touch.
  static let apart = (
    text: [
      " One two \\three four. ", " Five $\\six$ Ca^2+ and\\\nseven {#s8} eight. ", " Nine\n\nten. ",
      " Eleven | twelve \\\\\nthirteen [^cn-1] fourteen. ",
    ],
    marks: ["{==hl==}{>>note<<}", "{++x++}{>>@anna: why<<}", "{--y--}{#s1}"]
  )
  /// Words that make no code.
  static let signs =
    plainWords + hostileWords.filter { !$0.contains("`") && !$0.contains("~~") } + ["\\x", "a\\"]

  @Test("Little is written: what a change takes in new marks is a small multiple of it")
  func thrift() {
    let draft = Self.long.replacing("`code`", with: "code").replacing("```\n", with: "")
      .replacing("words with", with: "words \\alpha\\beta^2 with\\")
    forAll(
      runs(60),
      step: { WriterStep.randomAtDelimiters(&$0, words: Self.plainWords + ["\\", "\\x", "^"]) },
      law: { _, steps in session(draft, steps, isThrifty: true) }
    )
  }

  /// Where in a stretch of ``apart`` what is replaced by what, as a fraction of it.
  struct Retyping {
    var stretch: Int
    var place: Double
    var length: Int
    var new: String
  }

  @Test("Marks that a change does not touch keep their bytes, and little is written beside them")
  func apartStays() {
    forAll(
      runs(1000),
      step: { random in
        Retyping(
          stretch: Int.random(in: 0..<Self.apart.text.count, using: &random),
          place: Double.random(in: 0..<1, using: &random),
          length: Int.random(in: 0...6, using: &random),
          new: Self.signs.randomElement(using: &random) ?? ""
        )
      },
      law: { _, steps in Self.retype(steps) }
    )
  }

  private static func retype(_ steps: [Retyping]) -> String? {
    let draft = zip(apart.text, apart.marks + [""]).map { $0 + $1 }.joined()
    var tracker = Tracker(Text(Array(draft.utf8)))
    let original = Reading(of: Array(draft.utf8)).text(.original, of: Array(draft.utf8))
    for step in steps {
      let before = tracker.buffer.bytes
      // The stretch as it is now, without the spaces around it.
      let starts = apart.marks[..<step.stretch].reduce(0) { start, mark in
        before[start...].firstRange(of: Array(mark.utf8))?.upperBound ?? start
      }
      let end =
        step.stretch < apart.marks.count
        ? before[starts...].firstRange(of: Array(apart.marks[step.stretch].utf8))?.lowerBound
        : before.count
      let stretch = starts + 1..<(end ?? starts + 2) - 1
      let clean = VariantText(.clean, of: before, Reading(of: before))
      let places = clean.bytes.indices.compactMap { at -> Range<Int>? in
        let place = clean.hull(of: at..<at + 1)
        return stretch.holds(place) && clean.bytes[at] < 0x80 ? place : nil
      }
      guard !places.isEmpty else { continue }
      let first = Int(step.place * Double(places.count))
      let last = min(places.count - 1, first + step.length)
      let range = places[first].lowerBound..<places[last].lowerBound
      tracker.report(Edit(range, Array(step.new.utf8)))
      let hunks = tracker.hunks
      let marking = tracker.marking()
      if !marking.remaining.isEmpty { return "it stays pending: \(hunks)" }
      guard tracker.land(marking) || marking.edits.isEmpty else { return "the echo is not known" }
      let text = String(decoding: tracker.buffer.bytes, as: UTF8.self)
      for mark in apart.marks where !text.contains(mark) { return "\(mark) is gone: \(text)" }
      let written = marking.edits.reduce(0) { $0 + $1.range.count + $1.new.count }
      if written > 8 * hunks.weight + 64 { return "\(written) bytes for \(hunks): \(text)" }
      let bytes = tracker.buffer.bytes
      if Reading(of: bytes).text(.original, of: bytes) != original {
        return "the original: \(text)"
      }
    }
    return nil
  }

  private func session(
    _ draft: String,
    _ steps: [WriterStep],
    isThrifty: Bool = false,
    pausing: Bool = false,
    authors: [String] = []
  ) -> String? {
    var writer = Writer(draft, isThrifty: isThrifty, authors: authors)
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
      case .insert, .type, .remove, .inDelimiter, .replaceSelection, .pause, .again: break
      }
    }
    return nil
  }
}
