import JSONRPC
import TrackEngine

/// A text of a document that the client asks for.
struct AskedContent {
  let key: ContentKey
  /// As the client spells it.
  let uri: String
  /// What came of reading the file, if the document is not open.
  var file: EffectOutcome.Result?
}

extension Server {
  /// Answers `workspace/textDocumentContent`, once no edit of ours is in flight: with the clean or the original text of
  /// a document that is open, or was, or is a Markdown file of the workspace.
  func textDocumentContent(
    _ params: TextDocumentContentParams,
    for id: RequestID
  ) throws(ResponseError) {
    guard let key = ContentKey(uri: params.uri) else {
      let forms = Variant.settled.map { ContentKey($0, of: .file("/draft.md")).uri }
      let list = forms.joined(separator: " or ")
      throw .invalidParams("uri must be of the form \(list), not \(params.uri).")
    }
    wait(Waiting(id: id, question: .content(AskedContent(key: key, uri: params.uri))))
  }

  func canBeAnswered(_ asked: AskedContent) -> Bool {
    if let document = documents[asked.key.document] { return isQuiet(document) }
    return asked.file != nil || reading(of: asked.key.document) == nil
  }

  /// The answer; what has become of the text is told from then on.
  func content(_ asked: AskedContent) throws(ResponseError) -> TextDocumentContentResult {
    let document = documents[asked.key.document]
    let text: [UInt8]
    if let document {
      text = snapshot(of: document).exported(asked.key.variant)
    } else {
      text = try textOfFile(asked)
    }
    contents.noteTold(asked, TextHash(of: text), revision: document?.revision)
    return TextDocumentContentResult(text: text)
  }

  private func textOfFile(_ asked: AskedContent) throws(ResponseError) -> [UInt8] {
    let name = asked.key.document.name
    switch asked.file {
    case .text(let text, let sidecar)?:
      let language = asked.key.document.path.map(Language.init(of:)) ?? .markdown
      let marked: [UInt8]
      switch SidecarReading(of: Text(text), sidecar?.bytes, Tracker.Options(language)) {
      case .inline: marked = text
      case .beside(let projection): marked = projection.record.bytes
      case .refused(let refusal):
        throw .requestFailed("\(refusal.sentence(of: name)).")
      }
      return Reading(of: marked, as: language).export(asked.key.variant, of: marked)
    case .gone?: throw .requestFailed("\(name) is gone.")
    case .failure(let reason)?:
      throw .requestFailed("\(name) cannot be read: \(reason). Open it, and ask again.")
    default:
      let what = "neither open nor a Markdown file of the workspace"
      throw .requestFailed("\(name) is \(what). Open it, and ask again.")
    }
  }
}

// MARK: - Documents that are not open

extension Server {
  /// What reads a document that is not open; nil if it is none that the client has shown us.
  private func reading(of key: DocumentKey) -> Effect? {
    guard let path = key.path else { return nil }
    if contents.wasOpen(key) { return .readContent(path, within: nil) }
    guard workspace.looksAt(path), let folder = workspace.folder(of: path) else { return nil }
    return .readContent(path, within: folder.path)
  }

  /// What reads the next file that somebody waits for.
  var nextContentToRead: Effect? {
    for case .content(let asked) in waiting.all.map(\.question)
    where asked.file == nil && documents[asked.key.document] == nil {
      if let effect = reading(of: asked.key.document) { return effect }
    }
    return nil
  }

  /// Handles the text of a file.
  func receiveContent(_ result: EffectOutcome.Result, of path: Path) {
    for index in waiting.all.indices {
      guard case .content(var asked) = waiting.all[index].question,
        asked.key.document == .file(path)
      else { continue }
      asked.file = result
      waiting.note(.content(asked), at: index)
    }
  }
}

// MARK: - Texts that have changed

extension Server {
  /// When to look whether a text that was asked for has changed, in milliseconds; nil if there is nothing to look at.
  var contentDeadline: Int? {
    contents.changed(in: documents).map(rest).filter { $0 > now }.min()
  }

  /// Has the client ask again for the texts that have changed, once the user pauses.
  func refreshContents() {
    for document in contents.changed(in: documents) {
      guard isQuiet(document), rest(in: document) <= now else { continue }
      let snapshot = snapshot(of: document)
      let outdated = contents.look(at: document) { TextHash(of: snapshot.exported($0)) }
      for uri in outdated {
        let params = TextDocumentContentParams(uri: uri)
        request("workspace/textDocumentContent/refresh", for: .other, params)
      }
    }
  }

  /// When the pause after the last edit is long enough: that of a long text takes longer, for a key has to wait while
  /// its texts are made.
  private func rest(in document: Document) -> Int {
    document.lastEdit + ListSchedule.delay + (document.tracker.buffer.count >> 14)
  }
}
