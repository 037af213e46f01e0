import TestSupport
import Testing

@testable import TrackEngine

@Suite("A text and its lines", .timeLimited) struct TextTests {
  enum Step: CustomStringConvertible {
    case replace(Double, Double, [UInt8])

    var description: String {
      switch self {
      case .replace(let at, let length, let new):
        ".replace(\(at), \(length), \(new))"
      }
    }
  }

  @Test("Lines and hash after any edits are those of the text made anew")
  func edits() {
    let parts =
      [
        "a", "é", "\n", "\r", "\r\n", "\n\n", "👍", "",
        String(repeating: "long 👍 line\r\n", count: 300),
      ]
      .map { Array($0.utf8) } + [[0x80], [0xF0], [0xE2, 0x80], [0x80, 0x80, 0x80, 0x80]]
    forAll(
      runs(500),
      length: 20,
      step: { random in
        .replace(
          Double.random(in: 0...1, using: &random),
          Double.random(in: 0...0.3, using: &random),
          (0..<3).flatMap { _ in parts.randomElement(using: &random) ?? [] }
        )
      },
      law: { (_, steps: [Step]) in
        var text = Text(Array("One.\r\nTwo.\rThree.\n".utf8))
        var plain = text.bytes
        for case .replace(let at, let length, let new) in steps {
          let start = Int(at * Double(plain.count))
          let end = min(plain.count, start + Int(length * Double(plain.count)))
          let edit = Edit(start..<end, new)
          let hash = text.hash(after: [edit])
          text.replace(edit.range, with: edit.new)
          plain.replaceSubrange(edit.range, with: edit.new)
          if text.hash != hash { return "the hash after the edit was foreseen wrongly" }
        }
        if let broken = text.checkInvariants() { return broken }
        let anew = Text(plain)
        if text != anew { return "\(lines(of: text)) instead of \(lines(of: anew))" }
        if text.hash != anew.hash { return "the hash differs" }
        for offset in stride(from: 0, through: text.count, by: max(1, text.count / 50)) {
          let line = text.line(at: offset)
          let next = line + 1 < text.lineCount ? text.start(ofLine: line + 1) : Int.max
          if text.start(ofLine: line) > offset || next <= offset { return "line of \(offset)" }
        }
        return nil
      }
    )
  }

  private func lines(of text: Text) -> [Int] { (0..<text.lineCount).map { text.start(ofLine: $0) } }

  @Test(
    "LF, CRLF and CR end lines, nothing else does",
    arguments: [
      ("", [0..<0]), ("a", [0..<1]), ("a\n", [0..<1, 2..<2]), ("a\r\nb", [0..<1, 3..<4]),
      ("a\rb", [0..<1, 2..<3]), ("\n\r", [0..<0, 1..<1, 2..<2]), ("a\u{2028}b\u{0B}c", [0..<7]),
    ]
  )
  func lineEnds(_ text: String, _ lines: [Range<Int>]) {
    let text = Text(Array(text.utf8))
    #expect((0..<text.lineCount).map { text.start(ofLine: $0)..<text.end(ofLine: $0) } == lines)
  }

  @Test(
    "A length is counted in each unit, from the middle of a line too",
    arguments: [TextUnit.utf8, .utf16, .scalar]
  )
  func lengths(_ unit: TextUnit) {
    let part = "a long line 👍 and é€\r\n"
    let plain = String(repeating: "a line without more\n", count: 400)
    let string = String(repeating: part, count: 200) + plain + part
    let text = Text(Array(string.utf8))
    func length(_ string: String.SubSequence) -> Int {
      switch unit {
      case .utf8: string.utf8.count
      case .utf16: string.utf16.count
      case .scalar: string.unicodeScalars.count
      }
    }
    var start = string.startIndex
    for step in [0, 13, 14, 700, 1, 4000, 900, 20, 6000] {
      let end = string.index(start, offsetBy: step, limitedBy: string.endIndex) ?? string.endIndex
      let offsets = [start, end].map { string.utf8.distance(from: string.startIndex, to: $0) }
      let found = text.length(of: offsets[0]..<offsets[1], in: unit)
      #expect(found == length(string[start..<end]))
      start = end
    }
    #expect(text.length(of: 0..<text.count, in: unit) == length(string[...]))
  }

