import TrackEngine

/// The open documents, those that were closed a short time ago, and what the client renames.
///
/// Invariant: a document is open under one name, its own; others only lead to it.
struct OpenDocuments {
  private var open: [DocumentKey: Document] = [:]
  private var closed = ClosedDocuments()
  /// Under which name a document goes that was closed under another.
  private var renamed: [DocumentKey: DocumentKey] = [:]
  /// What texts were called that the client was last going to rename, or whose sidecars are to follow, by their new
  /// paths.
  private var oldPaths: [Path: Path] = [:]

  subscript(key: DocumentKey) -> Document? { open[key] }

  /// The document that a client asks about under the name that it had when it was opened first; nil if it has no other.
  subscript(renamed key: DocumentKey) -> Document? { renamed[key].flatMap { open[$0] } }

  var keys: some Collection<DocumentKey> { open.keys }
  var all: some Collection<Document> { open.values }

  /// Those that are meant, by name.
  func inOrder(where isMeant: (Document) -> Bool = { _ in true }) -> [Document] {
    open.values.filter(isMeant).sorted { $0.key < $1.key }
  }

  // MARK: - What is opened and closed

  /// Takes out a document that was closed with a text, under whatever name, or else one that was under this.
  mutating func takeClosed(
    _ text: Text,
    _ key: DocumentKey,
    at now: Int
  ) -> (same: ClosedDocuments.Closed?, last: ClosedDocuments.Closed?) {
    // A second didOpen without a didClose starts over: the client has lost step.
    if let document = open[key] { closed.add(document, at: now) }
    let same = closed.take(text, key, at: now)
    return (same, same == nil ? closed.take(key, at: now) : nil)
  }

  /// Opens a document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - name: Under which name it was closed; nil if it was not open.
  mutating func add(_ document: Document, closedAs name: DocumentKey?) {
    renamed[document.key] = nil
    if let name, name != document.key {
      // Names of documents that are closed by now lead nowhere.
      renamed = renamed.filter { open[$0.value] != nil }
      renamed[name] = document.key
    }
    open[document.key] = document
  }

  mutating func close(_ document: Document, at now: Int) {
    open[document.key] = nil
    closed.add(document, at: now)
  }

  /// The document with its marks beside its text that is saved under another name: the one that was closed last, within
  /// a second, or else the only one that is open and has that text.
  ///
  /// - Parameters:
  ///   - new: The document under the other name.
  ///   - saved: What the editor showed when it was saved.
  /// - Returns: The document; nil if there is none with changes.
  func document(savedAs new: Document, _ saved: Record.SavedAtOnce) -> Document? {
    func isSaved(_ document: Document) -> Bool {
      document.key != new.key && document.place == .beside && !document.isOutOfStep
        && document.tracker.counts.entries > 0 && document.text.hash == saved.text
        && document.tracker.options.language == new.tracker.options.language
    }
    if let last = closed.lastBeside, saved.at <= last.closedAt + Record.SavedAtOnce.time,
      isSaved(last.document)
    {
      return last.document
    }
    let found = open.values.filter(isSaved)
    return found.count == 1 ? found[0] : nil
  }

  // MARK: - What is renamed

  /// Notes what the client is going to rename now, and nothing else.
  mutating func expectRenames(_ paths: [(old: Path, new: Path)]) {
    oldPaths = Dictionary(paths.map { ($0.new, $0.old) }) { $1 }
  }

  /// Notes that the client has renamed a text.
  mutating func noteRename(of old: Path, to new: Path) { oldPaths[new] = old }

  /// Notes that a text was opened: some clients rename a file without a word.
  mutating func noteOpened(_ text: Text, at path: Path, _ now: Int) {
    guard text.count > 0, let old = closed.takeBeside(text.hash, at: now)?.path, old != path
    else { return }
    noteRename(of: old, to: path)
  }

  /// The new paths of a text that is, or is going to be, renamed.
  func newPaths(of old: Path) -> [Path] { oldPaths.filter { $0.value == old }.map(\.key) }

  /// Takes out the old path of a text that is, or is going to be, renamed; nil while it is open under that.
  mutating func takeOldPath(of new: Path) -> Path? {
    guard let old = oldPaths[new], open[.file(old)] == nil else { return nil }
    return oldPaths.removeValue(forKey: new)
  }

  /// Notes that a text is where it was, whatever was said of it.
  mutating func forgetRenames(of old: Path) { oldPaths = oldPaths.filter { $0.value != old } }
}
