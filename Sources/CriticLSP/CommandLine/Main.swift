/// The version of the program, as `--version` and the server report it.
let version = "0.1.0"
/// The date of that version, for the manual page.
let versionDate = "November 24, 2026"

/// Runs what the command line asks for; without arguments, the server.
@main
enum Main {
  static func main() {
    Platform.ignoreBrokenPipes()
    Platform.occupyStandardStreams()
    Platform.exit(run(Platform.arguments))
  }

  /// Runs a command line.
  ///
  /// - Parameter arguments: Without the program's name.
  /// - Returns: The exit code: 0 done, 1 found something, 2 wrong use or failure.
  static func run(_ arguments: [Path]) -> Int32 {
    do {
      return try run(arguments.first?.description, Array(arguments.dropFirst()))
    } catch let failure as UsageFailure {
      Console.complain("\(failure.description)\nTry \"critic-lsp help\(failure.topic)\".")
    } catch let failure as Platform.Failure where failure.isReaderGone {
      return 0
    } catch {
      Console.complain("\(error)")
    }
    return 2
  }

  private static func run(_ name: String?, _ arguments: [Path]) throws -> Int32 {
    switch name {
    // Some clients pass `--stdio` to every server.
    case nil, "--stdio"?:
      return try Subcommand.serve.run(ParsedArguments(arguments, for: .serve))
    case "help"?, "--help"?, "-h"?: return try help(arguments.map(\.description))
    case "--version"?, "-V"?, "version"?:
      try Console.write("critic-lsp \(version)\n")
      return 0
    case let name?:
      guard let command = Subcommand.named(name) else {
        let near = suggestion(for: name, among: Subcommand.all.map(\.name) + ["help", "--version"])
        throw UsageFailure("There is no command \"\(name)\".\(near)")
      }
      if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        return try help([name])
      }
      return try command.run(ParsedArguments(arguments, for: command))
    }
  }

  private static func help(_ topics: [String]) throws -> Int32 {
    guard let topic = topics.first else {
      try Console.write(Help.overview)
      return 0
    }
    guard let text = Help.text(on: topics) else {
      let topic = topics.count == 1 ? topic : topics.joined(separator: " ")
      throw UsageFailure(
        "There is no help on \"\(topic)\"."
          + suggestion(for: topic, among: Help.topics)
      )
    }
    try Console.write(text)
    return 0
  }
}
