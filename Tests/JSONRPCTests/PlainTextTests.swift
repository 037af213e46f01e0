import TestSupport
import Testing

@testable import JSONRPC

@Suite("Plain text in strings", .timeLimited)
struct PlainTextTests {
  @Test("Text is plain up to the very byte where a slow look at each character says so")
  func end() {
    forAllTexts(runs(2000)) { seed, pieces in
      let bytes = pieces.flatMap(\.bytes)
      let start = bytes.isEmpty ? 0 : Int(seed) % min(4, bytes.count)
      let end = bytes.withUnsafeBufferPointer { $0.endOfPlainText(from: start) }
      let slowEnd = PlainTextTests.end(of: bytes, from: start)
      let valid = Array(String(decoding: bytes, as: UTF8.self).utf8)
      let validEnd = valid.withUnsafeBufferPointer { $0.endOfPlainText(from: 0, isUTF8: true) }
      if validEnd != PlainTextTests.end(of: valid, from: 0) { return "\(valid): \(validEnd)" }
      return end == slowEnd ? nil : "\(bytes) is plain from \(start) to \(slowEnd), not \(end)"
    }
  }

  @Test(
    "Nothing that ends plain text is missed, at any distance and in any company",
    arguments: 0...70
  )
  func distances(_ length: Int) {
    for filler in [Array("a".utf8), Array("é".utf8), Array("€".utf8), Array("😀".utf8)] {
      let text = Array(repeating: filler, count: length / filler.count).flatMap { $0 }
      for ending in Piece.special + Piece.broken {
        for rest in [[], text] {
          let bytes = text + ending + rest
          let end = bytes.withUnsafeBufferPointer { $0.endOfPlainText(from: 0) }
          #expect(end == PlainTextTests.end(of: bytes, from: 0), "\(bytes)")
        }
      }
      let end = text.withUnsafeBufferPointer { $0.endOfPlainText(from: 0) }
      #expect(end == text.count)
    }
  }

  @Test("Escaped line breaks and tabs may be passed over, other escapes may not")
  func escapes() {
    forAllTexts(runs(2000)) { _, pieces in
      let bytes = pieces.flatMap(\.bytes)
      var hasEscapes = false
      let end = bytes.withUnsafeBufferPointer {
        $0.endOfStringText(from: 0, hasEscapes: &hasEscapes)
      }
      var at = PlainTextTests.end(of: bytes, from: 0)
      while at < end {
        guard at + 1 < end, bytes[at] == .backslash, "nrt".utf8.contains(bytes[at + 1]) else {
          return "\(bytes): \(bytes[at]) was passed over"
        }
        if !hasEscapes { return "\(bytes): an escape was not told of" }
        at = PlainTextTests.end(of: bytes, from: at + 2)
      }
      return at == end ? nil : "\(bytes) goes on to \(at), not to \(end)"
    }
  }

  @Test("A string is read, or refused at the same byte, as by a slow reader")
  func strings() {
    forAllTexts(runs(2000)) { _, pieces in
      let bytes = Array("[\"".utf8) + pieces.flatMap(\.bytes) + Array("\"]".utf8)
      let slow = SlowString(bytes, from: 2)
      do throws(JSONError) {
        let read = try JSON(parsing: bytes).first?.utf8
        // What stands after the string can be an error of its own.
        return read == slow.text ? nil : "\(bytes): \(read ?? []) instead of \(slow)"
      } catch {
        let isAlike = slow.error.map { $0 == error.offset } ?? (error.offset >= slow.end)
        return isAlike ? nil : "\(bytes): \(error), not \(slow)"
      }
    }
  }

  /// Where plain text ends, character by character.
  fileprivate static func end(of bytes: [UInt8], from start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[at] >= 0x20, bytes[at] != .quote, bytes[at] != .backslash {
      let length = (1...4).first { length in
        at + length <= bytes.count
          && String(validating: bytes[at..<at + length], as: UTF8.self) != nil
      }
      guard let length else { return at }
      at += length
    }
    return at
  }
}

/// A part of a random text.
struct Piece: CustomStringConvertible {
  let bytes: [UInt8]

  var description: String { "\(bytes)" }

  static let plain = [
    "a", " ", "/", "\u{7F}", "\u{80}", "é", "\u{7FF}", "\u{800}", "€", "\u{D7FF}", "\u{E000}",
    "\u{FFFF}", "\u{10000}", "😀", "\u{10FFFF}", "nrt", "quick brown fox", "Wörter über Maß ",
  ].map { Array($0.utf8) }

  static let special =
    (0..<0x20).map { [$0] }
    + ["\"", "\\", "\\n", "\\r\\n", "\\t", "\\\\", "\\\\n", "\\\"", "\\/", "\\u00e9", "\\ud83d"]
    .map { Array($0.utf8) }

  static let broken: [[UInt8]] = [
    [0x80], [0xBF], [0xC0], [0xC1, 0x80], [0xC2], [0xE0, 0x9F, 0x80], [0xE0, 0xA0], [0xE1, 0x80],
    [0xED, 0xA0, 0x80], [0xEF], [0xF0, 0x8F, 0x80, 0x80], [0xF0, 0x90, 0x80], [0xF3, 0x80],
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3, 0xC3, 0xA9],
    [0xC3, 0xA9, 0xA9], [0xE2, 0x82, 0x41], [0xF0, 0x9F, 0x98, 0x22],
  ]

  /// Mostly plain, so that long texts are too.
  static func random(using random: inout Seeded) -> Piece {
    let pieces =
      switch Int.random(in: 0..<12, using: &random) {
      case 0: special
      case 1: broken
      default: plain
      }
    return Piece(bytes: pieces.randomElement(using: &random) ?? [])
  }
}

/// Tries a property with random texts, which are handed over in their pieces.
func forAllTexts(
  _ count: Int,
  pieces: Int = 24,
  sourceLocation: SourceLocation = #_sourceLocation,
  law: (_ seed: UInt64, _ pieces: [Piece]) -> String?
) {
  forAll(
    count,
    length: pieces,
    step: { Piece.random(using: &$0) },
    sourceLocation: sourceLocation,
    law: law
  )
}

/// A string read character by character, up to its quote or its first error.
private struct SlowString {
  var text: [UInt8]? = []
  var error: Int?
  var end: Int

  init(_ bytes: [UInt8], from start: Int) {
    var scalars = ""
    end = start
    while true {
      let next = PlainTextTests.end(of: bytes, from: end)
      scalars += String(decoding: bytes[end..<next], as: UTF8.self)
      end = next
      guard end < bytes.count, bytes[end] == .backslash else { break }
      guard end + 1 < bytes.count,
        let index = Array("\"\\/bfnrt".utf8).firstIndex(of: bytes[end + 1])
      else {
        readUnit(bytes, &scalars)
        if error != nil { return }
        continue
      }
      scalars.unicodeScalars.append(["\"", "\\", "/", "\u{8}", "\u{C}", "\n", "\r", "\t"][index])
      end += 2
    }
    text = Array(scalars.utf8)
    if end == bytes.count || bytes[end] != .quote {
      text = nil
      error = end
    } else {
      end += 1
    }
  }

  /// Reads a `\u` escape; there is no low half of a pair among the pieces.
  private mutating func readUnit(_ bytes: [UInt8], _ scalars: inout String) {
    let digits = bytes[(end + 2)...].prefix(4)
    guard bytes[end + 1] == UInt8(ascii: "u"), digits.count == 4,
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else {
      text = nil
      error = end + 1
      return
    }
    scalars.unicodeScalars.append(Unicode.Scalar(unit) ?? "\u{FFFD}")
    end += 6
  }
}
