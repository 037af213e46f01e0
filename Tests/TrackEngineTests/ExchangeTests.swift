import TestSupport
import Testing

@testable import TrackEngine

@Suite("Lines exchanged in two reports", .timeLimited) struct ExchangeTests {
  /// What a filter does to lines: it replaces one, leaves one out, repeats one, changes the first word of one.
  private enum Step {
    case replace(Int, String)
    case drop(Int)
    case duplicate(Int)
    case reword(Int, String)

    private static let words = ["The", "A", "new", "line", "Ë", "字", "`x`", "{++b++}"]

    static func random(_ random: inout Seeded) -> Step {
      let index = Int.random(in: 0..<8, using: &random)
      let word = words[Int.random(in: 0..<words.count, using: &random)]
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .replace(index, word)
      case 1: return .drop(index)
      case 2: return .duplicate(index)
      default: return .reword(index, word)
      }
    }

    func apply(to lines: inout [String]) {
      guard !lines.isEmpty else { return }
      switch self {
      case .replace(let index, let word): lines[index % lines.count] = word
      case .drop(let index): lines.remove(at: index % lines.count)
      case .duplicate(let index): lines.append(lines[index % lines.count])
      case .reword(let index, let word):
        let rest = lines[index % lines.count].drop { $0 != " " }
        lines[index % lines.count] = word + rest
      }
    }
  }

  private static let drafts = [
    "The old house.\nIt was raining.\n\nThe end of it.\n",
    "The {++very ++}old house.\nIt {--was ~~--}raining{>>@bo: why<<}.\nline\nline\nThird line.\n",
    "- {==b c==}{>>n<<}\n- {~~d~>e~~} f\n\n```\ncode {++x++}\nmore\n```\nAt the {--very --}end.",
  ]

  /// Some lines of a text, and those that come in their place.
  private struct Exchange {
    let old: Range<Int>
    let new: [UInt8]

    /// Lines drawn from a text, changed in some steps; nil if none are left.
    init?(_ text: [UInt8], _ steps: [Step], _ random: inout Seeded) {
      let lines = String(decoding: text, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
      let start = Int.random(in: 0..<lines.count, using: &random)
      let end = Int.random(in: start + 1...lines.count, using: &random)
      var changed = Array(lines[start..<end])
      for step in steps { step.apply(to: &changed) }
      func bytes(_ lines: some Collection<String>) -> [UInt8] {
        lines.flatMap { Array("\($0)\n".utf8) }
      }
      new = bytes(changed)
      old = bytes(lines[..<start]).count..<bytes(lines[..<end]).count
      if changed.isEmpty { return nil }
    }

    var replacement: Edit { Edit(old, new) }
    var insertion: Edit { Edit(old.upperBound..<old.upperBound, new) }
    var removal: Edit { Edit(old, []) }

    /// The two edits: the new lines are put behind the old, which are then removed; or these are removed first.
    func edits(isRemovedFirst: Bool) -> [Edit] {
      let first = Edit(old.lowerBound..<old.lowerBound, new)
      return isRemovedFirst ? [removal, first] : [insertion, removal]
    }
  }

  @Test(
    "Lines removed before others are put in their place are marked as a replacement is",
    arguments: drafts
  )
  func removedFirst(_ draft: String) {
    let text = Array(draft.utf8)
    forAllExchanges(300, of: text) { exchange, _ in
      let one = marked(text, [exchange.replacement])
      let two = marked(text, exchange.edits(isRemovedFirst: true))
      return one.bytes == two.bytes ? nil : "\(exchange)\n\(shown(two))\ninstead of:\n\(shown(one))"
    }
  }

  /// Tries a law with random exchanges of lines of a text.
  private func forAllExchanges(
    _ count: Int,
    of text: [UInt8],
    law: (Exchange, inout Seeded) -> String?
  ) {
    forAll(runs(count), length: 4, step: Step.random) { seed, steps in
      var random = Seeded(seed: seed)
      return Exchange(text, steps, &random).flatMap { law($0, &random) }
    }
  }

  private func shown(_ text: Text) -> String { String(decoding: text.bytes, as: UTF8.self) }

  /// A text with what some reports have changed in marks.
  private func marked(_ text: [UInt8], _ edits: [Edit]) -> Text {
    var tracker = Tracker(Text(text))
    for edit in edits { tracker.report(edit) }
    return tracker.buffer.applying(tracker.marking().edits)
  }

  @Test(
    "New lines put behind the old, which are then removed, are marked as a replacement is",
    arguments: drafts
  )
  func removedLater(_ draft: String) {
    let text = Array(draft.utf8)
    forAllExchanges(300, of: text) { exchange, random in
      // One empty line is typed.
      guard exchange.new.count > 1 else { return nil }
      /// An edit at one of the places where a client can say that it was made.
      func told(_ edit: Edit, on text: [UInt8]) -> Edit {
        let slack = edit.slack(within: text.indices) { text[$0] }
        return edit.moved(by: Int.random(in: slack, using: &random)) { text[$0] }
      }
      let insertion = told(exchange.insertion, on: text)
      let removal = told(exchange.removal, on: text.applying([insertion]))
      guard removal.range.lowerBound < insertion.range.lowerBound else { return nil }

      func variants(_ text: Text) -> [[UInt8]] {
        [.original, .clean].map { Reading(of: text.bytes).text($0, of: text.bytes) }
      }
      let (one, two) = (marked(text, [exchange.replacement]), marked(text, [insertion, removal]))
      // Where both are told elsewhere, the lines are not those that were put in and removed.
      let isShort = two.count <= one.count || insertion != exchange.insertion
      if isShort, variants(one) == variants(two) { return nil }
      return "\(insertion), \(removal)\n\(shown(two))\ninstead of:\n\(shown(one))"
    }
  }

  @Test(
    "Beside the text they are, too, and undo leads back to the record of each text",
    arguments: drafts
  )
  func beside(_ draft: String) {
    let known = Projection(record: Text(Array(draft.utf8)))
    forAllExchanges(100, of: known.text.bytes) { exchange, random in
      // One empty line is typed.
      guard exchange.new.count > 1 else { return nil }
      var projection = known
      var records = [projection.record]
      var other = projection
      other.change(exchange.replacement)
      var undo: [Edit] = []
      for edit in exchange.edits(isRemovedFirst: Bool.random(using: &random)) {
        undo.append(edit.inverted(on: projection.text))
        projection.change(edit)
        records.append(projection.record)
      }
      if let broken = projection.checkInvariants() { return broken }
      if projection.record.bytes != other.record.bytes {
        return "\(shown(projection.record))\ninstead of:\n\(shown(other.record))"
      }
      for (edit, record) in zip(undo.reversed(), records.dropLast().reversed()) {
        projection.change(edit)
        if projection.record.bytes != record.bytes { return "undone: \(shown(projection.record))" }
      }
      return nil
    }
  }

  @Test("What one person has put in is not signed by another who then removes the lines above")
  func authors() {
    var projection = Projection(record: Text(Array("The old hen.\nThe end.\n".utf8)))
    projection.options.attribution = Attribution(author: "anna")
    projection.change(Edit(13..<13, Array("The new hen.\n".utf8)))
    projection.options.attribution = Attribution(author: "bo")
    projection.change(Edit(0..<13, []))
    #expect(
      shown(projection.record)
        == "{--The old hen.--}{>>@bo<<}{++The new hen.++}{>>@anna<<}\nThe end.\n"
    )
  }
}
