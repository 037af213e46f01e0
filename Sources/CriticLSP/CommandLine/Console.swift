/// The human-readable output of the commands; never used by the server, whose standard output carries the
/// protocol.
enum Console {
  static func write(_ text: String) throws(Platform.Failure) { try write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) throws(Platform.Failure) {
    guard Platform.send(bytes, to: 1) else { throw Platform.outputFailure }
  }

  /// Shows temporary text on standard error.
  static func show(_ text: String) { Platform.send(Array(text.utf8), to: 2) }

  /// Reports a failure.
  static func complain(_ text: String) {
    Platform.send(Array("critic-lsp: \(text)\n".utf8), to: 2)
  }
}

extension String {
  /// The text in a style of the terminal.
  ///
  /// - Parameters:
  ///   - style: The parameters of the control sequence SGR (ECMA-48), as in `31;9`.
  ///   - isColored: Whether there are colours; without them it stays as it is.
  /// - Returns: The text, and the sequences around it.
  func painted(_ style: String, if isColored: Bool) -> String {
    isColored ? "\u{1B}[\(style)m\(self)\u{1B}[0m" : self
  }
}
