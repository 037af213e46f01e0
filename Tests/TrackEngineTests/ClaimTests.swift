import TestSupport
import Testing

@testable import TrackEngine

@Suite("What each action of a review leaves of both texts", .timeLimited) struct ClaimTests {
  /// Something put into a draft, at a fraction of its length.
  struct Addition: CustomStringConvertible {
    var place: Double
    var part: String

    var description: String { "\(place) \(part.debugDescription)" }
  }

  /// Documents to begin with, of several authors, with threads, metadata, front matter and alternatives.
  private static let drafts =
    PromiseTests.drafts + PromiseTests.signedDrafts + PromiseTests.foreignDrafts + [
      "---\ntitle: {++a++}{>>n<<}\n---\n\nb {--c--}{>>@ada: why?<<}{>>[resolved] so<<} d\n",
      "a {--b--}{>>@ada: [conflict]<<}{++c++}{>>@ada: [conflict]<<}{++d++}{>>@bo: [conflict]<<} e",
      "a {+{>>c<<}+x++} {+{--y--}+z++} {=={>>@bo: [resolved] d<<}e==}{>>@ada: f<<}",
      "~~{>>c<<}~\n{++x++}\n~~~\n`{--`--}` {~~a~{>>b<<}>c~>d~~}",
      "a {++b++}[^cn-1] {>>@ada<<}c{==d {--e--}==}\n\n[^cn-1]: @ada | 2026-01-02 | ins | proposed\n\nf",
      "a {--b--}[^cn-1] c\n\n[^cn-1]: @anna | 2026-01-01 | del | proposed\n    bo: see {++this++}",
    ]

  private static let parts = [
    "{++a++}", "{--b--}", "{~~c~>d~~}", "{==e==}", "{>>f<<}", "{--g--}{++h++}", "{==i{++j++}==}",
    "{>>@ada: k<<}", "{>>@bo | 2026-01-02 | [resolved] l<<}", "{>>@ada<<}", "{>>[resolved]<<}",
    "{>>@ada: [conflict] m<<}", "{>><<}", "{+", "+}", "{-", "-}", "{~", "~}", "{=", "=}", "{>",
    "<}",
    "+", "-", "~", "=", ">", "<", "{", "}", "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{==",
    "==}", "{>>", "<<}", "\\", "^", "`", "```\n", "~~~\n", "\n", "\n\n", "\r\n", " ", "x", "é",
    "{#s1}",
    "{\"author\":\"ada\"}@@", "{\u{2014}", "---\n",
  ]

  private static func samples(_ language: Language) -> [String] {
    let special = LanguageTests.drafts.filter { $0.language == language }.map(\.text)
    return language == .markdown ? drafts + special : special + drafts.suffix(5)
  }

  @Test(
    "Remarks leave both as they are, decisions give what deciding those changes must give",
    arguments: Language.allCases
  )
  func claims(_ language: Language) {
    let (samples, parts) = (Self.samples(language), Self.parts + LanguageTests.signs(of: language))
    var done: [String: Int] = [:]
    forAll(
      runs(language == .markdown ? 240 : 40),
      step: {
        Addition(
          place: Double.random(in: 0...1, using: &$0),
          part: parts.randomElement(using: &$0) ?? ""
        )
      },
      law: { seed, steps in
        var text = Array(samples[Int(seed) % samples.count].utf8)
        for step in steps {
          var place = Int(step.place * Double(text.count))
          while !isBoundary(text[...], place) { place -= 1 }
          text.insert(contentsOf: step.part.utf8, at: place)
        }
        let old = Claimed(text, language)
        var random = Seeded(seed: seed)
        for action in old.actions(&random) {
          guard let edits = try? Review(old.tracker, around: action.range).edits(for: action) else {
            continue
          }
          done[action.name, default: 0] += 1
          if let broken = old.broken(by: action, making: edits) {
            return "\(action) of \(old): \(broken)"
          }
        }
        return nil
      }
    )
    let missing = Review.Action.names.filter { done[$0] == nil }
    let isLong = language == .markdown && runs(240) >= 240
    #expect(missing.isEmpty || !isLong, "each action is carried out somewhere")
  }

