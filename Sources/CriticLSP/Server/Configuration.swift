import JSONRPC
import TrackEngine

// MARK: - Asking and being told

extension Server {
  /// Asks for the settings, for those of each workspace folder too.
  ///
  /// - Parameter ofFoldersOnly: Whether the others were told, which counts more.
  func askForConfiguration(ofFoldersOnly: Bool = false) {
    guard client.answersConfiguration else { return }
    let folders = workspace.folders
    guard !ofFoldersOnly || !folders.isEmpty else { return }
    askForConfiguration(of: folders, ofFoldersOnly: ofFoldersOnly)
  }

  private func askForConfiguration(of folders: [Workspace.Folder], ofFoldersOnly: Bool) {
    let scopes = [nil] + folders.map(\.scopeUri)
    request(
      "workspace/configuration",
      for: .configuration(folders.map(\.path), ofFoldersOnly: ofFoldersOnly),
      ConfigurationParams(items: scopes.map { ConfigurationItem(scopeUri: $0, section: "critic") })
    )
  }

  /// Registers for changes of the settings, for clients that require it.
  func registerConfiguration() {
    let options = DidChangeConfigurationRegistrationOptions(section: "critic")
    register("workspace/didChangeConfiguration", options)
  }

  /// Handles the answer, which may be `null`, `[]` or `[null]` if there are no settings.
  func receiveConfiguration(_ answer: JSON?, of folders: [Path], ofFoldersOnly: Bool) {
    if let answer {
      change { $0.take(answer, of: folders, ofFoldersOnly: ofFoldersOnly) }
    } else if !folders.isEmpty, !ofFoldersOnly {
      // It may be the folders that the client cannot answer for.
      askForConfiguration(of: [], ofFoldersOnly: false)
    }
  }

  /// Handles `workspace/didChangeConfiguration`, which may carry the settings; otherwise asks for them.
  func didChangeConfiguration(_ params: DidChangeConfigurationParams) {
    let isPushed = change { $0.take(pushed: params.settings) }
    askForConfiguration(ofFoldersOnly: isPushed)
  }

  /// Forgets the settings of workspace folders that are gone, and asks for those of new ones.
  func foldersChanged() {
    change { _ in [] }
    askForConfiguration(ofFoldersOnly: true)
  }
}

// MARK: - What follows

extension Server {
  /// The settings of a document: those of the innermost workspace folder that holds it.
  func settings(of key: DocumentKey) -> Settings {
    settings[key.path.flatMap { workspace.folder(of: $0) }]
  }

  /// Changes the settings of the session and of its folders; returns false if the change is none.
  @discardableResult
  private func change(_ change: (inout SessionSettings) -> [String]?) -> Bool {
    let old = settings
    guard let problems = change(&settings) else { return false }
    report(problems)
    let new = settings.session
    if new != old.session { log("The settings have changed: \(new)") }
    settings.forgetFolders(but: workspace.folders)
    for folder in workspace.folders {
      guard let problems = settings.refine(folder) else { continue }
      report(problems)
      if settings[folder] != new { log("The settings in \(folder.uri): \(settings[folder])") }
    }
    for document in documents.inOrder() { settingsChanged(of: document, settings(of: document)) }
    if settings.severities != old.severities { forgetFiles() }
    refresh(from: old.session, to: new)
    return true
  }

  /// Takes other settings of a document.
  func settingsChanged(of document: Document, _ new: Settings) {
    let old = document.settings
    guard new != old else { return }
    document.take(new, on: writers.day, at: now)
    if old.tracking != new.tracking { trackAsSet(document) }
    refresh(from: old, to: new)
  }

  private func refresh(from old: Settings, to new: Settings) {
    let isListed = old.maxChanges == new.maxChanges
    if old.codeLens != new.codeLens || !isListed { refreshes.add(.codeLenses) }
    if old.inlayHints != new.inlayHints || !isListed { refreshes.add(.inlayHints) }
    if old.semanticTokens != new.semanticTokens { refreshes.add(.semanticTokens) }
  }

  /// Turns tracking on or off as the setting says, unless the user has chosen for this document.
  private func trackAsSet(_ document: Document) {
    guard document.trackingChoice == nil else { return }
    let settings = document.settings
    // Pending changes count as changes: they will be marked soon.
    let isTracked =
      settings.tracks(document.tracker)
      || settings.tracking == .auto && !document.tracker.pending.isEmpty
    if isTracked != document.isRecording { setTracking(isTracked, of: document) }
  }
}

extension Settings {
  /// How a document in a language is tracked on a day.
  func trackerOptions(_ language: Language, on day: String?) -> Tracker.Options {
    var signed: TrackEngine.Attribution?
    if attribution != .none, let name = author.flatMap(AuthorName.init(cleaning:))?.name {
      signed = .init(author: name, date: attribution == .authorAndDate ? day : nil)
    }
    return Tracker.Options(
      language,
      tracksFrontMatter: tracksFrontMatter,
      attribution: signed
    )
  }

  /// Whether to track a document when it is opened: the user's last choice, else the setting; `auto` tracks
  /// documents that were tracked before, that have changes, or whose front matter asks for it.
  func tracks(_ tracker: Tracker, choice: Bool? = nil, kept: Baseline? = nil) -> Bool {
    if let choice { return choice }
    switch tracking {
    case .on: return true
    case .off: return false
    case .auto:
      if remembersTracking, kept?.isRecorded == true { return true }
      let frontMatter = Array(tracker.buffer[tracker.buffer.frontMatter])
      return tracker.counts.tracked > 0 || frontMatterAsksForTracking(frontMatter)
    }
  }
}
