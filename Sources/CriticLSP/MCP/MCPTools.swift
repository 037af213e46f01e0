import JSONRPC
import TrackEngine

/// The table of tools; none accepts or rejects a change, which is left to a person.
extension MCPTool {
  /// In the order in which they are listed.
  static let all = [listDocuments, read, changes, propose, comment, waitForReview]

  private static let listDocuments = MCPTool(
    name: "list_documents",
    title: "List the documents",
    description:
      "Lists the Markdown documents that this server was given, with how many changes and open threads of comments each"
      + " holds.",
    isReadOnly: true,
    parameters: [],
    output: [
      Value(
        name: "documents",
        kind: .list([
          Value(name: "path", kind: .text, description: "as the other tools take it"),
          Value(name: "changes", kind: .type("integer"), description: "how many changes it holds"),
          Value(name: "open", kind: .type("integer"), description: "how many open threads"),
        ]),
        description: "the documents, by name"
      )
    ],
    run: { call in
      let paths = call.files.documents
      guard !paths.isEmpty else {
        throw Platform.Failure(
          description:
            "There is no Markdown file (\(Markdown.dottedExtensions)) in what this server was given: \(call.files.told)"
        )
      }
      var writer = JSONWriter()
      writer.object {
        $0.member(
          "documents",
          array: {
            for path in paths {
              guard let bytes = try? call.files.contents(of: path) else { continue }
              let counts = ChangeCounts(of: ListedChange.all(of: bytes))
              $0.object {
                $0.member("path", path)
                $0.member("changes", counts.changes)
                $0.member("open", counts.open)
              }
            }
          }
        )
      }
      return Output(json: writer.bytes)
    }
  )

  private static let read = MCPTool(
    name: "read",
    title: "Read a document",
    description:
      "Reads a Markdown document, or some lines of it: the clean text, in which every change is accepted, unless another"
      + " variant is requested. What somebody has not saved yet is in it.",
    isReadOnly: true,
    parameters: [
      .path,
      Value(
        name: "variant",
        kind: .choice(Variant.allCases.map(\.rawValue)),
        description:
          "clean: every change accepted; original: every change rejected; markup: as it is in the file",
        isOptional: true
      ),
      .number("from", "the first line of the variant to read, from 1"),
      .number("to", "the last line to read"),
    ],
    output: [
      .path, Value(name: "text", kind: .text, description: "the text"),
      Value(name: "lines", kind: .type("integer"), description: "how many lines the variant has"),
    ],
    run: { call in
      let variant = try call.choice("variant", of: Variant.allCases, \.rawValue) ?? .clean
      let path = try call.path()
      let bytes = try call.files.contents(of: path)
      let text = Reading(of: bytes).text(variant, of: bytes)
      let ends = text.lineEnds
      let (from, to) = (try call.number("from") ?? 1, try call.number("to") ?? ends.count)
      guard from <= max(1, ends.count) else {
        throw ResponseError.invalidParams("from: the text has only \(ends.count) lines")
      }
      guard from <= to || ends.isEmpty else {
        throw ResponseError.invalidParams("to: \(to) is before from, which is \(from)")
      }
      let start = from > 1 ? ends[from - 2] : 0
      let end = ends.isEmpty ? 0 : ends[min(to, ends.count) - 1]
      let part = Array(text[start..<end])
      return Output(part) {
        $0.member("path", path)
        $0.member("text", utf8: part)
        $0.member("lines", ends.count)
      }
    }
  )

  private static let changes = MCPTool(
    name: "changes",
    title: "List the changes",
    description:
      "Lists the changes, highlights and comments of a Markdown document as JSON: what was changed, where, the text"
      + " around it, and its comments with their authors. counts is of all of them, whatever is asked for.",
    isReadOnly: true,
    parameters: [
      .path,
      Value(
        name: "kind",
        kind: .choice(MarkKind.allCases.map(\.description)),
        description: "only those of this kind; comment: those with a comment",
        isOptional: true
      ),
      Value(
        name: "author",
        kind: .text,
        description: "only those that they made or commented on",
        isOptional: true
      ),
      .number("from", "only those from this number on"),
      .number("limit", "at most so many; next is the number to go on from"),
    ],
    output: [
      Value(name: "version", kind: .type("integer"), description: "of the format"),
      Value(name: "file", kind: .text, description: "the document"),
      Value(
        name: "changes",
        kind: .list([]),
        description: "as docs/changes-format.md describes them"
      ),
      Value(name: "counts", kind: .type("object"), description: "how many there are"),
      .number("next", "where there are more"),
    ],
    run: { call in
      let path = try call.path()
      let kind = try call.choice("kind", of: MarkKind.allCases, \.description)
      let author = try call.arguments.readIfPresent("author", as: String.self)
        .map(CommentHead.shown)
      let from = try call.number("from") ?? 1
      let limit = try call.number("limit") ?? Int.max
      let all = ListedChange.all(of: try call.files.contents(of: path))
      let wanted = all.filter { change in
        let isBy =
          author.map { change.entry.attribution.author == $0 || change.entry.authors.contains($0) }
          ?? true
        return change.number >= from && isBy && kind.map(change.entry.isOf) ?? true
      }
      var writer = JSONWriter()
      writer.object {
        $0.member("version", ListedChange.formatVersion)
        $0.member("file", path)
        $0.member(
          "changes",
          array: { for change in wanted.prefix(limit) { change.write(to: &$0) } }
        )
        $0.member("counts", object: ChangeCounts(of: all).writeMembers)
        $0.member("next", ifPresent: wanted.dropFirst(limit).first?.number)
      }
      return Output(json: writer.bytes)
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
      Value(
        name: "edits",
        kind: .list([
          Value(
            name: "old",
            kind: .text,
            description:
              "a piece of the clean text that occurs once, as it stands there, line breaks included;"
              + " \\n means any line end"
          ),
          Value(
            name: "new",
            kind: .text,
            description:
              "what replaces it, without CriticMarkup; empty to delete; to add text, repeat the text of old in it"
          ),
          Value(
            name: "reason",
            kind: .text,
            description: "why, in a sentence: it becomes a comment on the change",
            isOptional: true
          ), .after, .before,
        ]),
        description: "the edits, in any order; they must not overlap"
      ), .author,
    ],
    output: [
      .path, Value(name: "proposed", kind: .type("integer"), description: "how many were made"),
      Value(name: "message", kind: .text, description: "the same in words"),
    ],
    run: { call in
      let edits = try call.arguments.read("edits", as: [ProposedEdit].self)
      let author = try call.author()
      let path = try call.path()
      var outcome = Proposal.Outcome()
      let more = try call.files.change(path) { bytes in
        outcome = try bytes.proposing(edits.map(\.proposal), by: author)
        return outcome.edits
      }
      let idle = outcome.idle
      let made = edits.count - idle.problems.count
      let count = made == 1 ? "1 edit was" : "\(made) edits were"
      let told =
        ["\(count) proposed in \(path)."] + (idle.problems.isEmpty ? [] : [idle.description])
      let message = Array((told.joined(separator: "\n") + more).utf8)
      return Output(message) {
        $0.member("path", path)
        $0.member("proposed", made)
        $0.member("message", utf8: message)
      }
    }
  )

