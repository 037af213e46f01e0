/// What the commands write for people to read; never used by the server, whose output is the wire.
enum Console {
  static func write(_ text: String) { write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) {
    // A reader that has gone, as `head` does, has seen what it wanted.
    if !Platform.send(bytes, to: 1) { Platform.exit(0) }
  }

  /// Tells what went wrong.
  static func complain(_ text: String) {
    Platform.send(Array("critic-lsp: \(text)\n".utf8), to: 2)
  }
}
