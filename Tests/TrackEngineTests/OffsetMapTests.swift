import TestSupport
import Testing

@testable import TrackEngine

@Suite("Offsets from text to text", .timeLimited) struct OffsetMapTests {
  /// A part of a text: what stays of it, what goes, and what comes in its place.
  enum Step {
    case keep(Int)
    case replace(Int, by: Int)
  }

  private static func step(_ random: inout Seeded) -> Step {
    func few() -> Int { Int.random(in: 0...3, using: &random) }
    return few() == 0 ? .replace(few(), by: few()) : .keep(few())
  }

  /// Edits of a text of so many bytes, as far as steps make sense in it, and the bytes that it is made of:
  /// those of the text, and nil for what is put in.
  private static func edits(_ steps: [Step], of count: Int) -> (edits: [Edit], made: [Int?]) {
    var edits: [Edit] = []
    var made: [Int?] = []
    var at = 0
    for step in steps {
      switch step {
      case .keep(let length):
        let end = min(count, at + length)
        made += Array(at..<end)
        at = end
      case .replace(let length, let new):
        let end = min(count, at + length)
        edits.append(Edit(at..<end, Array(repeating: UInt8(ascii: "x"), count: new)))
        made += Array(repeating: nil, count: new)
        at = end
      }
    }
    return (edits, made + Array(at..<count))
  }

  @Test("A byte that stays is found again, on the way back too, and one that goes is not")
  func bytes() {
    forAll(runs(2000), length: 30, step: OffsetMapTests.step) { _, steps in
      let (edits, made) = OffsetMapTests.edits(steps, of: 24)
      let map = OffsetMap(edits)
      if let broken = map.checkInvariants() ?? map.inverted.checkInvariants() { return broken }
      for offset in 0..<24 {
        let place = made.firstIndex(of: offset)
        if map.mapWhole(offset..<offset + 1) != place.map({ $0..<$0 + 1 }) {
          return "\(offset) is at \(place.map(String.init) ?? "no place")"
        }
        guard let place else { continue }
        // An offset stays with the byte before it, or with the one after it.
        if map.map(offset, bias: .after) != place
          || map.map(offset + 1, bias: .before) != place + 1
        {
          return "\(offset) does not go to \(place)"
        }
        let back = map.inverted
        if back.map(place, bias: .after) != offset
          || back.map(place + 1, bias: .before) != offset + 1
        {
          return "\(place) does not go back to \(offset)"
        }
      }
      return nil
    }
  }

  @Test("Offsets stay in order and in the text; bias tells only where something was put in")
  func order() {
    forAll(runs(2000), length: 30, step: OffsetMapTests.step) { _, steps in
      let (edits, made) = OffsetMapTests.edits(steps, of: 24)
      let map = OffsetMap(edits)
      var last = 0
      for offset in 0...24 {
        let (before, after) = (map.map(offset, bias: .before), map.map(offset, bias: .after))
        if before < last || after < before || after > made.count {
          return "\(offset) goes to \(before) and \(after), after \(last)"
        }
        let put = edits.filter { $0.range == offset..<offset }.growth
        if after - before != put { return "\(put) bytes were put in at \(offset)" }
        last = after
      }
      return map.map(0, bias: .before) == 0 && last == made.count ? nil : "the ends are elsewhere"
    }
  }

  @Test("A range that edits do not meet keeps its text, and any range holds what stays of it")
  func ranges() {
    forAll(runs(500), length: 30, step: OffsetMapTests.step) { _, steps in
      let (edits, made) = OffsetMapTests.edits(steps, of: 24)
      let map = OffsetMap(edits)
      for start in 0...24 {
        for end in start...24 {
          let range = start..<end
          let known = made.indices.filter { made[$0].map(range.contains) ?? false }
          let inside = map.map(range)
          guard known.allSatisfy(inside.contains),
            map.map(range, start: .before, end: .after).holds(inside)
          else { return "\(range) is \(known), not in \(inside)" }
          guard let whole = map.mapWhole(range) else { continue }
          let isMet = edits.contains { $0.range.lowerBound < end && $0.range.upperBound > start }
          if isMet || made[whole].map({ $0 }) != Array(range) {
            return "\(range) is no longer \(whole)"
          }
        }
      }
      return nil
    }
  }

