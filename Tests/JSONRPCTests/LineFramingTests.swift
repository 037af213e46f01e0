import TestSupport
import Testing

@testable import JSONRPC

@Suite("Framing by lines", .timeLimited) struct LineFramingTests {
  private func frames(_ parts: [String], maximumLength: Int = 1 << 30) -> [LineFraming.Frame] {
    var framing = LineFraming(maximumLength: maximumLength)
    var frames: [LineFraming.Frame] = []
    for part in parts {
      framing.append(Array(part.utf8))
      while let frame = framing.next() { frames.append(frame) }
    }
    return frames
  }

  private func body(_ text: String) -> LineFraming.Frame { .body(Array(text.utf8)) }

  @Test("Each line is a body; empty lines are none, and a CR before the line end is none of it")
  func lines() {
    #expect(frames(["{}\n[1]\r\n\n\r\né\n"]) == [body("{}"), body("[1]"), body("é")])
    #expect(frames(["{}"]).isEmpty)
  }

  @Test("It makes no difference how the stream is divided")
  func divided() {
    forAll(
      runs(300),
      step: {
        ["{}", "\n", "abc", "\r\n", "é", "\n\n", "12345678"].randomElement(using: &$0) ?? ""
      },
      law: { _, parts in
        let bytes = Array(parts.joined().utf8)
        var framing = LineFraming(maximumLength: 6)
        var frames: [LineFraming.Frame] = []
        for byte in bytes {
          framing.append([byte])
          while let frame = framing.next() { frames.append(frame) }
        }
        let whole = self.frames([parts.joined()], maximumLength: 6)
        return frames == whole ? nil : "\(frames) and as a whole \(whole)"
      }
    )
  }

  @Test("A line that is too long is left out, and the next one arrives")
  func tooLong() {
    #expect(
      frames(["12345", "67", "89\n1\n", "123456\n"], maximumLength: 5)
        == [.tooLong(length: 9), body("1"), .tooLong(length: 6)]
    )
  }

  @Test("A message is written on a line")
  func written() {
    let message = OutgoingMessage.response(to: .number(1)) { $0.string("a\nb") }
    #expect(
      String(decoding: message.line, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":1,"result":"a\nb"}"# + "\n"
    )
  }
}
