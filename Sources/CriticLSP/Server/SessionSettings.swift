import JSONRPC

/// The settings of the session, and those of workspace folders for which the client answers otherwise.
///
/// Invariant: those of a folder are those of the session with what the client answers for that folder.
struct SessionSettings {
  /// What a client answers for a workspace folder, and what it answers for none.
  private struct Scoped {
    let section: JSON
    let unscoped: JSON?
  }

  /// Those from `initializationOptions`, which hold where the client answers nothing else.
  private var initial = Settings()
  /// Those that hold outside of these folders.
  private(set) var session = Settings()
  private var scoped: [Path: Scoped] = [:]
  private var folders: [Path: Settings] = [:]
  /// Whether the client pushes its settings, so that an empty answer to a request for them means nothing.
  private var arePushed = false

  /// Those that hold in a workspace folder, or outside of all.
  subscript(folder: Workspace.Folder?) -> Settings {
    folder.flatMap { folders[$0.path] } ?? session
  }

  /// How severe changes are, in the folders where it is not as elsewhere and elsewhere.
  var severities: [Path: DiagnosticSeverity] {
    var severities = folders.mapValues(\.severity).filter { $0.value != session.severity }
    severities[""] = session.severity
    return severities
  }

  // Each of these returns sentences for the user about settings that are wrong.

  /// Takes `initializationOptions`: all of them, or their section `critic`.
  mutating func begin(with options: JSON?) -> [String] {
    let problems = initial.merge(options?.critic ?? options)
    session = initial
    return problems
  }

  /// Takes what a client pushes, with or without a section `critic`; returns nil if it has no settings.
  mutating func take(pushed sent: JSON?) -> [String]? {
    guard let sent else { return nil }
    let isOurs = { (name: String, _: JSON) in Settings.names.contains(name) }
    guard sent.critic != nil || sent.members.contains(where: { isOurs($0.key, $0.value) }) else {
      return nil
    }
    arePushed = true
    session = initial
    return sent.critic.map { session.merge($0) } ?? session.merge(sent, where: isOurs)
  }

  /// Takes what a client answers, for the session and then for folders, of which it may leave some out.
  ///
  /// An empty answer for the session from a client that pushes its settings changes nothing there.
  mutating func take(_ answer: JSON, of folders: [Path], ofFoldersOnly: Bool) -> [String] {
    let unscoped = answer.first
    scoped = [:]
    for (folder, section) in zip(folders, answer.elements.dropFirst()) {
      scoped[folder] = Scoped(section: section, unscoped: unscoped)
    }
    let isEmpty = unscoped?.kind != .object || unscoped?.count == 0
    if ofFoldersOnly || arePushed && isEmpty { return [] }
    session = initial
    return session.merge(unscoped)
  }

  /// Has folders follow the session again, and forgets those that are gone.
  mutating func forgetFolders(but present: [Workspace.Folder]) {
    scoped = scoped.filter { path, _ in present.contains { $0.path == path } }
    folders = [:]
  }

  /// Applies what the client answers for a folder; returns nil if that is nothing.
  ///
  /// A client without such settings answers the same for each.
  mutating func refine(_ folder: Workspace.Folder) -> [String]? {
    guard let scoped = scoped[folder.path] else { return nil }
    var own = session
    let problems = own.merge(scoped.section) { $1.rawBytes != scoped.unscoped?[$0]?.rawBytes }
    folders[folder.path] = own
    return problems
  }
}

extension JSON {
  /// The section with our settings; nil if there is none.
  fileprivate var critic: JSON? { self["critic"].flatMap { $0.kind == .object ? $0 : nil } }
}
