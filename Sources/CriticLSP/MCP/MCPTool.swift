import JSONRPC

/// A tool that an agent can call.
struct MCPTool: Sendable {
  let name: String
  let title: String
  let description: String
  /// Whether it never changes files.
  let isReadOnly: Bool
  let parameters: [Value]
  /// The members of what it answers.
  let output: [Value]
  /// Whether it waits for a person.
  var waits = false
  /// Runs the tool; errors are reported to the agent.
  let run: @Sendable (MCPCall) throws -> Output

  /// An argument of a tool, or a member of what it answers.
  struct Value: Sendable {
    let name: String
    let kind: Kind
    let description: String
    var isOptional = false

    indirect enum Kind: Sendable {
      case text
      case choice([String])
      /// Another type of JSON Schema.
      case type(String)
      /// One of several types of JSON Schema.
      case types([String])
      /// Two values of a type of JSON Schema.
      case pair(String)
      /// A list of objects with these members.
      case list([Value])
    }
  }

  /// What a tool answers.
  struct Output {
    /// For the model.
    let text: [UInt8]
    /// The same as an object of JSON.
    let structured: [UInt8]

    /// An object whose text is its JSON.
    init(json: [UInt8]) { (text, structured) = (json, json) }

    /// A text, and an object.
    init(_ text: [UInt8], _ members: (inout JSONWriter) -> Void) {
      self.text = text
      var writer = JSONWriter()
      writer.object(members)
      structured = writer.bytes
    }
  }

  /// The result of a call.
  enum Result {
    case output(Output)
    case error(String)
  }

  /// Calls the tool.
  ///
  /// Wrong arguments are reported as tool errors, so that the agent can read the message and correct them.
  func result(_ call: MCPCall) -> Result {
    do {
      guard call.arguments.kind == .object else {
        throw ResponseError.expected("an object").inside("arguments")
      }
      try call.arguments.expectMembers(parameters.map(\.name))
      return .output(try run(call))
    } catch let error as ResponseError {
      return .error(error.message)
    } catch {
      return .error("\(error)")
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
      $0.member("inputSchema", object: { parameters.writeSchema(to: &$0, isClosed: true) })
      $0.member("outputSchema", object: { output.writeSchema(to: &$0, isClosed: false) })
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

extension [MCPTool.Value] {
  /// Writes the members of a JSON Schema for an object with these members; a closed one has no others.
  fileprivate func writeSchema(to writer: inout JSONWriter, isClosed: Bool) {
    writer.member("type", "object")
    writer.member(
      "properties",
      object: {
        for value in self {
          $0.key(value.name)
          $0.object { value.writeSchema(to: &$0, isClosed: isClosed) }
        }
      }
    )
    writer.member("required", filter { !$0.isOptional }.map(\.name))
    if isClosed { writer.member("additionalProperties", false) }
  }
}

extension MCPTool.Value {
  fileprivate func writeSchema(to writer: inout JSONWriter, isClosed: Bool) {
    switch kind {
    case .text: writer.member("type", "string")
    case .choice(let words):
      writer.member("type", "string")
      writer.member("enum", words)
    case .type(let name): writer.member("type", name)
    case .types(let names): writer.member("type", names)
    case .pair(let name):
      writer.member("type", "array")
      writer.member("items", object: { $0.member("type", name) })
      writer.member("minItems", 2)
      writer.member("maxItems", 2)
    case .list(let members):
      writer.member("type", "array")
      writer.member("items", object: { members.writeSchema(to: &$0, isClosed: isClosed) })
    }
    writer.member("description", description)
  }
}

extension MCPTool.Result {
  /// Writes the members of the result of `tools/call`.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member(
      "content",
      array: {
        $0.object {
          $0.member("type", "text")
          switch self {
          case .output(let output): $0.member("text", utf8: output.text)
          case .error(let message): $0.member("text", message)
          }
        }
      }
    )
    switch self {
    case .output(let output):
      writer.member("structuredContent", ifPresent: try? JSON(parsing: output.structured))
      writer.member("isError", false)
    case .error: writer.member("isError", true)
    }
  }
}
