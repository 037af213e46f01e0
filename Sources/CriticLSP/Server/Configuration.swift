import JSONRPC
import TrackEngine

extension Server {
  func askForConfiguration() {
    let params = ConfigurationParams(items: [ConfigurationItem(section: "critic")])
    request("workspace/configuration", for: .configuration, params)
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

  /// Handles the answer, which may be `null`, `[]` or `[null]` if there are no settings.
  ///
  /// An empty answer from a client that pushes its settings changes nothing.
  func receiveConfiguration(_ answer: JSON?) {
    guard let answer else { return }
    let section = answer.first
    if settingsArePushed, section?.kind != .object || section?.count == 0 { return }
    apply { $0.merge(section) }
  }

  /// Handles `workspace/didChangeConfiguration`, which may carry the settings, with or without a section
  /// `critic`; otherwise asks for them.
  func didChangeConfiguration(_ params: DidChangeConfigurationParams) {
    let sent = params.settings
    if let section = sent?["critic"], section.kind == .object {
      settingsArePushed = true
      apply { $0.merge(section) }
    } else if let sent, sent.members.contains(where: { Settings.names.contains($0.key) }) {
      settingsArePushed = true
      apply { $0.mergeOurs(of: sent) }
    } else if client.answersConfiguration {
      askForConfiguration()
    }
  }

  private func apply(_ change: (inout Settings) -> [String]) {
    var changed = initialSettings
    report(change(&changed))
    guard changed != settings else { return }
    let old = settings
    settings = changed
    log("The settings have changed: \(settings)")
    for key in documents.keys.sorted() {
      guard let document = documents[key] else { continue }
      document.setOptions(trackerOptions)
      if old.tracking != settings.tracking { trackAsSet(document) }
      document.noteSettings(at: now)
    }
    if old.severity != settings.severity { forgetFiles() }
    let isListed = old.maxChanges == settings.maxChanges
    if old.codeLens != settings.codeLens || !isListed { refreshes.insert(.codeLenses) }
    if old.inlayHints != settings.inlayHints || !isListed { refreshes.insert(.inlayHints) }
    if old.semanticTokens != settings.semanticTokens { refreshes.insert(.semanticTokens) }
  }

  /// Turns tracking on or off as the setting says, unless the user has chosen for this document.
  private func trackAsSet(_ document: Document) {
    guard document.trackingChoice == nil else { return }
    // Pending changes count as changes: they will be marked soon.
    let isTracked =
      isTracked(nil, nil, document.tracker)
      || settings.tracking == .auto && !document.tracker.pending.isEmpty
    if isTracked != document.isRecording { setTracking(isTracked, of: document) }
  }

  var trackerOptions: Tracker.Options {
    Tracker.Options(tracksFrontMatter: settings.tracksFrontMatter)
  }

  /// Whether to track a document when it is opened: the user's last choice, else the setting; `auto` tracks
  /// documents that were tracked before, that have changes, or whose front matter asks for it.
  func isTracked(_ choice: Bool?, _ kept: Baseline?, _ tracker: Tracker) -> Bool {
    if let choice { return choice }
    switch settings.tracking {
    case .on: return true
    case .off: return false
    case .auto:
      if settings.remembersTracking, kept?.isRecorded == true { return true }
      let frontMatter = Array(tracker.buffer[tracker.buffer.frontMatter])
      return tracker.counts.tracked > 0 || frontMatterAsksForTracking(frontMatter)
    }
  }
}
