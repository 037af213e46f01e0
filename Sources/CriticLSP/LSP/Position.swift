public import JSONRPC
import TrackEngine

/// A place in a text, between two characters.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#position
///
/// Public, as a conformance of `Range` to a public protocol has to be that holds for ranges of it.
public struct Position: Comparable {
  /// From 0 on.
  var line: Int
  /// How many units of the encoding are before it on its line.
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

/// How a position's character is counted; `PositionEncodingKind`.
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
