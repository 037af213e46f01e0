/// The help texts, generated from the commands' own descriptions.
enum Help {
  /// The width of lines, in characters: the terminal's, but none that is hard to read.
  ///
  /// A line is longer if it is one word, or an example, which is to be copied.
  private static let width = min(80, max(40, Platform.columns ?? 80))

  static var overview: String {
    let names = Subcommand.all.map(\.name)
    return """
      \(wrapped("critic-lsp \(version): tracked changes for Markdown, as CriticMarkup, in any editor that speaks LSP."))

      Usage: critic-lsp [COMMAND]

      \(wrapped("Without a command it is the language server, on standard input and output."))

      \(table(Subcommand.all.map { ($0.name, $0.summary) }))
      \(table([
        ("help", "this text, or help on a command: critic-lsp help \(names[0])"),
        ("help agents", "how a program writes changes for a person to settle"),
        ("help agents --skill", "the same as a skill, which agents load by themselves"),
        ("--version", "the version"),
      ]))
      \(wrapped(exitCodes))

      """
  }

  /// The meaning of exit codes for commands without their own.
  static let exitCodes =
    "Exit codes: 0 done, 1 found something (check, diff), 2 wrong use or failure."

  /// What there is help on, besides help itself.
  static var topics: [String] { Subcommand.all.map(\.name) + ["agents"] }

  /// Help on what a command line names, which is a topic or the skill; nil if there is none.
  static func text(on words: [String]) -> String? {
    if words == ["agents", "--skill"] {
      return String(decoding: PackageResources.skill_md, as: UTF8.self)
    }
    return words.count == 1 ? text(on: words[0]) : nil
  }

  /// Help on a command or another topic; nil if there is no such topic.
  static func text(on topic: String) -> String? {
    if topic == "agents" { return String(decoding: PackageResources.agents_md, as: UTF8.self) }
    if topic == "help" { return overview }
    return Subcommand.named(topic).map(text(on:))
  }

  /// Help on a command.
  static func text(on command: Subcommand) -> String {
    let start = "Usage: critic-lsp \(command.name)"
    var parts = [
      command.usage.isEmpty
        ? start : wrapped("\(start) \(command.usage)", indent: min(start.count + 1, width / 4))
    ]
    parts += command.description.map { wrapped($0) }
    if !command.options.isEmpty {
      parts.append(table(command.options.map { ($0.synopsis, $0.summary) }))
    }
    parts += command.notes.map { wrapped($0) }
    if let codes = command.exitCodes { parts.append(wrapped("Exit codes: \(codes)")) }
    if !command.examples.isEmpty {
      let examples = command.examples.map { example in
        let line = "  critic-lsp \(example.arguments)"
        return example.summary.isEmpty ? line : "  # \(example.summary)\n\(line)"
      }
      parts.append("Examples:\n\n" + examples.joined(separator: "\n"))
    }
    return parts.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined(separator: "\n")
  }

  /// Two columns; an entry too wide for the first has a line of its own.
  private static func table(_ rows: [(String, String)]) -> String {
    let widths = rows.map(\.0.count).filter { $0 <= width / 4 }
    let column = 4 + (widths.max() ?? width / 4)
    return rows.map { left, right in
      let start = "  \(left)"
      let isShort = left.count + 4 <= column
      return isShort
        ? wrapped(right, after: start.padded(to: column), indent: column)
        : "\(start)\n" + wrapped(right, after: "".padded(to: column), indent: column)
    }
    .map { $0 + "\n" }.joined()
  }

  /// A paragraph wrapped to ``width``: its first line follows `start`, the others are indented.
  private static func wrapped(
    _ text: String,
    after start: String = "",
    indent: Int = 0
  ) -> String {
    var lines: [String] = []
    var line = start
    var hasWord = false
    for word in words(of: text, atMost: width - indent) {
      if hasWord, line.count + 1 + word.count > width {
        lines.append(line)
        line = "".padded(to: indent)
        hasWord = false
      }
      line += hasWord ? " \(word)" : word
      hasWord = true
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// The words of a text; text in brackets is one word if it fits into a line, so that an option is not separated from
  /// its value.
  private static func words(of text: String, atMost width: Int) -> [String] {
    var words: [String] = []
    var depth = 0
    for part in text.split(separator: " ", omittingEmptySubsequences: false) {
      if depth > 0, let last = words.last, last.count + 1 + part.count <= width {
        words[words.count - 1] += " \(part)"
      } else {
        words.append(String(part))
      }
      depth += part.filter { $0 == "[" }.count - part.filter { $0 == "]" }.count
    }
    return words
  }
}

extension String {
  /// The text with spaces after it, up to a width in characters.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
