import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Quotations", .timeLimited) struct QuotationTests {
  @Test(
    "A text is quoted on one line",
    arguments: [
      ("", "“”"), ("a", "“a”"), ("a\nb", "“a⏎b”"), ("a\r\nb", "“a⏎b”"), ("a\rb\n", "“a⏎b⏎”"),
      ("\n\n", "“⏎⏎”"), ("a\u{2028}b\u{2029}c\u{85}d", "“a⏎b⏎c⏎d”"), ("a\u{B}b\u{C}c", "“a⏎b⏎c”"),
      ("\u{2027}\u{202A}\u{84}\u{86}", "“\u{2027}\u{202A}\u{84}\u{86}”"),
    ]
  )
  func lines(_ text: String, _ quotation: String) {
    #expect("\(Quotation(of: Array(text.utf8)))" == quotation)
  }

  @Test(
    "Sixty characters are shown, and forty of more than sixty, of whatever they are made",
    arguments: [
      "a", "é", "–", "字", "😀", "👩‍👩‍👧‍👦", "e\u{301}", "🇫🇷", "\r\n", "\n", "ế", "\u{1100}\u{1161}\u{11A8}",
    ]
  )
  func long(_ character: String) {
    let shown = character.first?.isNewline == true ? "⏎" : character
    for (before, after) in [("", ""), ("x", ""), ("", "x")] {
      let sixty = before + String(repeating: character, count: 60 - before.count)
      if sixty.utf8.count <= 1000, after.isEmpty {
        let all = before + String(repeating: shown, count: 60 - before.count)
        #expect("\(Quotation(of: Array(sixty.utf8)))" == "“\(all)”")
      }
      let forty = before + String(repeating: shown, count: 40 - before.count)
      let more = sixty + (after.isEmpty ? character : after)
      #expect("\(Quotation(of: Array(more.utf8)))" == "“\(forty)…”")
    }
  }

  @Test("A quotation is what a walk over all characters makes of the text")
  func characters() {
    let pieces =
      [
        "a", "b c", "é", "–", "“", "\n", "\r", "\r\n", "\u{301}", "\u{200D}", "👩", "🏽", "🇫🇷", "字",
        "\u{2029}",
      ]
      .map { Array($0.utf8) } + [[0x80], [0xE2, 0x80], [0xC3], [0xF0, 0x9F]]
    forAll(
      runs(2000),
      length: 120,
      step: { random in
        // Mostly simple ones, so that long texts of only these are among them.
        pieces[Int.random(in: 0..<(Bool.random(using: &random) ? 5 : pieces.count), using: &random)]
      },
      law: { (seed, pieces: [[UInt8]]) -> String? in
        let times = seed % 7 == 0 ? 12 : 1
        let bytes = Array(repeating: pieces.flatMap { $0 }, count: times).flatMap { $0 }
        let expected = slowQuotation(of: bytes)
        let quotation = Quotation(of: bytes)
        var writer = JSONWriter()
        writer.string { quotation.write(to: &$0) }
        let written = try? JSON(parsing: writer.bytes).string
        return "\(quotation)" == expected && written == expected
          ? nil : "\(quotation), written as \(written ?? "nothing"), instead of \(expected)"
      }
    )
  }

  private func slowQuotation(of bytes: [UInt8]) -> String {
    var end = min(bytes.count, 1000)
    while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let line = String(decoding: bytes[..<end], as: UTF8.self)
      .map { $0.isNewline ? "⏎" : String($0) }
    let isCut = line.count > 60 || end < bytes.count
    return "“\((isCut ? line.prefix(40) + ["…"] : line[...]).joined())”"
  }
}
