import TrackEngine

/// A command line, split into options and operands.
struct ParsedArguments {
  private let command: Subcommand
  private var flags: Set<String> = []
  private var values: [String: [Path]] = [:]
  /// The arguments that are not options, in order.
  private(set) var operands: [Path] = []
  /// What follows `--`, if the command takes a program there.
  private(set) var program: [Path] = []

  /// Parses a command line as getopt does: options anywhere, `--name value` or `--name=value`, `-o value` or
  /// `-ovalue`, and no options after `--`.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the command's name.
  ///   - command: The command, which defines the options.
  /// - Throws: ``UsageFailure`` that names the wrong argument.
  init(_ arguments: [Path], for command: Subcommand) throws(UsageFailure) {
    self.command = command
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        if command.takesProgram { program += rest } else { operands += rest }
        break
      }
      guard argument.bytes.first == UInt8(ascii: "-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      try read(argument, &rest)
    }
    if case .none = command.operand, !operands.isEmpty {
      throw fail("\(command.name) takes no arguments.")
    }
    guard operands.count(where: { $0 == "-" }) < 2 else {
      throw fail("Only one document can be standard input.")
    }
  }

  private mutating func read(
    _ argument: Path,
    _ rest: inout ArraySlice<Path>
  ) throws(UsageFailure) {
    let bytes = argument.bytes
    var end = bytes.endIndex
    var given: Path?
    if !bytes.starts(with: "--".utf8), bytes.count > 2 {
      end = 2
      given = Path(bytes[end...])
    } else if let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
      end = equals
      given = Path(bytes[(equals + 1)...])
    }
    let name = String(decoding: bytes[..<end], as: UTF8.self)
    guard let option = command.options.first(where: { $0.name == name || $0.letter == name }) else {
      throw fail(
        "\(command.name) does not know \"\(name)\"."
          + suggestion(for: name, among: command.options.map(\.name) + ["--help"])
      )
    }
    guard let kind = option.value else {
      guard given == nil else { throw fail("\(name) takes no value.") }
      flags.insert(option.name)
      return
    }
    guard let value = given ?? rest.popFirst() else {
      throw fail("\(name) needs a value: \(option.synopsis).")
    }
    if case .choice(_, let words) = kind, !words.contains(value.description) {
      throw fail("\(name) must be \(words.quotedAlternatives), not \"\(value)\".")
    }
    values[option.name, default: []].append(value)
  }

  /// The same options with other operands.
  func with(operands: [Path]) -> ParsedArguments {
    var arguments = self
    arguments.operands = operands
    return arguments
  }

  /// Whether a flag is given.
  func has(_ option: Subcommand.Option) -> Bool { flags.contains(option.name) }

  /// The value of an option; the last one if it is given several times.
  func value(of option: Subcommand.Option) -> String? { path(of: option)?.description }

  /// The same as a path, which need not be UTF-8.
  func path(of option: Subcommand.Option) -> Path? { values[option.name]?.last }

  /// The file or folder to write to; nil for standard output.
  var output: Path? { path(of: .output).flatMap { $0 == "-" ? nil : $0 } }

  /// The extensions that files in folders may have beside those of Markdown: without the dot, in lower case.
  var extensions: [String] {
    get throws(UsageFailure) {
      var extensions: [String] = []
      let given = values(of: .ext)
      for value in given.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
        let name = value.hasPrefix(".") ? value.dropFirst() : value
        guard !name.isEmpty, !name.contains(where: { ". /".contains($0) }) else {
          throw fail("--ext takes extensions, as in txt or txt,org, not \"\(value)\".")
        }
        extensions.append(name.lowercased())
      }
      return extensions
    }
  }

  /// Checks that several files can be written to the output.
  ///
  /// - Throws: ``UsageFailure`` if it is a file, or has the name of one and is not there yet.
  func expectFolderAsOutput() throws(UsageFailure) {
    guard let output, !Platform.isFolder(output), output.bytes.last != Path.slash else { return }
    let isFile = Platform.identity(of: output) != nil
    let more = "and there is more than one file to write"
    guard !isFile else { throw fail("\(output) is not a folder, \(more).") }
    guard !Markdown.isMarkdown(file: output.name.bytes) else {
      throw fail(
        "\(output) would be a file, \(more); name a folder: -o \(output)/ makes one of that name."
      )
    }
  }

  /// All values of an option, in order.
  func values(of option: Subcommand.Option) -> [String] {
    values[option.name]?.map(\.description) ?? []
  }

  /// A usage failure that refers to the command's help.
  func fail(_ description: String) -> UsageFailure { UsageFailure(description, on: command.name) }
}

/// A command line that cannot be understood.
struct UsageFailure: Error {
  var description: String
  /// The command whose help to refer to, with a space before it; or empty.
  var topic: String

  init(_ description: String, on topic: String = "") {
    self.description = description
    self.topic = topic.isEmpty ? "" : " \(topic)"
  }
}

/// A sentence that suggests the most similar word; empty if none is similar.
func suggestion(for word: String, among words: [String]) -> String {
  let near = words.map { (word: $0, distance: distance(word, $0)) }
    .filter { $0.distance <= max(1, word.count / 3) || $0.word.hasPrefix(word) }
    .min { $0.distance < $1.distance }
  return near.map { " Did you mean \"\($0.word)\"?" } ?? ""
}

/// The number of insertions, deletions, replacements and swaps of adjacent characters that turn one word into
/// another (optimal string alignment).
private func distance(_ word: String, _ other: String) -> Int {
  let (a, b) = (Array(word), Array(other))
  var before: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(last[j + 1], row[j]) + 1
      best = min(best, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
      row.append(best)
    }
    (before, last) = (last, row)
  }
  return last[b.count]
}

extension ParsedArguments {
  /// The value of an option that takes an author's name; nil if it is not given.
  ///
  /// - Throws: ``UsageFailure`` if a comment cannot begin with the name.
  func authorName(of option: Subcommand.Option) throws(UsageFailure) -> AuthorName? {
    guard let value = value(of: option) else { return nil }
    guard let name = AuthorName(value) else {
      throw fail("\(option.name) is a name, as in ai:model, not \"\(value)\".")
    }
    return name
  }

  /// The document of a command that takes one.
  ///
  /// - Parameter place: Where its name is looked for, for the message.
  /// - Returns: Its path, or `-`.
  /// - Throws: ``UsageFailure`` if there is none, if there are several, and if it is a folder.
  func onlyDocument(_ place: String = "") throws(UsageFailure) -> Path {
    guard operands.count == 1, let path = operands.first else {
      throw fail("Name one file, or \"-\" for standard input\(place).")
    }
    if Platform.isFolder(path) { throw fail("\(path) is a folder; name a file.") }
    return path
  }

  /// Whether to colour the output on a file descriptor.
  func wantsColor(on descriptor: Int32) -> Bool {
    switch value(of: .color) {
    case "always": true
    case "never": false
    default: Platform.isColourTerminal(descriptor)
    }
  }
}
