import JSONRPC
import TrackEngine

/// The table of tools; none accepts or rejects a change, which is left to a person.
extension MCPTool {
  /// In the order in which they are listed.
  static let all = [read, changes, propose, comment]

  private static let read = MCPTool(
    name: "read",
    title: "Read a document",
    description:
      "Reads a Markdown document: the clean text, in which every change is accepted, unless another variant is"
      + " requested.",
    isReadOnly: true,
    parameters: [
      .path,
      Parameter(
        name: "variant",
        kind: .choice(Variant.allCases.map(\.rawValue)),
        description:
          "clean: every change accepted; original: every change rejected; markup: as it is in the file",
        isOptional: true
      ),
    ],
    run: { arguments, files in
      let name = try arguments.readIfPresent("variant", as: String.self) ?? Variant.clean.rawValue
      guard let variant = Variant(rawValue: name) else {
        let names = Variant.allCases.map(\.rawValue).joined(separator: ", ")
        throw ResponseError.expected("one of \(names)").inside("variant")
      }
      let bytes = try files.contents(of: arguments.read("path"))
      return Reading(of: bytes).text(variant, of: bytes)
    }
  )

  private static let changes = MCPTool(
    name: "changes",
    title: "List the changes",
    description:
      "Lists the changes, highlights and comments of a Markdown document as JSON: what was changed, where, the text"
      + " around it, and its comments with their authors.",
    isReadOnly: true,
    parameters: [.path],
    run: { arguments, files in
      let path: Path = try arguments.read("path")
      var list = ChangesJSON()
      let bytes = try files.contents(of: path)
      let start = list.begin() + list.begin(path)
      let changes = ListedChange.all(of: bytes).flatMap { list.add($0, of: path) }
      return start + changes + list.end(path) + list.end()
    }
  )

  private static let propose = MCPTool(
    name: "propose",
    title: "Propose edits",
    description:
      "Writes edits of the clean text of a Markdown document into the file as changes that a person accepts or"
      + " rejects, each with its reason as a comment. All edits are checked first: if one cannot be made, nothing is"
      + " written, and the answer says why and on which lines. Prefer many small edits with a reason each.",
    isReadOnly: false,
    parameters: [
      .path,
      Parameter(
        name: "edits",
        kind: .list([
          Parameter(
            name: "old",
            kind: .text,
            description:
              "a piece of the clean text that occurs once, as it stands there, line breaks included;"
              + " \\n means any line end"
          ),
          Parameter(
            name: "new",
            kind: .text,
            description:
              "what replaces it, without CriticMarkup; empty to delete; to add text, repeat the text of old in it"
          ),
          Parameter(
            name: "reason",
            kind: .text,
            description: "why, in a sentence: it becomes a comment on the change",
            isOptional: true
          ), .after, .before,
        ]),
        description: "the edits, in any order; they must not overlap"
      ), .author,
    ],
    run: { arguments, files in
      let edits = try arguments.read("edits", as: [ProposedEdit].self)
      let author = try author(arguments)
      let path: Path = try arguments.read("path")
      var outcome = Proposal.Outcome()
      let more = try files.change(path) { bytes in
        outcome = try bytes.proposing(edits.map(\.proposal), by: author)
        return outcome.edits
      }
      let idle = outcome.idle
      let made = edits.count - idle.problems.count
      let count = made == 1 ? "1 edit was" : "\(made) edits were"
      let told =
        ["\(count) proposed in \(path)."] + (idle.problems.isEmpty ? [] : [idle.description])
      return Array((told.joined(separator: "\n") + more).utf8)
    }
  )

  private static let comment = MCPTool(
    name: "comment",
    title: "Comment on a text",
    description:
      "Writes a comment on a piece of the clean text of a Markdown document into the file: the piece is highlighted,"
      + " or, if it lies in a change, the comment is on the change.",
    isReadOnly: false,
    parameters: [
      .path,
      Parameter(
        name: "text",
        kind: .text,
        description: "a piece of the clean text that occurs once, as it stands there"
      ), Parameter(name: "comment", kind: .text, description: "the comment"),
      .after, .before, .author,
    ],
    run: { arguments, files in
      let citation = try Citation(
        arguments.readBytes("text"),
        after: arguments.readBytesIfPresent("after"),
        before: arguments.readBytesIfPresent("before")
      )
      let comment = try arguments.readBytes("comment")
      let author = try author(arguments)
      let path: Path = try arguments.read("path")
      let more = try files.change(path) { bytes in
        try bytes.edits(commentingOn: citation, saying: comment, by: author)
      }
      return Array("The comment was written in \(path).\(more)".utf8)
    }
  )

  private static func author(_ arguments: JSON) throws(ResponseError) -> AuthorName? {
    guard let name = try arguments.readIfPresent("author", as: String.self) else { return nil }
    guard let author = AuthorName(name) else {
      throw ResponseError.expected("a name, as in ai:model").inside("author")
    }
    return author
  }
}

extension MCPTool.Parameter {
  fileprivate static let path = Self(
    name: "path",
    kind: .text,
    description:
      "the Markdown file; absolute, or relative to one of the folders that the server was given"
  )
  fileprivate static let author = Self(
    name: "author",
    kind: .text,
    description: "the author, as in ai:model",
    isOptional: true
  )
  fileprivate static let after = Self(
    name: "after",
    kind: .text,
    description: "the text right before it, where it occurs more than once",
    isOptional: true
  )
  fileprivate static let before = Self(
    name: "before",
    kind: .text,
    description: "the text right after it, where it occurs more than once",
    isOptional: true
  )
}
