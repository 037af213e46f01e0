/// How pending changes are put into marks: what to do to the buffer, and what is still pending then.
public struct Marking: Equatable, Sendable {
  /// Small, sorted, disjoint edits of the buffer that do not touch and replace nothing that was typed.
  public internal(set) var edits: [Edit] = []
  /// The hunks that stay pending, on the text that is settled once the edits are made.
  public internal(set) var remaining: [Hunk] = []
}

extension Marking {
  /// Works out the marks for all hunks of a burst together.
  ///
  /// Every form is read back before it is taken; a change for which no form reads as it is meant
  /// stays pending. Linear in the text.
  ///
  /// - Parameters:
  ///   - hunks: What the user has changed since the text was settled.
  ///   - buffer: The text as it is now.
  ///   - options: How the document is tracked.
  ///   - isForced: Whether a mark that is still being typed is marked too.
  init(_ hunks: [Hunk], in buffer: Text, options: Tracker.Options, isForced: Bool) {
    guard !hunks.isEmpty else { return }
    var settling = Settling(hunks, buffer, options)
    settling.prepare(isForced: isForced)
    settling.write()
    edits = settling.edits()
    remaining = settling.remaining()
  }
}

/// The work of one marking.
private struct Settling {
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
  private var rebuilding: Rebuilding
  private var windows: [Window] = []
  private var plain: [Written] = []
  private var written: [Written] = []

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

  /// Finds a form for every window, or for as many as can be had.
  mutating func write() {
    for form in Form.allCases {
      written = windows.map { Written(window: $0, runs: $0.pieces.written(in: form)) }
      if readsAsMeant() { return }
    }
    written = []
    for window in windows where !write(window) {
      // What lies around a change can be in its way: it is replaced with it, as little as will do.
      for range in surroundings(of: window) where replace(range, with: window) { break }
    }
  }

  /// Stretches to replace as a whole with a window: the code that its text makes with the text around,
  /// all changes of the paragraph with what is between them, and the paragraph.
  private func surroundings(of window: Window) -> [Range<Int>] {
    let paragraph = paragraph(around: window.old)
    let near = windows.filter { paragraph.overlaps($0.old) || $0.old == window.old }
    let start = near.first?.old.lowerBound ?? paragraph.lowerBound
    let changes = start..<(near.last?.old.upperBound ?? paragraph.upperBound)
    let code = Reading(of: buffer.bytes).zones.filter {
      !$0.isFenced && $0.range.lowerBound < window.new.upperBound
        && window.new.lowerBound < $0.range.upperBound
    }
    return code.map { settledRange($0.range) } + [changes, paragraph]
  }

  /// The settled text's range for a range of the buffer.
  private func settledRange(_ range: Range<Int>) -> Range<Int> {
    func settled(_ offset: Int, _ isEnd: Bool) -> Int {
      var shift = 0
      for hunk in hunks {
        let start = hunk.old.lowerBound + shift
        if offset < start || offset == start && isEnd { break }
        if offset < start + hunk.new.count || offset == start + hunk.new.count && isEnd {
          return isEnd ? hunk.old.upperBound : hunk.old.lowerBound
        }
        shift += hunk.shift
      }
      return offset - shift
    }
    let start = settled(range.lowerBound, false)
    return start..<max(start, settled(range.upperBound, true))
  }

  private mutating func write(_ window: Window) -> Bool {
    if written.contains(where: { $0.window.changes.overlaps(window.changes) }) { return true }
    return write(window, keeping: written)
  }

  /// Finds a form for a window beside others; what was written stays if there is none.
  private mutating func write(_ window: Window, keeping others: [Written]) -> Bool {
    let known = written
    for form in Form.allCases {
      written = others + [Written(window: window, runs: window.pieces.written(in: form))]
      written.sort { $0.window.old.lowerBound < $1.window.old.lowerBound }
      if readsAsMeant() { return true }
    }
    written = known
    return false
  }

  /// Writes a stretch around a window, with all changes in it, as one substitution.
  private mutating func replace(_ range: Range<Int>, with window: Window) -> Bool {
    guard let wide = substitution(of: range, around: window) else { return false }
    let others = written.filter {
      !$0.window.old.overlaps(wide.old) && !$0.window.changes.overlaps(wide.changes)
    }
    return write(wide, keeping: others)
  }

  private func substitution(of stretch: Range<Int>, around window: Window) -> Window? {
    var range = window.old
    var changes = window.changes
    while true {
      var wide = settled.whole(
        min(range.lowerBound, stretch.lowerBound)..<max(range.upperBound, stretch.upperBound)
      )
      for index in rebuilding.pending.indices {
        let change = rebuilding.pending[index]
        guard change.old.upperBound >= wide.lowerBound, change.old.lowerBound <= wide.upperBound
        else { continue }
        changes = min(changes.lowerBound, index)..<max(changes.upperBound, index + 1)
        wide =
          min(wide.lowerBound, change.old.lowerBound)..<max(wide.upperBound, change.old.upperBound)
      }
      if wide == range { break }
      range = wide
    }
    // A window that was left out because it is still being typed can't be taken along.
    guard Set(changes).isSubset(of: windows.flatMap(\.changes)) else { return nil }
    var wide = window
    wide.changes = changes
    wide = rebuilding.widened(wide, to: range)
    wide.pieces = wide.pieces.asSubstitution
    return wide
  }