  @Test(
    "What a review could change once stays",
    arguments: [
      (.markdown, "a {+{>>c<<}+x++} b", .removeComment(5..<5), "a {+{>><<}+x++} b"),
      (.markdown, "~~{>>c<<}~\n{++x++}\n~~~", .removeComment(4..<4), "~~{>><<}~\n{++x++}\n~~~"),
      (.latex, "\\verb{>>c<<}|{++x++}|", .removeComment(7..<7), "\\verb{>><<}|{++x++}|"),
      (.markdown, "a {+{--y--}+x++} b", .resolveAll(.clean), "a {+{>><<}+x++} b"),
      (.markdown, "a {+{--y--}+x++} b", .resolve(6..<6, .clean), "a {+{>><<}+x++} b"),
      (.markdown, "a {+{++y++}+x++} b", .resolveKind(.addition, .original), "a {+{>><<}+x++} b"),
      (.markdown, "a {+{==y==}+x++} b", .removeAnnotations, "a {+y+x++} b"),
      (.markdown, "a {+{==+y==} x++} b", .resolveKind(.highlight, .clean), "a {+{>><<}+y x++} b"),
      (.markdown, "{~~a~{>>b<<}>c~>d~~}", .resolveKind(.comment, .clean), "{~~a~{>><<}>c~>d~~}"),
    ] as [(Language, String, Review.Action, String)]
  )
  func parted(_ language: Language, _ text: String, _ action: Review.Action, _ expected: String)
    throws
  {
    let old = Claimed(Array(text.utf8), language)
    let edits = try Review(old.tracker, around: action.range).edits(for: action)
    #expect(String(decoding: old.bytes.applying(edits), as: UTF8.self) == expected)
    #expect(old.broken(by: action, making: edits) == nil)
  }

  @Test("A comment makes no mark of what is code in another tool's footnote")
  func commentOnHiddenCode() throws {
    let text =
      "a {--b--}[^cn-1] c\n\n[^cn-1]: @anna | 2\n////\n026-01-01 | de++l | proposed+}\n ++}   bo: see {++this++}"
    let old = Claimed(Array(text.utf8), .asciiDoc)
    let action = Review.Action.comment(41..<86, Array("a <<} b".utf8))
    let edits = try Review(old.tracker, around: action.range).edits(for: action)
    #expect(old.broken(by: action, making: edits) == nil)
  }

  @Test("A comment can end between marks that touch")
  func commentBetweenMarks() throws {
    let old = Claimed(Array("A word {++one++}{++two++} end.\n".utf8), .markdown)
    let action = Review.Action.comment(2..<16, Array("why?".utf8))
    let edits = try Review(old.tracker, around: action.range).edits(for: action)
    #expect(
      String(decoding: old.bytes.applying(edits), as: UTF8.self)
        == "A {==word ==}{++one++}{>>why?<<}{++two++} end.\n"
    )
  }

  @Test("An empty comment that parts two halves is not removed, and it is said why")
  func empty() {
    let tracker = Tracker(Text(Array("a {+{>><<}+x++} b".utf8)))
    let actions: [Review.Action] = [
      .removeComment(6..<6), .resolveKind(.comment, .clean), .removeAnnotations,
      .resolve(6..<6, .clean),
    ]
    for action in actions {
      let failure = #expect(throws: Review.Failure.self) {
        try Review(tracker).edits(for: action)
      }
      #expect(
        failure?.description
          == "On line 1 the text would read otherwise without “{>><<}”: what is beside it would be read as a mark;"
          + " change that text, or put it in code."
      )
    }
  }
}

/// A document and what its marks make of it, told byte by byte, apart from how the engine tells it.
private struct Claimed: CustomStringConvertible {
  let bytes: [UInt8]
  let language: Language
  let reading: Reading
  let tracker: Tracker
  private let footnotes: [Range<Int>]

  init(_ bytes: [UInt8], _ language: Language) {
    (self.bytes, self.language) = (bytes, language)
    reading = Reading(of: bytes, as: language)
    tracker = Tracker(Text(bytes), options: Tracker.Options(language))
    footnotes = bytes.withUnsafeBufferPointer { [reading] in
      reading.footnotes(in: $0).map(\.range)
    }
  }

  var description: String { String(decoding: bytes, as: UTF8.self).debugDescription }

  /// The text of a variant, where some marks are resolved in another way; as it is exported, without other tools'
  /// footnotes, or without some of them.
  func text(
    _ variant: Variant,
    deciding decided: [Range<Int>: Variant]? = nil,
    without footnotes: [Range<Int>]? = nil
  ) -> [UInt8] {
    let footnotes = footnotes ?? self.footnotes
    return bytes.indices.filter { offset in
      var kept = variant
      var isDecided = false
      for mark in reading.marks where mark.range.contains(offset) {
        if !isDecided, let own = decided?[mark.range] { (kept, isDecided) = (own, true) }
        guard let side = kept == .clean ? mark.new : mark.old, side.contains(offset) else {
          return false
        }
      }
      return !footnotes.contains { $0.contains(offset) }
    }.map { bytes[$0] }
  }

