/// The settings, from `initializationOptions` and the section `critic` of the client's configuration; see ``Setting``.
struct Settings: Equatable {
  enum Tracking {
    case on
    case off
    case auto
  }

  /// What the attribution of new changes says.
  enum Attribution {
    /// They have none.
    case none
    case author
    case authorAndDate
  }

  var tracking = Tracking.auto
  /// Where the marks of a document are that has none yet; with `file` the client hides those of each file that it reads.
  var marks = MarksPlace.inline
  /// When to mark; nil is `auto`, which depends on the client.
  var marking: Client.Marking?
  /// How long after the last key to mark, in milliseconds.
  var idleDelay = 750
  var author: String?
  var attribution = Attribution.none
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
  /// What accepts and what rejects a change, for hovers; nil if the editor has no key or command of its own for it.
  var acceptKey: String?
  var rejectKey: String?

  static let names = Set(Setting.all.map(\.name))
}
