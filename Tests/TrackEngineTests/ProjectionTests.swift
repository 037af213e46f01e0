import TestSupport
import Testing

@testable import TrackEngine

@Suite("A text with its marks beside it", .timeLimited) struct ProjectionTests {
  static let drafts = PromiseTests.drafts + [PromiseTests.crossed]

  @Test("Both promises hold after every edit, whatever is typed", arguments: drafts)
  func plain(_ draft: String) {
    forAll(
      runs(100),
      step: { CleanStep.random(&$0, words: PromiseTests.plainWords) },
      law: { _, steps in session(draft, steps) }
    )
  }

  @Test("They hold where delimiters, code and escapes are typed as text", arguments: drafts)
  func hostile(_ draft: String) {
    forAll(
      runs(100),
      step: { CleanStep.random(&$0, words: PromiseTests.plainWords + PromiseTests.hostileWords) },
      law: { _, steps in session(draft, steps) }
    )
  }

  @Test("They hold in a text of many passages")
  func long() {
    forAll(
      runs(30),
      step: { CleanStep.random(&$0, words: PromiseTests.plainWords + PromiseTests.hostileWords) },
      law: { _, steps in session(PromiseTests.long, steps) }
    )
  }

  @Test("They hold where authors take turns", arguments: PromiseTests.signedDrafts)
  func signed(_ draft: String) {
    forAll(
      runs(100),
      step: { CleanStep.random(&$0, words: PromiseTests.plainWords) },
      law: { _, steps in session(draft, steps, authors: ["anna", "bo"]) }
    )
  }

  @Test("Undo and redo lead to the record that there was, however much is undone as one")
  func undo() {
    let words = (0..<40).map { "w\($0) " }
    forAll(
      runs(400),
      length: 20,
      step: { CleanStep.random(&$0, words: words) },
      law: { _, steps in
        var writer = CleanWriter(PromiseTests.crossed, seesRecords: true)
        for step in steps {
          if let broken = writer.perform(step) { return broken }
        }
        return nil
      }
    )
  }

  @Test(
    "They hold where tracking is switched and changes are decided meanwhile",
    arguments: drafts + [PromiseTests.described, PromiseTests.annotated]
  )
  func switching(_ draft: String) {
    let words = PromiseTests.plainWords + PromiseTests.hostileWords + CleanStep.markedWords
    forAll(
      runs(100),
      step: { CleanStep.randomSwitching(&$0, words: words) },
      law: { _, steps in session(draft, steps, authors: ["anna", "bo"]) }
    )
  }

