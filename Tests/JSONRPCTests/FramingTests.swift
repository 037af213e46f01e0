import TestSupport
import Testing

@testable import JSONRPC

@Suite("Framing", .timeLimited)
struct FramingTests {
  @Test("A body is framed with its length in bytes")
  func frames() {
    #expect(Framing.frame(Array("é".utf8)) == Array("Content-Length: 2\r\n\r\né".utf8))
    #expect(Framing.frame([]) == Array("Content-Length: 0\r\n\r\n".utf8))
  }

  @Test(
    "Headers may come in any order, case and spacing",
    arguments: [
      "Content-Length: 2\r\n\r\n", "content-length:2\r\n\r\n", "CONTENT-LENGTH: \t 2 \t\r\n\r\n",
      "Content-Length: 002\r\n\r\n", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
      "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
      "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n",
      "Content-Length: 2\r\ncontent-type: a/b;CHARSET=\"UTF-8\"\r\n\r\n",
      "Content-Length: 2\r\nContent-Type: a/b\r\n\r\n",
      "Content-Length: 2\r\nContent-Type:\r\n\r\n",
      "X-Other: 7\r\nContent-Length: 2\r\nY:\r\n\r\n", "Content-Length: 2\n\n",
      "\r\n\r\nContent-Length: 2\r\n\r\n",
    ]
  )
  func acceptsHeader(_ header: String) {
    #expect(frames(header + "{}" + "Content-Length: 1\r\n\r\n3") == [body("{}"), body("3")])
  }

  @Test(
    "A header without a sensible length is reported once, and the next message arrives",
    arguments: [
      "Content-Length: -1\r\n\r\n{}", "Content-Length: +1\r\n\r\n{}", "Content-Length: \r\n\r\n{}",
      "Content-Length: abc\r\n\r\n{}", "Content-Length: 1 2\r\n\r\n{}",
      "Content-Length: 2.0\r\n\r\n{}",
      "Content-Length: 0x2\r\n\r\n{}", "Content-Length: 9223372036854775808\r\n\r\n{}",
      "Content-Length: 99999999999999999999999\r\n\r\n{}",
      "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      "Content-Length: 2\r\nContent-Length: x\r\n\r\n{}",
      "Content-Length: x\r\nContent-Length: 30\r\n\r\n{}",
      "Content-Length: 2\r\nContent-Length: 3\r\nContent-Length: 30\r\n\r\n{}", "X: 1\r\n\r\n{}",
      ": 2\r\n\r\n{}",
      "a line that was printed\r\n", "a line that was printed\nand another: one\n", "{}{}",
      "\0\u{1}\n",
      "debug: this takes ", "debug", "123}}", "\"a\":1}}", "Content-Length 2\r\n\r\n{}",
    ]
  )
  func rejectsHeader(_ header: String) {
    let result = frames(header + "Content-Length: 1\r\n\r\n3" + "Content-Length: 1\r\n\r\n4")
    guard case .malformedHeader(let problem)? = result.first else {
      Issue.record("\(result)")
      return
    }
    #expect(!problem.isEmpty)
    #expect(result.dropFirst() == [body("3"), body("4")])
  }

  @Test("Another charset than UTF-8 is reported and its body skipped")
  func rejectsCharset() {
    let header = "Content-Type: a/b; charset=utf-16\r\nContent-Length: 30\r\n\r\n"
    let result = frames(
      header + "Content-Length: 1\r\n\r\n5........Content-Length: 1\r\n\r\n3"
    )
    #expect(result == [.malformedHeader("its charset is not UTF-8: \"utf-16\""), body("3")])
  }

  @Test("A length inside the text of a broken message is not taken for a header")
  func ignoresLengthsInText() {
    let text = #"{"text":"Content-Length: 1\r\n\r\n9"}"#
    let result = frames("Content-Length: x\r\n\r\n\(text)Content-Length: 1\r\n\r\n3")
    #expect(result.count == 2)
    #expect(result.last == body("3"))
  }

  @Test("A header of more than 64 KiB is reported, with or without line ends")
  func limitsHeader() {
    for filler in [
      String(repeating: "x", count: 70_000), String(repeating: "X: 1\r\n", count: 12_000),
    ] {
      let result = frames(filler + "\r\n\r\nContent-Length: 1\r\n\r\n3")
      #expect(result == [.malformedHeader("it is longer than 64 KiB"), body("3")])
    }
    let allowed = String(repeating: "X: 1\r\n", count: 10_000)
    #expect(frames(allowed + "Content-Length: 1\r\n\r\n3") == [body("3")])
    let glued = Array((String(repeating: "x", count: 70_000) + "Content-Length: 1\r\n\r\n3").utf8)
    for chunk in [1000, 65_536, glued.count] {
      let result = frames(glued, chunk: chunk)
      #expect(result == [.malformedHeader("it is longer than 64 KiB"), body("3")])
    }
    // Line ends between messages are no part of it.
    let lineEnds = String(repeating: "\r\n", count: 40_000)
    #expect(frames(lineEnds + "Content-Length: 1\r\n\r\n3") == [body("3")])
  }

  @Test("Noise without a line end is reported once and not kept")
  func survivesNoise() {
    var framing = Framing()
    var reports = 0
    for _ in 0..<400 {
      framing.append([UInt8](repeating: 0x78, count: 1000))
      while framing.next() != nil { reports += 1 }
      #expect(framing.pendingCount <= (1 << 16) + 1000)
    }
    #expect(reports == 1)
    framing.append(Array("Content-Length: 1\r\n\r\n3".utf8))
    #expect(framing.next() == body("3"))
    #expect(framing.next() == nil)
  }

