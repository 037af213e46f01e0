import JSONRPC

/// A tool that an agent can call.
struct MCPTool: Sendable {
  let name: String
  let title: String
  let description: String
  /// Whether it never changes files.
  let isReadOnly: Bool
  let parameters: [Parameter]
  /// Runs the tool; errors are reported to the agent.
  let run: @Sendable (JSON, MCPFiles) throws -> [UInt8]

  /// An argument of a tool.
  struct Parameter: Sendable {
    let name: String
    let kind: Kind
    let description: String
    var isOptional = false

    indirect enum Kind: Sendable {
      case text
      case choice([String])
      /// A list of objects with these members.
      case list([Parameter])
    }
  }

  /// The result of a call.
  struct Result {
    let text: [UInt8]
    /// Whether the text is an error message.
    let isError: Bool
  }

  /// Calls the tool.
  ///
  /// Wrong arguments are reported as tool errors, so that the agent can read the message and correct them.
  func result(_ arguments: JSON?, _ files: MCPFiles) -> Result {
    do {
      guard let arguments, arguments.kind == .object else {
        throw ResponseError.expected("an object").inside("arguments")
      }
      try arguments.expectMembers(parameters.map(\.name))
      return Result(text: try run(arguments, files), isError: false)
    } catch let error as ResponseError {
      return Result(text: Array(error.message.utf8), isError: true)
    } catch {
      return Result(text: Array("\(error)".utf8), isError: true)
    }
  }
}

extension MCPTool: JSONWritable {
  /// Writes the tool as an entry of `tools/list`.
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("title", title)
      $0.member("description", description)
      $0.member("inputSchema", object: { parameters.writeSchema(to: &$0) })
      $0.member(
        "annotations",
        object: {
          $0.member("title", title)
          $0.member("readOnlyHint", isReadOnly)
          // A person has to accept or reject what is written.
          $0.member("destructiveHint", false)
          $0.member("idempotentHint", isReadOnly)
          $0.member("openWorldHint", false)
        }
      )
    }
  }
}

extension [MCPTool.Parameter] {
  /// Writes the members of a JSON Schema for an object with these members.
  fileprivate func writeSchema(to writer: inout JSONWriter) {
    writer.member("type", "object")
    writer.member(
      "properties",
      object: {
        for parameter in self {
          $0.key(parameter.name)
          $0.object(parameter.writeSchema)
        }
      }
    )
    writer.member("required", filter { !$0.isOptional }.map(\.name))
    writer.member("additionalProperties", false)
  }
}

extension MCPTool.Parameter {
  fileprivate func writeSchema(to writer: inout JSONWriter) {
    switch kind {
    case .text: writer.member("type", "string")
    case .choice(let words):
      writer.member("type", "string")
      writer.member("enum", words)
    case .list(let members):
      writer.member("type", "array")
      writer.member("items", object: { members.writeSchema(to: &$0) })
    }
    writer.member("description", description)
  }
}

extension MCPTool.Result: JSONWritable {
  /// Writes the result of `tools/call`.
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member(
        "content",
        array: {
          $0.object {
            $0.member("type", "text")
            $0.member("text", utf8: text)
          }
        }
      )
      $0.member("isError", isError)
    }
  }
}