  @Test("A mark that is typed while tracking is off is text, and all other marks stay")
  func markWhileOff() {
    var projection = Projection(record: Text(Array("The {++big ++}{>>@ada: why<<}hen.\n".utf8)))
    projection.setTracking(false)
    projection.change(Edit(4..<4, Array("{++x++} ".utf8)))
    #expect(
      String(decoding: projection.text.bytes, as: UTF8.self) == "The {++x++} big hen.\n"
    )
    #expect(
      shown(projection) == "The {++{++}{++++x+++}{+++} big ++}{>>@ada: why<<}hen.\n"
    )
    #expect(projection.checkInvariants() == nil)
  }

  @Test("What replaces the end of a commented highlight is in it, before the comment")
  func replacingInHighlight() {
    var projection = Projection(record: Text(Array("A {==one two==}{>>why<<} b\n".utf8)))
    projection.change(Edit(6..<9, Array("2".utf8)))
    #expect(shown(projection) == "A {==one {~~two~>2~~}==}{>>why<<} b\n")
    projection.change(Edit(7..<7, Array("!".utf8)))
    #expect(shown(projection) == "A {==one {~~two~>2!~~}==}{>>why<<} b\n")
    projection.change(Edit(2..<5, Array("1".utf8)))
    #expect(shown(projection) == "A {=={~~one~>1~~} {~~two~>2!~~}==}{>>why<<} b\n")
  }

  @Test("A mark that is typed into front matter is text there, and all other marks stay")
  func markInFrontMatter() {
    let body = "The {++big ++}{>>@ada: why<<}hen.\n"
    var projection = Projection(record: Text(Array("---\ntitle: a\n---\n\n\(body)".utf8)))
    projection.change(Edit(12..<12, Array("{++x++}".utf8)))
    #expect(shown(projection).hasPrefix("---\ntitle: a{++"))
    #expect(shown(projection).hasSuffix("\n---\n\n\(body)"))
  }

  @Test("What was typed while tracking was off is deleted from the original when it is on again")
  func typedWhileOff() {
    var projection = Projection(record: Text(Array("The big {--red --}hen.\n".utf8)))
    projection.setTracking(false)
    projection.change(Edit(12..<12, Array(" Yes.".utf8)))
    projection.setTracking(true)
    projection.change(Edit(12..<17, []))
    #expect(shown(projection) == "The big {--red --}hen.{-- Yes.--}\n")
  }

  @Test(
    "What is done by hand after a rejection is the writer's, letter by letter",
    arguments: [
      ("The {--red --}{>>@ada: too bright<<}hen.\n", "The {--red --}{>>@bo<<}hen.\n"),
      ("The {++big ++}{>>@ada: why<<}hen.\n", "The {++big ++}{>>@bo<<}hen.\n"),
      ("The {++big ++}{>>@ada<<}hen.\n", "The {++big ++}{>>@bo<<}hen.\n"),
      ("The {--red --}hen.\n", "The {--red --}{>>@bo<<}hen.\n"),
    ] as [(String, String)],
    [1, 2, 4]
  )
  func byHand(_ text: (record: String, expected: String), _ toldTogether: Int) throws {
    var projection = Projection(record: Text(Array(text.record.utf8)))
    projection.options.attribution = Attribution(author: "bo")
    let before = projection.text.bytes
    try rejectAll(in: &projection)
    let letters =
      before.count < projection.text.count
      ? (4..<8).reversed().map { Edit($0..<$0 + 1, []) }
      : (4..<8).map { Edit($0..<$0, [before[$0]]) }
    for start in stride(from: 0, to: letters.count, by: toldTogether) {
      projection.change(Array(letters[start..<start + toldTogether]))
    }
    #expect(projection.text.bytes == before)
    #expect(shown(projection) == text.expected)
  }

  @Test(
    "Undo of a rejected substitution leads to the record that there was, however it is told",
    arguments: [
      [(4..<8, "blue")], [(4..<8, ""), (4..<4, "blue")], [(4..<4, "blue"), (8..<12, "")],
      [(8..<8, "blue"), (4..<8, "")], [(4..<4, "bl"), (6..<10, "u"), (7..<7, "e")],
    ] as [[(Range<Int>, String)]],
    [true, false]
  )
  func undoneRejection(_ told: [(Range<Int>, String)], _ areTogether: Bool) throws {
    let record = "The {~~pink~>blue~~}{>>@ada: calmer<<} hen.\n"
    var projection = Projection(record: Text(Array(record.utf8)))
    try rejectAll(in: &projection)
    #expect(shown(projection) == "The pink hen.\n")
    let undo = told.map { Edit($0.0, Array($0.1.utf8)) }
    if areTogether { projection.change(undo) } else { for edit in undo { projection.change(edit) } }
    #expect(shown(projection) == record)
  }

  @Test("A decision stays when what was typed before it is undone")
  func decision() {
    var projection = Projection(record: Text(Array("a {++b++} c\n".utf8)))
    projection.change(Edit(0..<0, Array("x".utf8)))
    #expect(shown(projection) == "{++x++}a {++b++} c\n")
    let reading = Reading(of: projection.record.bytes)
    let edits = try? reading.edits(
      resolving: [reading.changes[1]],
      .clean,
      of: projection.record.bytes
    )
    let plan = projection.plan(edits ?? [])
    #expect(plan.cleanEdits.isEmpty)
    projection.carryOut(plan)
    #expect(shown(projection) == "{++x++}a b c\n")
    projection.change(Edit(0..<1, []))
    #expect(shown(projection) == "a b c\n")
  }

  @Test("What was deleted and is put back where it was is no change, even after a decision")
  func putBack() {
    var projection = Projection(record: Text(Array("a{-- b--} c {++d++}\n".utf8)))
    projection.change(Edit(1..<1, Array(" b".utf8)))
    #expect(shown(projection) == "a b c {++d++}\n")
  }

  @Test(
    "What is told together is recorded as what it comes to",
    arguments: [
      ([(7..<7, " three four"), (18..<29, "")], "one two{~~\n~> ~~}three four\nfive six\n"),
      (
        [(28..<28, "one two three\nfour five six\n"), (0..<28, "")],
        "one two{~~\n~> ~~}three{~~ ~>\n~~}four{~~\n~> ~~}five six\n"
      ),
      ([(0..<3, "1"), (1..<1, "one"), (0..<1, "")], "one two\nthree four\nfive six\n"),
    ] as [([(Range<Int>, String)], String)]
  )
  func together(_ told: [(Range<Int>, String)], _ record: String) {
    var projection = Projection(record: Text(Array("one two\nthree four\nfive six\n".utf8)))
    projection.change(told.map { Edit($0.0, Array($0.1.utf8)) })
    #expect(shown(projection) == record)
  }

  @Test("Undo that is told with what was typed leads to the record that there was")
  func undoneAndTyped() {
    var projection = Projection(record: Text(Array("a b c\n".utf8)))
    projection.change(Edit(1..<3, []))
    #expect(shown(projection) == "a{-- b--} c\n")
    projection.change([Edit(1..<1, Array(" b".utf8)), Edit(0..<0, Array("x".utf8))])
    #expect(shown(projection) == "{++x++}a b c\n")
  }

  @Test("A plan that was made before more was typed is carried out with that beside it")
  func plan() {
    var projection = Projection(record: Text(Array("a {++b++} c {--d--}\n".utf8)))
    let reading = Reading(of: projection.record.bytes)
    let edits = try? reading.edits(
      resolving: reading.changes,
      .original,
      of: projection.record.bytes
    )
    let plan = projection.plan(edits ?? [])
    let planned = projection.text.applying(plan.cleanEdits).bytes
    #expect(String(decoding: planned, as: UTF8.self) == "a  c d\n")
    projection.change(Edit(0..<0, Array("x".utf8)))
    for edit in plan.cleanEdits.reversed() {
      projection.change(Edit(edit.range.lowerBound + 1..<edit.range.upperBound + 1, edit.new))
    }
    projection.carryOut(plan, beside: [Edit(0..<0, Array("x".utf8))])
    #expect(shown(projection) == "{++x++}a  c d\n")
    #expect(String(decoding: projection.text.bytes, as: UTF8.self) == "xa  c d\n")
  }

  @Test("A record can be written anew for any two texts", arguments: Language.allCases)
  func anew(_ language: Language) {
    let words = PromiseTests.plainWords + PromiseTests.hostileWords + CleanStep.markedWords
    forAll(
      runs(300),
      step: { words.randomElement(using: &$0) ?? "" },
      law: { _, steps in
        let half = steps.count / 2
        let old = Array(steps[..<half].joined().utf8)
        let new = Array(steps[half...].joined().utf8)
        let record = [UInt8](deleting: old, adding: new, as: language)
        return record.hasVariants(old, new, as: language)
          ? nil : String(decoding: record, as: UTF8.self)
      }
    )
  }

  @Test("The history keeps at least as many states as it can hold", arguments: [3, 7, 8, 9])
  func capacity(_ steps: Int) {
    var history = ProjectionHistory(TextHash(of: [0]), capacity: 4)
    for step in 1...steps { history.add(TextHash(of: [UInt8(step)]), back: [], []) }
    let known = (0..<steps).filter { history.state(with: TextHash(of: [UInt8($0)]), []) == $0 }
    #expect(known == Array((steps < 8 ? 0 : 4)..<steps))
    #expect(history.here == steps)
  }

  /// Rejects everything, as an editor that makes the edits of the text first.
  private func rejectAll(in projection: inout Projection) throws {
    let reading = Reading(of: projection.record.bytes)
    let edits = try reading.edits(
      resolving: reading.changes,
      .original,
      of: projection.record.bytes
    )
    let plan = projection.plan(edits, decides: true)
    for edit in plan.cleanEdits.reversed() { projection.change(edit) }
    projection.carryOut(plan)
  }

  private func shown(_ projection: Projection) -> String {
    String(decoding: projection.record.bytes, as: UTF8.self)
  }

  private func session(
    _ draft: String,
    _ steps: [CleanStep],
    authors: [String] = []
  ) -> String? {
    var writer = CleanWriter(draft, authors: authors)
    for step in steps {
      if let broken = writer.perform(step) { return broken }
    }
    return nil
  }
}

