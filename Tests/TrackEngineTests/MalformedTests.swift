import TestSupport
import Testing

@testable import TrackEngine

@Suite("What looks like a mark and is none", .timeLimited) struct MalformedTests {
  /// What is reported of a text: the kind and the text of each place.
  private func reported(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return Reading(of: bytes).malformed(in: bytes).map { malformed in
      "\(malformed.kind.rawValue) \(String(decoding: bytes[malformed.range], as: UTF8.self))"
    }
  }

  @Test(
    "It is reported where it stands",
    arguments: [
      // Groups of LaTeX are text.
      ("a {++} b", []), ("C\\texttt{++} and \\texttt{i++}, 1{--}2 {---} 3", []),
      ("\\texttt{--help}\n\nis $a_{b++}$ {>>} \\a{{<<}", []),
      ("C{\\tt ++} a", []), ("\\LaTeX{++ is", ["unclosed-mark {++"]),
      ("a{++b} c", ["unclosed-mark {++"]),
      ("\\a{b} c++}", ["stray-closer ++}"]), ("a {b++}", ["stray-closer ++}"]),
      // But one whose mark would end in something else is told.
      ("See \\LaTeX{++ a} {b++} now.", ["unclosed-mark {++"]),
      ("\\a{++b} {c} \\d{++e} {f++}", ["unclosed-mark {++"]),
      ("`\\a{++b}` {c++}", ["stray-closer ++}"]), ("\\a{++b}\n\n{c++}", ["stray-closer ++}"]),
      ("\\a{++b} {--c} {d++}", ["unclosed-mark {--", "unclosed-mark {++"]),
      ("\\a{++} {b++}", ["stray-closer ++}"]), ("\\a{++b} and \\a{c++}", []),
      ("See \\LaTeX {++ a} {b++} now.", []),
      ("{~~}~~}", ["undivided-substitution {~~}~~}"]),
      // Maths, code without backticks.
      ("So $x_{++i}$.\n\nA {++b++}.\n", ["unclosed-mark {++"]),
      ("for (;;) { i++}", ["stray-closer ++}"]),
      (#"a {author="b"++c"#, [#"unclosed-mark {author="b"++"#]),
      ("Ca^{++}, \\{++ and `{++`", []),
      // A mark that ends outside the one it begins in, and one whose closer is pages away.
      ("{--a {++b --}c++}", ["overlapping-marks {++"]),
      ("{--a {++b --}c\n\nd++}", ["unclosed-mark {++", "stray-closer ++}"]),
      // Other arrows, if there is one.
      ("{~~good->better~~}", ["misspelled-arrow {~~good->better~~}"]),
      ("{~~good=>better~~}", ["misspelled-arrow {~~good=>better~~}"]),
      ("{~~good \u{2192} better~~}", ["misspelled-arrow {~~good \u{2192} better~~}"]),
      ("{~~good\u{2014}>better~~}", ["misspelled-arrow {~~good\u{2014}>better~~}"]),
      ("{~~a->b->c~~}", ["undivided-substitution {~~a->b->c~~}"]),
      ("{~~`a->b` c~~}", ["undivided-substitution {~~`a->b` c~~}"]),
      ("{~~a->b~>c~~}", []), ("{++a->b++}", []),
      // Two dashes for two hyphens.
      ("{\u{2010}\u{2010}a\u{2015}\u{2015}}", ["{\u{2010}\u{2010}", "\u{2015}\u{2015}}"].dashes),
      ("a {\u{2013}\u{2013} b", ["{\u{2013}\u{2013}"].dashes),
      // One dash for two hyphens, if the other half is there.
      ("{\u{2014}old\u{2014}}", ["{\u{2014}", "\u{2014}}"].dashes),
      ("{\u{2013}old\u{2013}}", ["{\u{2013}", "\u{2013}}"].dashes),
      ("{\u{2013}old\nline\u{2014}\u{2014}}", ["{\u{2013}", "\u{2014}\u{2014}}"].dashes),
      ("{\u{2014}-old-\u{2014}}", ["{\u{2014}-", "-\u{2014}}"].dashes),
      ("{--old\u{2014}}", ["unclosed-mark {--"] + ["\u{2014}}"].dashes),
      ("{\u{2014}old--}", ["stray-closer --}"] + ["{\u{2014}"].dashes),
      ("a {\u{2014}b", []), ("{\u{2014}}", []), ("{\u{2014}a\n\nb\u{2014}}", []),
      ("{\u{2014}a} b\u{2014}}", []),
      ("{a {\u{2014}b\u{2014}}", ["{\u{2014}", "\u{2014}}"].dashes),
      ("\\emph{\u{2014}so\u{2014}}", []), ("\\{\u{2014}so\u{2014}}", []), ("{-so-}", []),
      ("`{\u{2014}so\u{2014}}`", []),
      ("{++a++}{\u{2014}b\u{2014}}", ["{\u{2014}", "\u{2014}}"].dashes),
      ("{\u{2212}so\u{2212}}", []), ("{\u{201C}so\u{201D}}", []),
    ]
  )
  func reports(_ text: String, _ expected: [String]) {
    #expect(reported(text) == expected)
  }

  @Test("The fix that comes first takes no text away, where it is preferred")
  func preferred() {
    #expect(Malformed.Kind.unclosed.fixes == [.escape, .close])
    #expect(Review.Fix.allCases.filter { !$0.keepsText } == [.remove])
  }

  @Test(
    "A hostile text is looked through in one go",
    arguments: [
      "{\u{2014}", "\u{2014}}", "{\u{2014}a\u{2014}}", "{--\u{2014}}", "`a`{\u{2014}",
      "\\{\u{2014}", "{~~a->b~~}",
      "{~~->", "a{\u{2014}\n\n", "{--a {++b --}", "^{++", "\\\\{++", "{author=\"a\"",
      "{author=\"a\"++", "{a=\"b\" ",
      "++}[^cn-1]\n[^cn-1]: ", "\n[^cn-1]: @a | 1", "{++a++}[^cn-1]", "\n\n    a",
      "\n\n[^cn-1]: @a | 1\n\n", "- > ", "{--}", "\\a{b--}", "\\a{++b} ", "a++} ",
    ]
  )
  func hostile(_ part: String) {
    let bytes = Array(String(repeating: part, count: (1 << 18) / part.utf8.count).utf8)
    let reading = Reading(of: bytes)
    #expect(reading.malformed(in: bytes).count <= bytes.count)
    #expect(reading.export(.clean, of: bytes).count <= bytes.count)
    #expect(Draft(Text(bytes)).reading() == reading)
  }
}

extension [String] {
  fileprivate var dashes: [String] { map { "lookalike-dash \($0)" } }
}
