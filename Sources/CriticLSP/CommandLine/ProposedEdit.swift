import JSONRPC
import TrackEngine

/// A proposal as JSON spells it.
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
  /// Makes sure that an object has no other members than those that are known.
  ///
  /// - Throws: A `ResponseError` that names the one that is not, and the one that is most likely meant.
  func expectMembers(_ known: [String]) throws(ResponseError) {
    for (name, _) in members where !known.contains(name) {
      let near = suggestion(for: name, among: known)
      throw .invalidParams("\(name): there is no such member.\(near)")
    }
  }

  /// The UTF-8 of a member that has to be there.
  func readBytes(_ name: StaticString) throws(ResponseError) -> [UInt8] {
    Array(try read(name, as: String.self).utf8)
  }

  /// The UTF-8 of a member; empty where it is not there.
  func readBytesIfPresent(_ name: StaticString) throws(ResponseError) -> [UInt8] {
    Array((try readIfPresent(name, as: String.self) ?? "").utf8)
  }
}
