import JSONRPC
import TrackEngine

/// A proposal in JSON.
struct ProposedEdit: JSONReadable {
  let proposal: Proposal

  /// The names of the members.
  static let members =
    ["old", "insert_after", "insert_before", "lines", "new", "replace_all", "reason"]
    + ["after", "before"]

  /// Reads `{"old" | "insert_after" | "insert_before", "new", "lines"?, "replace_all"?, "reason"?, "after"?, "before"?}`,
  /// where `lines` alone can stand in place of the first.
  init(_ json: JSON) throws(ResponseError) {
    guard json.kind == .object else { throw .expected("an object") }
    try json.expectMembers(ProposedEdit.members)
    let (manner, text) = try json.readCitedText()
    let old = try Citation(
      text,
      after: json.readBytesIfPresent("after"),
      before: json.readBytesIfPresent("before"),
      lines: json.readLines()
    )
    let reason = try json.readBytesIfPresent("reason").writable(as: "reason")
    proposal = try Proposal(
      old,
      json.readBytes("new").writable(as: "new", or: text),
      manner,
      isEverywhere: json.readIfPresent("replace_all", as: Bool.self) ?? false,
      reason: reason.isEmpty ? nil : reason
    )
  }
}

extension JSON {
  /// The text that an edit cites, and what becomes of it.
  fileprivate func readCitedText() throws(ResponseError) -> (Proposal.Manner, [UInt8]) {
    let manners: [(name: StaticString, Proposal.Manner)] = [
      ("old", .replaced), ("insert_after", .followed), ("insert_before", .preceded),
    ]
    let given = manners.filter { self[$0.name] != nil }
    guard given.count < 2 else {
      throw .invalidParams("\(given[0].name) and \(given[1].name): only one of them can be given")
    }
    guard let (name, manner) = given.first ?? (self["lines"] == nil ? manners[0] : nil) else {
      return (.replaced, [])
    }
    return (manner, try readBytes(name))
  }

  /// The lines of an edit: two numbers from 1.
  func readLines() throws(ResponseError) -> ClosedRange<Int>? {
    guard let numbers = try readIfPresent("lines", as: [Int].self) else { return nil }
    guard numbers.count == 2, numbers[0] > 0, numbers[0] <= numbers[1] else {
      throw .expected("two line numbers, the first and the last, from 1").inside("lines")
    }
    return numbers[0]...numbers[1]
  }

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

extension [UInt8] {
  /// The text, which is to be written into a document.
  ///
  /// - Parameters:
  ///   - name: The member that it comes from.
  ///   - known: A text whose control characters it may have, too.
  /// - Returns: The text.
  /// - Throws: A `ResponseError` if it has another control character, as LaTeX has whose backslashes were not doubled.
  func writable(as name: StaticString, or known: [UInt8] = []) throws(ResponseError) -> [UInt8] {
    let allowed = Set(known).union("\t\n\r".utf8)
    let control = first { ($0 < 0x20 || $0 == 0x7F) && !allowed.contains($0) }
    guard let control else { return self }
    throw .invalidParams(
      "\(name): it has the control character U+\(Unicode.Scalar(control).hexadecimal); in JSON a backslash is"
        + " written twice, as in \"$\\\\beta$\""
    )
  }
}
