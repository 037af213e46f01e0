/// `critic-lsp serve`: the language server.
enum ServeCommand {
  static func run(_ arguments: [String]) throws -> Int32 {
    var rest = arguments[...]
    var record: String?
    var isStateless = false
    while let argument = rest.popFirst() {
      switch argument {
      case "--stdio": break
      case "--stateless": isStateless = true
      case "--record":
        guard let path = rest.popFirst() else {
          throw UsageFailure("--record wants the name of a file.", on: "serve")
        }
        record = path
      default:
        throw UsageFailure("serve does not know \"\(argument)\".", on: "serve")
      }
    }
    let recorder = try record.map {
      Recorder(descriptor: try Platform.create($0), start: Platform.now)
    }
    Platform.setUpMemory()
    var loop = ServerLoop(
      input: 0,
      output: Platform.reserveStandardOutput(),
      recorder: recorder,
      effects: EffectRunner(memory: isStateless ? nil : memory)
    )
    return loop.run()
  }

  /// Where it is remembered in which documents the user turned tracking on or off.
  private static var memory: String? { Platform.stateFolder.map { "\($0)/critic-lsp/tracking" } }
}
