import TrackEngine

/// The revisions of a real document, each written by hand into the one before it.
///
/// What differs is told apart without the engine.
struct History {
  /// How a writer, or the editor, gets from one revision to the next.
  enum Hand: CaseIterable {
    /// Word by word, each at once.
    case words
    /// Word by word, letter by letter.
    case letters
    /// Line by line, as editors tell edits that only know lines.
    case lines
    /// All at once.
    case whole
  }

  private let revisions: [[UInt8]]

  /// Begins with the oldest revision.
  init(_ revisions: [[UInt8]]) {
    self.revisions = revisions
  }

  /// Writes all revisions, with the marks beside the text and in it.
  ///
  /// - Parameter number: Which hand comes first; with each revision it is the next one's turn.
  /// - Returns: How many steps that took.
  /// - Throws: What drifted, as the smallest session that does.
  func play(_ number: Int) throws -> Int {
    let beside = steps(by: Hand.allCases, from: number)
    try play(beside, BesideTypist.self, "beside the text")
    // Who types delimiters, or over all marks at once, means them where they are in the text.
    guard !hasDelimiters else { return beside.count }
    let inline = steps(by: [.words, .letters, .lines], from: number)
    try play(inline, Typist.self, "in the text")
    return beside.count + inline.count
  }

  private func play<Writer: SoakWriter>(
    _ steps: [SoakStep],
    _: Writer.Type,
    _ name: String
  ) throws {
    var writer = Writer(revisions[0])
    for (number, step) in steps.enumerated() {
      do throws(Drift) {
        try writer.perform(step)
      } catch {
        let done = Array(steps[...number])
        let shrunk = Shrinking<Writer>(done, from: [(0, revisions[0])], error.what)
        throw Failure("drift, marks \(name), in step \(number): \(error.what)\n\(shrunk)")
      }
    }
  }

  private var hasDelimiters: Bool {
    let signs = ["{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{==", "==}", "{>>", "<<}"]
    return revisions.contains { revision in
      signs.contains { revision.firstRange(of: Array($0.utf8)) != nil }
    }
  }

  // MARK: - Steps

  private func steps(by hands: [Hand], from number: Int) -> [SoakStep] {
    var text = Manuscript(reading: revisions[0]).clean
    var steps: [SoakStep] = []
    for (turn, revision) in revisions.dropFirst().enumerated() {
      let hand = hands[(number + turn) % hands.count]
      let edits = text.edits(making: revision, hand)
      var growth = 0
      for edit in edits {
        steps.append(.go(edit.range.lowerBound + growth, isAfter: true))
        let new = String(decoding: edit.new, as: UTF8.self)
        let old = String(decoding: text[edit.range], as: UTF8.self)
        if hand == .letters, edit.range.count + edit.new.count < History.mostLetters {
          steps += [.delete(old.keys), .type(new)]
        } else {
          steps.append(.put(edit.range.count, new))
        }
        steps.append(.mark(isForced: true, inParts: false))
        growth += edit.new.count - edit.range.count
      }
      // Where the marks are beside the text, it is closed and opened again.
      steps.append(.mark(isForced: true, inParts: true))
      text = revision
    }
    return steps
  }

  /// What is longer is pasted, and not deleted letter by letter.
  private static let mostLetters = 60
  /// In what is longer, lines that differ are not compared by words.
  fileprivate static let mostCompared = 4000
}

extension [UInt8] {
  /// The edits that make another text, as a hand makes them.
  fileprivate func edits(making new: [UInt8], _ hand: History.Hand) -> [Edit] {
    guard hand != .whole else { return [Edit(indices, new)] }
    let lines = edits(making: new) { $0 == UInt8(ascii: "\n") && $1 != nil }
    guard hand != .lines else { return lines }
    return lines.flatMap { line in
      // What is longer has been written anew.
      guard line.range.count + line.new.count < History.mostCompared else { return [line] }
      return Array(self[line.range])
        .edits(making: line.new) { $1 == nil || $0.isSpace != $1?.isSpace }
        .map { edit in
          let start = edit.range.lowerBound + line.range.lowerBound
          return Edit(start..<start + edit.range.count, edit.new)
        }
    }
  }

  /// The edits that make another text, of stretches that end where `ends` says so of a byte and the next one.
  private func edits(making new: [UInt8], where ends: (UInt8, UInt8?) -> Bool) -> [Edit] {
    let (old, new) = (pieces(where: ends), new.pieces(where: ends))
    var gone = Set<Int>()
    var come = Set<Int>()
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): gone.insert(offset)
      case .insert(let offset, _, _): come.insert(offset)
      }
    }
    var edits: [Edit] = []
    var (at, oldIndex, newIndex) = (0, 0, 0)
    while oldIndex < old.count || newIndex < new.count {
      var edit = Edit(at..<at, [])
      while gone.contains(oldIndex) {
        at += old[oldIndex].count
        oldIndex += 1
      }
      while come.contains(newIndex) {
        edit.new += new[newIndex]
        newIndex += 1
      }
      edit.range = edit.range.lowerBound..<at
      if !edit.range.isEmpty || !edit.new.isEmpty { edits.append(edit) }
      guard oldIndex < old.count else { continue }
      at += old[oldIndex].count
      oldIndex += 1
      newIndex += 1
    }
    return edits
  }

  private func pieces(where ends: (UInt8, UInt8?) -> Bool) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    for place in indices where ends(self[place], place + 1 < count ? self[place + 1] : nil) {
      pieces.append(self[start...place])
      start = place + 1
    }
    if start < count { pieces.append(self[start...]) }
    return pieces
  }
}

extension String {
  /// How many times a key is pressed that deletes one character of it each time.
  fileprivate var keys: Int {
    unicodeScalars.count - utf8.indices.count { utf8[$0...].starts(with: "\r\n".utf8) }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { " \r\n".utf8.contains(self) }
}
