import TestSupport
import Testing

@testable import TrackEngine

@Suite("Code in languages other than Markdown", .timeLimited) struct LanguageTests {
  /// A language, and a text in which `⟦…⟧` is around the code.
  struct Sample: CustomTestStringConvertible {
    var language: Language
    var text: String

    init(_ language: Language, _ text: String) {
      (self.language, self.text) = (language, text)
    }

    var testDescription: String { "\(language): \(text)" }
  }

  static let samples = [
    Sample(.latex, "He said ``so'' and ``not so'' of it, `a' and `b'"),
    Sample(.latex, "a ⟦\\verb|x_1|⟧ b ⟦\\verb*+y+⟧ \\verbatim{z} \\verb|open"),
    Sample(.latex, "⟦\\lstinline|x|⟧ ⟦\\lstinline[language=C]{f(){}}⟧ ⟦\\mintinline{c}{i++}⟧"),
    Sample(.latex, "a \\\\verb|x| b \\\\⟦\\verb|y|⟧"),
    Sample(.latex, "a % \\verb|x| \\verb|y|\n50\\% ⟦\\verb|z|⟧ % \\begin{verbatim}\nb"),
    Sample(.latex, "{\\small⟦\\begin{verbatim}\na\n\n\\begin{verbatim} {++\n\\end{verbatim}⟧} b"),
    Sample(.latex, "⟦\\begin{lstlisting}[language=C]\n\\end{verbatim}\n  \\end{lstlisting}⟧\n"),
    Sample(.latex, "\\begin{center} a \\end{center} ⟦\\begin{minted}{c}\nno end"),
    Sample(.latex, "a\\verb{++b++} {++\\verb++} and \\verb+c++}"),
    Sample(.org, "a ⟦=x=⟧, ⟦~y~⟧ (⟦=z=⟧) x=y=z a = b ⟦=c = d=⟧ =e"),
    Sample(.org, "`a' and `b', ``c'' ``d''"),
    Sample(.org, "a ⟦=x\ny=⟧ b =x\ny\nz= =a\n\nb="),
    Sample(.org, "a\n⟦#+begin_src c\n~x~\n\n#+end_example\n  #+END_SRC⟧\nb\n#+end_src"),
    Sample(
      .org,
      "  ⟦#+BEGIN_EXAMPLE\n#+begin_src\n#+end_example⟧\n a #+begin_src\n#+begin_quote\n"
    ),
    Sample(.org, "#+end_src\n⟦#+begin_export html\n#+end_export x\nno end"),
    Sample(.org, "{++⟦=x=⟧++} {~~⟦=x=⟧~>⟦~y~⟧ z~~} ==x== {==a==}"),
    Sample(.asciiDoc, "⟦`a`⟧, ⟦``b``⟧c (⟦`d\ne`⟧) f`g`h \"`i`\" \\`j` `k\n\nl` ` m ` {n} it`s"),
    Sample(.asciiDoc, "⟦+a+⟧ ⟦++b++⟧c ⟦+++d+++⟧ 1+2+3 +\n+\n a + b + C++ d"),
    Sample(.asciiDoc, "{++a++} ⟦++b++⟧ {++⟦+c+⟧++} {+++d++} {++ {author=\"f\"++g++} ++}"),
    Sample(.asciiDoc, "a\n⟦----\nb\n\n-----\n....\n ----\n----⟧\n....c\n"),
    Sample(.asciiDoc, "⟦....\na\n....⟧\n⟦++++\n{++b++}\n++++  ⟧\n\n⟦////\n`c\n//// ⟧\n`d"),
    Sample(
      .asciiDoc,
      "[source,c]\n⟦-----\n// `a`\n-----⟧\n⟦```c\nb\n```⟧\n// `c`, +d+\n⟦----\nno end"
    ),
    Sample(
      .asciiDoc,
      "NAME\n----\na ⟦`b`⟧\n\n[[c]]\nLong {++er ++}title\n----------\nd\n⟦----\ne\n----⟧\n"
    ),
    Sample(.asciiDoc, "a `b +c\n⟦----\nd` e+\n----⟧\nf ⟦`g`⟧\n"),
    Sample(.asciiDoc, "a\n\n{++⟦----\nb\n----⟧++}\n----- c\n--\n"),
    Sample(.restructuredText, "⟦``a``⟧, (⟦``b ` c``⟧) d``e``f `` g `` ``h\n\ni`` `j`_ \\``k``"),
    Sample(
      .restructuredText,
      "a⟦::\n\n  {++b\n\n   ``c``\n⟧\nd ⟦``e``⟧\nf::\n g\n\nh::\n\ni:\n\n  j"
    ),
    Sample(.restructuredText, "a⟦::\n\n  b\n\n  c⟧"),
    Sample(.restructuredText, "- a\n\n  - b⟦::\n\n      c\n⟧\n    d\n\n1. e⟦::\n\n\tf\n⟧   g"),
    Sample(
      .restructuredText,
      "⟦.. code-block:: c\n   :linenos:\n\n   {++a\n⟧\n.. note::\n\n   ⟦``b``⟧\n"
    ),
    Sample(.restructuredText, "  ⟦.. math::\n\n     a\n⟧  b .. code::\n\n   c\n\n.. code:: d\ne\n"),
    Sample(.restructuredText, "{++⟦.. raw:: html\n\n  a\n⟧++}b{~~⟦::\n\n  c\n⟧~>⟦::\n\n  d\n⟧~~}e"),
    Sample(.typst, "⟦`a`⟧ ⟦`b\\`⟧ \\`c `` ⟦`d\ne`⟧ ⟦```f ` g```⟧⟦````h```i````⟧ $x$ it`s"),
    Sample(
      .typst,
      "a `b\n\nc // ⟦`d`⟧ // ```\nhttps://e.f ⟦```g```⟧ /* ``` */ ⟦```h```⟧ /* ```\ni"
    ),
    Sample(.typst, "a ⟦```c\nb {++ `` \n\n  ```⟧⟦` d`⟧\n⟦```\nno end"),
  ]

