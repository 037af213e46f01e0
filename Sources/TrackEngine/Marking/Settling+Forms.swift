extension Settling {
  /// Finds a form for every window, or for as many as can be had.
  ///
  /// - Parameter most: How many forms are tried of windows by themselves, and a quarter as many then of
  ///   what is around them, which is longer: it bounds the work on texts where little can be written.
  mutating func write(trying most: Int) {
    var special = 0
    // Enough to find those among them that can't be written plainly.
    looks = most + 2 * windows.count
    writeTypedCode()
    let code = written
    let plain = windows.filter { !isWritten($0) && !isMet($0) }
    if plain.isEmpty || writeSome(of: plain[...], &special) { return }
    let known = written
    written = code
    if plain.count > 1, write(plain, in: Form.allCases) != nil { return }
    written = known
    // What is hopeless must not cost what can be written in a wider window.
    looks = most / 4
    for window in windows where !isWritten(window) {
      // What lies around a change can be in its way: it is replaced with it, as little as will do.
      for range in surroundings(of: window) where replace(range, with: window) { break }
    }
    // The rest can need what is written now; if that is nothing, it needs all that is near.
    guard written.isEmpty, settled.bytes.count <= Settling.longestReplaced else { return }
    for window in windows where replace(0..<settled.bytes.count, with: window) { break }
  }

  /// Writes windows as plainly as can be, each half by itself if not all together: those that need
  /// another form cost the others little.
  ///
  /// - Parameters:
  ///   - windows: The windows.
  ///   - special: How many windows were found that can't be written plainly. When they are many, others
  ///     are taken together in any form, for every form is read back with all the text around.
  /// - Returns: Whether all of them were written.
  private mutating func writeSome(of windows: ArraySlice<Window>, _ special: inout Int) -> Bool {
    let takesAny = windows.count == 1 || special > Settling.mostSpecial
    let form = write(Array(windows), in: takesAny ? Form.allCases : [.plain])
    if takesAny, form != .plain { special += 1 }
    if form != nil { return true }
    guard windows.count > 1 else { return false }
    let middle = windows.startIndex + windows.count / 2
    let isFirstHalf = writeSome(of: windows[..<middle], &special)
    return writeSome(of: windows[middle...], &special) && isFirstHalf
  }

  /// Writes code that was typed around words as a replacement of them all, which no other code can be in the
  /// way of.
  private mutating func writeTypedCode() {
    let typed = hunks.pending.withCodeSigns(in: buffer)
    guard !typed.isEmpty else { return }
    let spans = seenCode.typed(typed.map(\.new), in: buffer.bytes, isHalf: false)
      .filter { !$0.isFenced }
    var wide: [Window] = []
    for window in windows {
      let first = spans.partitioningIndex { $0.range.upperBound > window.new.lowerBound }
      let met = spans[first...].prefix { $0.range.lowerBound < window.new.upperBound }
      guard let first = met.first, let last = met.last, let end = last.closing else { continue }
      let span = first.opening.lowerBound..<end.upperBound
      let range = toSettled.map(span, start: .before, end: .after)
      guard !settled.text(.original, in: settled.whole(range)).isEmpty,
        wide.last.map({ $0.changes.upperBound <= window.changes.lowerBound }) ?? true,
        let made = substitution(of: range, around: window),
        wide.last.map({ $0.old.upperBound < made.old.lowerBound }) ?? true
      else { continue }
      wide.append(made)
    }
    if wide.isEmpty || write(wide, in: [.plain]) != nil { return }
    for window in wide { _ = replace(window.old, with: window) }
  }

  /// How many windows are each written in a form of their own.
  private static let mostSpecial = 8
  /// The longest text that is replaced as a whole for a change in it.
  private static let longestReplaced = 4 * Cutting.usualGrain

  /// Whether a form was found for a window, be it in a wider one.
  ///
  /// Logarithmic.
  private func isWritten(_ window: Window) -> Bool {
    written.first(overlapping: window.changes, \.window.changes) != nil
  }

  /// Whether what is written reaches into a window.
  private func isMet(_ window: Window) -> Bool {
    written.first(overlapping: window.old, \.window.old) != nil
  }

  /// Stretches to replace as a whole with a window: the code that its text makes with the text around,
  /// all changes of the paragraph with what is between them, the paragraph, and the paragraphs that a
  /// mark joins with it.
  private mutating func surroundings(of window: Window) -> [Range<Int>] {
    let paragraph = paragraph(around: window.old)
    let near = windows.filter { paragraph.overlaps($0.old) || $0.old == window.old }
    let start = near.first?.old.lowerBound ?? paragraph.lowerBound
    let changes = start..<(near.last?.old.upperBound ?? paragraph.upperBound)
    let code = seenCode.zones.filter {
      !$0.isFenced && $0.closing != nil && $0.range.overlaps(window.new)
    }
    return code.map { toSettled.map($0.range, start: .before, end: .after) } + [
      changes, paragraph, self.paragraph(around: settled.whole(paragraph)),
    ]
  }

  /// Finds a form for windows beside those that are written; nothing changes if there is none.
  private mutating func write(_ windows: [Window], in forms: [Form]) -> Form? {
    let known = written
    var tried: Set<[[UInt8]]> = []
    for form in forms where looks > 0 {
      let made = windows.map { Written($0, in: form) }
      looks -= 1
      guard tried.insert(made.map(\.bytes)).inserted else { continue }
      written = (known + made).sorted { $0.window.old.lowerBound < $1.window.old.lowerBound }
      if readsAsMeant() {
        unreplaceable = []
        return form
      }
    }
    written = known
    return nil
  }

  /// Writes a stretch around a window, with all changes in it but without front matter, as one
  /// substitution.
  private mutating func replace(_ range: Range<Int>, with window: Window) -> Bool {
    let text = max(textStart, range.lowerBound)..<max(textStart, range.upperBound)
    guard looks > 0, let wide = substitution(of: text, around: window),
      unreplaceable.insert(wide.old).inserted
    else { return false }
    let known = written
    written.removeAll {
      $0.window.old.overlaps(wide.old) || $0.window.changes.overlaps(wide.changes)
    }
    if write([wide], in: Form.allCases) != nil { return true }
    written = known
    return false
  }

  private func substitution(of stretch: Range<Int>, around window: Window) -> Window? {
    var range = window.old
    var changes = window.changes
    while true {
      var wide = settled.whole(
        range.joined(with: stretch)
      )
      for index in rebuilding.pending.touching(wide) {
        changes = changes.joined(with: index..<index + 1)
        wide = wide.joined(with: rebuilding.reach(of: index))
      }
      if wide == range { break }
      range = wide
    }
    // A window that was left out because it is still being typed can't be taken along.
    guard changes.allSatisfy(hasWindow) else { return nil }
    var wide = window
    wide.changes = changes
    wide = rebuilding.widened(wide, to: range)
    wide.pieces = wide.pieces.asSubstitution
    return wide
  }

  /// Whether a change lies in one of the windows; logarithmic.
  private func hasWindow(_ change: Int) -> Bool {
    windows.first(overlapping: change..<change + 1, \.changes) != nil
  }

  private func paragraph(around range: Range<Int>) -> Range<Int> {
    settled.bytes.withUnsafeBufferPointer { bytes in
      func isBlank(_ line: Int) -> Bool { bytes.isLineEnd(bytes.blankEnd(from: line)) }
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
}
