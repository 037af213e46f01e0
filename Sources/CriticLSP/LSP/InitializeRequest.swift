import JSONRPC

/// The params of `initialize`; invalid members count as missing, because a session needs an answer.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#initialize
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

extension InitializeParams: JSONWritable {
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

  /// Writes the params of a client with a single file.
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("processId", processId)
      $0.member("clientInfo", ifPresent: clientInfo)
      $0.member("initializationOptions", ifPresent: initializationOptions)
      $0.member("capabilities", ifPresent: capabilities)
    }
  }
}

/// The client's name and version.
struct ClientInfo {
  let name: String
  var version: String?
}

extension ClientInfo: JSONReadable, JSONWritable {
  init(_ json: JSON) throws(ResponseError) {
    name = try json.read("name")
    version = json["version"]?.string
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("version", ifPresent: version)
    }
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
