/// What an editor's LSP client does with a server's edits and when it tells of its own, as it was
/// measured: one value for each client.
struct ClientHabits: Sendable {
  /// When a change of the buffer is told.
  enum Telling: Sendable {
    /// Every change by itself.
    case atOnce
    /// The first change after a pause at once, those after it together, so many milliseconds later.
    case rateLimited(Int)
    /// So many milliseconds after the last change.
    case idle(Int)
    /// Never in insert mode, and so many milliseconds after it.
    case afterInserting(Int)
  }

  /// What one notification says.
  enum Report: Sendable {
    /// An event for each change.
    case eachChange
    /// An event for changes that lie less than so many characters from each other.
    case nearbyAsOne(Int)
    /// The lines that differ.
    case wholeLines
    case fullText
  }

  /// What an edit's version must agree with.
  enum Check: Sendable {
    /// The buffer with all that was typed.
    case buffer
    /// What the server was told: what was typed and not told yet goes unseen.
    case told
    case nothing
  }

  /// How an edit of another version is answered.
  enum Refusal: Sendable {
    /// `applied: true`, although nothing was done.
    case pretends
    /// `applied: false`.
    case refuses
    /// An error.
    case fails
  }

  /// What is undone with an edit of the server.
  enum Undo: Sendable {
    case byItself
    /// What was changed before it.
    case withLastChange
    /// What was typed before it, unless insert mode was left.
    case withInsertMode
  }

  /// How undo and redo are told.
  enum Travel: Sendable {
    /// As one change, as small as it can be.
    case least
    /// As every change that is taken back.
    case eachChange
  }

  /// What is done when the user saves.
  enum Saving: Sendable {
    /// `willSaveWaitUntil`, its result put in, `didSave`.
    case asks
    /// The same, but what was typed is told only after the question.
    case asksBeforeTelling
    /// `formatting`, its result put in, `didSave`.
    case formats
    /// `didSave` alone.
    case tells
  }

  var name: String
  /// The recorded params of `initialize`; nil where there are none.
  var recording: String?
  var telling: Telling
  var report = Report.eachChange
  var check: Check
  var refusal = Refusal.pretends
  /// Whether an edit of the server is one change, its parts in rising order.
  var landsAsOne = false
  var repliesFirst = false
  /// Whether the user is asked first, with the keyboard taken away.
  var prompts = false
  /// Whether what is put in at the caret pushes it along.
  var pushesCaret = false
  /// Whether the caret stays in its column when what is right before it is replaced.
  var keepsColumn = false
  var undo: Undo
  var travel = Travel.least
  var saving: Saving
  /// Whether versions count changes, not notifications.
  var countsChanges = false
  /// Whether notifications that follow each other at once arrive in another order.
  var mixesOrder = false
}

extension ClientHabits {
  /// Whether keys wait while the server is asked something.
  ///
  /// All of Emacs does; here those that tell nearby changes as one, since a misplaced edit cannot be told
  /// from the typing that it is told with.
  var holdsKeys: Bool {
    if case .nearbyAsOne = report { true } else { false }
  }

  /// Whether the server is told of every change by itself.
  var tellsEachChange: Bool {
    if case .eachChange = report { true } else { false }
  }
}

extension ClientHabits: CustomStringConvertible {
  var description: String { name }
}

extension ClientHabits {
  static let all = [
    neovim07, neovim012, helix2501, helix2507, eglot19, eglot117, lspMode, vimLSP, yegappan,
  ]

  /// Those that look at an edit's version, with the delay that is advised for eglot.
  static let checking: [ClientHabits] = {
    var eglot = eglot117
    eglot.name += ", telling at once"
    eglot.telling = .idle(0)
    // Who has it marked while they pause has set it up so that it tells before it asks.
    var old = eglot19
    old.name += ", telling before it asks"
    old.saving = .asks
    return [neovim07, neovim012, helix2501, helix2507, old, eglot, lspMode]
  }()

  static let neovim07 = ClientHabits(
    name: "Neovim 0.7.2",
    recording: "neovim_0.7.2",
    telling: .rateLimited(150),
    check: .buffer,
    keepsColumn: true,
    undo: .withInsertMode,
    saving: .tells,
    countsChanges: true
  )

  static let neovim012: ClientHabits = {
    var habits = neovim07
    habits.name = "Neovim 0.12"
    habits.recording = "neovim_0.12.4"
    habits.saving = .asks
    return habits
  }()

  static let helix2507 = ClientHabits(
    name: "Helix 25.07",
    recording: "helix_25.07.1",
    telling: .atOnce,
    check: .buffer,
    refusal: .refuses,
    landsAsOne: true,
    pushesCaret: true,
    undo: .withInsertMode,
    saving: .formats
  )

  static let helix2501: ClientHabits = {
    var habits = helix2507
    habits.name = "Helix 25.01"
    habits.recording = "helix_25.01.1"
    habits.saving = .tells
    habits.mixesOrder = true
    return habits
  }()

  static let eglot19 = ClientHabits(
    name: "eglot 1.9",
    recording: "emacs_28.2_eglot_1.9",
    telling: .idle(500),
    check: .buffer,
    refusal: .fails,
    repliesFirst: true,
    prompts: true,
    undo: .withLastChange,
    travel: .eachChange,
    saving: .asksBeforeTelling,
    countsChanges: true
  )

  static let eglot117 = ClientHabits(
    name: "eglot 1.17",
    recording: "emacs_30.1_eglot_1.17.30",
    telling: .idle(500),
    report: .nearbyAsOne(100),
    check: .told,
    refusal: .fails,
    repliesFirst: true,
    undo: .withLastChange,
    saving: .asks
  )

  static let lspMode = ClientHabits(
    name: "lsp-mode",
    telling: .atOnce,
    check: .buffer,
    refusal: .refuses,
    undo: .withLastChange,
    travel: .eachChange,
    saving: .asks
  )

  static let vimLSP = ClientHabits(
    name: "vim-lsp",
    recording: "vim_9.0_vim-lsp",
    telling: .afterInserting(4000),
    report: .fullText,
    check: .nothing,
    repliesFirst: true,
    pushesCaret: true,
    undo: .byItself,
    saving: .tells
  )

  static let yegappan = ClientHabits(
    name: "yegappan/lsp",
    recording: "vim_9.0_yegappan-lsp",
    telling: .atOnce,
    report: .wholeLines,
    check: .nothing,
    landsAsOne: true,
    undo: .byItself,
    saving: .tells
  )
}
