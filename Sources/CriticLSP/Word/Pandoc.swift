/// pandoc, a program that reads and writes document formats.
///
/// It is run over standard input and output, without a shell.
enum Pandoc {
  /// The oldest version that is known to work.
  static let oldest = [2, 17]

  /// Runs it.
  ///
  /// - Parameters:
  ///   - arguments: Its arguments.
  ///   - input: What it reads.
  /// - Returns: What it writes to standard output.
  /// - Throws: `Platform.Failure` with what it says if it fails, or how to install it if it is absent or too old.
  static func run(_ arguments: [Path], on input: [UInt8]) throws(Platform.Failure) -> [UInt8] {
    if let problem { throw problem }
    return try Platform.output(of: ["pandoc"] + arguments, reading: input)
  }

  /// Why it cannot be used, found out once; nil if it can.
  private static let problem: Platform.Failure? = {
    guard let output = try? Platform.output(of: ["pandoc", "--version"]) else {
      return Platform.Failure(description: "pandoc is not installed. \(remedy)")
    }
    let version = String(decoding: output, as: UTF8.self).prefix { !$0.isNewline }
      .drop { !$0.isNumber }
    let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
    guard oldest.lexicographicallyPrecedes(numbers) || numbers.starts(with: oldest) else {
      let needed = oldest.map(String.init).joined(separator: ".")
      return Platform.Failure(
        description: "pandoc \(version) is too old, \(needed) or newer is needed. \(remedy)"
      )
    }
    return nil
  }()

  private static let remedy =
    "Install it with your package manager (apt install pandoc, brew install pandoc), or from https://pandoc.org."
}