  /// What the marks of changes are, wherever they stand.
  private func told(_ changes: [Change]) -> [String] {
    changes.flatMap(\.marks).map { mark in
      let texts = [Variant.clean, .original].map { variant in
        reading.ranges(variant, in: mark.range, from: reading.index(of: mark)).map {
          String(decoding: bytes[$0], as: UTF8.self)
        }.joined()
      }
      return "\(mark.kind) \(texts)"
    }
  }

  var tracked: [Change] { reading.changes.filter(\.kind.isChange) }

  /// Actions of all kinds, at some places.
  func actions(_ random: inout Seeded) -> [Review.Action] {
    let changes = reading.changes
    func caret() -> Range<Int> {
      let inside = reading.marks.map { $0.start + 1 }
      let place = inside.randomElement(using: &random) ?? bytes.count / 2
      return place..<place
    }
    func selection() -> Range<Int> {
      if Bool.random(using: &random), let change = changes.randomElement(using: &random) {
        return change.range
      }
      var places = (0..<2).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      for index in places.indices {
        while !isBoundary(bytes[...], places[index]) { places[index] -= 1 }
      }
      return places[0]..<places[1]
    }
    let variant: Variant = Bool.random(using: &random) ? .clean : .original
    let kind = MarkKind.allCases.randomElement(using: &random) ?? .comment
    let remark = ["why?", "a <<} b", "{>>", "", "`", "++} x", "@bo: y", "{++"]
    let said = Array((remark.randomElement(using: &random) ?? "").utf8)
    let names = changes.flatMap { $0.makers(in: bytes) }
    let name = names.randomElement(using: &random) ?? "ada"
    let conflict = changes.first { $0.isConflict(in: bytes) }
    let malformed = reading.malformed(in: bytes).randomElement(using: &random)
    let fixes = malformed.map { found in found.kind.fixes.map { Review.Action.fix(found.range, $0) }
    }
    return [
      .resolve(caret(), variant), .resolve(selection(), variant), .resolveAll(variant),
      .removeAnnotations, .comment(caret(), said), .comment(selection(), said),
      .highlight(selection()), .removeComment(caret()), .removeComment(selection()),
      .resolveThread(caret(), nil), .resolveThread(selection(), Bool.random(using: &random)),
      .editComment(caret(), said), .resolveKind(kind, variant), .resolveAuthor(name, variant),
      .join(caret()), .split(caret()),
      .takeAlternative(conflict.map { $0.range.lowerBound + 1 }.map { $0..<$0 } ?? caret(), name),
    ] + (fixes ?? [])
  }

  /// The ranges of the marks that an action decides on, and how; nil if it decides on none.
  private func decided(by action: Review.Action) -> [Range<Int>: Variant]? {
    func marks(_ changes: [Change], _ variant: Variant) -> [Range<Int>: Variant] {
      Dictionary(changes.flatMap(\.marks).map { ($0.range, variant) }) { first, _ in first }
    }
    func isBy(_ name: String) -> (Change) -> Bool {
      { $0.makers(in: bytes, Footnotes(of: bytes)).contains(name) }
    }
    switch action {
    case .resolve(let range, let variant):
      // What is chosen with a highlight goes with it.
      guard range.isEmpty else {
        return marks(reading.changes.filter { $0.range.overlaps(range) }, variant)
      }
      let caret = range.lowerBound
      let near = reading.changes.filter { $0.range.lowerBound...$0.range.upperBound ~= caret }
      let inside = near.last { $0.range.lowerBound < caret && caret < $0.range.upperBound }
      let here = inside ?? near.last { $0.range.lowerBound == caret } ?? near.last
      return marks(here.map { [$0] } ?? [], variant)
    case .resolveAll(let variant): return marks(tracked, variant)
    case .resolveKind(let kind, let variant):
      return kind.isChange ? marks(tracked.filter { $0.kind == kind }, variant) : nil
    case .resolveAuthor(let name, let variant): return marks(tracked.filter(isBy(name)), variant)
    case .takeAlternative(let range, let name):
      let all = tracked
      guard let here = all.firstIndex(where: { $0.range.contains(range.lowerBound) }) else {
        return [:]
      }
      func isNext(_ index: Int) -> Bool {
        all.indices.contains(index) && index > 0 && all[index].kind == .addition
          && [all[index - 1], all[index]].allSatisfy { $0.isConflict(in: bytes) }
          && all[index - 1].range.upperBound == all[index].range.lowerBound
      }
      var (first, last) = (here, here)
      while isNext(first) { first -= 1 }
      while isNext(last + 1) { last += 1 }
      let others = marks(all[first...last].filter { !isBy(name)($0) }, .original)
      return marks(all[first...last].filter(isBy(name)), .clean).merging(others) { one, _ in one }
    case .removeAnnotations, .comment, .highlight, .removeComment, .resolveThread, .editComment,
      .join, .split, .fix:
      return nil
    }
  }

