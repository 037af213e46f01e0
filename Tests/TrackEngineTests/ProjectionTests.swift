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

  @Test("The history keeps at least as many states as it can hold", arguments: [3, 7, 8, 9])
  func capacity(_ steps: Int) {
    var history = ProjectionHistory(TextHash(of: [0]), capacity: 4)
    for step in 1...steps { history.add(TextHash(of: [UInt8(step)]), back: []) }
    let known = (0..<steps).filter { history.state(with: TextHash(of: [UInt8($0)])) == $0 }
    #expect(known == Array((steps < 8 ? 0 : 4)..<steps))
    #expect(history.here == steps)
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
  private let original: [UInt8]
  private var history: [(text: [UInt8], record: [UInt8])] = []
  private var undone: [(text: [UInt8], record: [UInt8])] = []
  private var log: [String] = []

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
      // Nothing is moved into itself.
      guard !copy.isEmpty, shift > 0 || there.lowerBound >= moved.upperBound else { return nil }
      history.append((text, projection.record.bytes))
      undone = []
      return edit([
        Edit(there, copy), Edit(moved.lowerBound + shift..<moved.upperBound + shift, []),
      ])
    case .undo(let count): return travel(count, from: \.history, to: \.undone)
    case .redo(let count): return travel(count, from: \.undone, to: \.history)
    }
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
    history.append((text, projection.record.bytes))
    undone = []
    return edit([Edit(range, Array(new.utf8))])
  }

  private mutating func travel(
    _ count: Int,
    from: WritableKeyPath<CleanWriter, [(text: [UInt8], record: [UInt8])]>,
    to: WritableKeyPath<CleanWriter, [(text: [UInt8], record: [UInt8])]>
  ) -> String? {
    for _ in 0..<count {
      guard let (next, record) = self[keyPath: from].popLast() else { break }
      self[keyPath: to].append((text, projection.record.bytes))
      let whole = Edit(0..<text.count, next)
      if let broken = edit([whole.trimmed(on: Text(text))]) { return broken }
      if seesRecords, projection.record.bytes != record {
        return "not the record \(String(decoding: record, as: UTF8.self))\n"
          + log.joined(separator: "\n")
      }
    }
    return nil
  }

  /// Makes edits, each after the one before, which are told together.
  private mutating func edit(_ edits: [Edit]) -> String? {
    for edit in edits { text.replaceSubrange(edit.range, with: edit.new) }
    if edits.count == 1 { projection.change(edits[0]) } else { projection.change(edits) }
    let record = projection.record.bytes
    log.append("\(edits): \(String(decoding: record, as: UTF8.self))")
    let reading = Reading(of: record)
    let told = log.joined(separator: "\n")
    if projection.text.bytes != text { return "the text\n\(told)" }
    if reading.text(.clean, of: record) != text { return "the clean text\n\(told)" }
    if reading.text(.original, of: record) != original { return "the original\n\(told)" }
    return projection.checkInvariants().map { "\($0)\n\(told)" }
  }
}