/// Something a writer does in an editor whose text has no marks; places are fractions of the text.
enum CleanStep: CustomStringConvertible {
  case insert(Double, String)
  case type(Double, String)
  case replace(Double, Int, String)
  /// Text is put in at the first place, followed by a copy of some bytes at the second, which are removed: told as one.
  case move(Double, String, Double, Int)
  case undo(Int)
  case redo(Int)
  /// Tracking is turned off, or on again.
  case toggle
  /// A change is accepted (true) or rejected, by its place among all of them.
  case decide(Double, Bool)

  /// Words that are marks by themselves, or nearly.
  static let markedWords = ["{++x++}", "{--y--} ", "{~~a~>b~~}", "{==z==}{>>c<<}", "{++", "++}"]

  static func randomSwitching(_ random: inout Seeded, words: [String]) -> CleanStep {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .toggle
    case 1: .decide(Double.random(in: 0..<1, using: &random), Bool.random(using: &random))
    default: .random(&random, words: words)
    }
  }

  var description: String {
    switch self {
    case .insert(let at, let text): ".insert(\(at), \(text.debugDescription))"
    case .type(let at, let text): ".type(\(at), \(text.debugDescription))"
    case .replace(let at, let count, let text):
      ".replace(\(at), \(count), \(text.debugDescription))"
    case .move(let at, let text, let from, let count):
      ".move(\(at), \(text.debugDescription), \(from), \(count))"
    case .undo(let count): ".undo(\(count))"
    case .redo(let count): ".redo(\(count))"
    case .toggle: ".toggle"
    case .decide(let at, let isAccepted): ".decide(\(at), \(isAccepted))"
    }
  }

  static func random(_ random: inout Seeded, words: [String]) -> CleanStep {
    let at = Double(Int.random(in: 0...64, using: &random)) / 64
    let word = words.randomElement(using: &random) ?? ""
    let from = Double(Int.random(in: 0...64, using: &random)) / 64
    switch Int.random(in: 0..<13, using: &random) {
    case 0...2: return .insert(at, word)
    case 3: return .type(at, word)
    case 4...5: return .replace(at, Int.random(in: 1...3, using: &random), "")
    case 6...7: return .replace(at, Int.random(in: 1...3, using: &random), word)
    case 8: return .replace(at, Int.random(in: 4...40, using: &random), word)
    case 9: return .move(at, word, from, Int.random(in: 1...20, using: &random))
    case 10...11: return .undo(Int.random(in: 1...4, using: &random))
    default: return .redo(Int.random(in: 1...4, using: &random))
    }
  }
}

