public import JSONRPC

/// LSP's `Range` is a range of positions.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#range
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
