import JSONRPC
import TrackEngine

/// A call of a tool: its arguments, and what it may reach.
struct MCPCall: Sendable {
  let arguments: JSON
  let files: MCPFiles
  let proposals: KeptProposals
  /// The name by which the client calls itself.
  let client: String?
  /// Tells the client how far a long call is; returns false if the client has cancelled it.
  let mayGoOn: @Sendable (_ message: String) -> Bool

  /// The file that it is about.
  func path() throws(ResponseError) -> Path { try arguments.read("path") }

  /// Who proposes or comments: the argument `author`, or else the client.
  func author() throws(ResponseError) -> AuthorName? {
    guard let name = try arguments.readIfPresent("author", as: String.self) else {
      return client.flatMap { AuthorName($0) }
    }
    guard let author = AuthorName(name) else {
      throw ResponseError.expected("a name, as in ai:model").inside("author")
    }
    return author
  }

  /// A number from 1; nil if it is not given.
  func number(_ name: StaticString) throws(ResponseError) -> Int? {
    guard let number = try arguments.readIfPresent(name, as: Int.self) else { return nil }
    guard number > 0 else { throw .expected("a number from 1").inside("\(name)") }
    return number
  }
}
