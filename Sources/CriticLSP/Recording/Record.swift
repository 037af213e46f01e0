import TrackEngine

/// What is known of an open document beside what the client reports: its baseline, its file, and what was changed
/// in it while nobody recorded it.
///
/// Others change it by its verbs alone. Invariants: nothing is kept before what was kept has been found; of a file
/// whose stamp is not known nobody asks whether it is another one.
struct Record {
  /// As it was kept last, or found.
  private(set) var baseline: Baseline
  /// The text that the document was opened with, until it is known what was kept of it.
  private var opened: Opened?
  /// Whether the baseline is to be looked at again, because the original may be another.
  private var isStale = false
  /// When to do that, in milliseconds.
  private(set) var keepAt: Int?
  /// Whether the baseline was kept since it is known that it has to be.
  private var isKept = false
  /// What was saved last; nil until something is.
  private(set) var saved: Saved?
  /// The stamp of the file when the text was last read from it or written to it; nil until it is known.
  private(set) var stamp: FileStamp?
  /// When to look whether the file is still that one, in milliseconds.
  private(set) var lookAt: Int?
  /// Whether that is being looked at; nothing is marked meanwhile.
  private var isLooking = false
  /// When the text counts as read again from a file that another program wrote, in milliseconds: until then the client
  /// may tell that it has saved it.
  private(set) var reloadedAt: Int?
  /// What the text is being compared with, to record what was changed since that was the original; nothing is marked by
  /// itself, and nothing kept, meanwhile.
  private(set) var compared: Compared?
  /// What the user has not decided yet.
  private var question: Question?
  /// The text that the file had when it was last read or written, as far as that is known.
  private(set) var fileText: TextHash?
  /// The marks that the text came back without; nil once they are there again, or given up.
  private(set) var lost: LostMarks?
  /// The file that holds the marks of a text that is shown without them, as it was read or written last; nil if there
  /// is none.
  private(set) var written: TextHash?
  /// A text that the client saved though it did not report it, until it does.
  private(set) var doubt: Doubt?
  /// When the document was opened, in milliseconds, if nothing has been known of it or beside it so far; else nil.
  private var newSince: Int?
  /// What the editor showed when it saved a new document as soon as it had opened it, until that is taken out.
  private var savedAtOnce: SavedAtOnce?

  init(baseline: Baseline) {
    self.baseline = baseline
  }

  /// Whether it is undecided what the text is, or whose: the user's, or another program's.
  ///
  /// Asked of every open document in every turn.
  @inline(__always)
  var isUndecided: Bool {
    isLooking || lookAt != nil || reloadedAt != nil || compared != nil || doubt != nil
  }

  /// When it needs attention, in milliseconds.
  ///
  /// Asked of every open document in every turn.
  @inline(__always)
  var deadline: Int? {
    var due = Int.max
    if let keepAt { due = min(due, keepAt) }
    if let lookAt { due = min(due, lookAt) }
    if let reloadedAt { due = min(due, reloadedAt) }
    if let doubt { due = min(due, doubt.takenAt) }
    return due == Int.max ? nil : due
  }

  // MARK: - What was kept

  /// How a document was opened.
  struct Opened {
    let text: Text
    /// The original text of the same document, if this session had it open before with another text.
    let original: [UInt8]?
    /// Whether its state was taken over from a document that was closed with the same text, and whose baseline was found.
    let isTakenOver: Bool
    /// Whether it was open all along: the client has lost step.
    let wasOpen: Bool
    /// What it may have lost, if another program wrote the text.
    let lost: LostMarks?
    /// When it was opened, in milliseconds, if this session knows nothing of it; else nil.
    var newAt: Int? = nil
  }

  /// Notes how the document was opened, until what was kept of it is found.
  mutating func noteOpened(_ opened: Opened) {
    self.opened = opened
    fileText = opened.text.hash
    newSince = opened.newAt
  }

  /// Notes that something is known of the document, or lies beside it.
  mutating func noteKnown() { newSince = nil }

  /// What the editor showed when it saved a document as soon as it had opened it.
  struct SavedAtOnce {
    let text: TextHash
    /// When, in milliseconds.
    let at: Int

