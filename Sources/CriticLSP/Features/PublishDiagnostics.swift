import JSONRPC
import TrackEngine

extension Server {
  /// Publishes the list of changes of a document, or asks the client to pull it.
  func publishChanges(of document: Document) {
    guard !client.pullsDiagnostics else { return refreshes.add(.diagnostics) }
    publish(snapshot(of: document).diagnostics, of: document)
  }

  /// Publishes a list of changes; an empty one when the document is closed.
  func publish(_ diagnostics: some JSONWritable, of document: Document) {
    let params = PublishDiagnosticsParams(
      uri: document.uri,
      version: document.version,
      diagnostics: diagnostics
    )
    notify("textDocument/publishDiagnostics", params)
  }
}

extension Snapshot {
  /// The list of changes to send; linear in the text.
  var diagnostics: ChangeDiagnostics {
    let whole = whole
    let kept = KeptText(of: whole.bytes, whole.reading)
    return ChangeDiagnostics(of: shownEntries(of: whole), kept, in: self)
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
  fileprivate let kept: KeptText
  private let start: Int
  private let severity: DiagnosticSeverity
  private let isTagged: Bool
  private let isRelated: Bool

  /// - Parameters:
  ///   - entries: Some of the entries.
  ///   - kept: What is left of the text, or of the part that they are in, when every change is accepted.
  ///   - start: Where that part begins in the text.
  ///   - snapshot: The document.
  init(of entries: [ChangeEntry], _ kept: KeptText, from start: Int = 0, in snapshot: Snapshot) {
    self.entries = entries
    self.kept = kept
    self.start = start
    uri = snapshot.uri
    conversions = snapshot.conversions
    severity = snapshot.settings.severity
    isTagged = snapshot.client.tagsDiagnostics
    isRelated = snapshot.client.relatesDiagnostics
  }

  func write(to writer: inout JSONWriter) { writer.array { writeItems(to: &$0) } }

  /// Writes the diagnostics as elements of an array.
  func writeItems(to writer: inout JSONWriter) {
    for index in entries.indices { diagnostic(index).write(to: &writer) }
  }

  /// The words around an entry, when every change is accepted.
  fileprivate func around(_ entry: ChangeEntry) -> String {
    NearbyWords.told(
      before: kept.text(before: entry.range.lowerBound - start),
      after: kept.text(after: entry.end - start)
    )
  }

  private func tags(_ entry: ChangeEntry, isDone: Bool) -> [DiagnosticTag] {
    if isDone { return DiagnosticTag.dim }
    return entry.code == .mark(.deletion) ? DiagnosticTag.struckThrough : []
  }

  @inline(__always)
  private func diagnostic(_ index: Int) -> Diagnostic<ChangeMessage, ChangeThread> {
    let isProblem = entries[index].problem != nil && entries[index].code != .more
    // What was said about a text and is resolved; a change is to be decided on all the same.
    let isDone = entries[index].isResolved && !entries[index].isChange
    return Diagnostic(
      range: conversions.shownPositions(of: entries[index].range),
      severity: isProblem ? .warning : isDone ? .hint : severity,
      code: entries[index].code.description,
      source: "critic",
      message: ChangeMessage(list: self, index: index),
      tags: isTagged ? tags(entries[index], isDone: isDone) : [],
      relatedInformation: isRelated && !entries[index].thread.isEmpty
        ? ChangeThread(list: self, index: index) : nil
    )
  }
}

/// The message of an entry.
///
/// In the first line what was changed, who made it, and the first comment, or else the words around it, for many lists
/// show no more; then the answers.
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
    let (byline, answers) = (entry.bylineInWords, entry.answers)
    let around = entry.code == .mark(.comment) ? "" : list.around(entry)
    if answers.isEmpty { writer.text(around) }
    if let byline { writer.text(" · \(byline)") }
    for (index, answer) in answers.enumerated() {
      writer.text(index == 0 ? " · " : "\n")
      writer.text(utf8: RemarkWords(answer).listed)
    }
    if !answers.isEmpty, !around.isEmpty { writer.text("\n\(around.dropFirst())") }
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
