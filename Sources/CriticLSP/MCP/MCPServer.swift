import JSONRPC

/// The Model Context Protocol, revision 2025-06-18 (https://modelcontextprotocol.io/specification/2025-06-18),
/// limited to serving tools.
///
/// The server keeps no state between messages.
struct MCPServer {
  /// The supported revisions, newest first; for a server that only has tools they are the same.
  static let revisions = ["2025-06-18", "2024-11-05"]

  let files: MCPFiles

  /// The answer to a message; nil if none is expected.
  ///
  /// - Parameter body: The message.
  /// - Returns: A response.
  func answer(to body: [UInt8]) -> OutgoingMessage? {
    let message: IncomingMessage
    do throws(InvalidMessage) {
      message = try IncomingMessage(body: body)
    } catch {
      return .error(to: error.id, error.error)
    }
    guard case .request(let id, let method, let params) = message else { return nil }
    do throws(ResponseError) {
      switch method {
      case "initialize": return .response(to: id) { initialize(params, &$0) }
      case "ping": return .response(to: id) { $0.object { _ in } }
      case "tools/list":
        return .response(to: id) { $0.object { $0.member("tools", MCPTool.all) } }
      case "tools/call":
        let result = try call(params)
        return .response(to: id) { $0.value(result) }
      default:
        throw .methodNotFound("There is no method \"\(method)\".")
      }
    } catch {
      return .error(to: id, error)
    }
  }

  private func initialize(_ params: JSON?, _ writer: inout JSONWriter) {
    // An unsupported revision is answered with a supported one, as the protocol requires.
    let asked = params?["protocolVersion"]?.string ?? ""
    let revision = MCPServer.revisions.first { $0 == asked } ?? MCPServer.revisions[0]
    writer.object {
      $0.member("protocolVersion", revision)
      $0.member("capabilities", object: { $0.member("tools", object: { _ in }) })
      $0.member(
        "serverInfo",
        object: {
          $0.member("name", "critic-lsp")
          $0.member("title", "critic-lsp: tracked changes for Markdown")
          $0.member("version", version)
        }
      )
      $0.member("instructions", MCPServer.instructions)
    }
  }

  private static let instructions = """
    Documents are Markdown with tracked changes as CriticMarkup: {++added++}, {--deleted--}, {~~old~>new~~}, \
    {==highlighted==}, {>>comment<<}. Read the clean text, and propose edits of it, small ones with a reason each: they \
    become changes that a person accepts or rejects. Do not write to the files in other ways, for then changes that are \
    in them are lost.
    """

  private func call(_ params: JSON?) throws(ResponseError) -> MCPTool.Result {
    guard let name = params?["name"]?.string else { throw .expected("a string").inside("name") }
    guard let tool = MCPTool.all.first(where: { $0.name == name }) else {
      let near = suggestion(for: name, among: MCPTool.all.map(\.name))
      throw .invalidParams("There is no tool \"\(name)\".\(near)")
    }
    return tool.result(params?["arguments"], files)
  }
}
