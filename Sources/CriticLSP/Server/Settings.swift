/// The settings, from `initializationOptions` and the section `critic` of the client's configuration; see ``Setting``.
struct Settings: Equatable {
  enum Tracking {
    case on
    case off
    case auto
  }

  var tracking = Tracking.auto
  /// When to mark; nil is `auto`, which depends on the client.
  var marking: Client.Marking?
  /// How long after the last key to mark, in milliseconds.
  var idleDelay = 750
  var author: String?
  /// The severity of the entries of the list of changes.
  var severity = DiagnosticSeverity.information
  /// The maximum number of entries in a list sent to the editor; 0 turns the lists off.
  var maxChanges = 2000
  var tracksFrontMatter = false
  var codeLens = true
  var inlayHints = true
  var semanticTokens = true
  var remembersTracking = true
  /// For our packages: only they know what mode the editor is in.
  var marksWhileTyping = false

  static let names = Set(Setting.all.map(\.name))
}
