import JSONRPC
import TrackEngine

extension Server {
  /// Publishes the list of changes of a document, or asks the client to pull it.
  func publishChanges(of document: Document) {
    guard !client.pullsDiagnostics else {
      _ = refreshes.insert(.diagnostics)
      return
    }
    let snapshot = snapshot(of: document)
    publish(snapshot.shownEntries, of: snapshot)
  }

  /// Publishes some entries as the list of changes of a document.
  func publish(_ entries: [ChangeEntry], of snapshot: Snapshot) {
    let params = PublishDiagnosticsParams(
      uri: snapshot.uri,
      version: snapshot.version,
      diagnostics: ChangeDiagnostics(of: entries, in: snapshot)
    )
    notify("textDocument/publishDiagnostics", params)
  }
}

/// Entries of the list of changes as a list of `Diagnostic`, each made when it is written.
///
/// A class, because the parts of each diagnostic refer to it.
final class ChangeDiagnostics: JSONWritable {
  /// Writing is fastest in the order of the text.
  fileprivate let entries: [ChangeEntry]
  fileprivate let uri: String
  fileprivate let conversions: Conversions
  fileprivate let surroundings: Surroundings
  private let severity: DiagnosticSeverity
  private let isTagged: Bool
  private let isRelated: Bool

  init(of entries: [ChangeEntry], in snapshot: Snapshot) {
    self.entries = entries
    uri = snapshot.uri
    conversions = snapshot.conversions
    surroundings = Surroundings(in: snapshot.text)
    severity = snapshot.settings.severity
    isTagged = snapshot.client.tagsDiagnostics
    isRelated = snapshot.client.relatesDiagnostics
  }

  func write(to writer: inout JSONWriter) {
    writer.array {
      for index in entries.indices { diagnostic(index).write(to: &$0) }
    }
  }

  @inline(__always)
  private func diagnostic(_ index: Int) -> Diagnostic<ChangeMessage, ChangeThread> {
    let isProblem = entries[index].problem != nil && entries[index].code != .more
    let isStruckThrough = isTagged && entries[index].code == .mark(.deletion)
    return Diagnostic(
      range: conversions.positions(of: entries[index].range),
      severity: isProblem ? .warning : severity,
      code: entries[index].code.description,
      source: "critic",
      message: ChangeMessage(list: self, index: index),
      tags: isStruckThrough ? DiagnosticTag.struckThrough : [],
      relatedInformation: isRelated && !entries[index].thread.isEmpty
        ? ChangeThread(list: self, index: index) : nil
    )
  }
}

/// The message of an entry: what was changed, the words around it, and the thread line by line.
private struct ChangeMessage: JSONWritable {
  let list: ChangeDiagnostics
  let index: Int

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.string { writeText(of: list.entries[index], to: &$0) }
  }

  private func writeText(of entry: ChangeEntry, to writer: inout JSONWriter) {
    entry.writeSummary(to: &writer)
    guard entry.problem == nil else { return }
    let isComment = entry.code == .mark(.comment)
    if !isComment { list.surroundings.write(of: entry, to: &writer) }
    if let byline = entry.byline {
      writer.text("\n")
      writer.text(byline)
    }
    for answer in entry.answers {
      writer.text("\n")
      writer.text(utf8: answer)
    }
  }
}

/// The related information of an entry: the comments of its thread with their locations.
private struct ChangeThread: JSONWritable {
  let list: ChangeDiagnostics
  let index: Int

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.array {
      for (range, comment) in zip(list.entries[index].thread, list.entries[index].comments) {
        let location = Location(uri: list.uri, range: list.conversions.positions(of: range))
        DiagnosticRelatedInformation(location: location, message: comment).write(to: &$0)
      }
    }
  }
}

/// Writes the words around entries; remembers where the last one was.
private final class Surroundings {
  private let text: Text
  @exclusivity(unchecked) private var cursor: TextCursor

  init(in text: Text) {
    self.text = text
    cursor = TextCursor(text, in: .utf8)
  }

  /// Writes the words before an entry, and those after it and its thread.
  func write(of entry: ChangeEntry, to writer: inout JSONWriter) {
    guard text.count > 0 else { return }
    let start = entry.range.lowerBound
    let end = entry.end
    let piece = cursor.piece(around: min(start, text.count - 1))
    let pieceEnd = piece.start + piece.bytes.count
    if end <= pieceEnd {
      let isWritten = piece.bytes.withUnsafeBufferPointer { bytes in
        write(
          NearbyWords(before: bytes.before(start - piece.start), isAll: piece.start == 0),
          NearbyWords(after: bytes.after(end - piece.start), isAll: pieceEnd == text.count),
          to: &writer
        )
      }
      if isWritten { return }
    }
    text[max(0, start - NearbyWords.reach)..<start].withUnsafeBufferPointer { before in
      text[end..<min(text.count, end + NearbyWords.reach + 1)].withUnsafeBufferPointer { after in
        _ = write(
          NearbyWords(before: before, isAll: true),
          NearbyWords(after: after, isAll: true),
          to: &writer
        )
      }
    }
  }

  /// Returns false if more text is needed to tell the words.
  private func write(
    _ before: NearbyWords?,
    _ after: NearbyWords?,
    to writer: inout JSONWriter
  ) -> Bool {
    guard let before, let after else { return false }
    NearbyWords.tell(before, after) { piece in
      switch piece {
      case .plain(let words): writer.text(plain: words)
      case .words(let words): words.write(to: &writer)
      }
    }
    return true
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func before(_ offset: Int) -> Self { Self(rebasing: self[..<offset]) }
  fileprivate func after(_ offset: Int) -> Self { Self(rebasing: self[offset...]) }
}
