import JSONRPC
import TrackEngine

/// The tools that put something into a document.
extension MCPTool {
  static let propose = MCPTool(
    name: "propose",
    title: "Propose edits",
    description:
      "Writes edits of the clean text of a Markdown document into the file as changes that a person accepts or"
      + " rejects, each with its reason as a comment. All edits are checked first: if one cannot be made, nothing is"
      + " written, unless partial is true, and the answer says why and on which lines. Prefer many small edits with a"
      + " reason each. To change or take back a proposal of yours, call revise or withdraw.",
    isReadOnly: false,
    parameters: [
      .path,
      Value(
        name: "edits",
        kind: .list(ProposedEdit.values),
        description: "the edits, in any order; they must not overlap"
      ), .author,
      .flag("partial", "whether to make the edits that can be made where others cannot"),
    ],
    output: [
      .path,
      Value(name: "proposed", kind: .type("integer"), description: "how many changes were made"),
      Value(
        name: "changes",
        kind: .list(WrittenChange.values),
        description: "the changes as they were written"
      ),
      Value(
        name: "left",
        kind: .type("array"),
        description: "why each edit that was left out cannot be made"
      ),
      Value(name: "message", kind: .text, description: "the same in words"),
    ],
    run: { call in
      let edits = try call.arguments.read("edits", as: [ProposedEdit].self)
      let isPartial = try call.arguments.readIfPresent("partial", as: Bool.self) ?? false
      let author = try call.author()
      let path = try call.path()
      guard !edits.isEmpty else {
        throw ResponseError.expected("at least one edit").inside("edits")
      }
      let language = Language(of: path)
      var outcome = Proposal.Outcome()
      var written: [WrittenChange] = []
      let more = try call.files.change(path) { bytes in
        outcome = try bytes.proposing(
          edits.map(\.proposal),
          as: language,
          by: author,
          isPartial: isPartial
        )
        written = WrittenChange.all(of: outcome.edits, in: bytes, as: language)
        return outcome.edits
      }
      call.proposals.keep(written, in: try call.files.file(of: path), by: author)
      let count = outcome.count == 1 ? "1 edit was" : "\(outcome.count) edits were"
      let message =
        Array(
          (["\(count) proposed in \(path)."] + outcome.idle.lines + outcome.left.lines)
            .joined(separator: "\n").utf8
        ) + Array(more.utf8)
      return Output(message) {
        $0.member("path", path)
        $0.member("proposed", outcome.count)
        $0.member("changes", written)
        $0.member("left", outcome.left.lines)
        $0.member("message", utf8: message)
      }
    }
  )

  static let comment = MCPTool(
    name: "comment",
    title: "Comment on a text or a change",
    description:
      "Writes a comment into the file: on a piece of the clean text of a Markdown document, which is highlighted, or, if"
      + " it lies in a change, on the change; or on a change by its id or number, which answers the comments there.",
    isReadOnly: false,
    parameters: [
      .path,
      Value(
        name: "text",
        kind: .text,
        description: "a piece of the clean text that occurs once, as it stands there",
        isOptional: true
      ),
      Value(
        name: "change",
        kind: .types(["integer", "string"]),
        description: "instead of text: the id or the number of a change",
        isOptional: true
      ),
      Value(name: "comment", kind: .text, description: "the comment"),
      .after, .before, .lines, .author,
    ],
    output: [.path, Value(name: "message", kind: .text, description: "what was done")],
    run: { call in
      let change = try call.change()
      let comment = try call.arguments.readBytes("comment").writable(as: "comment")
      let author = try call.author()
      let path = try call.path()
      let language = Language(of: path)
      let more: String
      if let change {
        guard call.arguments["text"] == nil else {
          throw ResponseError.invalidParams("Either text or change, not both.")
        }
        more = try call.files.change(path) { bytes in
          try bytes.edits(
            commentingOnChange: change.number(in: bytes, as: language),
            saying: comment,
            as: language,
            by: author
          )
        }
      } else {
        let citation = try Citation(
          call.arguments.readBytes("text"),
          after: call.arguments.readBytesIfPresent("after"),
          before: call.arguments.readBytesIfPresent("before"),
          lines: call.arguments.readLines()
        )
        more = try call.files.change(path) { bytes in
          try bytes.edits(commentingOn: citation, saying: comment, as: language, by: author)
        }
      }
      let message = Array("The comment was written in \(path).\(more)".utf8)
      return Output(message) {
        $0.member("path", path)
        $0.member("message", utf8: message)
      }
    }
  )
}

extension ProposedEdit {
  /// The members of an edit.
  fileprivate static let values = [
    MCPTool.Value(
      name: "old",
      kind: .text,
      description:
        "a piece of the clean text that occurs once, as it stands there, line breaks included; \\n means any line end",
      isOptional: true
    ),
    MCPTool.Value(
      name: "insert_after",
      kind: .text,
      description: "in place of old: a piece of the clean text; new is put right after it",
      isOptional: true
    ),
    MCPTool.Value(
      name: "insert_before",
      kind: .text,
      description: "in place of old: a piece of the clean text; new is put right before it",
      isOptional: true
    ), .lines,
    MCPTool.Value(
      name: "new",
      kind: .text,
      description:
        "what replaces old, or, without old, the lines; without CriticMarkup; empty to delete"
    ),
    .flag("replace_all", "whether every place of old is meant; each becomes a change"),
    MCPTool.Value(
      name: "reason",
      kind: .text,
      description: "why, in a sentence: it becomes a comment on the change",
      isOptional: true
    ), .after, .before,
  ]
}

/// A change as an agent names it.
private enum NamedChange {
  case number(Int)
  case id(String)

  /// Its number in a text.
  ///
  /// - Throws: `Platform.Failure` if nothing there has this name.
  func number(in text: [UInt8], as language: Language) throws(Platform.Failure) -> Int {
    let id: String
    switch self {
    case .number(let number): return number
    case .id(let name): id = name
    }
    let changes = ListedChange.all(of: text, as: language)
    guard let found = changes.named.first(where: { $0.id == id }) else {
      throw Platform.Failure(
        description: "change: there is no change \(id) any more; list the changes again"
      )
    }
    return found.change.number
  }
}

extension MCPCall {
  /// The change that is meant, if one is given.
  fileprivate func change() throws(ResponseError) -> NamedChange? {
    guard let given = arguments["change"], given.kind != .null else { return nil }
    if let id = given.string { return Int(id).map(NamedChange.number) ?? .id(id) }
    return try number("change").map(NamedChange.number)
  }
}