/// A writer at a plain editor, with a projection after it.
struct CleanWriter {
  private(set) var projection: Projection
  /// What the editor holds.
  private var text: [UInt8]
  private var original: [UInt8]
  private var history: [Known] = []
  private var undone: [Known] = []
  /// The states since tracking was switched: those that were undone and typed over, too.
  private var seen: [Known] = []
  private var log: [String] = []

  /// A state that undo can lead to.
  private struct Known {
    var text: [UInt8]
    var record: [UInt8]
    var original: [UInt8]
  }

  /// Who types, in turn; empty if changes are not signed.
  private let authors: [String]
  private var turn = 0
  /// Whether undo is to lead to the record that there was.
  private let seesRecords: Bool

  init(_ record: String, authors: [String] = [], seesRecords: Bool = false) {
    self.authors = authors
    self.seesRecords = seesRecords
    let bytes = Array(record.utf8)
    projection = Projection(record: Text(bytes))
    text = Reading(of: bytes).text(.clean, of: bytes)
    original = Reading(of: bytes).text(.original, of: bytes)
    log.append(record)
  }

  /// Does a step; returns what promise it broke.
  mutating func perform(_ step: CleanStep) -> String? {
    if !authors.isEmpty {
      projection.options.attribution = Attribution(author: authors[turn % authors.count])
      turn += 1
    }
    switch step {
    case .insert(let at, let new): return put(place(at, 0), new)
    case .type(let at, let new):
      var start = place(at, 0).lowerBound
      for character in new {
        if let broken = put(start..<start, String(character)) { return broken }
        start += character.utf8.count
      }
      return nil
    case .replace(let at, let count, let new): return put(place(at, count), new)
    case .move(let at, let new, let from, let count):
      let (there, moved) = (place(at, 0), place(from, count))
      let copy = Array(new.utf8) + text[moved]
      let shift = there.lowerBound <= moved.lowerBound ? copy.count : 0
      // Nothing is moved into itself; what several edits come to is known only where all is tracked.
      guard isTracking, !copy.isEmpty, shift > 0 || there.lowerBound >= moved.upperBound else {
        return nil
      }
      remember(in: \.history)
      undone = []
      return edit([
        Edit(there, copy), Edit(moved.lowerBound + shift..<moved.upperBound + shift, []),
      ])
    case .undo(let count): return travel(count, from: \.history, to: \.undone)
    case .redo(let count): return travel(count, from: \.undone, to: \.history)
    case .toggle:
      projection.setTracking(!isTracking)
      seen = []
      return nil
    case .decide(let at, let isAccepted): return decide(at, isAccepted ? .clean : .original)
    }
  }

