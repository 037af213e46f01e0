import JSONRPC
import TrackEngine

extension ReviewReport {
  /// Writes the members of an object: what was decided, changed and said.
  ///
  /// - Parameters:
  ///   - writer: The writer.
  ///   - isDone: Whether the writer has said that the review is done.
  func writeMembers(to writer: inout JSONWriter, isDone: Bool) {
    writer.member("done", isDone)
    writer.member(
      "decisions",
      array: {
        for settled in settled {
          settled.change.write(to: &$0) {
            $0.member("id", settled.id)
            settled.decision.writeMembers(to: &$0)
          }
        }
      }
    )
    writer.member(
      "changes",
      array: { for (id, change) in added { change.write(to: &$0) { $0.member("id", id) } } }
    )
    writer.member(
      "comments",
      array: {
        for remark in remarks {
          $0.object {
            $0.member("comment", utf8: remark.comment)
            $0.member("author", CommentHead(of: remark.comment[...]).author)
            $0.key("change")
            remark.change.write(to: &$0) { $0.member("id", remark.id) }
          }
        }
      }
    )
    writer.member(
      "counts",
      object: {
        $0.member("accepted", count(.accepted))
        $0.member("rejected", count(.rejected))
        $0.member("edited", count(.edited))
        $0.member("left", left)
      }
    )
  }

  /// The report for people: a line for each.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - list: How changes are told.
  ///   - isDone: Whether the writer has said that the review is done.
  /// - Returns: The report.
  func text(in path: Path, _ list: ChangesText, isDone: Bool) -> String {
    var lines: [String] = []
    for settled in settled {
      let start = list.start(of: settled.change, in: path)
      lines.append("\(start): \(list.plain(settled.decision.sentence))")
    }
    for (_, change) in added {
      lines.append("\(list.start(of: change, in: path)): \(list.plain("new"))")
    }
    for remark in remarks {
      let said = clipped(remark.comment)
      // A comment that stands alone is told already.
      let isAlone =
        remark.change.entry.comments.first == remark.comment
        && remark.change.entry.code == .mark(.comment)
      let start = list.start(of: remark.change, in: path)
      lines.append(isAlone ? start : "\(start): \(list.plain("commented: \(said)"))")
    }
    lines.append("\(isDone ? "done" : "not done yet"): \(counts)")
    return lines.map { "\($0)\n" }.joined()
  }
}
