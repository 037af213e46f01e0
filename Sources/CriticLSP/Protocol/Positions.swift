public import JSONRPC
import TrackEngine

// Places in a text, and where the text is.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#position

/// A place in a text, between two characters.
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

/// LSP's `Range` is a range of positions.
extension Range: JSONReadable, JSONWritable where Bound == Position {
  /// Reads a range; if the end is before the start, the range is empty, at the start.
  public init(_ json: JSON) throws(ResponseError) {
    let start: Position = try json.read("start")
    let end: Position = try json.read("end")
    self = start..<Swift.max(start, end)
  }

  /// Writes `{start, end}`.
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("start", lowerBound)
      $0.member("end", upperBound)
    }
  }
}

/// A range of a document.
struct Location: JSONWritable {
  let uri: String
  let range: Range<Position>

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("range", range)
    }
  }
}

/// A link from a range to a location.
struct LocationLink: JSONWritable {
  let originSelectionRange: Range<Position>
  let targetUri: String
  let targetRange: Range<Position>
  let targetSelectionRange: Range<Position>

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("originSelectionRange", originSelectionRange)
      $0.member("targetUri", targetUri)
      $0.member("targetRange", targetRange)
      $0.member("targetSelectionRange", targetSelectionRange)
    }
  }
}
