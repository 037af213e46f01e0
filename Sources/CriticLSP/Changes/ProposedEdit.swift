import JSONRPC
import TrackEngine

/// A proposal in JSON.
struct ProposedEdit: JSONReadable {
  let proposal: Proposal

  /// The names of the members.
  static let members = ["old", "new", "reason", "after", "before"]

  /// Reads `{"old", "new", "reason"?, "after"?, "before"?}`.
  init(_ json: JSON) throws(ResponseError) {
    guard json.kind == .object else { throw .expected("an object") }
    try json.expectMembers(ProposedEdit.members)
    let old = try Citation(
      json.readBytes("old"),
      after: json.readBytesIfPresent("after"),
      before: json.readBytesIfPresent("before")
    )
    let reason = try json.readBytesIfPresent("reason")
    let new = try json.readBytes("new")
    proposal = Proposal(old, new, reason: reason.isEmpty ? nil : reason)
  }
}

extension JSON {
  /// Checks that an object has only known members.
  ///
  /// - Throws: A `ResponseError` that names the unknown member and suggests the most similar known one.
  func expectMembers(_ known: [String]) throws(ResponseError) {
    for (name, _) in members where !known.contains(name) {
      let near = suggestion(for: name, among: known)
      throw .invalidParams("\(name): there is no such member.\(near)")
    }
  }

  /// The UTF-8 bytes of a required member.
  func readBytes(_ name: StaticString) throws(ResponseError) -> [UInt8] {
    Array(try read(name, as: String.self).utf8)
  }

  /// The UTF-8 bytes of an optional member; empty if it is missing.
  func readBytesIfPresent(_ name: StaticString) throws(ResponseError) -> [UInt8] {
    Array((try readIfPresent(name, as: String.self) ?? "").utf8)
  }
}
