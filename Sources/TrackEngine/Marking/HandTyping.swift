/// The marks that the user typed by hand, found by reading the buffer.
///
/// They are taken as the marks they spell as long as the original stays what it was; otherwise their
/// clean text is an addition.
struct HandTyping {
  let settled: Settled
  let buffer: Text
  let bufferReading: Settled
  /// Which of the tracker's hunks hold an opener whose mark, or a backtick or fence whose code, is still being
  /// typed.
  private(set) var halfTyped: Set<Int> = []

  init?(_ pending: [Pending], in settled: Settled, _ buffer: Text) {
    let spells = pending.contains { change in
      buffer[change.new].contains { "{}<>~+-=`".utf8.contains($0) }
    }
    guard spells else { return nil }
    self.settled = settled
    self.buffer = buffer
    bufferReading = Settled(buffer.bytes)
    findHalfTyped(pending)
    findHalfTypedCode(pending)
  }

  /// Gives every change its parts as the marks in it spell them, joining those that one mark spans.
  func spell(_ pending: inout [Pending]) {
    for index in bufferReading.top {
      joinChanges(&pending, typing: bufferReading.reading.marks[index])
    }
    for index in pending.indices where pending[index].typed.count == 1 && !pending[index].isSpelled
    {
      spellMarks(within: &pending[index])
    }
  }

  private mutating func findHalfTyped(_ pending: [Pending]) {
    let reading = bufferReading.reading
    for change in pending {
      let openers = Array(buffer[change.new]).delimiters
        .filter { $0.role == .opener }
        .map { $0.offset + change.new.lowerBound }
      let isOpen = openers.contains { offset in
        !reading.hasMark(at: offset)
          && reading.zone(endingAfter: offset)?.range.contains(offset) != true
          && !isInComment(offset)
      }
      if isOpen { halfTyped.formUnion(change.hunks) }
    }
  }

  /// Finds backticks and fences whose code has no end yet, or one that other code had.
  private mutating func findHalfTypedCode(_ pending: [Pending]) {
    let changes = pending.withCodeSigns(in: buffer)
    guard !changes.isEmpty else { return }
    let half = SeenCode(of: bufferReading)
      .typed(changes.map(\.new), in: bufferReading.bytes, isHalf: true)
    for change in changes where half.first(overlapping: change.new, \.opening) != nil {
      halfTyped.formUnion(change.hunks)
    }
  }

  private func isInComment(_ offset: Int) -> Bool {
    bufferReading.mark(at: offset).map { bufferReading.reading.marks[$0].kind == .comment } ?? false
  }
}

// MARK: - Marks in one change

extension HandTyping {
  /// Takes a change apart into the marks that lie in it whole, and the text between them.
  private func spellMarks(within change: inout Pending) {
    var typed: [Pending.Typed] = []
    var at = change.new.lowerBound
    var index = 0
    let marks = bufferReading.reading.marks
    while index < marks.count {
      let mark = marks[index]
      if mark.end <= change.new.lowerBound {
        index += 1 + mark.inner
        continue
      }
      guard mark.start < change.new.upperBound else { break }
      guard mark.start >= change.new.lowerBound, mark.end <= change.new.upperBound,
        let parts = parts(of: mark.range)
      else {
        index += 1
        continue
      }
      typed.append(contentsOf: plain(at..<mark.start))
      typed.append(contentsOf: parts)
      at = mark.end
      index += 1 + mark.inner
    }
    guard at > change.new.lowerBound else { return }
    typed.append(contentsOf: plain(at..<change.new.upperBound))
    change.typed = typed
    settle(&change, surviving: { _ in nil })
  }

  private func plain(_ range: Range<Int>) -> [Pending.Typed] {
    range.isEmpty ? [] : [Pending.Typed(kind: .original, range: range)]
  }

  /// The parts of a stretch of the buffer, read by itself; nil if that is not marks alone.
  private func parts(of range: Range<Int>) -> [Pending.Typed]? {
    let alone = Settled(Array(buffer[range]))
    guard alone.top.count == 1, alone.reading.marks[0].range == 0..<range.count else { return nil }
    return parts(of: alone, at: range.lowerBound)
  }

  private func parts(of text: Settled, at offset: Int) -> [Pending.Typed] {
    let atoms = Atoms(text, in: text.bytes.indices)
    var parts: [Pending.Typed] = []
    func walk(_ range: Range<Int>, _ children: [Int], _ depth: Int) {
      var at = range.lowerBound
      for child in children {
        let mark = text.reading.marks[child]
        add(at..<mark.start)
        if mark.kind == .comment {
          parts.append(Pending.Typed(kind: .comment, range: mark.content.moved(by: offset)))
        } else if mark.kind == .highlight, depth < Atoms.deepest {
          walk(mark.content, text.children(of: child), depth + 1)
        } else {
          add(mark.range)
        }
        at = mark.end
      }
      add(at..<range.upperBound)
    }
    func add(_ range: Range<Int>) {
      var at = range.lowerBound
      while at < range.upperBound {
        var end = at + 1
        while end < range.upperBound, atoms[end] == atoms[at] { end += 1 }
        var part = Pending.Typed(kind: .original, range: (at..<end).moved(by: offset))
        switch atoms[at] {
        case .original: break
        case .added: part.kind = .added
        case .deleted: part.kind = .deleted
        case .highlighted: part.kind = .highlighted
        case .hidden where parts.last?.kind == .deleted:
          // What was added and is deleted now.
          at = end
          continue
        case .hidden, .hiddenComment:
          part.kind = .added
          part.isHidden = true
        case .delimiter, .comment:
          at = end
          continue
        }
        parts.append(part)
        at = end
      }
    }
    walk(text.bytes.indices, text.top, 0)
    return parts
  }

