/// What the commands write for people to read; never used by the server, whose output is the wire.
enum Console {
  static func write(_ text: String) { write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) {
    guard !Platform.send(bytes, to: 1) else { return }
    // A reader that has gone has seen what it wanted.
    guard let failure = Platform.writeFailure else { Platform.exit(0) }
    complain("cannot write to standard output: \(failure)")
    Platform.exit(2)
  }

  /// Tells what went wrong.
  static func complain(_ text: String) {
    Platform.send(Array("critic-lsp: \(text)\n".utf8), to: 2)
  }
}
