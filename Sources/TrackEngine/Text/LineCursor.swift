/// Counts lines and characters while it goes through a text once.
///
/// Lines end as LSP has them: LF, CRLF or CR.
public struct LineCursor: Sendable {
  private let bytes: [UInt8]
  private var at = 0
  private var line: Int
  private var column = 1

  /// Begins at the beginning of a text, or of the line of that number, from 1, in a longer one.
  public init(_ bytes: [UInt8], line: Int = 1) {
    self.bytes = bytes
    self.line = line
  }

  /// Where an offset is.
  ///
  /// Linear in what lies between this offset and the last one.
  ///
  /// - Parameter offset: A UTF-8 offset, none before the last one.
  /// - Returns: Line and column, both from 1, the column in Unicode scalars; a byte that begins none counts with
  ///   the one before.
  public mutating func place(of offset: Int) -> (line: Int, column: Int) {
    bytes.withUnsafeBufferPointer { bytes in
      while at < min(offset, bytes.count) {
        let byte = bytes[at]
        at += 1
        if byte == Ascii.newline || byte == Ascii.carriageReturn {
          if byte == Ascii.carriageReturn, at < bytes.count, bytes[at] == Ascii.newline {
            // The two are one line end; what stands between them is on the line still.
            if at >= offset { continue }
            at += 1
          }
          line += 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
      }
    }
    return (line, column)
  }
}

extension [UInt8] {
  /// How many line breaks a text has: LF, CRLF or CR; linear.
  public var lineBreakCount: Int { withUnsafeBufferPointer { $0.lineBreaks(in: $0.indices) } }

  /// Where each line begins, and the end of the text; lines end as above; linear.
  public var lineStarts: [Int] { withUnsafeBufferPointer { $0.lineStarts(in: $0.indices) } }
}