  @Test("Bytes that are no characters are cut anywhere, and nothing else is cut in two")
  func cuts() {
    for sign in [[0xF0] + Array(repeating: UInt8(0x80), count: 9), Array("👍\r\n".utf8)] {
      for shift in 0..<12 {
        let head = [UInt8](repeating: UInt8(ascii: "a"), count: Text.Chunk.longest * 3 / 4 - shift)
        let tail = [UInt8](repeating: UInt8(ascii: "b"), count: 2 * Text.Chunk.longest)
        let text = Text(head + sign + tail)
        #expect(text.checkInvariants() == nil)
        #expect(text.bytes == head + sign + tail)
      }
    }
  }

  @Test(
    "What only ends like the annotations of iA Writer is text",
    arguments: [
      "@a\n@b\n...\n", "Annotations: 0,4\n@a: 0,4\n...\n", "--- \nAnnotations: 0,4\n@a: 0,4\n...\n",
      "---\nAnnotations: 0,4\na\n...\n", "---\nAnnotations: 0,4\n@a: 0,4\n", "...\n", "\n\n",
    ]
  )
  func noAnnotations(_ text: String) {
    #expect(Text(Array(text.utf8)).annotations.isEmpty)
  }
}

@Suite("Edits and hunks", .timeLimited) struct EditTests {
  @Test("Edits made one after the other are the one list that they compose to")
  func composition() {
    forAll(
      runs(4000),
      length: 10,
      step: { random in
        (
          at: Int.random(in: 0...40, using: &random), length: Int.random(in: 0...5, using: &random),
          new: String(repeating: "xyz", count: Int.random(in: 0...1, using: &random))
        )
      },
      law: { _, steps in
        let settled = Text(Array("The quick brown fox.".utf8))
        var buffer = settled
        var pending = Hunks()
        for step in steps {
          let start = min(step.at, buffer.count)
          let edit = Edit(start..<min(start + step.length, buffer.count), Array(step.new.utf8))
          pending.compose([edit], on: buffer)
          buffer.replace(edit.range, with: edit.new)
          let hunks = pending.list
          if settled.applying(hunks.edits(in: buffer)) != buffer {
            return "\(hunks) do not make the buffer"
          }
          if buffer.applying(hunks.inverted) != settled { return "\(hunks) do not go back" }
          let touch = zip(hunks, hunks.dropFirst())
            .contains { $0.old.upperBound >= $1.old.lowerBound }
          let isChanged = hunks.allSatisfy { $0.removed[...] != buffer[$0.new] }
          if touch || !isChanged { return "\(hunks) are not disjoint" }
        }
        return nil
      }
    )
  }

  @Test("A list of edits composes as its edits do one by one")
  func lists() {
    forAll(
      runs(4000),
      length: 30,
      step: { random in
        (
          gap: Int.random(in: 0...3, using: &random), length: Int.random(in: 0...3, using: &random),
          new: ["", "x", "yz"].randomElement(using: &random) ?? "",
          isLast: Int.random(in: 0..<6, using: &random) == 0
        )
      },
      law: { _, steps in
        var buffer = Text(Array("The quick brown fox jumps over the lazy dog.".utf8))
        var hunks = Hunks()
        var edits: [Edit] = []
        for (index, step) in steps.enumerated() {
          let start = (edits.last?.range.upperBound ?? 0) + step.gap
          if start + step.length <= buffer.count {
            edits.append(Edit(start..<start + step.length, Array(step.new.utf8)))
          }
          guard step.isLast || index == steps.count - 1 else { continue }
          var expected = hunks
          let before = buffer
          for edit in edits.reversed() {
            expected.compose([edit], on: buffer)
            buffer.replace(edit.range, with: edit.new)
          }
          let known = hunks.list
          hunks.compose(edits, on: before)
          let made = (hunks.list, expected.list)
          if made.0 != made.1 { return "\(known) and \(edits) are \(made.0), not \(made.1)" }
          edits = []
        }
        return nil
      }
    )
  }

