import TrackEngine

/// pandoc, a program that reads and writes document formats.
///
/// It is run over standard input and output, without a shell.
enum Pandoc {
  /// The oldest version that is known to work.
  static let oldest = [2, 17]

  /// What it is given to read, and asked to write.
  static let language = Language.markdown

  /// Runs it.
  ///
  /// - Parameters:
  ///   - arguments: Its arguments.
  ///   - input: What it reads.
  ///   - warnings: What it warns of is appended, as far as it is not there, without lines: they are none of the document's.
  /// - Returns: What it writes to standard output.
  /// - Throws: `Platform.Failure` with what it says if it fails, or how to install it if it is absent or too old.
  static func run(
    _ arguments: [Path],
    on input: [UInt8],
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> [UInt8] {
    if let problem { throw problem }
    let (output, errors) = try Platform.run(command + arguments, reading: input)
    for part in errors.split(separator: "[WARNING] ") {
      // In its sandbox it reads none of its own files; what it would translate is not in Markdown.
      if part.hasPrefix("Could not load translations")
        || part.contains("has no translation defined")
      {
        continue
      }
      let lines = part.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
      let place = /,? at (?:\S+ )?line \d+,? column \d+/
      let warning = "pandoc: " + lines.joined(separator: " ").replacing(place, with: "")
      if !lines.isEmpty, !warnings.contains(warning) { warnings.append(warning) }
    }
    return output
  }

  /// Options of the runtime of programs in Haskell: half of the time of a conversion would be for collecting garbage, of
  /// which there is little.
  private static let runtime: [Path] = ["+RTS", "-A2m", "-O64m", "-RTS"]

  /// The program, and what it says of itself: with those options if it was built to take some.
  private static let (command, about): ([Path], [UInt8]?) = {
    for command in [["pandoc"] + runtime, ["pandoc"]] {
      if let (output, _) = try? Platform.run(command + ["--version"]) { return (command, output) }
    }
    return (["pandoc"], nil)
  }()

  /// Why it cannot be used, found out once; nil if it can.
  private static let problem: Platform.Failure? = {
    guard let about else {
      return Platform.Failure(description: "pandoc is not installed. \(remedy)")
    }
    let version = String(decoding: about, as: UTF8.self).prefix { !$0.isNewline }
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

extension [String] {
  /// What pandoc warned of in the clean text, and in the original one, once each.
  ///
  /// That a note is used nowhere is only so if it is in both.
  ///
  /// - Parameter others: What it warned of in the original one.
  /// - Returns: The warnings.
  func withWarnings(ofOriginal others: [String]) -> [String] {
    func isOfUnusedNote(_ warning: String) -> Bool { warning.hasSuffix("but not used.") }
    return filter { !isOfUnusedNote($0) || others.contains($0) }
      + others.filter { !isOfUnusedNote($0) && !contains($0) }
  }
}

extension String {
  /// What pandoc's warning begins with of a file that it has not found, before the file's name.
  static let missingFile = "pandoc: Could not fetch resource "

  /// A warning, with the line in which a text first names the file, if it is of one that was not found.
  func withLine(in text: [UInt8]) -> String {
    guard hasPrefix(String.missingFile) else { return self }
    let rest = dropFirst(String.missingFile.count)
    let name = rest.firstRange(of: ": ").map { rest[..<$0.lowerBound] } ?? rest
    guard let place = text.firstRange(of: Array(name.utf8)[...])?.lowerBound else { return self }
    var cursor = LineCursor(text)
    return "line \(cursor.place(of: place).line): \(self)"
  }
}
