/// The version of the program, as `--version` and the server tell it.
let version = "0.1.0"

/// Picks what the command line asks for; without arguments, the server.
@main
enum Main {
  static func main() {
    Platform.ignoreBrokenPipes()
    Platform.exit(run(Platform.arguments))
  }

  /// Runs a command line.
  ///
  /// - Parameter arguments: Without the program's name.
  /// - Returns: The exit code: 0 done, 1 found something, 2 wrong use or failure.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      return try run(arguments.first, Array(arguments.dropFirst()))
    } catch let failure as UsageFailure {
      Console.complain("\(failure.description)\nTry \"critic-lsp help\(failure.topic)\".")
    } catch let failure as Platform.Failure where failure.isReaderGone {
      return 0
    } catch {
      Console.complain("\(error)")
    }
    return 2
  }

  private static func run(_ command: String?, _ arguments: [String]) throws -> Int32 {
    if arguments.contains("--help") || arguments.contains("-h"), let command,
      let text = Help.text(on: command)
    {
      try Console.write(text)
      return 0
    }
    switch command {
    case nil: return try ServeCommand.run([])
    case "serve"?: return try ServeCommand.run(arguments)
    // Some clients pass it to every server.
    case "--stdio"?: return try ServeCommand.run(arguments)
    case "export"?: return try ExportCommand.run(arguments)
    case "replay"?: return try ReplayCommand.run(arguments)
    case "demo"?: return try DemoCommand.run(arguments)
    case "help"?, "--help"?, "-h"?: return try help(arguments.first)
    case "--version"?, "-V"?, "version"?:
      try Console.write("critic-lsp \(version)\n")
      return 0
    case let other?: throw UsageFailure("There is no command \"\(other)\".")
    }
  }

  private static func help(_ topic: String?) throws -> Int32 {
    guard let topic else {
      try Console.write(Help.overview)
      return 0
    }
    guard let text = Help.text(on: topic) else {
      throw UsageFailure("There is no help on \"\(topic)\".")
    }
    try Console.write(text)
    return 0
  }
}

/// A command line that can't be understood.
struct UsageFailure: Error {
  var description: String
  /// The command whose help tells more, with a space before it; or empty.
  var topic: String

  init(_ description: String, on topic: String = "") {
    self.description = description
    self.topic = topic.isEmpty ? "" : " \(topic)"
  }
}
