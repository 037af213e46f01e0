import JSONRPC
import TrackEngine

extension Server {
  /// What can be done with a change right above it.
  private static let lenses: [Command] = [.accept, .reject, .comment]

  /// Accept, reject and comment for every change; what they say is worked out when it is shown.
  func codeLens(_ params: JSON?) throws(ResponseError) -> Answer {
    let document = try document(params)
    guard settings.codeLens else { return { $0.array { _ in } } }
    let text = document.tracker.buffer
    let excerpt = document.tracker.excerpt(around: 0..<text.count)
    let changes = shown(excerpt.reading.changes.filter(\.kind.isChange), of: document) {
      $0.markRange.lowerBound + excerpt.start
    }
    let conversions = Conversions(text: text, encoding: client.encoding)
    let ranges = changes.map { change in
      // A lens stands above one line.
      let end = change.markRange.first(where: excerpt.bytes.isLineBreak)
      let range = change.markRange.lowerBound..<(end ?? change.markRange.upperBound)
      return conversions.positions(of: excerpt.place(of: range))
    }
    return { writer in
      writer.array {
        for (start, end) in ranges {
          for command in Server.lenses {
            $0.object {
              $0.member(
                "range",
                object: {
                  $0.member("start", start)
                  $0.member("end", end)
                }
              )
              $0.member(
                "data",
                object: {
                  $0.member("command", command.name)
                  $0.member("uri", document.uri)
                  $0.member("version", document.version)
                  $0.member("position", start)
                }
              )
            }
          }
        }
      }
    }
  }

  /// A lens with its command.
  func resolveCodeLens(_ params: JSON?) throws(ResponseError) -> Answer {
    guard let lens = params, let data = lens["data"] else {
      throw .invalidParams("The code lens has no data.")
    }
    let document = try document(data)
    guard data["version"]?.integer == document.version else {
      throw .contentModified("The text has changed; ask for the code lenses again.")
    }
    guard let command = Command(name: data["command"]?.string ?? ""),
      Server.lenses.contains(command)
    else { throw .invalidParams("data is not that of a code lens of ours.") }
    let start = try place(data, document).lowerBound
    let title = title(of: command, ofChangeAt: start, in: document.tracker)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return { writer in
      writer.object {
        for (name, value) in lens.members where name != "command" {
          $0.key(name)
          $0.json(value)
        }
        $0.member(
          "command",
          object: {
            $0.member("title", title)
            $0.member("command", command.name)
            $0.member(
              "arguments",
              array: {
                $0.object {
                  $0.member("uri", document.uri)
                  $0.key("range")
                  // Inside of the change: before it is what holds it.
                  conversions.write(start + 1..<start + 1, to: &$0)
                }
              }
            )
          }
        )
      }
    }
  }

  /// As in `Accept “lazy” → “sleepy”`; the first of a change's lenses says which change it is.
  private func title(
    of command: Command,
    ofChangeAt start: Int,
    in tracker: Tracker
  ) -> String {
    let excerpt = tracker.excerpt(around: start..<start)
    let change = excerpt.reading.changes.first {
      excerpt.place(of: $0.markRange).lowerBound == start
    }
    switch command {
    case .comment:
      let count = change?.thread.count ?? 0
      return count == 0
        ? "Comment" : count == 1 ? "Answer (1 comment)" : "Answer (\(count) comments)"
    case .accept:
      guard let change else { return "Accept" }
      let old = quoted(change.old(in: excerpt.reading, excerpt.bytes))
      let new = quoted(change.new(in: excerpt.reading, excerpt.bytes))
      switch change.kind {
      case .addition: return "Accept addition \(new)"
      case .deletion: return "Accept deletion \(old)"
      default: return "Accept \(old) → \(new)"
      }
    default: return "Reject"
    }
  }
}
