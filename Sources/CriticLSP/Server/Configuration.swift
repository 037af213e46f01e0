import JSONRPC
import TrackEngine

extension Server {
  func askForConfiguration() {
    let params = ConfigurationParams(items: [ConfigurationItem(section: "critic")])
    request("workspace/configuration", for: .configuration, params)
  }

  /// Asks to be told of changes, for clients that tell only those who ask.
  func registerConfiguration() {
    let options = DidChangeConfigurationRegistrationOptions(section: "critic")
    register("workspace/didChangeConfiguration", options)
  }

  /// Our settings in what a client starts us with: all of it, or its section `critic`.
  func section(of options: JSON?) -> JSON? {
    guard let section = options?["critic"], section.kind == .object else { return options }
    return section
  }

  /// Takes the answer, which may be `null`, `[]` or `[null]` where there is nothing to say.
  ///
  /// From a client that sends its settings by itself, nothing is no news.
  func receiveConfiguration(_ answer: JSON?) {
    guard let answer else { return }
    let section = answer.first
    if settingsArePushed, section?.kind != .object || section?.count == 0 { return }
    apply { $0.merge(section) }
  }

  /// The settings come with the notification, with or without a section of their own, or are to be
  /// asked for.
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
      document.tracker.options = trackerOptions
      if old.tracking != settings.tracking { trackAsSet(document) }
      document.isUnmarked = true
      document.publishAt = now
    }
    if old.severity != settings.severity { forgetFiles() }
    let isListed = old.maxChanges == settings.maxChanges
    if old.codeLens != settings.codeLens || !isListed { refreshes.insert(.codeLenses) }
    if old.inlayHints != settings.inlayHints || !isListed { refreshes.insert(.inlayHints) }
    if old.semanticTokens != settings.semanticTokens { refreshes.insert(.semanticTokens) }
  }

  /// Begins or ends tracking as the setting says, unless the user said otherwise.
  private func trackAsSet(_ document: Document) {
    guard document.trackingChoice == nil else { return }
    // What is pending will be a change in a moment.
    let isTracked =
      isTracked(key(of: document.uri), document.tracker)
      || settings.tracking == .auto && !document.tracker.hunks.isEmpty
    if isTracked != document.isRecording { setTracking(isTracked, of: document) }
  }

  var trackerOptions: Tracker.Options {
    Tracker.Options(tracksFrontMatter: settings.tracksFrontMatter)
  }

  /// Whether a document that is opened is tracked: what the user said last, else the setting; with
  /// `auto`, if it has changes or its front matter asks for it.
  func isTracked(_ key: String, _ tracker: Tracker) -> Bool {
    if let choice = trackingChoice(of: key) { return choice }
    switch settings.tracking {
    case .on: return true
    case .off: return false
    case .auto:
      let frontMatter = Array(tracker.buffer[tracker.buffer.frontMatter])
      return tracker.counts.tracked > 0 || frontMatterAsksForTracking(frontMatter)
    }
  }
}
