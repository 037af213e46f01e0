import TestSupport
import Testing

@testable import TrackEngine

@Suite("What was applied at a wrong place", .timeLimited) struct StraysTests {
  /// A key, or an edit that is astray, with places as fractions of the text.
  private struct Step {
    var isStray: Bool
    var at: Double
    var count: Int
    var new: [UInt8]
  }

  private static func step(_ random: inout Seeded) -> Step {
    Step(
      isStray: Bool.random(using: &random),
      at: Double.random(in: 0..<1, using: &random),
      count: Int.random(in: 0...3, using: &random),
      new: Array(repeating: UInt8(ascii: "x"), count: Int.random(in: 0...2, using: &random))
    )
  }

  @Test("It is what a list of edits would be, whatever else is changed")
  func model() {
    forAll(runs(1000), length: 40, step: StraysTests.step) { _, steps in
      var (strays, model) = (Strays(), [Edit]())
      var length = 60
      for step in steps {
        let start = Int(step.at * Double(length))
        let edit = Edit(start..<min(length, start + step.count), step.new)
        if step.isStray {
          strays.add([edit])
          let isFree = model.allSatisfy {
            $0.range.upperBound < edit.range.lowerBound
              || edit.range.upperBound < $0.range.lowerBound
          }
          if isFree {
            model = (model + [edit]).sorted { $0.range.lowerBound < $1.range.lowerBound }
          }
        } else {
          strays.follow([edit])
          model.follow([edit])
          length += edit.growth
        }
        guard strays.edits == model else { return "\(strays.edits) for \(model)" }
      }
      return nil
    }
  }

  /// The most nodes that one edit beside so many strays makes, or one stray more.
  private func nodesMade(count: Int) -> Int {
    var strays = Strays()
    var most = 0
    for index in 0..<count {
      let known = strays
      // Some step through all of them.
      strays.add([Edit(index * 7919 % count * 10..<index * 7919 % count * 10 + 3, [])])
      let added = strays
      strays.follow([Edit(5..<6, [])])
      strays.follow([Edit(5..<5, [UInt8(ascii: "x")])])
      guard index % 97 == 0 || index > count - 5 else { continue }
      most = max(
        most,
        added.hunks.nodes.subtracting(known.hunks.nodes).count,
        strays.hunks.nodes.subtracting(added.hunks.nodes).count
      )
    }
    return most
  }

  @Test("Among four times as many a change makes a few nodes more")
  func sharing() {
    let (few, many) = (nodesMade(count: 1000), nodesMade(count: 4000))
    #expect(many <= few + 12, "\(few), then \(many)")
  }
}