  private func paragraph(around range: Range<Int>) -> Range<Int> {
    settled.bytes.withUnsafeBufferPointer { bytes in
      func isBlank(_ line: Int) -> Bool {
        var at = line
        while at < bytes.count, bytes[at] == Ascii.space || bytes[at] == Ascii.tab { at += 1 }
        return bytes.isLineEnd(at)
      }
      func lineStart(_ offset: Int) -> Int {
        var at = offset
        while at > 0, !bytes.isLineEnd(at - 1) { at -= 1 }
        return at
      }
      var start = lineStart(range.lowerBound)
      while start > 0 {
        let before = lineStart(
          bytes[start - 1] == Ascii.newline && start > 1
            && bytes[start - 2] == Ascii.carriageReturn ? start - 2 : start - 1
        )
        if isBlank(before) { break }
        start = before
      }
      var end = range.upperBound
      while end < bytes.count {
        while !bytes.isLineEnd(end) { end += 1 }
        let next = bytes.lineEnd(after: end)
        if next >= bytes.count || isBlank(next) { break }
        end = next
      }
      return start..<max(end, range.upperBound)
    }
  }

  // MARK: - Reading back

  private var replacements: [Written] {
    (written + plain).sorted { $0.window.old.lowerBound < $1.window.old.lowerBound }
  }

  /// Whether the new settled text reads as it is meant: the windows as their pieces say, everything
  /// else as before.
  private func readsAsMeant() -> Bool {
    var text: [UInt8] = []
    var stretches: [Range<Int>] = []
    var at = 0
    let replacements = replacements
    for piece in replacements {
      text += settled.bytes[at..<piece.window.old.lowerBound]
      let start = text.count
      for run in piece.runs { text += run.bytes }
      stretches.append(start..<text.count)
      at = piece.window.old.upperBound
    }
    text += settled.bytes[at...]
    let result = Settled(text)
    guard
      marksOutside(replacements.map(\.window.old), of: settled, as: stretches)
        == marksOutside(stretches, of: result, as: stretches)
    else { return false }
    return zip(replacements, stretches).allSatisfy { piece, stretch in
      piece.isPlain
        || settled.text(.original, in: piece.window.old) == piece.window.pieces.text(.original)
          && result.text(.original, in: stretch) == piece.window.pieces.text(.original)
          && result.text(.clean, in: stretch) == piece.window.pieces.text(.clean)
    }
  }

  /// The marks that do not lie in one of `ranges`, in offsets of a text that has `stretches` there.
  private func marksOutside(
    _ ranges: [Range<Int>],
    of settled: Settled,
    as stretches: [Range<Int>]
  ) -> [Mark] {
    var outside: [Mark] = []
    var next = 0
    var shift = 0
    for mark in settled.reading.marks {
      while next < ranges.count, ranges[next].upperBound <= mark.start {
        shift = stretches[next].upperBound - ranges[next].upperBound
        next += 1
      }
      if next < ranges.count, ranges[next].lowerBound <= mark.start,
        mark.end <= ranges[next].upperBound, !ranges[next].isEmpty
      {
        continue
      }
      func moved(_ offset: Int) -> Int {
        var index = next
        var shift = shift
        while index < ranges.count, ranges[index].upperBound < offset {
          shift = stretches[index].upperBound - ranges[index].upperBound
          index += 1
        }
        return offset + shift
      }
      var mark = mark
      mark.start += shift
      mark.end = moved(mark.end)
      if mark.arrow >= 0 { mark.arrow = moved(mark.arrow) }
      mark.depth = 0
      mark.inner = 0
      outside.append(mark)
    }
    return outside
  }

  // MARK: - Results

  func edits() -> [Edit] {
    written.flatMap { edits(of: $0) }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The edits that turn a window of the buffer into its new text: what was typed stays, and of the
  /// rest all that need not move.
  private func edits(of written: Written) -> [Edit] {
    var limits: [Int] = []
    var limit = written.window.new.upperBound
    for run in written.runs.reversed() {
      limits.append(limit)
      if run.isTyped, let origin = run.origin { limit = min(limit, origin) }
    }
    limits.reverse()
    var edits: [Edit] = []
    var at = written.window.new.lowerBound
    var new: [UInt8] = []
    for (run, limit) in zip(written.runs, limits) {
      if let origin = run.origin, origin >= at, origin + run.bytes.count <= limit {
        edits.append(Edit(at..<origin, new))
        new = []
        at = origin + run.bytes.count
      } else {
        new += run.bytes
      }
    }
    edits.append(Edit(at..<written.window.new.upperBound, new))
    return edits.trimmed(on: buffer).map { restoringCloser($0, in: written.window) }
  }

  /// Where a Backspace ate the end of a closer, the edit that puts it back takes in the character
  /// before, so that the caret comes to stand behind the closer again.
  private func restoringCloser(_ edit: Edit, in window: Window) -> Edit {
    let at = edit.range.lowerBound
    guard edit.range.isEmpty, at > window.new.lowerBound,
      rebuilding.pending[window.changes].contains(where: { change in
        change.isBare && change.new == at..<at
          && settled.mark(at: max(0, change.old.upperBound - 1))
            .map { settled.reading.marks[$0].end == change.old.upperBound } ?? false
      }),
      "+-~=<".utf8.contains(buffer[at - 1])
    else { return edit }
    return Edit(at - 1..<at, [buffer[at - 1]] + edit.new)
  }

  func remaining() -> [Hunk] {
    let done = replacements
    let taken = Set(
      done.flatMap { piece in
        piece.isPlain
          ? Array(piece.window.changes)
          : rebuilding.pending[piece.window.changes].flatMap { Array($0.hunks) }
      }
    )
    return hunks.indices.filter { !taken.contains($0) }.map { index in
      var hunk = hunks[index]
      let shift = done.prefix { $0.window.old.upperBound <= hunk.old.lowerBound }
        .reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.bytes.count } - $1.window.old.count }
      hunk.old = hunk.old.lowerBound + shift..<hunk.old.upperBound + shift
      return hunk
    }
  }
}
