import JSONRPC

extension Path: JSONReadable {
  /// Reads a string.
  ///
  /// - Throws: `ResponseError` if it holds a NUL, and so can be the name of no file.
  init(_ json: JSON) throws(ResponseError) {
    guard let bytes = json.utf8 else { throw .expected("a string") }
    guard let path = Path(bytes) else { throw .expected("a path, and a path holds no NUL") }
    self = path
  }
}

extension Path: JSONWritable {
  /// Writes a string, in which what is not UTF-8 is U+FFFD.
  func write(to writer: inout JSONWriter) { writer.string(utf8: Array(bytes)) }
}

/// A path in a transcript, without loss: one that is not UTF-8 is a list of its bytes.
struct RecordedPath: JSONWritable {
  let path: Path

  init(_ path: Path) { self.path = path }

  /// Reads what ``write(to:)`` wrote; nil for anything else.
  init?(_ json: JSON?) {
    guard let json,
      let path = Path(
        json.utf8 ?? json.elements.compactMap { $0.integer.flatMap(UInt8.init(exactly:)) }
      )
    else { return nil }
    self.path = path
  }

  func write(to writer: inout JSONWriter) {
    if String(validating: path.bytes, as: UTF8.self) != nil {
      path.write(to: &writer)
    } else {
      path.bytes.map(Int.init).write(to: &writer)
    }
  }
}
