/// A command of the program: its name, its arguments, and what it does.
///
/// Parsing, help texts, the manual page and the shell completions are all derived from these values; see
/// `Subcommand.all`.
struct Subcommand: Sendable {
  /// The name, as typed.
  let name: String
  /// What it does, in a few words.
  let summary: String
  /// The arguments that are not options, as in `PATH...`.
  var operands = ""
  /// What it does, in paragraphs of any length.
  let description: [String]
  let options: [Option]
  /// Further notes, in paragraphs of any length.
  var notes: [String] = []
  /// Example command lines, without the program's name.
  let examples: [Example]
  /// The meaning of the exit codes, if it differs from the default.
  var exitCodes: String?
  /// Whether what follows `--` is a program with its arguments.
  var takesProgram = false
  /// What a shell completes for operands.
  var operand: Operand = .path
  /// Runs the command and returns the exit code.
  let run: @Sendable (ParsedArguments) throws -> Int32

  /// An option, as in `--kind KIND`.
  struct Option: Sendable {
    /// The long name with its dashes, as in `--output`.
    let name: String
    /// The short name: a dash and a letter.
    let letter: String?
    /// The value that must follow; nil for a flag.
    let value: Value?
    let summary: String
    /// Whether each of several values counts, not only the last.
    private(set) var isRepeated = false
    /// Whether it stands instead of the option before it.
    private(set) var isAlternative = false

    init(_ name: String, _ letter: String? = nil, _ value: Value? = nil, _ summary: String) {
      self.name = name
      self.letter = letter
      self.value = value
      self.summary = summary
    }
  }

  /// The value of an option.
  enum Value: Sendable {
    /// Text, with its placeholder in help.
    case text(String)
    /// A file or a folder.
    case path(String)
    /// One of several words.
    case choice(String, [String])
  }

  struct Example: Sendable {
    let arguments: String
    let summary: String

    init(_ arguments: String, _ summary: String) {
      self.arguments = arguments
      self.summary = summary
    }
  }

  /// The operands of a command.
  enum Operand: Sendable {
    case none
    case path
    case choice([String])
  }
}

extension Subcommand.Value {
  /// The placeholder in help.
  var name: String {
    switch self {
    case .text(let name), .path(let name), .choice(let name, _): name
    }
  }
}

extension Subcommand {
  /// The arguments after the name, as in `[-o OUT] PATH...`.
  var usage: String {
    var parts: [String] = []
    for option in options {
      let words = [option.letter ?? option.name, option.value?.name].compactMap(\.self)
      let isAlternative = option.isAlternative && !parts.isEmpty
      let start = isAlternative ? "\(parts.removeLast().dropLast()) | " : "["
      parts.append("\(start)\(words.joined(separator: " "))]\(option.isRepeated ? "..." : "")")
    }
    return (parts + [operands]).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension Subcommand.Option {
  /// The option, of which each of several values counts.
  var repeated: Self {
    var option = self
    option.isRepeated = true
    return option
  }

  /// The option, instead of the one before it.
  var alternative: Self {
    var option = self
    option.isAlternative = true
    return option
  }

  /// The option as help shows it, as in `-o, --output OUT`.
  var synopsis: String {
    (letter.map { "\($0), " } ?? "") + name + (value.map { " \($0.name)" } ?? "")
  }
}
