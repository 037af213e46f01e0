import JSONRPC

extension Subcommand {
  /// `critic-lsp mcp`: a server of tools for agents.
  static let mcp = Subcommand(
    name: "mcp",
    summary: "a server of the Model Context Protocol: an agent reads, proposes and comments",
    operands: "PATH...",
    description: [
      "Serves the Model Context Protocol (https://modelcontextprotocol.io) on standard input and output, one message per"
        + " line, with the tools list_documents, read, changes, propose, comment, revise, withdraw, wait_for_review and"
        + " decisions. None accepts or rejects a change: a person does. What the agent itself has proposed it can revise and"
        + " take back, while nobody has settled, changed or answered it."
    ],
    options: [],
    notes: [
      "The tools reach only Markdown files below the named folders, with links resolved, and files that are named"
        + " themselves. A file is replaced in one step; one that is open in an editor is read and changed there. The agent's paths may be absolute, or relative to one of the"
        + " folders or to the folder in which the server was started."
    ],
    examples: [
      Example("mcp ~/book", "as a command in an agent's settings"),
      Example("mcp .", "for what is below the folder in which the agent runs"),
    ],
    exitCodes: "0 when standard input ends, 2 wrong use or failure.",
    run: serveTools
  )

  private static func serveTools(_ arguments: ParsedArguments) throws -> Int32 {
    guard !arguments.operands.isEmpty else {
      throw arguments.fail("Name the folders whose files may be read and changed.")
    }
    let server = MCPServer(files: try MCPFiles(below: arguments.operands))
    Platform.tidyWhenEnded()
    let output = try Platform.reserveStandardOutput()
    let session = MCPSession(server, output: output)
    var connection = Connection(input: 0, output: output)
    var framing = LineFraming()
    while true {
      switch connection.receive(within: nil) {
      case .bytes(let bytes): framing.append(bytes)
      case .none: continue
      case .end: return 0
      }
      while let frame = framing.next() {
        let isListening =
          switch frame {
          case .body(let body): session.receive(body)
          case .tooLong(let length): session.refuse(length)
          }
        guard isListening else { return 0 }
      }
    }
  }
}
