public import JSONRPC
import TrackEngine

/// A place in a text, between two characters.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#position
///
/// Public, because the conformance of `Range<Position>` to a public protocol has to be.
public struct Position: Comparable {
  /// From 0.
  var line: Int
  /// The units of the encoding before it on its line.
  var character: Int

  /// Whether a place is before another.
  public static func < (first: Position, second: Position) -> Bool {
    (first.line, first.character) < (second.line, second.character)
  }
}

extension Position: JSONReadable, JSONWritable {
  /// Reads a position.
  public init(_ json: JSON) throws(ResponseError) {
    line = try json.read("line", as: UInteger.self).value
    character = try json.read("character", as: UInteger.self).value
  }

  /// Writes `{line, character}`.
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("line", line)
      $0.member("character", character)
    }
  }
}

/// The unit of a position's character; LSP's `PositionEncodingKind`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#positionEncodingKind
enum PositionEncoding: String, JSONWritable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  var unit: TextUnit {
    switch self {
    case .utf8: .utf8
    case .utf16: .utf16
    case .utf32: .scalar
    }
  }
}
