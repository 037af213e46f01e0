/// The human-readable output of the commands; never used by the server, whose standard output carries the
/// protocol.
enum Console {
  static func write(_ text: String) throws(Platform.Failure) { try write(Array(text.utf8)) }

  static func write(_ bytes: some Sequence<UInt8>) throws(Platform.Failure) {
    guard Platform.send(Array(bytes), to: 1) else { throw Platform.outputFailure }
  }

  /// Writes what is told of documents, harmless if that is to a terminal; what is coloured is so by itself.
  static func tell(_ bytes: [UInt8], isColored: Bool = false) throws(Platform.Failure) {
    try write(isColored ? bytes : shown(bytes))
  }

  /// What is told of documents, harmless if standard output is a terminal.
  static func shown(_ bytes: [UInt8]) -> [UInt8] {
    isOnTerminal ? Array(String(decoding: bytes, as: UTF8.self).harmless.utf8) : bytes
  }

  private static let isOnTerminal = Platform.isTerminal(1)

  /// Shows temporary text on standard error.
  static func show(_ text: String) { Platform.send(Array(text.utf8), to: 2) }

  /// Reports a failure.
  static func complain(_ text: String) {
    let text = Platform.isTerminal(2) ? text.harmless : text
    Platform.send(Array("critic-lsp: \(text)\n".utf8), to: 2)
  }
}

extension String {
  /// The text in a style of the terminal.
  ///
  /// - Parameters:
  ///   - style: The parameters of the control sequence SGR (ECMA-48), as in `31;9`.
  ///   - isColored: Whether there are colours; without them it stays as it is.
  /// - Returns: The text, harmless, and the sequences around it.
  func painted(_ style: String, if isColored: Bool) -> String {
    isColored ? "\u{1B}[\(style)m\(harmless)\u{1B}[0m" : self
  }

  /// The text with what a terminal obeys, and what turns the order of letters around, written as in `\u001B`; which in
  /// JSON means the same.
  var harmless: String {
    guard unicodeScalars.contains(where: \.isObeyed) else { return self }
    var text = ""
    for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
      let next = unicodeScalars[index...].dropFirst().first
      if !scalar.isObeyed || scalar == "\r" && (next == "\n" || next == nil) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u" + scalar.hexadecimal
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Its number in four hexadecimal digits, or more if it needs them, as in `001B`.
  var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Whether it is a control character, but for line feeds and tabs, or embeds, overrides or isolates a direction.
  fileprivate var isObeyed: Bool {
    switch value {
    case 0x09, 0x0A: false
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