  @Test("A trimmed edit does the same and cuts no character and no CRLF")
  func trimming() {
    let text = Text(Array("a\r\nbé👍c".utf8))
    for (new, expected) in [
      ("a\r\nbè👍c", "4..<6 \"è\""), ("a\r\nbé👎c", "6..<10 \"👎\""), ("a\nbé👍c", "1..<3 \"\n\""),
      ("a\r\nbé👍c", "11..<11 \"\""),
    ] {
      #expect(Edit(0..<text.count, Array(new.utf8)).trimmed(on: text).description == expected)
    }
  }

  @Test("The word diff makes the new text, and leaves what is the same")
  func wordDiffs() {
    let words = ["one ", "two ", "three\n", "four\r\n", "é", ", ", "five", "\n\n"]
    forAll(
      runs(3000),
      length: 30,
      step: { (Bool.random(using: &$0), words.randomElement(using: &$0) ?? "") },
      law: { _, steps in
        let old = steps.map(\.1).joined()
        let new = steps.filter(\.0).map(\.1).joined() + "six"
        let text = Text(Array(old.utf8))
        let edits = wordDiff(0..<text.count, Array(new.utf8), in: text)
        if text.applying(edits).bytes != Array(new.utf8) { return "\(edits) from \(old) to \(new)" }
        let touch = zip(edits, edits.dropFirst())
          .contains { $0.range.upperBound >= $1.range.lowerBound }
        return touch ? "\(edits) touch" : nil
      }
    )
  }

  @Test("A word that changes in a line of a paragraph is all that is replaced")
  func smallDiff() {
    let text = Text(Array("One line here.\nA second line.\nThe third.\n".utf8))
    let new = Array("One line here.\nA other line.\nThe fourth.\n".utf8)
    #expect(
      wordDiff(0..<text.count, new, in: text).map(\.description) == [
        "17..<23 \"other\"", "34..<39 \"fourth\"",
      ]
    )
  }

  @Test("Words that are taken from a line or put into it are whole words where that is the same")
  func wholeWords() {
    let long = Text(Array("a {--b --}day dog\n".utf8))
    let short = Text(Array("a {--b --}dog\n".utf8))
    #expect(
      wordDiff(0..<long.count, short.bytes, in: long).map(\.description) == ["10..<14 \"\""]
    )
    #expect(
      wordDiff(0..<short.count, long.bytes, in: short).map(\.description) == ["10..<10 \"day \""]
    )
  }
}

@Suite("The hash of a text", .timeLimited) struct TextHashTests {
  @Test("It is put together from the hashes of any parts, and differs where the text differs")
  func parts() {
    forAll(
      runs(2000),
      length: 1,
      step: { random in
        let count = Int.random(in: 1...200, using: &random)
        let bytes = (0..<count).map { _ in UInt8([0, 1, 97, 255].randomElement(using: &random)!) }
        return (bytes, Int.random(in: 0..<count, using: &random))
      },
      law: { (_, steps: [([UInt8], Int)]) in
        guard let (bytes, place) = steps.first else { return nil }
        let whole = hash(bytes)
        var joined = hash(bytes[..<place])
        joined.append(hash(bytes[place...]))
        if joined != whole { return "two parts" }
        let digits = bytes.reduce(into: TextHash()) { $0.append(hash([$1])) }
        if digits != whole { return "bytes one by one" }
        var other = bytes
        other[place] ^= 0x20
        if hash(other) == whole { return "another byte" }
        if hash([0] + bytes) == whole { return "a byte more" }
        other = bytes
        other.swapAt(place, 0)
        return other != bytes && hash(other) == whole ? "bytes that change places" : nil
      }
    )
  }

  private func hash(_ bytes: some Collection<UInt8>) -> TextHash {
    Array(bytes).withUnsafeBufferPointer { TextHash(of: $0) }
  }
}
