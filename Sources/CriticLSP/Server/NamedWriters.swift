import TrackEngine

/// What new changes are signed with: who writes in which folder, as far as it is known, and the day.
struct NamedWriters {
  /// Today; nil if nobody has said.
  var day: String?
  /// By folder; the value is nil where nobody is named.
  private var names: [Path: String?] = [:]
  /// The folders to ask about, in order.
  private var wanted: [Path] = []

  /// The name of who writes in a folder; nil if it is not known, and then it is to be found out.
  mutating func name(in folder: Path) -> String? {
    if let name = names[folder] { return name }
    if !wanted.contains(folder) { wanted.append(folder) }
    return nil
  }

  /// Takes a name that was found.
  mutating func take(_ name: String?, in folder: Path) {
    wanted.removeAll { $0 == folder }
    names[folder] = .some(name)
  }

  /// What to find out next.
  var next: Effect? { wanted.first.map { .nameWriter($0) } }
}

extension Server {
  /// Takes what was found out about who writes in a folder, for the documents in it.
  func receiveWriter(_ result: EffectOutcome.Result, in folder: Path) {
    guard case .name(let name) = result else { return writers.take(nil, in: folder) }
    writers.take(name, in: folder)
    for document in documents.inOrder() { settingsChanged(of: document, settings(of: document)) }
  }

  /// Takes another day, for the attributions of what is marked from now on.
  func receiveDay(_ day: String) {
    writers.day = day
    for document in documents.all { document.sign(on: day) }
  }

  /// The settings of a document: those of its place, with what its front matter says, and with the name of who writes
  /// there if changes are signed and no name is set.
  ///
  /// Source code is not tracked, and has no lists.
  func settings(of key: DocumentKey, _ text: Text, isSourceCode: Bool) -> Settings {
    var settings = settings(of: key)
    if isSourceCode {
      settings.tracking = .off
      settings.remembersTracking = false
      settings.maxChanges = 0
      settings.semanticTokens = false
      return settings
    }
    settings.attribution =
      Settings.Attribution(frontMatter: Array(text[text.frontMatter])) ?? settings.attribution
    if settings.attribution != .none, settings.author == nil {
      settings.author = writers.name(in: key.path?.folder ?? "/")
    }
    return settings
  }

  func settings(of document: Document) -> Settings {
    let key = DocumentKey(uri: document.uri)
    return settings(of: key, document.tracker.buffer, isSourceCode: document.isSourceCode)
  }
}

extension Settings.Attribution {
  /// What front matter says; nil if it says nothing about it.
  fileprivate init?(frontMatter: [UInt8]) {
    switch frontMatterValue(of: "attribution", in: frontMatter) {
    case "none": self = .none
    case "author": self = .author
    case "author+date": self = .authorAndDate
    default: return nil
    }
  }
}
