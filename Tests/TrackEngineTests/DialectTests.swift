import TestSupport
import Testing

@testable import TrackEngine

@Suite("Conversions between dialects", .timeLimited) struct DialectTests {
  @Test(
    "Every picture shows what is written, and what is not said",
    arguments: try specBlocks("convert")
  )
  func picture(_ block: SpecBlock) throws {
    var text = Array(block.frames[0].picture.utf8)
    var losses: [Loss] = []
    for frame in block.frames.dropFirst() {
      let action = try #require(frame.actions.first?.text)
      if action == "not said" {
        let told = losses.map { "\($0.offset) \($0.what.told)" }.joined(separator: "\n")
        #expect(told == frame.picture, sourceLocation: block.location(frame.line))
        continue
      }
      let conversion = DialectConversion(of: text, to: try #require(Dialect(rawValue: action)))
      text = text.applying(conversion.edits)
      losses = conversion.losses
      #expect(
        String(decoding: text, as: UTF8.self) == frame.picture,
        sourceLocation: block.location(frame.line)
      )
      text = Array(frame.picture.utf8)
    }
    if block.frames.last?.actions.first?.text != "not said" {
      #expect(losses.isEmpty, sourceLocation: block.location(block.line))
    }
  }

  @Test(
    "What a tool writes comes back as it was, through each other dialect that can say it",
    arguments: [
      #"A {++{"author":"Ada B","time":1708879304}@@new++} {>>{"author":"bo"}@@why?<<} {--old--}."#,
      #"A {author="Claude" date="2026-06-14T10:00:00Z"~~a~>b~~}{author="Ada B">>why?<<} {==c==}."#,
      "A {++new++}{id=\"s1\" by=\"AI\" at=\"2026-04-28T12:10:00Z\"}{>>why?<<}"
        + "{id=\"c1\" by=\"user\" at=\"2026-04-28T12:11:00Z\" re=\"s1\"} {>>x<<}{id=\"c2\" by=\"user\"}.",
      "A {==b==}{>>what?<<}{id=\"c1\" by=\"user\" at=\"2026-04-30T20:18:51Z\"}{>>this<<}"
        + "{id=\"c2\" by=\"AI\" at=\"2026-04-30T20:19:39Z\" re=\"c1\"}.",
      "A {++b++}[^cn-1]{--c--}[^cn-2].\r\n\r\n[^cn-1]: @anna | 2026-11-22 | ins | proposed\r\n"
        + "    @bo 2026-11-23: why?\r\n\r\n[^cn-2]: @ai:model | 2026-11-22 | del | proposed\r\n",
      "A {++b++}{>>@anna | 2026-11-22 10:00 | since<<} {==c==}{>>@bo: what?<<}{>>[resolved] so<<}.\n",
    ]
  )
  func samples(_ sample: String) throws {
    let text = Array(sample.utf8)
    let own = try #require(Dialect.allCases.first { AnnotatedText(text).notes[0].dialects == [$0] })
    var tried = 0
    for dialect in Dialect.allCases {
      let there = DialectConversion(of: text, to: dialect)
      guard there.losses.isEmpty else { continue }
      tried += 1
      let converted = text.applying(there.edits)
      let back = DialectConversion(of: converted, to: own)
      #expect(
        String(decoding: converted.applying(back.edits), as: UTF8.self) == sample,
        "\(dialect)"
      )
    }
    #expect(tried > 3)
  }

  /// A stretch of a text in which all is written as `criticmark` writes it.
  struct Stretch: CustomStringConvertible {
    static let authors = ["anna", "Ada Byron", "ai:model-4.6", "bo"]
    static let dates = ["2026-11-22", "2026-11-23", "2026-11-22T10:00:00Z", "1999-12-31T23:59:59Z"]
    static let marks = [
      "{++new++}", "{--old--}", "{~~a~>b~~}", "{==so==}", "", "{++a `{>>x<<}` b++}", "{--a\n\nb--}",
      "{~~é~>👍🏽~~}{~~c~>~~}", "{++++}",
    ]
    static let texts = ["why?", "[tone] so: it is", "*x* | y", "a\nb", "[resolved]", "é 👍🏽", "1:2"]
    static let plain = ["The hen ", "\n\n", "`{++code++}` ", "é ", "\\{++ ", "| a | ", "x[^1] "]

    let description: String

    init(_ random: inout Seeded) {
      let mark = Self.marks.randomElement(using: &random) ?? ""
      let signed = Said.random(&random, "")
      var comments = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Said.random(&random, Self.texts.randomElement(using: &random) ?? "")
      }
      if !mark.isEmpty, signed.author != nil {
        let isFolded =
          !mark.hasPrefix("{==") && comments.first?.author == signed.author
          && comments.first?.date == signed.date
        if !isFolded { comments.insert(signed, at: 0) }
      } else if mark.isEmpty, comments.isEmpty {
        comments = [signed]
      }
      let thread = comments.map { "{>>\($0.written)<<}" }.joined()
      description = (Self.plain.randomElement(using: &random) ?? "") + mark + thread + " "
    }
  }

  @Test("What every dialect can say comes back byte for byte, through one and through two of them")
  func thereAndBack() {
    var tried = 0
    forAll(
      runs(200),
      step: { Stretch(&$0) },
      law: { seed, steps in
        let text = Array((steps.map(\.description).joined() + ".\n").utf8)
        for first in Dialect.allCases {
          let there = DialectConversion(of: text, to: first)
          guard there.losses.isEmpty else { continue }
          let converted = text.applying(there.edits)
          let second = Dialect.allCases[Int(seed) % Dialect.allCases.count]
          let on = DialectConversion(of: converted, to: second)
          guard on.losses.isEmpty else { continue }
          let twice = converted.applying(on.edits)
          let back = twice.applying(DialectConversion(of: twice, to: .criticmark).edits)
          tried += 1
          if back != text {
            return "\(first), \(second): \(String(decoding: converted, as: UTF8.self))\n---\n"
              + "\(String(decoding: twice, as: UTF8.self))\n---\n\(String(decoding: back, as: UTF8.self))"
          }
        }
        return nil
      }
    )
    #expect(tried > 400)
  }

  /// What the dialects are made of, whole and in parts.
  static let fragments = [
    "{author=\"anna\"++", "{date=\"2026-11-22\"==", "{++", "++}", "{--", "--}", "{~~", "~>", "~~}",
    "{==",
    "==}", "{>>", "<<}", "{\"author\":\"bob\",\"time\":86400}@@", "{id=\"s1\" by=\"cyd\"}", "{#s1}",
    "[^cn-1]",
    "[^cn-2]", "\n\n[^cn-1]: @dirk | 2026-11-22 | ins | accepted\n    @edith 2026-11-23: so\n",
    "\n[^cn-2]: @fay | 2026-11-22 | ins | proposed\n    approved: @gus\n",
    "{>>@anna | 2026-11-22<<}",
    "{>>@bob: why?<<}", "{++a++}", "{~~a~>b~~}", "`", "```\n", "\n\n", "x", "@", "\r\n",
    "\n---\ncomments:\n  s1:\n    by: hal\n  c9:\n    re: s1\n    body: yes\n",
    "\n---\nsuggestions:\n  s1:\n    by: ida\n", "---\n", "\\", "{\"author\":\"joe\"}@@",
  ]

  @Test(
    "Both readings, all marks and all that is said stay, or it is told",
    arguments: LanguageTests.markdownDrafts + LanguageTests.drafts
  )
  func promises(_ draft: LanguageTests.Sample) {
    let language = draft.language
    let fragments =
      Self.fragments + (language == .markdown ? [] : LanguageTests.signs(of: language))
    forAll(
      runs(40),
      step: { random in
        (
          at: Double.random(in: 0...1, using: &random),
          text: fragments.randomElement(using: &random) ?? ""
        )
      },
      law: { _, steps in
        var text = draft.text
        for step in steps {
          let place = Int(step.at * Double(text.unicodeScalars.count))
          let scalars = text.unicodeScalars
          text.unicodeScalars.insert(
            contentsOf: step.text.unicodeScalars,
            at: scalars.index(scalars.startIndex, offsetBy: place)
          )
        }
        return Dialect.allCases.compactMap { broken(Array(text.utf8), language, $0) }.first
      }
    )
  }

  /// What a conversion breaks; nil if nothing.
  private func broken(_ text: [UInt8], _ language: Language, _ dialect: Dialect) -> String? {
    let conversion = DialectConversion(of: text, as: language, to: dialect)
    let result = text.applying(conversion.edits)
    func told(_ what: String) -> String {
      "\(dialect), \(what):\n\(String(decoding: text, as: UTF8.self))\n---\n"
        + String(decoding: result, as: UTF8.self)
    }
    let before = Reading(of: text, as: language)
    let after = Reading(of: result, as: language)
    let known = AnnotatedText(text, as: language).endmatter
    let hasEndmatter = AnnotatedText(result, as: language).endmatter != nil
    for variant in [Variant.clean, .original] {
      let gone = known.map { hasEndmatter ? [] : [$0.range] } ?? []
      let was = before.exportedRanges(variant, of: text).without(gone).flatMap { text[$0] }
      if was != after.export(variant, of: result) { return told("another \(variant) text") }
    }
    func kinds(_ reading: Reading) -> [MarkKind] {
      reading.marks.map(\.kind).filter { $0 != .comment }
    }
    if kinds(before) != kinds(after) { return told("other marks") }
    let isTold = conversion.losses.contains { loss in
      if case .member = loss.what { true } else { loss.isGrave }
    }
    let names = ["anna", "bob", "cyd", "dirk", "edith", "fay", "gus", "hal", "ida", "joe"]
    func named(_ bytes: [UInt8]) -> [String] {
      names.filter { bytes[...].firstRange(of: Array($0.utf8)[...]) != nil }
    }
    if !isTold, named(text) != named(result) { return told("somebody is gone in silence") }
    let again = DialectConversion(of: result, as: language, to: dialect)
    if conversion.losses.isEmpty, !again.edits.isEmpty {
      return told("another text the second time")
    }
    return nil
  }

  @Test(
    "A time is its seconds since 1970, in any zone",
    arguments: [
      ("1970-01-01", 0), ("2024-02-25T16:41:44Z", 1_708_879_304), ("2024-02-29", 1_709_164_800),
      ("2026-11-22 10:30", 1_795_343_400), ("2026-11-22T10:30:00.5-02:30", 1_795_352_400),
      ("2000-03-01", 951_868_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
      ("2000-02-29", 951_782_400), ("2100-02-28T23:59:59+23:59", 4_107_456_059),
      ("2026-02-29", nil), ("2100-02-29", nil), ("2026-02-31", nil), ("2026-04-31", nil),
      ("2026-06-00", nil), ("2026-00-01", nil), ("2026-01-01 24:00", nil),
      ("2026-01-01 25:61", nil), ("2026-01-01 23:60", nil), ("2026-01-01T23:59:60Z", nil),
      ("2026-01-01T10:00+24:00", nil), ("2026-01-01T10:00-10:60", nil),
      ("1969-12-31", nil), ("2026-13-01", nil), ("2026-11", nil), ("2026-11-22x", nil), ("", nil),
    ] as [(String, Int64?)]
  )
  func times(_ date: String, _ seconds: Int64?) {
    #expect(date.secondsSince1970 == seconds)
  }
}

