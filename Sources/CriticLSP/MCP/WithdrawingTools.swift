import JSONRPC
import TrackEngine

/// The tools that take back what was proposed here, while it stands as it was proposed.
extension MCPTool {
  static let withdraw = MCPTool(
    name: "withdraw",
    title: "Take back a proposal",
    description:
      "Takes back a change that you proposed, with its comment, while nobody has settled it, changed it or answered it; it is"
      + " then as if it had not been proposed. If somebody has, the answer says so, and the person decides.",
    isReadOnly: false,
    parameters: [.path, .proposed, .author],
    output: [.path, Value(name: "message", kind: .text, description: "what was done")],
    run: { call in
      let id = try call.arguments.read("change", as: String.self)
      let author = try call.proposer()
      let path = try call.path()
      let (file, language) = (try call.files.file(of: path), Language(of: path))
      let more = try call.files.change(path) { bytes in
        let own = try call.proposals.own(id, of: bytes, as: language, in: file, by: author)
        return try own.reading.edits(resolving: [own.change], .original, of: bytes)
      }
      call.proposals.withdraw(id, in: file)
      let message = Array("\(id) was taken back in \(path).\(more)".utf8)
      return Output(message) {
        $0.member("path", path)
        $0.member("message", utf8: message)
      }
    }
  )

  static let revise = MCPTool(
    name: "revise",
    title: "Revise a proposal",
    description:
      "Gives a change that you proposed another new text and reason, in one edit, while nobody has settled it, changed it or"
      + " answered it; what it replaces stays the same. If somebody has, the answer says so: propose an edit of the text as it"
      + " reads with it, and the person decides.",
    isReadOnly: false,
    parameters: [
      .path, .proposed,
      Value(
        name: "new",
        kind: .text,
        description:
          "what takes the place of the new text of the change; without CriticMarkup; empty to delete"
      ),
      Value(
        name: "reason",
        kind: .text,
        description: "why, in a sentence, in place of the reason that was given",
        isOptional: true
      ), .author,
    ],
    output: [
      .path,
      Value(
        name: "changes",
        kind: .list(WrittenChange.values),
        description: "the change as it was written; it has another id"
      ),
      Value(name: "message", kind: .text, description: "what was done"),
    ],
    run: { call in
      let id = try call.arguments.read("change", as: String.self)
      let new = try call.arguments.readBytes("new")
      let reason = try call.arguments.readBytesIfPresent("reason").writable(as: "reason")
      let author = try call.proposer()
      let path = try call.path()
      let (file, language) = (try call.files.file(of: path), Language(of: path))
      var written: [WrittenChange] = []
      let more = try call.files.change(path) { bytes in
        let own = try call.proposals.own(id, of: bytes, as: language, in: file, by: author)
        let revision = try bytes.revising(
          own.change,
          in: own.reading,
          to: new.writable(as: "new", or: Array(bytes[own.change.range])),
          because: reason,
          by: author
        )
        guard !revision.proposal.isEmpty else {
          throw Platform.Failure(
            description: "new: it is the old text, so nothing would be proposed; call withdraw"
          )
        }
        let text = bytes.applying(revision.withdrawal)
        written = WrittenChange.all(
          of: revision.proposal,
          in: text,
          as: own.reading.language
        )
        return revision.withdrawal.followed(by: revision.proposal, on: Text(bytes))
      }
      call.proposals.withdraw(id, in: file)
      call.proposals.keep(written, in: file, by: author)
      let message = Array("\(id) was revised in \(path).\(more)".utf8)
      return Output(message) {
        $0.member("path", path)
        $0.member("changes", written)
        $0.member("message", utf8: message)
      }
    }
  )
}

extension MCPTool.Value {
  fileprivate static let proposed = Self(
    name: "change",
    kind: .text,
    description: "the id of the change, as propose answered it"
  )
}

extension MCPCall {
  /// Who takes something back.
  fileprivate func proposer() throws(ResponseError) -> AuthorName {
    guard let author = try author() else {
      throw ResponseError.expected("the name under which the change was proposed").inside("author")
    }
    return author
  }
}
