import JSONRPC
import TrackEngine

/// The tools that tell what a person made of it.
extension MCPTool {
  /// Shorter than what clients wait for by themselves, in seconds.
  private static let patience = 50

  static let waitForReview = MCPTool(
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
          "the changes that are no longer in marks, as they were proposed; id: as propose answered it; decision: accepted,"
          + " rejected, edited; final: the text there"
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
      let report = ReviewReport(of: review.texts, as: Language(of: path))
      var writer = JSONWriter()
      writer.object {
        $0.member("path", path)
        report.writeMembers(to: &$0, isDone: review.isDone)
      }
      return Output(json: writer.bytes)
    }
  )

  static let decisions = MCPTool(
    name: "decisions",
    title: "Compare proposals with what became of them",
    description:
      "Tells for each change of a text with marks, which you kept from read with the variant markup, whether it was"
      + " accepted, rejected or edited since, or is pending. wait_for_review tells it of what is reviewed now.",
    isReadOnly: true,
    parameters: [
      .path,
      Value(name: "proposed", kind: .text, description: "the text with the marks, as it was then"),
    ],
    output: [
      .path,
      Value(
        name: "decisions",
        kind: .list([]),
        description:
          "the changes as they were proposed; decision: accepted, rejected, edited, pending; of highlights and"
          + " comments that are gone settled; of what you took back withdrawn; final: the text there"
      ),
    ],
    run: { call in
      let path = try call.path()
      let proposed = try call.arguments.readBytes("proposed")
      let final = try call.files.contents(of: path)
      let language = Language(of: path)
      let decisions = Decision.all(of: proposed, in: final, as: language)
      let changes = ListedChange.all(of: proposed, as: language).named
      let file = try call.files.file(of: path)
      var writer = JSONWriter()
      writer.object {
        $0.member("path", path)
        $0.member(
          "decisions",
          array: {
            for ((id, change), decision) in zip(changes, decisions) {
              change.write(to: &$0) {
                if decision.outcome == .rejected, call.proposals.isWithdrawn(id, in: file) {
                  $0.member("decision", "withdrawn")
                } else {
                  decision.writeMembers(to: &$0)
                }
              }
            }
          }
        )
      }
      return Output(json: writer.bytes)
    }
  )
}
