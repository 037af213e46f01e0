import TestSupport
import Testing

@testable import TrackEngine

@Suite("Pending changes", .timeLimited) struct HunksTests {
  /// An edit, as far as it makes sense in the text.
  private typealias Step = (at: Int, length: Int, new: String)

  private static func step(_ random: inout Seeded) -> Step {
    (
      at: Int.random(in: 0...400, using: &random), length: Int.random(in: 0...6, using: &random),
      new: String(repeating: "x", count: Int.random(in: 0...2, using: &random))
    )
  }

  @Test(
    "What is asked about a place is what the list says, and edits leave what came before as it was"
  )
  func places() {
    let settled = Text((0..<400).map { UInt8(ascii: "a") + UInt8($0 % 23) })
    forAll(runs(300), length: 80, step: HunksTests.step) { _, steps in
      var buffer = settled
      var pending = Hunks()
      var before: [(Hunks, Text)] = []
      for step in steps {
        before.append((pending, buffer))
        let start = min(step.at, buffer.count)
        let edit = Edit(start..<min(start + step.length, buffer.count), Array(step.new.utf8))
        let hunks = pending.list
        let places = hunks.map(\.new)
        if hunks.edits(in: buffer).differences.map(\.new) != places { return "the places" }
        if !(pending.tree?.isBalanced ?? true) { return "not balanced" }
        if pending.count != hunks.count || pending.growth != hunks.growth { return "the sums" }
        let isUntouched = !places.contains {
          !$0.isEmpty && $0.lowerBound < edit.range.upperBound
            && edit.range.lowerBound < $0.upperBound
        }
        if pending.isUntouched(edit.range) != isUntouched { return "untouched at \(edit)" }
        let isTakenBack =
          edit.new.isEmpty && !edit.range.isEmpty && places.contains { $0.holds(edit.range) }
        if pending.takesBack(edit) != isTakenBack { return "taking back \(edit)" }
        let here = places.first { $0.lowerBound <= start && start <= $0.upperBound }
        if pending.hunk(at: start)?.new != here { return "the hunk at \(start)" }
        let touching = hunks.filter {
          $0.new.lowerBound <= edit.range.upperBound && edit.range.lowerBound <= $0.new.upperBound
        }
        if pending.touching(edit.range) != touching { return "those at \(edit)" }
        pending.compose([edit], on: buffer)
        buffer.replace(edit.range, with: edit.new)
      }
      for (pending, buffer) in before
      where buffer.applying(pending.list.inverted) != settled {
        return "a state before has changed"
      }
      return nil
    }
  }

  /// How many nodes of the tree each key makes at most that is pressed in a line of its own, here and there.
  private func nodesMade(lines: Int) -> Int {
    let line = Array("A line.\n".utf8)
    var buffer = Text(Array(repeating: line, count: lines).flatMap { $0 })
    var pending = Hunks()
    var most = 0
    for key in 0..<lines {
      let known = pending
      // Some step through all lines.
      let place = key * 7919 % lines * line.count + 3
      let edit = Edit(place..<place + 1, [UInt8(ascii: "x")])
      pending.compose([edit], on: buffer)
      buffer.replace(edit.range, with: edit.new)
      // The first and the last keys, and some between.
      guard key % 97 == 0 || key > lines - 5 else { continue }
      most = max(most, pending.nodes.subtracting(known.nodes).count)
    }
    return most
  }

  @Test("Among four times as many changes a key makes a few nodes more")
  func sharing() {
    let (few, many) = (nodesMade(lines: 1000), nodesMade(lines: 4000))
    #expect(many <= few + 12, "\(few), then \(many)")
    #expect(few < 60)
  }

  @Test("A key in a word that is being typed makes the nodes on the way to it")
  func typing() {
    let line = Array("A line.\n".utf8)
    var buffer = Text(Array(repeating: line, count: 1000).flatMap { $0 })
    var pending = Hunks()
    func type(at place: Int) {
      let edit = Edit(place..<place, [UInt8(ascii: "x")])
      pending.compose([edit], on: buffer)
      buffer.replace(edit.range, with: edit.new)
    }
    for number in (0..<1000).reversed() { type(at: number * line.count + 3) }
    for number in [999, 998, 400, 1, 0] {
      let known = pending
      // Each line before it has a letter more.
      type(at: number * (line.count + 1) + 4)
      #expect(pending.count == 1000)
      #expect(pending.nodes.subtracting(known.nodes).count <= 12)
    }
  }

  @Test("Text removed letter by letter is kept once, not once for each letter")
  func removing() {
    var text = RemovedText()
    var model: [UInt8] = []
    for key in 0..<8000 {
      var longer = RemovedText([UInt8(ascii: "a") + UInt8(key % 26)])
      longer.append(text)
      text = longer
      model.insert(UInt8(ascii: "a") + UInt8(key % 26), at: 0)
      #expect(text.parts.count <= 2 + key / 512)
      #expect(text.parts.allSatisfy { $0.count <= 1024 })
    }
    #expect(text.bytes == model)
    #expect(text.count == model.count)
  }
}

extension Hunks {
  var nodes: Set<ObjectIdentifier> {
    var nodes: Set<ObjectIdentifier> = []
    func add(_ tree: HunkTree?) {
      guard let tree else { return }
      nodes.insert(ObjectIdentifier(tree))
      add(tree.left)
      add(tree.right)
    }
    add(tree)
    return nodes
  }
}
