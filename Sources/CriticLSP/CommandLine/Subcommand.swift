/// A command of the program: what it is called, what it takes and what it does.
///
/// Parsing, help texts, the man page and the shells' completions all come from these values; see
/// `Subcommand.all`.
struct Subcommand: Sendable {
  /// As it is typed.
  let name: String
  /// What it does, in a few words.
  let summary: String
  /// What comes after the name in a command line, as in `[-o OUT] PATH...`.
  let usage: String
  /// What it does, in paragraphs of any length.
  let description: [String]
  let options: [Option]
  /// What is to be known besides, in paragraphs of any length.
  var notes: [String] = []
  /// Command lines without the program's name, with what they do.
  let examples: [Example]
  /// What the exit codes mean, if that is not as everywhere.
  var exitCodes: String?
  /// What a shell completes where no option stands.
  var operand: Operand = .path
  /// Does it, and returns the exit code.
  let run: @Sendable (ParsedArguments) throws -> Int32

  /// An option, as in `--kind KIND`.
  struct Option: Sendable {
    /// With its dashes, as in `--output`.
    let name: String
    /// One dash and a letter.
    let letter: String?
    /// What has to follow; nil for a flag.
    let value: Value?
    let summary: String

    init(_ name: String, _ letter: String? = nil, _ value: Value? = nil, _ summary: String) {
      self.name = name
      self.letter = letter
      self.value = value
      self.summary = summary
    }
  }

  /// What follows an option.
  enum Value: Sendable {
    /// Some text, under the name that it has in help.
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

  /// What stands in a command line besides options.
  enum Operand: Sendable {
    case none
    case path
    case choice([String])
  }
}

extension Subcommand.Value {
  /// What help calls it.
  var name: String {
    switch self {
    case .text(let name), .path(let name), .choice(let name, _): name
    }
  }
}

extension Subcommand.Option {
  /// The option as help shows it, as in `-o, --output OUT`.
  var synopsis: String {
    (letter.map { "\($0), " } ?? "") + name + (value.map { " \($0.name)" } ?? "")
  }
}