    /// How long after the opening that is, at most, in milliseconds.
    static let time = 1000
  }

  /// Notes which text the editor shows as it saves the document.
  mutating func noteShown(_ text: TextHash, savedAt now: Int) {
    guard let since = newSince, now <= since + SavedAtOnce.time else { return }
    savedAtOnce = SavedAtOnce(text: text, at: now)
  }

  /// Takes out what the editor showed when it saved at once a document of which nothing was known; nil until it has been
  /// looked up whether something was.
  mutating func takeSavedAtOnce() -> SavedAtOnce? {
    guard isRecalled else { return nil }
    defer { savedAtOnce = nil }
    return newSince == nil ? nil : savedAtOnce
  }

  /// Has what was kept looked for once more, for the text as it is now.
  mutating func reopen(with text: Text) {
    compared = nil
    opened = Opened(text: text, original: nil, isTakenOver: false, wasOpen: false, lost: nil)
  }

  /// The text that the document was opened with, until what was kept of it is found.
  var openedText: Text? { opened?.text }

  /// Whether what was kept has been found.
  var isFound: Bool { opened == nil }

  /// Whether what was changed while nobody recorded it is recorded, as far as that can be told: until then what was kept is
  /// worth more than what is known.
  var isRecalled: Bool { isFound && compared == nil }

  /// Notes that what was kept has been found; returns how the document was opened, the first time.
  mutating func takeOpened() -> Opened? {
    defer { opened = nil }
    return opened
  }

  // MARK: - What to keep

  /// Brings the baseline up to date.
  ///
  /// - Parameters:
  ///   - tracker: The document.
  ///   - known: Its original text; nil if that is to be told from the tracker, where it matters.
  ///   - choice: Whether the user turned tracking on or off, if that is remembered.
  ///   - isRecorded: Whether changes are recorded.
  /// - Returns: The baseline, and the original text if it is another; nil if there is nothing to keep.
  mutating func update(
    _ tracker: Tracker,
    original known: [UInt8]? = nil,
    choice: Bool?,
    isRecorded: Bool
  ) -> (baseline: Baseline, original: [UInt8]?)? {
    keepAt = nil
    guard isRecalled else { return nil }
    let before = baseline
    var original: [UInt8]?
    baseline.choice = choice
    baseline.isRecorded = isRecorded
    if !isRecorded || tracker.buffer.count > Baseline.maxLength {
      baseline.original = nil
    } else if isStale || baseline.original == nil {
      assert(known == nil || known == tracker.original, "another original")
      let bytes = known ?? tracker.original
      baseline.original = TextHash(of: bytes)
      if baseline.original != before.original { original = bytes }
    }
    isStale = false
    guard baseline != before || !isKept else { return nil }
    isKept = true
    return (baseline, original)
  }

  /// Notes that the original text may be another, and when to look at it at the latest.
  mutating func noteOriginal(keptBy time: Int? = nil) {
    isStale = true
    keepAt = keepAt ?? time
  }

  /// Notes which text the baseline is about; nil if the text alone does not tell its changes.
  mutating func noteText(_ text: TextHash?) { baseline.text = text }

  /// A text that was the original.
  struct Compared {
    let original: [UInt8]
    /// Whether the user asked to have recorded what was changed since.
    let isAsked: Bool
  }

  /// Notes that the text is being compared.
  mutating func beginComparing(_ compared: Compared) { self.compared = compared }

  /// Notes that what was found is recorded, or that there is nothing to record.
  mutating func endComparing() { compared = nil }

  // MARK: - The file

  /// A saved text that is not the document's.
  struct Doubt {
    let text: [UInt8]
    /// When it is taken for what the editor shows, in milliseconds.
    let takenAt: Int
    /// Whether other changes were reported since: then the editor shows neither text.
    var isPassed = false
  }

  /// Notes that the client has written the file: what a look has found meanwhile is what it wrote.
  mutating func noteSaving() {
    stamp = nil
    doubt = nil
    isLooking = false
    reloadedAt = nil
  }

  /// A text that the client has saved.
  struct Saved {
    let text: Text
    /// When, in milliseconds.
    let at: Int
  }

