import JSONRPC

// The beginning of a session, and what both sides agree on.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#lifeCycleMessages

/// The params of `initialize`; invalid members count as missing, because a session needs an answer.
struct InitializeParams {
  var processId: Int?
  var clientInfo: ClientInfo?
  /// Nil for clients that send `workspaceFolders`, and if no folder is open.
  var rootPath: String?
  var rootUri: String?
  var initializationOptions: JSON?
  /// See ``Client``.
  var capabilities: JSON?
  var trace = TraceValue.off
  var workspaceFolders: [WorkspaceFolder] = []
}

extension InitializeParams {
  init(_ json: JSON?) {
    processId = json?["processId"]?.integer
    clientInfo = json?["clientInfo"].flatMap { try? ClientInfo($0) }
    rootPath = json?["rootPath"]?.string
    rootUri = json?["rootUri"]?.string
    initializationOptions = json?["initializationOptions"]
    capabilities = json?["capabilities"]
    trace = json?["trace"].flatMap { try? TraceValue($0) } ?? .off
    workspaceFolders = json?["workspaceFolders"]?.readable() ?? []
  }
}

/// The client's name and version.
struct ClientInfo: JSONReadable {
  let name: String
  let version: String?

  init(_ json: JSON) throws(ResponseError) {
    name = try json.read("name")
    version = json["version"]?.string
  }
}

/// The answer to `initialize`.
struct InitializeResult: JSONWritable {
  let capabilities: ServerCapabilities
  let serverInfo: ServerInfo

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("capabilities", capabilities)
      $0.member("serverInfo", serverInfo)
    }
  }
}

/// The server's name and version.
struct ServerInfo: JSONWritable {
  let name: String
  let version: String

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("version", version)
    }
  }
}

/// The params of `client/registerCapability`.
struct RegistrationParams<Options: JSONWritable>: JSONWritable {
  let registrations: [Registration<Options>]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("registrations", registrations) }
  }
}

/// The dynamic registration of a method, with its options.
struct Registration<Options: JSONWritable>: JSONWritable {
  let id: String
  let method: StaticString
  let registerOptions: Options

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("id", id)
      $0.member("method", method)
      $0.member("registerOptions", registerOptions)
    }
  }
}

/// How much the server reports by `$/logTrace`.
enum TraceValue: String, CaseIterable, JSONReadable {
  case off
  case messages
  case verbose
}

/// The params of `$/setTrace`.
struct SetTraceParams: JSONReadable {
  let value: TraceValue

  init(_ json: JSON) throws(ResponseError) { value = try json.read("value") }
}

/// The params of `$/logTrace`.
struct LogTraceParams: JSONWritable {
  let message: String
  let verbose: String?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("message", message)
      $0.member("verbose", ifPresent: verbose)
    }
  }
}