  private static let comment = MCPTool(
    name: "comment",
    title: "Comment on a text or a change",
    description:
      "Writes a comment into the file: on a piece of the clean text of a Markdown document, which is highlighted, or, if"
      + " it lies in a change, on the change; or on a change by its number, which answers the comments there.",
    isReadOnly: false,
    parameters: [
      .path,
      Value(
        name: "text",
        kind: .text,
        description: "a piece of the clean text that occurs once, as it stands there",
        isOptional: true
      ),
      .number("change", "instead of text: the number of a change, as changes lists it now"),
      Value(name: "comment", kind: .text, description: "the comment"),
      .after, .before, .author,
    ],
    output: [.path, Value(name: "message", kind: .text, description: "what was done")],
    run: { call in
      let number = try call.number("change")
      let comment = try call.arguments.readBytes("comment")
      let author = try call.author()
      let path = try call.path()
      let more: String
      if let number {
        guard call.arguments["text"] == nil else {
          throw ResponseError.invalidParams("Either text or change, not both.")
        }
        more = try call.files.change(path) { bytes in
          try bytes.edits(commentingOnChange: number, saying: comment, by: author)
        }
      } else {
        let citation = try Citation(
          call.arguments.readBytes("text"),
          after: call.arguments.readBytesIfPresent("after"),
          before: call.arguments.readBytesIfPresent("before")
        )
        more = try call.files.change(path) { bytes in
          try bytes.edits(commentingOn: citation, saying: comment, by: author)
        }
      }
      let message = Array("The comment was written in \(path).\(more)".utf8)
      return Output(message) {
        $0.member("path", path)
        $0.member("message", utf8: message)
      }
    }
  )

  /// Shorter than what clients wait for by themselves, in seconds.
  private static let patience = 50

  private static let waitForReview = MCPTool(
    name: "wait_for_review",
    title: "Wait for the review",
    description:
      "Waits until the person says in their editor that the review of a document is done, and tells what became of each"
      + " change that was proposed, what they changed themselves, and what they commented. If done is false, they are"
      + " not through yet: call it again.",
    isReadOnly: true,
    parameters: [
      .path,
      .number("timeout", "how many seconds to wait at most; \(patience) if it is not given"),
      .author,
    ],
    output: [
      .path, Value(name: "done", kind: .type("boolean"), description: "whether it is done"),
      Value(
        name: "decisions",
        kind: .list([]),
        description:
          "the changes that are no longer in marks, as they were proposed; decision: accepted, rejected, edited; final:"
          + " the text there"
      ),
      Value(name: "changes", kind: .list([]), description: "the changes that are new"),
      Value(
        name: "comments",
        kind: .list([]),
        description: "the comments that are new, with author and change"
      ),
      Value(
        name: "counts",
        kind: .type("object"),
        description: "accepted, rejected, edited, left"
      ),
    ],
    waits: true,
    run: { call in
      let path = try call.path()
      let timeout = try call.number("timeout") ?? patience
      let review = try AwaitedReview(
        of: call.files.place(of: path),
        by: call.author(),
        within: min(timeout, 1_000_000) * 1000
      ) { isOpen in
        call.mayGoOn(
          isOpen ? "the person is reviewing \(path)" : "\(path) is open in no editor yet"
        )
      }
      let report = ReviewReport(of: review.texts)
      var writer = JSONWriter()
      writer.object {
        $0.member("path", path)
        report.writeMembers(to: &$0, isDone: review.isDone)
      }
      return Output(json: writer.bytes)
    }
  )
}

extension MCPTool.Value {
  /// A number that may be missing.
  fileprivate static func number(_ name: String, _ description: String) -> Self {
    Self(name: name, kind: .type("integer"), description: description, isOptional: true)
  }

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

extension [UInt8] {
  /// Where each line ends, behind its line end; of the last one, the end of the text.
  fileprivate var lineEnds: [Int] {
    var ends = indices.filter { self[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    if count > ends.last ?? 0 { ends.append(count) }
    return ends
  }
}
