/// The work of one marking.
struct Settling {
  /// A window with the text that takes its place.
  struct Written {
    var window: Window
    var runs: [Run]
    /// Whether the text is taken as it is, without tracking: front matter.
    var isPlain = false
  }

  let hunks: [Hunk]
  let buffer: Text
  let options: Tracker.Options
  let settled: Settled
  private(set) var rebuilding: Rebuilding
  private(set) var windows: [Window] = []
  private(set) var plain: [Written] = []
  var written: [Written] = []

  init(_ hunks: [Hunk], _ buffer: Text, _ options: Tracker.Options) {
    self.hunks = hunks
    self.buffer = buffer
    self.options = options
    settled = Settled(buffer.applying(hunks.inverted).bytes)
    rebuilding = Rebuilding([], in: settled, buffer)
  }

  /// Says what the hunks mean and which windows of the text they need.
  mutating func prepare(isForced: Bool) {
    var pending = hunks.pending
    if !options.tracksFrontMatter { takePlain(&pending) }
    takeComments(&pending)
    pending.slide(in: settled, buffer)
    let typing = HandTyping(pending, in: settled, buffer)
    typing?.spell(&pending)
    pending.widenOverCode(in: settled, buffer)
    rebuilding = Rebuilding(pending, in: settled, buffer)
    windows = rebuilding.windows()
    guard !isForced else { return }
    let halfTyped = typing?.halfTyped ?? []
    windows = windows.filter { window in
      !pending[window.changes].contains {
        $0.hunks.contains(where: halfTyped.contains) || isTypingFrontMatter($0)
      }
    }
  }

  /// Takes changes of the front matter out of those that are tracked.
  private mutating func takePlain(_ pending: inout [Pending]) {
    let old = frontMatter(of: settled.bytes)
    let new = frontMatter(of: buffer.bytes)
    for index in pending.indices { pending[index].slideBehind(old.upperBound, in: settled.bytes) }
    pending.removeAll { change in
      let isInOld =
        change.old.upperBound <= old.upperBound && change.old.lowerBound < old.upperBound
        && (change.old.lowerBound > 0 || !new.isEmpty)
      let isInNew =
        change.new.upperBound <= new.upperBound && change.new.lowerBound < new.upperBound
        && change.old.upperBound <= max(old.upperBound, change.old.lowerBound)
      guard isInOld || isInNew else { return false }
      plain.append(asIs(change))
      return true
    }
  }

  /// Whether the front matter is being typed: it has its first line, and not its last.
  private func isTypingFrontMatter(_ change: Pending) -> Bool {
    guard !options.tracksFrontMatter, change.old == 0..<0, change.new.lowerBound == 0,
      buffer.count >= 3, buffer[0..<3].allSatisfy({ $0 == Ascii.minus }),
      buffer.lineCount > 1 ? buffer.end(ofLine: 0) == 3 : buffer.count == 3
    else { return false }
    return frontMatter(of: buffer.bytes).isEmpty
  }

  /// Takes changes inside comments as they are: a comment's text is its own, also in a highlight.
  private mutating func takeComments(_ pending: inout [Pending]) {
    let known = (pending, plain)
    let comments = pending.map { isInComment($0.old) }
    for (change, isFree) in zip(pending, comments) where isFree { plain.append(asIs(change)) }
    pending = zip(pending, comments).filter { !$1 }.map(\.0)
    let isAlone = pending.allSatisfy { change in
      !plain.contains { settled.whole(change.old).overlaps(settled.whole($0.window.old)) }
    }
    if !isAlone || !readsAsMeant() { (pending, plain) = known }
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

  private func asIs(_ change: Pending) -> Written {
    let window = Window(old: change.old, new: change.new, changes: change.hunks)
    let run = Run(buffer[change.new], origin: change.new.lowerBound, isTyped: true)
    return Written(window: window, runs: [run], isPlain: true)
  }
}