  /// What is wrong after an action; nil if it is what it must be.
  func broken(by action: Review.Action, making edits: [Edit]) -> String? {
    let new = Claimed(bytes.applying(edits), language)
    if zip(edits, edits.dropFirst()).contains(where: { $0.range.upperBound >= $1.range.lowerBound })
    {
      return "\(edits) touch"
    }
    if case .fix(_, let fix) = action { return broken(by: fix, new) }
    let decided = decided(by: action)
    var isPart = false
    if case .resolve(let range, let variant) = action,
      Review(tracker).textOfPart(at: range, variant) != nil
    {
      isPart = true
      if new.text(variant) != text(variant) { return "another \(variant) text: \(new)" }
      let other: Variant = variant == .clean ? .original : .clean
      guard abs(new.text(other).count - text(other).count) == range.count else {
        return "another \(other) text: \(new)"
      }
    } else {
      for variant in [Variant.clean, .original] {
        // Footnotes of other tools are removed with the marks, which an export would leave out anyway.
        let isRight =
          decided == nil
          ? new.text(variant) == text(variant)
          : [footnotes, []].contains { footnotes in
            new.text(variant, without: []) == text(variant, deciding: decided, without: footnotes)
          } && new.text(variant) == text(variant, deciding: decided)
        if !isRight { return "another \(variant) text: \(new)" }
      }
    }
    return isPart ? nil : lost(action, decided ?? [:], new)
  }

  /// What became of changes that were not decided on, and of those that were; nil if that is right.
  private func lost(_ action: Review.Action, _ decided: [Range<Int>: Variant], _ new: Claimed)
    -> String?
  {
    switch action {
    case .join, .split: return nil
    case .resolveKind(.comment, _), .removeAnnotations, .removeComment:
      // An empty comment stays where the text would read otherwise without it.
      for mark in new.reading.marks where mark.kind == .comment && mark.content.isEmpty {
        let without = Claimed(new.bytes.applying([Edit(mark.range, [])]), language)
        let isOld = bytes[...].firstRange(of: Array("{>><<}".utf8)) != nil
        guard
          isOld || without.text(.clean) != new.text(.clean)
            || without.text(.original) != new.text(.original)
            || without.reading.marks.count != new.reading.marks.count - 1
        else { return "an empty comment stays without need: \(new)" }
      }
    default: break
    }
    let gone = Array(decided.keys)
    let kept = tracked.filter { change in
      !change.marks.allSatisfy { mark in gone.contains { $0.holds(mark.range) } }
    }
    // Those in a footnote go with it.
    let others = kept.filter { change in !footnotes.contains { $0.holds(change.range) } }
    return [kept, others].contains { new.told(new.tracked) == told($0) }
      ? nil : "other changes are left: \(new)"
  }

  private func broken(by fix: Review.Fix, _ new: Claimed) -> String? {
    if new.reading.marks.count < reading.marks.count { return "lost a mark: \(new)" }
    guard fix == .escape else { return nil }
    for variant in [Variant.clean, .original] {
      let sign = UInt8(ascii: "\\")
      let (old, now) = (text(variant), new.text(variant))
      if now.filter({ $0 != sign }) != old.filter({ $0 != sign }) || now.count > old.count + 1 {
        return "another \(variant) text: \(new)"
      }
    }
    return nil
  }
}

extension Review.Action {
  /// The name of its case.
  fileprivate var name: String {
    switch self {
    case .resolve: "resolve"
    case .resolveAll: "resolveAll"
    case .removeAnnotations: "removeAnnotations"
    case .comment: "comment"
    case .highlight: "highlight"
    case .removeComment: "removeComment"
    case .resolveThread: "resolveThread"
    case .editComment: "editComment"
    case .resolveKind: "resolveKind"
    case .resolveAuthor: "resolveAuthor"
    case .join: "join"
    case .split: "split"
    case .takeAlternative: "takeAlternative"
    case .fix: "fix"
    }
  }

  fileprivate static let names = [
    "resolve", "resolveAll", "removeAnnotations", "comment", "highlight", "removeComment",
    "resolveThread", "editComment", "resolveKind", "resolveAuthor", "join", "split",
    "takeAlternative", "fix",
  ]
}