  private var isTracking: Bool { projection.tracker.isTracking }
  private var known: Known {
    Known(text: text, record: projection.record.bytes, original: original)
  }

  private mutating func remember(in states: WritableKeyPath<CleanWriter, [Known]>) {
    self[keyPath: states].append(known)
    seen.append(known)
  }

  private func place(_ at: Double, _ count: Int) -> Range<Int> {
    func start(_ offset: Int) -> Int {
      var offset = min(offset, text.count)
      while offset < text.count, text[offset] & 0xC0 == 0x80 { offset += 1 }
      return offset
    }
    let first = start(Int(at * Double(text.count)))
    return first..<start(first + count)
  }

  private mutating func put(_ range: Range<Int>, _ new: String) -> String? {
    guard !range.isEmpty || !new.isEmpty else { return nil }
    remember(in: \.history)
    undone = []
    return edit([Edit(range, Array(new.utf8))])
  }

  private mutating func travel(
    _ count: Int,
    from: WritableKeyPath<CleanWriter, [Known]>,
    to: WritableKeyPath<CleanWriter, [Known]>
  ) -> String? {
    for _ in 0..<count {
      guard let next = self[keyPath: from].popLast() else { break }
      remember(in: to)
      let whole = Edit(0..<text.count, next.text)
      if let broken = edit([whole.trimmed(on: Text(text))], backTo: next) { return broken }
      if seesRecords, projection.record.bytes != next.record {
        return "not the record \(String(decoding: next.record, as: UTF8.self))\n"
          + log.joined(separator: "\n")
      }
    }
    return nil
  }