  /// Decides what the parts of a change mean for the text it replaced.
  ///
  /// - Parameters:
  ///   - change: The change, its parts as they are spelled.
  ///   - surviving: What a part, given by its first byte, was in the settled text; nil for what was
  ///     typed.
  private func settle(_ change: inout Pending, surviving: (Int) -> Atoms.Atom?) {
    let isWhole = settled.whole(change.old) == change.old
    let old = isWhole ? settled.text(.original, in: change.old) : nil
    let asAdded = change.typed.map { part in
      var part = part
      if part.kind == .original || part.kind == .highlighted {
        let atom = surviving(part.range.lowerBound)
        if atom == nil || atom == .added { part.kind = .added }
      }
      return part
    }
    if let old, text(ofOld: asAdded) == old {
      change.typed = asAdded
      change.isSpelled = !change.old.isEmpty
    } else if let old, text(ofOld: change.typed) == old {
      change.isSpelled = true
    } else {
      change.typed = asAdded.anew
    }
  }

  private func text(ofOld parts: [Pending.Typed]) -> [UInt8] {
    parts.filter { $0.kind != .added && $0.kind != .comment && !$0.isHidden }
      .flatMap { buffer[$0.range] }
  }
}

// MARK: - Marks around settled text

extension HandTyping {
  /// Joins the changes that typed the delimiters of `mark`, with the text between them, where the
  /// result keeps the original.
  private func joinChanges(_ pending: inout [Pending], typing mark: Mark) {
    let delimiters = mark.delimiters
    let near = pending.touching(mark.range, \.new)
    guard
      pending[near].contains(where: { change in
        delimiters.contains { $0.overlaps(change.new) }
      }),
      !pending[near].contains(where: {
        $0.new.lowerBound <= mark.start && mark.end <= $0.new.upperBound
      })
    else { return }
    guard let (joined, range) = hull(of: mark.range, pending) else { return }
    var change = joined
    let alone = Settled(Array(buffer[change.new]))
    let known = pending[range]
    let toSettled = known.toBuffer.inverted
    let before = Atoms(settled, in: settled.whole(change.old))
    /// What a byte of the buffer was in the settled text; nil if it was typed.
    func atom(at offset: Int) -> Atoms.Atom? {
      toSettled.mapWhole(offset..<offset + 1).map { before[$0.lowerBound] }
    }
    let atoms = Atoms(alone, in: alone.bytes.indices)
    let spelled = Set(alone.reading.marks.flatMap(\.delimiters).joined())
    // What was text can't become a delimiter by what is typed beside it, nor the other way round.
    let isOurs = change.new.allSatisfy { offset in
      guard let atom = atom(at: offset) else { return true }
      let place = offset - change.new.lowerBound
      return switch atom {
      // A mark that a deletion was typed around is hidden in it.
      case .delimiter: atoms[place] == .delimiter || atoms[place] == .hidden
      case .hidden: atoms[place] != .delimiter
      default: !spelled.contains(place)
      }
    }
    guard isOurs else { return }
    change.typed = parts(of: alone, at: change.new.lowerBound)
      .flatMap { split($0, at: known.flatMap { [$0.new.lowerBound, $0.new.upperBound] }) }
    settle(&change, surviving: atom)
    func isTyped(_ offset: Int) -> Bool { atom(at: offset) == nil }
    let braces = [mark.start, mark.end - 1]
    // Typed around plain text, or put in the place of a mark that has the same brace, a mark that can't be
    // taken is no mark: its clean text stays.
    let isInPlace =
      delimiters.joined().allSatisfy { isTyped($0) || braces.contains($0) }
      && (braces.allSatisfy(isTyped) ? settled.marks(in: change.old).isEmpty : known.count == 1)
    if change.isSpelled || isInPlace {
      pending.replaceSubrange(range, with: [change])
    }
  }

  private func split(_ part: Pending.Typed, at places: [Int]) -> [Pending.Typed] {
    let cuts = places.filter { part.range.lowerBound < $0 && $0 < part.range.upperBound }
    let ends = [part.range.lowerBound] + cuts + [part.range.upperBound]
    return zip(ends, ends.dropFirst()).map { start, end in
      var piece = part
      piece.range = start..<end
      return piece
    }
  }

  /// The smallest change that holds `range` of the buffer, every change it meets and no part of a
  /// settled mark; and which of the changes it takes the place of.
  private func hull(of range: Range<Int>, _ pending: [Pending]) -> (Pending, Range<Int>)? {
    let near = pending[pending.touching(range, \.new)]
    guard let first = near.first, let last = near.last else { return nil }
    var old = near.toBuffer.inverted.map(range, start: .before, end: .after)
      .joined(with: first.old.lowerBound..<last.old.upperBound)
    // In the settled text, where marks are whole, until nothing more is met.
    while true {
      let whole = settled.whole(old)
      let met = pending.touching(whole)
      let start = min(whole.lowerBound, pending[met.lowerBound].old.lowerBound)
      let end = max(whole.upperBound, pending[met.upperBound - 1].old.upperBound)
      guard start..<end != old else {
        let known = pending[met]
        let new = known.toBuffer.map(old, start: .before, end: .after)
        let hunks =
          known[met.lowerBound].hunks.lowerBound..<known[met.upperBound - 1].hunks.upperBound
        return (Pending(old: old, new: new, hunks: hunks), met)
      }
      old = start..<end
    }
  }
}
