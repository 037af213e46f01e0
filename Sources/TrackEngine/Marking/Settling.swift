/// The work of one marking.
struct Settling {
  /// A window with the text that takes its place.
  struct Written: Replacement {
    let window: Window
    let runs: [Run]
    /// The text of the runs.
    let bytes: [UInt8]
    var replaced: Range<Int> { window.old }
    var newCount: Int { bytes.count }

    init(_ window: Window, in form: Form) {
      self.window = window
      runs = window.pieces.written(in: form)
      bytes = runs.bytes
    }
  }

  let buffer: Text
  private let tracksFrontMatter: Bool
  private let isLast: Bool
  /// The settled text, with what is taken as it is in it already.
  private(set) var settled: Settled
  /// What is to be put into marks.
  private(set) var hunks: [Hunk]
  private(set) var rebuilding: Rebuilding
  private(set) var windows: [Window] = []
  var written: [Written] = []
  /// How many forms are still tried.
  var looks = 0
  /// How often the text was read back.
  var readings = 0
  /// Where offsets of the buffer are in the settled text.
  private(set) lazy var toSettled = OffsetMap(hunks).inverted
  /// The code that is seen in the buffer.
  private(set) lazy var seenCode = SeenCode(of: Settled(buffer.bytes))
  /// The stretches that can't be replaced as a whole beside what is written.
  var unreplaceable: Set<Range<Int>> = []

  init(_ vicinity: Vicinity, _ options: Tracker.Options) {
    hunks = vicinity.hunks
    buffer = vicinity.buffer
    isLast = vicinity.isLast
    // Only the beginning of a text can be front matter.
    tracksFrontMatter = options.tracksFrontMatter || !vicinity.isFirst
    settled = Settled(buffer.applying(hunks.inverted).bytes)
    hunks = hunks.reflowed(on: settled.bytes)
    rebuilding = Rebuilding([], in: settled, buffer, upTo: 0)
    if !tracksFrontMatter { takeFrontMatter() }
    takeComments()
  }

  /// Says what the hunks mean and which windows of the text they need.
  mutating func prepare(isForced: Bool) {
    var pending = hunks.pending
    if !tracksFrontMatter { slideAfterFrontMatter(&pending) }
    pending.slide(in: settled, buffer, from: textStart)
    let typing = HandTyping(pending, in: settled, buffer)
    typing?.spell(&pending)
    pending.widenOverCode(in: settled, buffer)
    let lastBreak = endsWithLineBreak ? settled.bytes[...].lineBreakAtEnd.count : 0
    let end = settled.bytes.count - lastBreak
    rebuilding = Rebuilding(pending, in: settled, buffer, upTo: end)
    windows = rebuilding.windows()
    guard !isForced else { return }
    let halfTyped = typing?.halfTyped ?? []
    windows = windows.filter { window in
      !pending[window.changes].contains {
        $0.hunks.contains(where: halfTyped.contains) || isTypingFrontMatter($0)
      }
    }
  }

  /// Takes changes of the front matter as they are.
  private mutating func takeFrontMatter() {
    let old = 0..<textStart
    var pending = hunks.pending
    let new = newFrontMatter(with: pending)
    slideAfterFrontMatter(&pending)
    take { index in
      let change = pending[index]
      let isInOld =
        change.old.upperBound <= old.upperBound && change.old.lowerBound < old.upperBound
        && (change.old.lowerBound > 0 || !new.isEmpty)
      let isInNew =
        change.new.upperBound <= new.upperBound && change.new.lowerBound < new.upperBound
        && change.old.upperBound <= max(old.upperBound, change.old.lowerBound)
      return isInOld || isInNew
    }
  }

  /// Whether the text must end with a line break: some clients can't edit after the last one, and put in
  /// another where they don't find it.
  var endsWithLineBreak: Bool {
    guard isLast else { return false }
    let lineBreak = settled.bytes[...].lineBreakAtEnd
    return !lineBreak.isEmpty
      && buffer[max(0, buffer.count - 2)..<buffer.count].lineBreakAtEnd == lineBreak
  }

  /// Where the text begins that can be put into marks.
  var textStart: Int { tracksFrontMatter ? 0 : frontMatter(of: settled.bytes).upperBound }

  private func slideAfterFrontMatter(_ pending: inout [Pending]) {
    let end = textStart
    for index in pending.indices { pending[index].slideAfter(end, in: settled.bytes) }
  }

  /// Makes some of the hunks part of the settled text.
  ///
  /// - Parameter isTaken: Whether the hunk with an index is meant.
  /// - Returns: Where offsets of the settled text are then.
  @discardableResult
  private mutating func take(where isTaken: (Int) -> Bool) -> OffsetMap {
    var taken: [Hunk] = []
    var left: [Hunk] = []
    for index in hunks.indices {
      if isTaken(index) { taken.append(hunks[index]) } else { left.append(hunks[index]) }
    }
    let map = OffsetMap(taken)
    guard !taken.isEmpty else { return map }
    hunks = left.map { $0.moved(along: map) }
    settled = Settled(Text(settled.bytes).applying(taken.edits).bytes)
    return map
  }

  /// Whether the front matter is being typed: it has its first line, and not its last.
  private func isTypingFrontMatter(_ change: Pending) -> Bool {
    guard !tracksFrontMatter, change.old == 0..<0, change.new.lowerBound == 0,
      buffer.count >= 3, buffer[0..<3].allSatisfy({ $0 == Ascii.minus }),
      buffer.lineCount > 1 ? buffer.end(ofLine: 0) == 3 : buffer.count == 3
    else { return false }
    return newFrontMatter(with: hunks.pending).isEmpty
  }

  /// The front matter as the buffer has it: none where text would become metadata because of what was typed
  /// above it.
  private func newFrontMatter(with pending: [Pending]) -> Range<Int> {
    let new = buffer.frontMatter
    /// Where the last of it ends that was there before.
    var end = new.upperBound - buffer[new].lineBreakAtEnd.count
    for change in pending.reversed() where change.new.upperBound >= end {
      end = min(end, change.new.lowerBound)
    }
    return pending.toBuffer.inverted.map(end, bias: .before) <= textStart ? new : 0..<0
  }

  /// Takes changes inside comments as they are: a comment's text is its own, also in a highlight.
  private mutating func takeComments() {
    let known = (settled, hunks)
    let free = hunks.map { isInComment($0.old) }
    let map = take { free[$0] }
    if !keepsMarks(of: known.0, in: settled, map) { (settled, hunks) = known }
  }

  private func isInComment(_ range: Range<Int>) -> Bool {
    guard let mark = settled.mark(at: range.lowerBound) else { return false }
    let marks = settled.reading.marks
    var inmost = mark
    while marks[inmost].kind == .highlight,
      let child = settled.children(of: inmost).first(where: {
        marks[$0].range.contains(range.lowerBound)
      })
    { inmost = child }
    return marks[inmost].kind == .comment && marks[inmost].content.lowerBound <= range.lowerBound
      && range.upperBound <= marks[inmost].content.upperBound
  }
}