  @Test("Only what is code there is code", arguments: samples)
  func code(_ sample: Sample) {
    var bytes: [UInt8] = []
    var expected: [Range<Int>] = []
    for scalar in sample.text.unicodeScalars {
      switch scalar {
      case "⟦": expected.append(bytes.count..<bytes.count)
      case "⟧": expected[expected.count - 1] = expected[expected.count - 1].lowerBound..<bytes.count
      default: bytes += Array(String(scalar).utf8)
      }
    }
    let found = Reading(of: bytes, as: sample.language).zones.map(\.range)
    // Code that nothing ends goes on to the end of the text.
    expected = expected.map { $0.isEmpty ? $0.lowerBound..<bytes.count : $0 }
    #expect(found == expected)
  }

  /// What delimiters and lines are made of.
  static let pieces = [
    "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{>>", "<<}", "{==", "==}", "\n", "\n", "\n\n",
    "\r\n", " ", " ", "a", "word ", "é", "{", "}", "\\", "%", "`",
  ]

  /// What code is made of.
  static func signs(of language: Language) -> [String] {
    switch language {
    case .markdown: ["`", "```"]
    case .org:
      [
        "=", "~", " =", "= ", " ~", "~ ", "=x=", "\n#+begin_src\n", "\n#+end_src\n", "#+begin_src",
        "#", "+end_example", "#+BEGIN_EXAMPLE c\n", "#+end_example\n", "(", ",",
      ]
    case .asciiDoc:
      [
        "`", "``", "+", "++", "+++", "`x`", " +y+ ", "\n----\n", "\n....\n", "\n++++\n", "\n////\n",
        "\n```\n", "----", "--", "-", "....", "\n// ", "NAME\n----\n", "\n\nAb\n-----\n", "[a]\n",
        ".",
      ]
    case .restructuredText:
      [
        "``", "`", "``x``", "::", ":", "::\n\n", "::\n\n  x\n", "  ", "    ", "\n  x", "\n   y\n",
        "\n.. code:: c\n\n", ".. ", "code-block::", ".. math::\n", "\n- ", "\t", "\n\n", ".", "..",
      ]
    case .typst:
      [
        "`", "``", "```", "````", "`x`", "```c y```", "\n```\n", "```typ\n", " // ", "//", "/*",
        "*/",
        ":", "/", "*", "$",
      ]
    case .latex:
      [
        "\\verb", "\\verb|", "|", "\\verb|x|", "verb+", "+", "\\begin{verbatim}", "verbatim}",
        "\\end{verbatim}", "\\begin", "{lstlisting}", "\\end{lstlisting}", "\\lstinline{", "% ",
        "\\lstinline[", "]", "\\\\", "``", "''", "\\mintinline{c}|", "\\a", "\\a{++}", "{--}",
        "{---}", "b} {c",
      ]
    }
  }