  /// Notes the text that was saved; the baseline is about it if all changes in it are in marks.
  mutating func noteSaved(_ text: Text, isSettled: Bool, at now: Int) {
    saved = Saved(text: text, at: now)
    fileText = text.hash
    baseline.text = isSettled ? text.hash : nil
    isKept = false
  }

  /// Notes what is in the file that holds the marks of a text that is shown without them; nil if there is none.
  mutating func noteRecord(_ hash: TextHash?) { written = hash }

  /// Notes that the file holds another text than the one that is shown.
  mutating func noteUnsaved() { fileText = nil }

  /// Waits for the report of a text that was saved.
  mutating func doubt(_ text: [UInt8], until time: Int) { doubt = Doubt(text: text, takenAt: time) }

  /// Notes a report.
  ///
  /// - Parameter isOfSaved: Whether it tells what the client saved, or begins to.
  mutating func noteReport(isOfSaved: Bool) {
    if isOfSaved { doubt = nil } else { doubt?.isPassed = true }
  }

  /// Takes out a text that was saved and not reported.
  mutating func takeDoubt() -> Doubt? {
    defer { doubt = nil }
    return doubt
  }

  /// Notes the stamp of the file that the text was read from.
  mutating func noteStamp(_ stamp: FileStamp) { self.stamp = stamp }

  /// Has the file looked at after a pause, if it can be told whether it is another one.
  mutating func lookSoon(at time: Int) {
    if stamp != nil { lookAt = time }
  }

  /// Notes that the file is being looked at; returns the stamp that it had, if that is known.
  mutating func beginLook() -> FileStamp? {
    lookAt = nil
    isLooking = stamp != nil
    return stamp
  }

  /// Notes what a look at the file has shown; returns whether it is another one with the document's text.
  mutating func endLook(_ result: EffectOutcome.Result, at text: TextHash) -> Bool {
    let wasLooking = isLooking
    isLooking = false
    guard case .stamp(let found, let foundText) = result else { return false }
    if !wasLooking { stamp = stamp ?? found }
    guard wasLooking, foundText == text else { return false }
    stamp = found
    fileText = text
    baseline.text = text
    return true
  }

  /// Notes that the text is the file's, which the client has until then to say that it saved.
  mutating func noteReload(until time: Int) { reloadedAt = time }

  /// Whether the text was read again from the file; it is decided then.
  mutating func takeReload() -> Bool {
    defer { reloadedAt = nil }
    return reloadedAt != nil
  }

  // MARK: - What the user is asked

  /// What to do with changes that nobody recorded.
  enum Question {
    /// They are recorded, in these ranges of the text; they can be taken as original.
    case recorded([Range<Int>])
    /// They are taken as original; they can be recorded, since this was the original before.
    case taken([UInt8])
    /// The marks in ``Record/lost`` are gone; they can be put back.
    case lost
  }

  /// Notes changes that were recorded later than they were made.
  mutating func noteRecorded(_ changes: [Range<Int>]) {
    question = .recorded(changes)
    baseline.text = nil
  }

  /// Notes that changes were taken as original; `original` is what it was before.
  mutating func noteTaken(_ original: [UInt8]) { question = .taken(original) }

  /// Notes marks that are gone, and asks for them what to do, or waits to put them back.
  mutating func noteLost(_ lost: LostMarks) {
    self.lost = lost
    question = lost.isDue ? nil : .lost
  }

  /// Notes that marks that are gone have no place in the text; the file may be read again when it is whole.
  mutating func postponeLost() { lost?.isDue = false }

  /// Notes that marks that were gone are there again, or given up.
  mutating func forgetLost() {
    lost = nil
    if case .lost? = question { question = nil }
  }

  /// Takes out the question, which is answered.
  mutating func takeQuestion() -> Question? {
    defer { question = nil }
    return question
  }

  /// Moves the ranges of a question along with the text.
  mutating func moveQuestion(after edit: Edit) {
    guard case .recorded(let ranges)? = question else { return }
    let map = OffsetMap([edit])
    question = .recorded(ranges.map { map.map($0, start: .before, end: .after) })
  }
}
