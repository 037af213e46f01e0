import JSONRPC

/// The Model Context Protocol (https://modelcontextprotocol.io/specification/2026-07-28), limited to serving tools: the
/// revision without a session, and those with one, which for a server that only has tools are the same.
struct MCPServer: Sendable {
  /// The revisions in which each request says what it is.
  static let modern = ["2026-07-28"]
  /// The revisions that begin with `initialize`, newest first.
  static let legacy = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

  /// How long a client may keep the list of tools, in milliseconds.
  private static let lifetime = 3_600_000
  private static let prefix = "io.modelcontextprotocol"

  let files: MCPFiles
  private let proposals = KeptProposals()

  init(files: MCPFiles) { self.files = files }

  /// A request.
  struct Request: Sendable {
    let id: RequestID
    let method: String
    let params: JSON?

    /// What it says of itself.
    func meta(_ name: String) -> JSON? { params?["_meta"]?["\(prefix)/\(name)"] }

    /// Whether it belongs to no session.
    var isModern: Bool { meta("protocolVersion") != nil }
    /// The name by which the client calls itself in it.
    var client: String? {
      (meta("clientInfo") ?? (method == "initialize" ? params?["clientInfo"] : nil))?["name"]?
        .string
    }
    /// Where to send how far it is; nil if that is not asked for.
    var progress: RequestID? { params?["_meta"]?["progressToken"].flatMap { try? RequestID($0) } }
    /// Whether it waits for a person.
    var waits: Bool {
      method == "tools/call"
        && MCPTool.all.first { $0.name == params?["name"]?.string }?.waits == true
    }
  }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - client: The name by which the client calls itself.
  ///   - mayGoOn: Told how far a long call is; returns false if the client has cancelled it.
  /// - Returns: A response.
  func answer(
    to request: Request,
    from client: String?,
    mayGoOn: @escaping @Sendable (String) -> Bool
  ) -> OutgoingMessage {
    let asked = request.meta("protocolVersion")
    if let asked, !MCPServer.modern.contains(asked.string ?? "") {
      let error = ResponseError(code: -32_022, message: "Unsupported protocol version")
      return .error(to: request.id, error) {
        $0.object {
          $0.member("supported", MCPServer.modern + MCPServer.legacy)
          $0.member("requested", asked)
        }
      }
    }
    do throws(ResponseError) {
      switch (request.method, request.isModern) {
      case ("initialize", false): return response(to: request) { initialize(request.params, &$0) }
      case ("ping", false): return response(to: request) { _ in }
      case ("server/discover", true): return response(to: request, isCached: true, discover)
      case ("tools/list", let isModern):
        return response(to: request, isCached: isModern) { $0.member("tools", MCPTool.all) }
      case ("tools/call", _):
        let result = try call(request.params, client, mayGoOn)
        return response(to: request, result.writeMembers)
      default: throw .methodNotFound("There is no method \"\(request.method)\".")
      }
    } catch {
      return .error(to: request.id, error)
    }
  }

  /// The answer to a call that is not carried out, which tells the agent why.
  func refusal(of request: Request, _ why: String) -> OutgoingMessage {
    response(to: request, MCPTool.Result.error(why).writeMembers)
  }

  private func response(
    to request: Request,
    isCached: Bool = false,
    _ members: (inout JSONWriter) -> Void
  ) -> OutgoingMessage {
    .response(to: request.id) {
      $0.object {
        members(&$0)
        guard request.isModern else { return }
        $0.member("resultType", "complete")
        if isCached {
          $0.member("ttlMs", MCPServer.lifetime)
          $0.member("cacheScope", "public")
        }
        $0.member(
          "_meta",
          object: {
            $0.key("\(MCPServer.prefix)/serverInfo")
            $0.object(introduce)
          }
        )
      }
    }
  }

  private func introduce(_ writer: inout JSONWriter) {
    writer.member("name", "critic-lsp")
    writer.member("title", "critic-lsp: tracked changes for Markdown")
    writer.member("version", version)
  }

  private func discover(_ writer: inout JSONWriter) {
    writer.member("supportedVersions", MCPServer.modern)
    writer.member("capabilities", object: { $0.member("tools", object: { _ in }) })
    writer.member("instructions", MCPServer.instructions)
  }

  private func initialize(_ params: JSON?, _ writer: inout JSONWriter) {
    // An unsupported revision is answered with a supported one, as the protocol requires.
    let asked = params?["protocolVersion"]?.string ?? ""
    let revision = MCPServer.legacy.first { $0 == asked } ?? MCPServer.legacy[0]
    writer.member("protocolVersion", revision)
    writer.member("capabilities", object: { $0.member("tools", object: { _ in }) })
    writer.member("serverInfo", object: introduce)
    writer.member("instructions", MCPServer.instructions)
  }

  private static let instructions = """
    Documents are Markdown with tracked changes as CriticMarkup: {++added++}, {--deleted--}, {~~old~>new~~}, \
    {==highlighted==}, {>>comment<<}. Read the clean text, and propose edits of it, small ones with a reason each: they \
    become changes that a person accepts or rejects; wait_for_review tells when and how. Do not write to the files in \
    other ways, for then changes that are in them are lost.
    """

  private func call(
    _ params: JSON?,
    _ client: String?,
    _ mayGoOn: @escaping @Sendable (String) -> Bool
  ) throws(ResponseError) -> MCPTool.Result {
    guard let name = params?["name"]?.string else { throw .expected("a string").inside("name") }
    guard let tool = MCPTool.all.first(where: { $0.name == name }) else {
      let near = suggestion(for: name, among: MCPTool.all.map(\.name))
      throw .invalidParams("There is no tool \"\(name)\".\(near)")
    }
    // They may be left out.
    let given = params?["arguments"].flatMap { $0.isNull ? nil : $0 }
    guard let arguments = given ?? (try? JSON(parsing: Array("{}".utf8))) else {
      throw .expected("an object").inside("arguments")
    }
    let call = MCPCall(
      arguments: arguments,
      files: files,
      proposals: proposals,
      client: client,
      mayGoOn: mayGoOn
    )
    return tool.result(call)
  }
}