  /// An edit of a text in a language; offsets wrap around its end.
  private static func step(_ random: inout Seeded, _ language: Language) -> DraftTests.Step {
    let count = [0, 1, 1, 2, 30].randomElement(using: &random) ?? 0
    let all = signs(of: language) + pieces + ["{++a++}", "{~~b~>c~~}"]
    return DraftTests.Step(
      offset: Int.random(in: 0..<200, using: &random),
      length: [0, 0, 1, 2, 5, 30].randomElement(using: &random) ?? 0,
      new: (0..<count).flatMap { _ in Array((all.randomElement(using: &random) ?? "").utf8) }
    )
  }

  @Test("Kept up to date edit by edit, a text reads as from scratch", arguments: Language.allCases)
  func incremental(_ language: Language) {
    forAll(
      runs(400),
      length: 16,
      step: { Self.step(&$0, language) },
      law: { seed, steps in
        var draft = Draft(Text(), language, grain: [0, 1, 5, 20][Int(seed % 4)])
        for step in steps {
          let edit = step.edit(of: draft.text)
          draft.replace(edit.range, with: edit.new)
          let bytes = draft.text.bytes
          let text = String(decoding: bytes, as: UTF8.self).debugDescription
          let whole = Reading(of: bytes, as: language)
          if draft.reading() != whole { return "\(step): another reading of \(text)" }
          if let broken = draft.checkInvariants() { return "\(step): \(broken) in \(text)" }
          for offset in stride(from: 0, through: bytes.count, by: 11) {
            let excerpt = draft.excerpt(around: offset..<offset)
            let expected = whole.marks.filter {
              $0.start < excerpt.range.upperBound && $0.end > excerpt.range.lowerBound
            }
            if excerpt.reading.marks.map({ $0.moved(by: excerpt.start) }) != expected {
              return "\(offset): other marks in \(text)"
            }
          }
        }
        return nil
      }
    )
  }

  @Test(
    "A variant that is written as the text is read is that of the whole",
    arguments: Language.allCases
  )
  func streaming(_ language: Language) {
    forAll(
      runs(300),
      length: 6,
      step: { Self.step(&$0, language) },
      law: { seed, steps in
        var text = Text()
        for step in steps {
          let edit = step.edit(of: text)
          text.replace(edit.range, with: edit.new)
        }
        let bytes = text.bytes
        for variant in Variant.allCases {
          var streamed: [UInt8] = []
          let (window, grain) = ([1, 8, 40][Int(seed % 3)], Int(seed % 5))
          bytes.withUnsafeBufferPointer {
            variant.stream($0, as: language, window: window, grain: grain) { streamed += $0 }
          }
          if streamed != Reading(of: bytes, as: language).export(variant, of: bytes) {
            return "\(variant) of \(text)"
          }
        }
        return nil
      }
    )
  }

  /// Those of other tests.
  static let markdownDrafts =
    (PromiseTests.drafts + [PromiseTests.crossed] + PromiseTests.signedDrafts)
    .map { Sample(.markdown, $0) }