  @Test("A body of more than the maximum is skipped, and the next message arrives")
  func skipsLongBodies() {
    let stream = "Content-Length: 11\r\n\r\n01234567890Content-Length: 10\r\n\r\n0123456789"
    #expect(frames(stream, maximumLength: 10) == [.tooLong(length: 11), body("0123456789")])
    var framing = Framing(maximumLength: 10)
    framing.append(Array("Content-Length: 9000000000\r\n\r\n0123".utf8))
    #expect(framing.next() == .tooLong(length: 9_000_000_000))
    #expect(framing.next() == nil)
    framing.append(Array(repeating: 0x30, count: 1000))
    #expect(framing.pendingCount == 0)
    #expect(framing.next() == nil)
  }

  @Test("The largest length there is can be announced")
  func largestLength() {
    var framing = Framing(maximumLength: .max)
    framing.append(Array("Content-Length: \(Int.max)\r\n\r\n0123".utf8))
    #expect(framing.next() == nil)
    #expect(framing.pendingCount == 4)
  }

  @Test("What is kept is what is not whole yet")
  func countsPendingBytes() {
    var framing = Framing()
    #expect(framing.pendingCount == 0)
    framing.append(Array("Content-".utf8))
    #expect(framing.next() == nil)
    #expect(framing.pendingCount == 8)
    framing.append(Array("Length: 3\r\n\r\n[1".utf8))
    #expect(framing.next() == nil)
    #expect(framing.pendingCount == 2)
    framing.append(Array("]".utf8))
    #expect(framing.next() == body("[1]"))
    #expect(framing.pendingCount == 0)
  }

  static let stream = [
    "Content-Length: 2\r\n\r\n{}",
    "content-type: a/b; charset=utf8\r\nContent-Length: 6\r\n\r\né\r\n\r\n",
    "Content-Length: 0\r\n\r\n",
    "Content-Length: 40\r\n\r\n\(String(repeating: "Content-Length: 1\r\n\r\n", count: 2))"
      + "\r\n", "noise\r\nContent-Length: x\r\n\r\n[Content-Length: 3\r\n\r\n[1]",
    "Content-Length: 21\r\n\r\n",
    String(repeating: "y", count: 21), "Content-Length: 1\r\n\r\n1",
  ].joined()

  @Test("A stream gives the same messages wherever it is split")
  func splits() {
    let bytes = Array(Self.stream.utf8)
    let whole = frames(bytes, chunk: bytes.count, maximumLength: 42)
    #expect(whole.count == 8)
    #expect(whole.last == body("1"))
    for first in 0...bytes.count {
      for second in stride(from: first, through: bytes.count, by: 7) {
        var framing = Framing(maximumLength: 42)
        var result: [Framing.Frame] = []
        for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
          framing.append(part)
          while let frame = framing.next() { result.append(frame) }
        }
        #expect(result == whole)
      }
    }
  }

  @Test("A stream gives the same messages in chunks of any size", arguments: 1...40)
  func chunks(_ size: Int) {
    let bytes = Array(Self.stream.utf8)
    for maximumLength in [0, 20, 42] {
      let whole = frames(bytes, chunk: bytes.count, maximumLength: maximumLength)
      #expect(frames(bytes, chunk: size, maximumLength: maximumLength) == whole)
    }
  }

  @Test("Bytes that are appended before anything is taken are all there afterwards")
  func appendsBeforeTaking() {
    var framing = Framing()
    for byte in Self.stream.utf8 { framing.append(CollectionOfOne(byte)) }
    var result: [Framing.Frame] = []
    while let frame = framing.next() { result.append(frame) }
    #expect(result == frames(Self.stream))
  }

  @Test("Random streams never trap, and what is taken does not depend on the chunks")
  func survivesRandomStreams() {
    var random = Seeded(seed: 3)
    let pieces = [
      "Content-Length: 3", "Content-Length:", "content-type: a; charset=utf-8", "\r\n", "\r\n\r\n",
      "\n",
      "{}", "[1]", "é", " ", "x", ":", "-1", "7", "charset=x",
    ]
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...30, using: &random)
      let stream = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let bytes = Array(stream.utf8)
      let whole = frames(bytes, chunk: max(1, bytes.count), maximumLength: 5)
      #expect(frames(bytes, chunk: 1, maximumLength: 5) == whole, "\(stream)")
      #expect(frames(bytes, chunk: 5, maximumLength: 5) == whole, "\(stream)")
    }
  }

  @Test("A large body arrives whole, in chunks of a pipe and byte by byte")
  func largeBody() {
    let text = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let stream = Framing.frame(text) + Framing.frame([1])
    #expect(frames(stream, chunk: 65_536) == [.body(text), .body([1])])
    #expect(frames(stream, chunk: 1) == [.body(text), .body([1])])
  }

  private func body(_ text: String) -> Framing.Frame { .body(Array(text.utf8)) }

  private func frames(_ stream: String, maximumLength: Int = 1 << 30) -> [Framing.Frame] {
    let bytes = Array(stream.utf8)
    return frames(bytes, chunk: bytes.count, maximumLength: maximumLength)
  }

  private func frames(
    _ bytes: [UInt8],
    chunk: Int,
    maximumLength: Int = 1 << 30
  ) -> [Framing.Frame] {
    var framing = Framing(maximumLength: maximumLength)
    var result: [Framing.Frame] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      framing.append(bytes[start..<min(start + chunk, bytes.count)])
      while let frame = framing.next() { result.append(frame) }
    }
    return result
  }
}
