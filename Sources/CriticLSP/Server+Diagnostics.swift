import JSONRPC
import TrackEngine

extension Server {
  /// Publishes the list of changes of a document, or has it asked for.
  func publishChanges(of document: Document) {
    guard !client.pullsDiagnostics else {
      _ = refreshes.insert(.diagnostics)
      return
    }
    publish(ChangeEntry.entries(of: document.tracker), of: document)
  }

  func publish(_ entries: [ChangeEntry], of document: Document) {
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    send(
      .notification(method: "textDocument/publishDiagnostics") {
        $0.object {
          $0.member("uri", document.uri)
          $0.member("version", document.version)
          $0.member(
            "diagnostics",
            array: {
              for entry in entries { write(entry, of: document, conversions, to: &$0) }
            }
          )
        }
      }
    )
  }

  func write(
    _ entry: ChangeEntry,
    of document: Document,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    writer.object {
      $0.key("range")
      conversions.write(entry.range, to: &$0)
      $0.member("severity", entry.problem == nil ? settings.severity : 2)
      $0.member("code", entry.code)
      $0.member("source", "critic")
      $0.member("message", message(for: entry, in: document.tracker.buffer))
      if entry.code == "deletion", client.tagsDiagnostics { $0.member("tags", [2]) }
      if client.relatesDiagnostics, !entry.thread.isEmpty {
        $0.member(
          "relatedInformation",
          array: {
            for (range, comment) in zip(entry.thread, entry.comments) {
              $0.object {
                $0.member(
                  "location",
                  object: {
                    $0.member("uri", document.uri)
                    $0.key("range")
                    conversions.write(range, to: &$0)
                  }
                )
                $0.member("message", String(decoding: comment, as: UTF8.self))
              }
            }
          }
        )
      }
    }
  }

  /// What was changed, between the words around it, and the thread line by line.
  private func message(for entry: ChangeEntry, in text: Text) -> String {
    guard entry.problem == nil else { return entry.summary }
    var message = entry.summary
    if entry.code != "comment" {
      let (before, after) = context(of: entry, in: text)
      if !before.isEmpty || !after.isEmpty { message += " in “\(before)[…]\(after)”" }
    }
    let thread = entry.code == "comment" ? entry.comments.dropFirst() : entry.comments[...]
    for comment in thread { message += "\n" + String(decoding: comment, as: UTF8.self) }
    return message
  }

  /// Five words before an entry and five behind it, of its own lines.
  private func context(of entry: ChangeEntry, in text: Text) -> (String, String) {
    let range = entry.range.lowerBound..<(entry.thread.last?.upperBound ?? entry.range.upperBound)
    let start = text.start(ofLine: text.line(at: range.lowerBound))
    let end = text.end(ofLine: text.line(at: range.upperBound))
    var from = max(start, range.lowerBound - 200)
    while from < range.lowerBound, text[from] & 0xC0 == 0x80 { from += 1 }
    var to = max(range.upperBound, min(end, range.upperBound + 200))
    while to > range.upperBound, to < text.count, text[to] & 0xC0 == 0x80 { to -= 1 }
    let head = String(decoding: text[from..<range.lowerBound], as: UTF8.self)
    let tail = String(decoding: text[range.upperBound..<to], as: UTF8.self)
    let headWords = head.split(separator: " ").suffix(5).joined(separator: " ")
    let tailWords = tail.split(separator: " ").prefix(5).joined(separator: " ")
    return (
      headWords + (head.hasSuffix(" ") && !headWords.isEmpty ? " " : ""),
      (tail.hasPrefix(" ") && !tailWords.isEmpty ? " " : "") + tailWords
    )
  }
}