  @Test("Inverting twice changes nothing")
  func inversion() {
    forAll(runs(2000), length: 30, step: OffsetMapTests.step) { _, steps in
      let map = OffsetMap(OffsetMapTests.edits(steps, of: 24).edits)
      return map.inverted.inverted == map ? nil : "\(map) is not \(map.inverted.inverted)"
    }
  }

  @Test("What neither of two lists of edits touches is where their composition has it")
  func hunks() {
    forAll(runs(2000), length: 60, step: OffsetMapTests.step) { _, steps in
      let own = steps.enumerated()
      let first = own.filter { $0.offset % 2 == 0 }.map(\.element)
      let second = own.filter { $0.offset % 2 == 1 }.map(\.element)
      let settled = Text((0..<24).map { UInt8(ascii: "a") + $0 })
      let (typed, made) = OffsetMapTests.edits(first, of: settled.count)
      var pending = Hunks()
      pending.compose(typed, on: settled)
      let between = settled.applying(typed)
      let (later, _) = OffsetMapTests.edits(second, of: made.count)
      let known = OffsetMap(pending.list)
      pending.compose(later, on: between)
      let map = OffsetMap(pending.list)
      for offset in 0..<24 {
        let byte = offset..<offset + 1
        guard let place = known.mapWhole(byte).flatMap(OffsetMap(later).mapWhole) else { continue }
        if map.mapWhole(byte) != place { return "\(offset) is not at \(place)" }
      }
      return map.checkInvariants()
    }
  }

  @Test("Edits composed do what they do one after the other, map as they do, and can be taken back")
  func composition() {
    forAll(runs(2000), length: 60, step: OffsetMapTests.step) { _, steps in
      /// Every other step as edits of a text, as they are told: none changes nothing, none touch.
      func edits(_ part: Int, of text: Text) -> [Edit] {
        let steps = steps.enumerated().filter { $0.offset % 2 == part }.map(\.element)
        let told = OffsetMapTests.edits(steps, of: text.count).edits
        var hunks = Hunks()
        hunks.compose(told, on: text)
        return hunks.list.edits(in: text.applying(told))
      }
      let before = Text((0..<24).map { UInt8(ascii: "a") + $0 })
      let first = edits(0, of: before)
      let between = before.applying(first)
      let second = edits(1, of: between)
      let after = between.applying(second)
      let both = first.followed(by: second, on: before)
      if before.applying(both).bytes != after.bytes { return "\(both) do something else" }
      if before.count + both.growth != after.count { return "another length" }
      if after.applying(both.inverted(on: before)).bytes != before.bytes { return "not inverted" }
      if !first.followed(by: first.inverted(on: before), on: before).isEmpty { return "a rest" }
      for offset in 0..<before.count {
        let byte = offset..<offset + 1
        let place = OffsetMap(first).mapWhole(byte).flatMap(OffsetMap(second).mapWhole)
        if let place, OffsetMap(both).mapWhole(byte) != place { return "\(offset): not \(place)" }
      }
      return nil
    }
  }

  @Test("In text that was replaced an offset stays as far after the beginning as there is text")
  func replaced() {
    let map = OffsetMap([Edit(2..<6, Array("xyz".utf8)), Edit(8..<8, Array("!!".utf8))])
    let before = (0...9).map { map.map($0, bias: .before) }
    #expect(before == [0, 1, 2, 3, 4, 5, 5, 6, 7, 10])
    #expect(map.map(8, bias: .after) == 9)
    #expect(map.map(8..<9) == 9..<10)
    #expect(map.map(7..<8, start: .before, end: .after) == 6..<9)
  }

  @Test("The map of a part is right in that part")
  func part() {
    let edits = [0..<0, 4..<6, 9..<9].map { Edit($0, Array("new".utf8)) }
    let whole = OffsetMap(edits)
    let part = OffsetMap(whole.differences[1...1])
    for offset in 1...8 {
      #expect(part.map(offset, bias: .before) == whole.map(offset, bias: .before))
    }
  }
}
