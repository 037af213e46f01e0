/// What the commands write for people to read; never used by the server, whose output is the wire.
enum Console {
  static func write(_ text: String) throws(Platform.Failure) { try write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) throws(Platform.Failure) {
    guard Platform.send(bytes, to: 1) else { throw Platform.outputFailure }
  }

  /// Shows something on standard error that is not to stay.
  static func show(_ text: String) { Platform.send(Array(text.utf8), to: 2) }

  /// Tells what went wrong.
  static func complain(_ text: String) {
    Platform.send(Array("critic-lsp: \(text)\n".utf8), to: 2)
  }
}
