import JSONRPC
import TrackEngine

extension Server {
  /// Publishes the list of changes of a document, or has it asked for.
  func publishChanges(of document: Document) {
    guard !client.pullsDiagnostics else {
      _ = refreshes.insert(.diagnostics)
      return
    }
    publish(shownEntries(of: document), of: document)
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
            array: { writeDiagnostics(entries, of: document, conversions, to: &$0) }
          )
        }
      }
    )
  }

  /// Writes entries, which are fastest in the order of the text, as LSP's `Diagnostic`.
  func writeDiagnostics(
    _ entries: [ChangeEntry],
    of document: Document,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    let list = DiagnosticList(
      uri: document.uri,
      conversions: conversions,
      severity: settings.severity,
      isTagged: client.tagsDiagnostics,
      isRelated: client.relatesDiagnostics
    )
    list.write(entries, to: &writer)
  }
}

/// Writes entries of the list of changes.
private struct DiagnosticList {
  let uri: String
  let conversions: Conversions
  let severity: Int
  let isTagged: Bool
  let isRelated: Bool

  private var text: Text { conversions.text }

  func write(_ entries: [ChangeEntry], to writer: inout JSONWriter) {
    var cursor = TextCursor(text, in: .utf8)
    for entry in entries { write(entry, &cursor, to: &writer) }
  }

  private func write(
    _ entry: ChangeEntry,
    _ cursor: inout TextCursor,
    to writer: inout JSONWriter
  ) {
    writer.object {
      $0.key("range")
      conversions.write(entry.range, to: &$0)
      $0.member("severity", entry.problem == nil || entry.code == "more" ? severity : 2)
      $0.member("code", entry.code)
      $0.key("source")
      $0.string(plain: "critic")
      $0.member("message", string: { writeMessage(of: entry, &cursor, to: &$0) })
      if isTagged, entry.code == "deletion" { $0.member("tags", array: { $0.integer(2) }) }
      if isRelated, !entry.thread.isEmpty {
        $0.member("relatedInformation", array: { writeThread(of: entry, to: &$0) })
      }
    }
  }

  private func writeThread(of entry: ChangeEntry, to writer: inout JSONWriter) {
    for (range, comment) in zip(entry.thread, entry.comments) {
      writer.object {
        $0.member(
          "location",
          object: {
            $0.member("uri", uri)
            $0.key("range")
            conversions.write(range, to: &$0)
          }
        )
        $0.key("message")
        $0.string(utf8: comment)
      }
    }
  }

  /// Writes what was changed, between the words around it, and the thread line by line.
  private func writeMessage(
    of entry: ChangeEntry,
    _ cursor: inout TextCursor,
    to writer: inout JSONWriter
  ) {
    entry.writeSummary(to: &writer)
    guard entry.problem == nil else { return }
    let isComment = entry.code == "comment"
    if !isComment { writeContext(of: entry, &cursor, to: &writer) }
    for index in entry.comments.indices where index > 0 || !isComment {
      writer.text("\n")
      writer.text(utf8: entry.comments[index])
    }
  }

  /// Writes the words before an entry and those after it and its thread.
  private func writeContext(
    of entry: ChangeEntry,
    _ cursor: inout TextCursor,
    to writer: inout JSONWriter
  ) {
    guard text.count > 0 else { return }
    let start = entry.range.lowerBound
    let end = entry.thread.last?.upperBound ?? entry.range.upperBound
    let piece = cursor.piece(around: min(start, text.count - 1))
    let pieceEnd = piece.start + piece.bytes.count
    if end <= pieceEnd {
      let isWritten = piece.bytes.withUnsafeBufferPointer { bytes in
        writeContext(
          NearbyWords(before: bytes.before(start - piece.start), isAll: piece.start == 0),
          NearbyWords(after: bytes.after(end - piece.start), isAll: pieceEnd == text.count),
          to: &writer
        )
      }
      if isWritten { return }
    }
    text[max(0, start - NearbyWords.reach)..<start].withUnsafeBufferPointer { before in
      text[end..<min(text.count, end + NearbyWords.reach + 1)].withUnsafeBufferPointer { after in
        _ = writeContext(
          NearbyWords(before: before, isAll: true),
          NearbyWords(after: after, isAll: true),
          to: &writer
        )
      }
    }
  }

  /// Returns false if the words are not known.
  private func writeContext(
    _ before: NearbyWords?,
    _ after: NearbyWords?,
    to writer: inout JSONWriter
  ) -> Bool {
    guard let before, let after else { return false }
    if before.isEmpty, after.isEmpty { return true }
    writer.text(plain: " in “")
    before.write(to: &writer)
    writer.text(plain: before.isApart ? " […]" : "[…]")
    if after.isApart { writer.text(plain: " ") }
    after.write(to: &writer)
    writer.text(plain: "”")
    return true
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func before(_ offset: Int) -> Self { Self(rebasing: self[..<offset]) }
  fileprivate func after(_ offset: Int) -> Self { Self(rebasing: self[offset...]) }
}