  static let drafts = [
    Sample(.markdown, "A `b {++` and {++`c` ++}{--`d`--}e // f ` {~~g~>h~~}\n```i``` j\n"),
    Sample(.latex, "A ``b'' \\verb|c {++| and {++\\verb+d+ ++}{--``e''--}f % g {~~h~>i~~}\n"),
    Sample(.latex, "a\n\\begin{verbatim}\nb {++c\n\nd\n\\end{verbatim}\ne \\emph{f}\n"),
    Sample(.org, "A =b {++= and {++~c~ ++}{--=d=--}e x=y\n# f {~~g~>h~~}\n"),
    Sample(.org, "* a\n\n#+begin_src c\ni {++x\n\ny\n#+end_src\n\nb =c=\n"),
    Sample(
      .asciiDoc,
      "A `b {++` and {++++c++ ++}{--+d+--}e C++\n// f {~~g~>h~~}\n\nNAME\n----\n`i`\n"
    ),
    Sample(.asciiDoc, "a\n\n[source]\n----\ni {++x\n\ny\n----\nb\n....\nc\n....\n"),
    Sample(
      .restructuredText,
      "A ``b {++`` and {++``c`` ++}{--``d``--}e\n\nf {~~g~>h~~}::\n\n  i\n"
    ),
    Sample(
      .restructuredText,
      "a::\n\n  b {++c\n\n    d\n\ne\n\n.. code:: c\n\n   i++}\n\nf ``g``\n"
    ),
    Sample(.typst, "A `b {++` and {++`c` ++}{--`d`--}e // f ` {~~g~>h~~}\n```i``` j\n"),
    Sample(.typst, "= a\n\n```c\ni {++x\n\ny\n```\n\nb `c` /* ` */ d\n"),
  ]

  @Test("Original and clean text hold after every pause, whatever is typed", arguments: drafts)
  func promises(_ draft: Sample) {
    let words = Self.signs(of: draft.language) + Self.pieces + ["X", "Y ", "zz"]
    forAll(
      runs(150),
      step: { WriterStep.random(&$0, words: words) },
      law: { _, steps in session(draft, steps, pausing: true) }
    )
    forAll(
      runs(150),
      step: { WriterStep.random(&$0, words: PromiseTests.plainWords, undoes: true) },
      law: { _, steps in session(draft, steps, pausing: false) }
    )
    forAll(
      runs(100),
      step: { WriterStep.randomSelecting(&$0, words: words) },
      law: { _, steps in session(draft, steps, pausing: true) }
    )
  }

  private func session(_ draft: Sample, _ steps: [WriterStep], pausing: Bool) -> String? {
    var writer = Writer(draft.text, as: draft.language)
    for step in steps + [.pause] {
      if let broken = writer.perform(step, pausing: pausing) { return broken }
    }
    return nil
  }

  @Test("What differs between two texts is marked up exactly", arguments: Language.allCases)
  func comparisons(_ language: Language) {
    forAll(
      runs(300),
      length: 8,
      step: { Self.step(&$0, language) },
      law: { seed, steps in
        var (old, new) = (Text(), Text())
        for (index, step) in steps.enumerated() {
          let edit = step.edit(of: new)
          new.replace(edit.range, with: edit.new)
          if index == Int(seed) % steps.count { old = new }
        }
        let marked = comparison(of: old.bytes, and: new.bytes, as: language)
        let original = Reading(of: old.bytes, as: language).text(.original, of: old.bytes)
        let clean = Reading(of: new.bytes, as: language).text(.clean, of: new.bytes)
        return marked.hasVariants(original, clean, as: language)
          ? nil : "\(String(decoding: marked, as: UTF8.self).debugDescription) of \(old) and \(new)"
      }
    )
  }

  @Test("An arrow behind backticks is marked up exactly", arguments: Language.allCases)
  func arrows(_ language: Language) {
    let (old, new) = (Array("``}~>```".utf8), Array("```--}".utf8))
    #expect(comparison(of: old, and: new, as: language).hasVariants(old, new, as: language))
  }
}
