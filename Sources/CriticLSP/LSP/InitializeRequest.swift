import JSONRPC

/// The params of `initialize`; what can't be read counts as not said, for without an answer there is no session.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#initialize
struct InitializeParams {
  let processId: Int?
  let clientInfo: ClientInfo?
  /// Nil for clients that know `workspaceFolders`, and where nothing is open.
  let rootPath: String?
  let rootUri: String?
  let initializationOptions: JSON?
  /// See ``Client``.
  let capabilities: JSON?
  let trace: TraceValue
  let workspaceFolders: [WorkspaceFolder]

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

/// Who the client is.
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

/// Who the server is.
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