  /// Accepts or rejects a change, as an editor does that is asked for the edits of the text first.
  private mutating func decide(_ at: Double, _ variant: Variant) -> String? {
    let record = projection.record.bytes
    let reading = Reading(of: record)
    let changes = reading.changes.filter(\.kind.isChange)
    guard !changes.isEmpty,
      let edits = try? reading.edits(
        resolving: [changes[Int(at * Double(changes.count))]],
        variant,
        of: record
      )
    else { return nil }
    let decided = record.applying(edits)
    let plan = projection.plan(edits, decides: true)
    if !plan.cleanEdits.isEmpty {
      remember(in: \.history)
      undone = []
    }
    for edit in plan.cleanEdits.reversed() { projection.change(edit) }
    projection.carryOut(plan)
    text = Reading(of: decided).text(.clean, of: decided)
    original = Reading(of: decided).text(.original, of: decided)
    log.append("decided: \(String(decoding: projection.record.bytes, as: UTF8.self))")
    return broken()
  }

  /// Makes edits, each after the one before, which are told together.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - state: The state that they lead back to, if undo or redo makes them.
  /// - Returns: Which promise does not hold; nil if all do.
  private mutating func edit(_ edits: [Edit], backTo state: Known? = nil) -> String? {
    let before = projection.record.bytes
    let plain = isTracking ? nil : PlainEdit(edits[0].trimmed(on: Text(text)), of: before)
    for edit in edits { text.replaceSubrange(edit.range, with: edit.new) }
    if edits.count == 1 { projection.change(edits[0]) } else { projection.change(edits) }
    log.append("\(edits): \(String(decoding: projection.record.bytes, as: UTF8.self))")
    // What does by hand in one step just what undo or redo does cannot be told from it.
    let states = state.map { [$0] } ?? seen
    if let known = states.last(where: { $0.text == text && $0.record == projection.record.bytes }) {
      original = known.original
    } else if let plain, plain.reads(as: text) {
      original = plain.original
    }
    return broken()
  }

  /// Which promise does not hold.
  private func broken() -> String? {
    let record = projection.record.bytes
    let reading = Reading(of: record)
    let told = log.joined(separator: "\n")
    if projection.text.bytes != text { return "the text\n\(told)" }
    if reading.text(.clean, of: record) != text { return "the clean text\n\(told)" }
    if !isOriginal(reading.text(.original, of: record)) { return "the original\n\(told)" }
    return projection.checkInvariants().map { "\($0)\n\(told)" }
  }

  /// Whether a text is the original, but for front matter and annotations, which are not tracked.
  private func isOriginal(_ text: [UInt8]) -> Bool {
    text == original || tracked(text) == tracked(original)
  }

  private func tracked(_ bytes: [UInt8]) -> [UInt8] {
    let text = Text(bytes)
    return Array(
      bytes[
        text.frontMatter.upperBound..<max(text.frontMatter.upperBound, text.annotations.lowerBound)
      ]
    )
  }
}

/// An edit of the clean text that is not tracked: what is removed is gone from the original, too, and what is put in is
/// in it unless it is in an addition.
private struct PlainEdit {
  /// The record after it.
  let record: [UInt8]
  /// The original text after it.
  let original: [UInt8]

  init(_ edit: Edit, of record: [UInt8]) {
    let reading = Reading(of: record)
    let old = VariantText(.original, of: record, reading)
    let edits = Projection(record: Text(record)).part(aroundClean: edit.range).edits(
      making: edit,
      isTracked: false
    )
    let originals = edits.map { made in
      let isAdded = reading.marks.contains { mark in
        guard let new = mark.new, mark.kind.isChange else { return false }
        return new.lowerBound < made.range.upperBound && made.range.upperBound <= new.upperBound
      }
      let range =
        old.offset(ofMarkup: made.range.lowerBound)..<old.offset(ofMarkup: made.range.upperBound)
      return Edit(range, isAdded ? [] : made.new)
    }
    self.record = record.applying(edits)
    original = old.bytes.applying(originals)
  }

  /// Whether the record can be read as meant.
  func reads(as clean: [UInt8]) -> Bool {
    let reading = Reading(of: record)
    return reading.text(.clean, of: record) == clean
      && reading.text(.original, of: record) == original
  }
}