extension Said {
  fileprivate static func random(_ random: inout Seeded, _ text: String) -> Said {
    let author =
      Bool.random(using: &random) ? DialectTests.Stretch.authors.randomElement(using: &random) : nil
    let isDated = author != nil && Bool.random(using: &random)
    return Said(
      author: author,
      date: isDated ? DialectTests.Stretch.dates.randomElement(using: &random) : nil,
      text: Array(text.utf8)
    )
  }

  /// As a comment of `criticmark`.
  fileprivate var written: String {
    let said = String(decoding: text, as: UTF8.self)
    guard let author else { return said }
    let head = Attribution(author: author, date: date).head
    return said.isEmpty ? head : head + (date == nil ? ": " : " | ") + said
  }
}

extension Loss.What {
  /// As in `author anna`.
  fileprivate var told: String {
    switch self {
    case .author(let what): "author \(what)"
    case .unwritable: "unwritable"
    case .footnote: "footnote"
    case .mixed: "mixed"
    case .endmatter: "endmatter"
    case .line(let what): "line \(what)"
    case .firstAuthor(let what): "firstAuthor \(what)"
    case .date(let what): "date \(what)"
    case .zone(let what): "zone \(what)"
    case .status(let what): "status \(what)"
    case .member(let what): "member \(what)"
    case .nesting: "nesting"
    }
  }
}
