import JSONRPC
import TrackEngine

/// What a client answers for a workspace folder, and what it answers for none.
struct ScopedSettings {
  let section: JSON
  let unscoped: JSON?

  /// Applies what the folder has otherwise: a client without such settings answers the same for each.
  ///
  /// - Returns: Sentences for the user about settings that are wrong.
  func refine(_ settings: inout Settings) -> [String] {
    settings.merge(section) { $1.rawBytes != unscoped?[$0]?.rawBytes }
  }
}

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

  /// Our settings in `initializationOptions`: all of it, or its section `critic`.
  func section(of options: JSON?) -> JSON? {
    guard let section = options?["critic"], section.kind == .object else { return options }
    return section
  }

  /// Handles the answer, which may be `null`, `[]` or `[null]` if there are no settings, and may leave folders out.
  ///
  /// An empty answer from a client that pushes its settings changes nothing.
  func receiveConfiguration(_ answer: JSON?, of folders: [Path], ofFoldersOnly: Bool) {
    guard let answer else {
      // It may be the folders that the client cannot answer for.
      if !folders.isEmpty, !ofFoldersOnly { askForConfiguration(of: [], ofFoldersOnly: false) }
      return
    }
    let unscoped = answer.first
    var scoped: [Path: ScopedSettings] = [:]
    for (folder, section) in zip(folders, answer.elements.dropFirst()) {
      scoped[folder] = ScopedSettings(section: section, unscoped: unscoped)
    }
    let isEmpty = unscoped?.kind != .object || unscoped?.count == 0
    if ofFoldersOnly || settingsArePushed && isEmpty {
      take(settings, scoped)
    } else {
      apply(scoped) { $0.merge(unscoped) }
    }
  }

  /// Handles `workspace/didChangeConfiguration`, which may carry the settings, with or without a section
  /// `critic`; otherwise asks for them.
  func didChangeConfiguration(_ params: DidChangeConfigurationParams) {
    let sent = params.settings
    if let section = sent?["critic"], section.kind == .object {
      settingsArePushed = true
      apply(scopedSettings) { $0.merge(section) }
    } else if let sent, sent.members.contains(where: { Settings.names.contains($0.key) }) {
      settingsArePushed = true
      apply(scopedSettings) { $0.merge(sent) { key, _ in Settings.names.contains(key) } }
    } else {
      return askForConfiguration()
    }
    askForConfiguration(ofFoldersOnly: true)
  }

  /// Forgets the settings of workspace folders that are gone, and asks for those of new ones.
  func foldersChanged() {
    take(settings, scopedSettings)
    askForConfiguration(ofFoldersOnly: true)
  }
}

// MARK: - What follows

extension Server {
  /// The settings of a document: those of the innermost workspace folder that holds it.
  func settings(of key: DocumentKey) -> Settings {
    let folder = key.path.flatMap { workspace.folder(of: $0) }
    return folder.flatMap { folderSettings[$0.path] } ?? settings
  }

  private func apply(
    _ scoped: [Path: ScopedSettings],
    _ change: (inout Settings) -> [String]
  ) {
    var changed = initialSettings
    report(change(&changed))
    take(changed, scoped)
  }

  /// Takes the settings of the session and of its folders.
  private func take(_ new: Settings, _ scoped: [Path: ScopedSettings]) {
    let (old, oldSeverities) = (settings, severities)
    settings = new
    scopedSettings = scoped.filter { folder, _ in workspace.folders.contains { $0.path == folder } }
    folderSettings = [:]
    if new != old { log("The settings have changed: \(new)") }
    for folder in workspace.folders {
      guard let scoped = scopedSettings[folder.path] else { continue }
      var own = new
      report(scoped.refine(&own))
      folderSettings[folder.path] = own
      if own != new { log("The settings in \(folder.uri): \(own)") }
    }
    for key in documents.keys.sorted() {
      guard let document = documents[key] else { continue }
      settingsChanged(of: document, settings(of: document))
    }
    if severities != oldSeverities { forgetFiles() }
    refresh(from: old, to: new)
  }

  /// How severe changes are, in the folders where it is not as elsewhere and elsewhere.
  private var severities: [Path: DiagnosticSeverity] {
    var severities = folderSettings.mapValues(\.severity).filter { $0.value != settings.severity }
    severities[""] = settings.severity
    return severities
  }

  /// Takes other settings of a document.
  func settingsChanged(of document: Document, _ new: Settings) {
    let old = document.settings
    guard new != old else { return }
    document.take(new, on: day, at: now)
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
