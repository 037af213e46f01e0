import TestSupport
import Testing

@testable import TrackEngine

@Suite("Lines and columns", .timeLimited) struct TextCursorTests {
  private static let parts =
    [
      "a", "é", "€", "👍", "\n", "\r", "\r\n", "\n\r", "",
      String(repeating: "a long line without an end ", count: 200),
      String(repeating: "ein Wörterbuch 👍 und €\r\n", count: 100),
      String(repeating: "line\n", count: 900), String(repeating: "\r", count: 40),
    ]
    .map { Array($0.utf8) } + [[0x80], [0xFF], [0xF0], [0xE2, 0x80], [0xF0, 0x80, 0xBF]]

  @Test(
    "Every offset has the line and column that a walk from the beginning gives, asked in any order",
    arguments: [TextUnit.utf8, .utf16, .scalar]
  )
  func find(_ unit: TextUnit) {
    forAll(
      runs(100),
      length: 16,
      step: { $0.next() },
      law: { (seed, numbers: [UInt64]) -> String? in
        let parts = numbers.map { TextCursorTests.parts[Int($0 % 18)] }
        let bytes = parts.flatMap { $0 }
        let text = Text(bytes)
        var cursor = TextCursor(text, in: unit)
        let expected = places(in: bytes, unit)
        var random = Seeded(seed: seed)
        var at = 0
        for _ in 0..<200 {
          // On, by a little or a lot, and now and then anywhere.
          let step = Int.random(in: 0...(Bool.random(using: &random) ? 40 : 4000), using: &random)
          let isAnywhere = Int.random(in: 0..<8, using: &random) == 0
          at =
            isAnywhere
            ? Int.random(in: 0...bytes.count, using: &random) : min(bytes.count, at + step)
          let found = cursor.find(at)
          if found != expected[at] {
            return "\(at) is at \(found), not at \(expected[at]), in \(bytes.count) bytes"
          }
        }
        return nil
      }
    )
  }

  @Test(
    "Every line and column has the offset that a walk from the beginning gives, asked in any order",
    arguments: [TextUnit.utf8, .utf16, .scalar]
  )
  func offset(_ unit: TextUnit) {
    forAll(
      runs(40),
      length: 16,
      step: { $0.next() },
      law: { (seed, numbers: [UInt64]) -> String? in
        // Lines and columns come from an editor, whose texts are valid.
        let bytes = numbers.flatMap { TextCursorTests.parts[Int($0 % 13)] }
        let text = Text(bytes)
        var cursor = TextCursor(text, in: unit)
        var random = Seeded(seed: seed)
        var line = 0
        for _ in 0..<40 {
          let isNear = Bool.random(using: &random)
          line =
            isNear
            ? min(line + 1, text.lineCount - 1) : Int.random(in: 0..<text.lineCount, using: &random)
          let column = Int.random(in: 0...(isNear ? 20 : 6000), using: &random)
          let found = cursor.offset(line: line, column: column)
          let expected = self.offset(in: bytes, line, column, unit)
          if found != expected { return "\(line), \(column) is at \(found), not at \(expected)" }
        }
        return nil
      }
    )
  }

  @Test("The lines and columns of every offset lead back to it")
  func back() {
    let bytes = Array("é👍\r\na\rb\n\n€".utf8)
    for unit in [TextUnit.utf8, .utf16, .scalar] {
      var cursor = TextCursor(Text(bytes), in: unit)
      for offset in [0, 2, 6, 8, 9, 10, 11, 12, 13, 16] {
        let (line, column) = cursor.find(offset)
        #expect(cursor.offset(line: line, column: column) == offset)
      }
    }
  }

  @Test("An offset beyond the text is the text's end", arguments: ["", "a", "a\r\n", "é\n\nb"])
  func beyond(_ text: String) {
    let text = Text(Array(text.utf8))
    var cursor = TextCursor(text, in: .utf16)
    let end = cursor.find(text.count)
    #expect(cursor.find(text.count + 1) == end)
    #expect(cursor.find(.max) == end)
    #expect(cursor.find(-1) == (0, 0))
    #expect(cursor.offset(line: end.line, column: .max) == text.count)
  }

  @Test("A piece holds the bytes around an offset")
  func pieces() {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 % 127) }
    var cursor = TextCursor(Text(bytes), in: .utf8)
    for offset in [0, 5000, 5001, 9999, 4000, 1, 7000, 0] {
      let piece = cursor.piece(around: offset)
      let range = piece.start..<piece.start + piece.bytes.count
      #expect(range.contains(offset))
      #expect(piece.bytes[...] == bytes[range])
    }
  }

  /// The line and column of every offset, byte by byte.
  private func places(in bytes: [UInt8], _ unit: TextUnit) -> [(line: Int, column: Int)] {
    var places: [(line: Int, column: Int)] = []
    var (line, column) = (0, 0)
    for (offset, byte) in bytes.enumerated() {
      let isInLineBreak = offset > 0 && byte == 0x0A && bytes[offset - 1] == 0x0D
      places.append(isInLineBreak ? places[offset - 1] : (line, column))
      if byte == 0x0A {
        (line, column) = (isInLineBreak ? line : line + 1, 0)
      } else if byte == 0x0D {
        (line, column) = (line + 1, 0)
      } else if unit == .utf8 {
        column += 1
      } else if byte & 0xC0 != 0x80 {
        column += unit == .utf16 && byte >= 0xF0 ? 2 : 1
      }
    }
    return places + [(line, column)]
  }

  /// The offset of a line and a column, character by character.
  private func offset(in bytes: [UInt8], _ line: Int, _ column: Int, _ unit: TextUnit) -> Int {
    var at = 0
    var left = line
    while left > 0 {
      let isCRLF = bytes[at] == 0x0D && at + 1 < bytes.count && bytes[at + 1] == 0x0A
      if bytes[at] == 0x0A || bytes[at] == 0x0D { left -= 1 }
      at += isCRLF ? 2 : 1
    }
    left = column
    for scalar in String(decoding: bytes[at...], as: UTF8.self).unicodeScalars {
      let length =
        switch unit {
        case .utf8: scalar.utf8.count
        case .utf16: scalar.utf16.count
        case .scalar: 1
        }
      if scalar == "\r" || scalar == "\n" || length > left { return at }
      left -= length
      at += scalar.utf8.count
    }
    return at
  }
}
