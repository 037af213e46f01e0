import TestSupport

@testable import TrackEngine

/// Something a writer does in a random session; places are fractions of the text, so that any
/// sub-list of a session is a session.
enum WriterStep: CustomStringConvertible {
  case insert(Double, String, before: Bool)
  /// As insert, letter by letter, which the editor undoes as one.
  case type(Double, String, before: Bool)
  case remove(Double, Int, with: String)
  /// Backspace or Delete, so many times, from a sign of a delimiter on, or a text typed there.
  case inDelimiter(Double, sign: Int, Key)
  /// A selection from one place of the buffer to another, which may lie in deleted text, is replaced by pieces of
  /// what is in it, delimiters and deleted text included, and by words.
  case replaceSelection(Double, Int, by: [Piece], Telling)
  case pause
  case undo(Int)
  case redo(Int)
  /// Undoes so many steps as one, with whatever was marked in them, and makes the same changes again.
  case again(Int)

  enum Piece: CustomStringConvertible {
    /// So many bytes of the selection.
    case kept(Double, Int)
    case word(String)

    var description: String {
      switch self {
      case .kept(let at, let count): ".kept(\(at), \(count))"
      case .word(let text): ".word(\(text.debugDescription))"
      }
    }
  }

  /// How a client reports a change.
  enum Telling: CaseIterable {
    case exactly
    /// What differs, found from the beginning.
    case byComparing
    case asLines
    case asText
  }

  enum Key {
    case backspace(Int)
    case delete(Int)
    case text(String)
  }

  var description: String {
    switch self {
    case .insert(let at, let text, let before):
      ".insert(\(at), \(text.debugDescription), before: \(before))"
    case .type(let at, let text, let before):
      ".type(\(at), \(text.debugDescription), before: \(before))"
    case .remove(let at, let count, let text):
      ".remove(\(at), \(count), with: \(text.debugDescription))"
    case .inDelimiter(let at, let sign, let key): ".inDelimiter(\(at), sign: \(sign), .\(key))"
    case .replaceSelection(let at, let count, let pieces, let telling):
      ".replaceSelection(\(at), \(count), by: \(pieces), .\(telling))"
    case .pause: ".pause"
    case .undo(let count): ".undo(\(count))"
    case .redo(let count): ".redo(\(count))"
    case .again(let count): ".again(\(count))"
    }
  }

  /// Half of the time a selection is replaced.
  static func randomSelecting(_ random: inout Seeded, words: [String]) -> WriterStep {
    guard Bool.random(using: &random) else { return .random(&random, words: words) }
    func fraction() -> Double { Double(Int.random(in: 0..<64, using: &random)) / 64 }
    let pieces = (0...Int.random(in: 0...3, using: &random)).map { _ -> Piece in
      Bool.random(using: &random)
        ? .kept(fraction(), Int.random(in: 1...9, using: &random))
        : .word(words.randomElement(using: &random) ?? "")
    }
    return .replaceSelection(
      fraction(),
      Int.random(in: 1...40, using: &random),
      by: pieces,
      Telling.allCases.randomElement(using: &random) ?? .exactly
    )
  }

  static func random(_ random: inout Seeded, words: [String], undoes: Bool = false) -> WriterStep {
    let at = Double(Int.random(in: 0...64, using: &random)) / 64
    switch Int.random(in: 0..<(undoes ? 16 : 10), using: &random) {
    case 0...3:
      let word = words.randomElement(using: &random) ?? ""
      let isBefore = Bool.random(using: &random)
      return .random(using: &random)
        ? .insert(at, word, before: isBefore) : .type(at, word, before: isBefore)
    case 4...5: return .remove(at, Int.random(in: 1...3, using: &random), with: "")
    case 6...7:
      let word = words.randomElement(using: &random) ?? ""
      return .remove(at, Int.random(in: 1...3, using: &random), with: word)
    case 8...9: return .pause
    case 10...12: return .undo(Int.random(in: 1...4, using: &random))
    case 13: return .redo(Int.random(in: 1...4, using: &random))
    default: return .again(Int.random(in: 1...6, using: &random))
    }
  }

  /// Half of the time a step at a delimiter.
  static func randomAtDelimiters(_ random: inout Seeded, words: [String]) -> WriterStep {
    guard Bool.random(using: &random) else { return .random(&random, words: words) }
    let at = Double(Int.random(in: 0..<64, using: &random)) / 64
    let sign = Int.random(in: 0...3, using: &random)
    let count = Int.random(in: 1...3, using: &random)
    switch Int.random(in: 0...2, using: &random) {
    case 0: return .inDelimiter(at, sign: sign, .backspace(count))
    case 1: return .inDelimiter(at, sign: sign, .delete(count))
    default: return .inDelimiter(at, sign: sign, .text(words.randomElement(using: &random) ?? ""))
    }
  }
}

/// A writer at a plain editor with the tracker after it, and what the promises say of the result.
struct Writer {
  var tracker: Tracker
  /// What a plain editor would hold.
  private(set) var clean: [UInt8]
  private let original: [UInt8]
  /// Whether what is written must be in proportion to what was changed.
  private let isThrifty: Bool
  private var history: [Moment] = []
  private var undone: [Moment] = []
  private var marks = 0
  private var hasTravelled = false
  /// Whether the last step came back over a mark: what the tracker must leave alone.
  private(set) var isBack = false
  private(set) var log: [String] = []
  /// Who makes the changes between two pauses, in turn; empty if they are not signed.
  private let authors: [String]
  private var turn = 0

  private struct Moment {
    var text: Text
    var clean: [UInt8]
    /// How often the text had been marked.
    var marks: Int
    /// Whether undo or redo led to it.
    var isBack: Bool
  }

  /// What there is now.
  private var moment: Moment {
    Moment(text: tracker.buffer, clean: clean, marks: marks, isBack: hasTravelled)
  }

  init(
    _ text: String,
    as language: Language = .markdown,
    isThrifty: Bool = false,
    authors: [String] = []
  ) {
    self.isThrifty = isThrifty
    self.authors = authors
    tracker = Tracker(Text(Array(text.utf8)), options: Tracker.Options(language))
    tracker.options.attribution = authors.first.map { Attribution(author: $0) }
    let bytes = tracker.buffer.bytes
    clean = Reading(of: bytes, as: language).text(.clean, of: bytes)
    original = Reading(of: bytes, as: language).text(.original, of: bytes)
  }

  /// Does a step, with a pause after it if that is wanted; returns what promise it broke.
  mutating func perform(_ step: WriterStep, pausing: Bool = false) -> String? {
    perform(step) ?? (pausing ? pause() : nil)
  }

  private mutating func perform(_ step: WriterStep) -> String? {
    switch step {
    case .insert(let at, let text, let before):
      if let broken = readClean() { return broken }
      change(CleanPlace(at: at, isBefore: before, in: tracker.buffer.bytes, as: language), text)
    case .type(let at, let text, let before):
      if let broken = readClean() { return broken }
      let place = CleanPlace(at: at, isBefore: before, in: tracker.buffer.bytes, as: language)
      change(place, text, isTyped: true)
    case .remove(let at, let count, let text):
      if let broken = readClean() { return broken }
      guard let place = CleanPlace(count, at: at, in: tracker.buffer.bytes, as: language) else {
        return nil
      }
      let removed = tracker.buffer[place.range]
      // A delimiter in the place of text that holds it stays, and what is around it goes.
      let new = Array(text.utf8)
      let stays =
        text.contains(where: "{}".contains) && removed.firstRange(of: new[...]) != nil
        || new.spelledDelimiters.contains { removed.firstRange(of: new[$0.range]) != nil }
      if !stays { change(place, text) }
    case .inDelimiter(let at, let sign, let key): return press(key, at, sign)
    case .replaceSelection(let at, let count, let pieces, let telling):
      return replaceSelection(at, count, by: pieces, telling)
    case .pause: return pause()
    case .undo(let count): return travel(count, from: \.history, to: \.undone)
    case .redo(let count): return travel(count, from: \.undone, to: \.history)
    case .again(let count): return repeatChanges(count)
    }
    return nil
  }

  /// Marks what is pending, undoes so many steps as one, and makes the changes of the first of them again, typed
  /// letter by letter; wherever the writer stops, they are marked without being asked for.
  private mutating func repeatChanges(_ count: Int) -> String? {
    if let broken = pause() { return broken }
    guard !tracker.isHeld, tracker.isSettled, count <= history.count else { return nil }
    let steps = Array(history.suffix(count)) + [moment]
    let (before, after) = (steps[0], steps[1])
    // Marks alone are not the user's change, and what was undone or redone takes marks with it.
    guard before.clean != after.clean, after.text != tracker.buffer, !after.isBack else {
      return nil
    }
    // What was taken back by hand down to this text cannot be told from what was undone, which redo can bring back.
    guard !steps.dropFirst().contains(where: { $0.text == before.text }) else { return nil }
    history.removeLast(count)
    tracker.report(difference(from: tracker.buffer, to: before.text))
    clean = before.clean
    log.append("travelled: \(text)")
    guard !tracker.isHeld, tracker.isSettled else {
      // What an editor would redo from here is not what was undone before.
      undone = []
      hasTravelled = true
      return nil
    }
    history.append(before)
    undone = []
    hasTravelled = false
    for letter in letters(of: difference(from: tracker.buffer, to: after.text)) {
      tracker.report(letter)
      log.append("again: \(text)")
      if tracker.isHeld { return "a change made again is held\n\(log.joined(separator: "\n"))" }
    }
    clean = after.clean
    return pause()
  }

  /// An edit as it is typed: what is put in goes in character by character, if it takes the place of nothing.
  private func letters(of edit: Edit) -> [Edit] {
    guard edit.range.isEmpty else { return [edit] }
    var place = edit.range.lowerBound
    return String(decoding: edit.new, as: UTF8.self).map { character in
      defer { place += character.utf8.count }
      return Edit(place..<place, Array(character.utf8))
    }
  }

  /// Presses keys in a delimiter and pauses: what is typed there is in the clean text, and no more goes
  /// than was eaten.
  private mutating func press(_ key: WriterStep.Key, _ fraction: Double, _ sign: Int) -> String? {
    if let broken = pause() { return broken }
    let delimiters = Reading(of: tracker.buffer.bytes, as: language).marks
      .flatMap { mark in mark.delimiters.map { (range: $0, kind: mark.kind) } }
    guard !delimiters.isEmpty else { return nil }
    let (delimiter, kind) = delimiters[Int(fraction * Double(delimiters.count))]
    let place = delimiter.lowerBound + min(sign, delimiter.count)
    let before = clean
    history.append(moment)
    undone = []
    hasTravelled = false
    switch key {
    case .text(let text): put(place..<place, text)
    case .backspace(let count):
      for step in 0..<min(count, place - delimiter.lowerBound) {
        put(place - step - 1..<place - step, "")
      }
    case .delete(let count):
      for _ in 0..<min(count, delimiter.upperBound - place) { put(place..<place + 1, "") }
    }
    log.append("\(key) at \(place): \(text)")
    clean = clean(after: tracker.marking())
    if let broken = pause() { return broken }
    return isMeant(key, kind, from: before)
      ? nil : "\(key): \(shown(before)) became \(shown(clean))\n\(log.joined(separator: "\n"))"
  }

  /// Replaces a selection and pauses; nothing where what is put in spells a delimiter, or where the report would
  /// not tell what was typed.
  private mutating func replaceSelection(
    _ fraction: Double,
    _ count: Int,
    by pieces: [WriterStep.Piece],
    _ telling: WriterStep.Telling
  ) -> String? {
    if let broken = pause() { return broken }
    guard
      let place = Selection(at: fraction, count, in: tracker.buffer.bytes, as: language)
    else { return nil }
    let new = pieces.flatMap { place.bytes(of: $0) }
    guard let told = place.edit(putting: new, telling, tracker.buffer) else { return nil }
    history.append(moment)
    undone = []
    hasTravelled = false
    tracker.report(told)
    clean.replaceSubrange(place.clean, with: new)
    log.append("\(place.range) \(shown(new)), \(telling): \(text)")
    return pause()
  }

  private func clean(after marking: Marking) -> [UInt8] {
    let bytes = tracker.buffer.applying(marking.edits).bytes
    return Reading(of: bytes, as: language).text(.clean, of: bytes)
  }

  /// Whether the clean text is what keys pressed in a delimiter can have made of another one; what is typed
  /// into a comment's is the comment's.
  private func isMeant(_ key: WriterStep.Key, _ kind: MarkKind, from before: [UInt8]) -> Bool {
    switch key {
    case .text(let text):
      let new = Array(text.utf8)
      return kind == .comment && clean == before
        || (0...before.count).contains { before[..<$0] + new + before[$0...] == clean[...] }
    case .backspace(let count), .delete(let count):
      return (charactersLeftOut(of: before) ?? .max) <= count
    }
  }

  /// How many characters of another text the clean text leaves out; nil if it has others.
  private func charactersLeftOut(of before: [UInt8]) -> Int? {
    let old = String(decoding: before, as: UTF8.self)
    var rest = String(decoding: clean, as: UTF8.self)[...]
    let left = old.count - rest.count
    for character in old where character == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty ? left : nil
  }

  private mutating func put(_ range: Range<Int>, _ text: String) {
    tracker.report(Edit(range, Array(text.utf8)))
  }

  /// Puts pending changes into marks as after a pause, and checks the promises.
  mutating func pause() -> String? {
    // An edit that happens to bring a text back is held like an undo; here it is marked, as on save.
    guard !tracker.isHeld || !hasTravelled else { return nil }
    let before = tracker
    let marking = tracker.marking()
    if marking.edits.isEmpty {
      tracker.settle(marking.remaining)
    } else {
      history.append(moment)
      guard tracker.land(marking) else { return "the echo is not known again" }
      marks += 1
    }
    log.append("marked: \(text)")
    if let broken = taken(from: before) { return broken }
    takeTurns()
    if isThrifty, let broken = wasteful(marking, before) { return broken }
    if !marking.remaining.isEmpty {
      return "it stays pending: \(marking.remaining) in \(shown(before.buffer.bytes))"
    }
    return broken(marking)
  }

  private mutating func takeTurns() {
    guard !authors.isEmpty else { return }
    turn += 1
    tracker.options.attribution = Attribution(author: authors[turn % authors.count])
  }

  /// What has come to be somebody's without their doing, by marking what was pending before; nil if nothing has.
  private func taken(from before: Tracker) -> String? {
    guard let author = before.options.attribution?.author else { return nil }
    let settled = before.buffer.applying(before.hunks.inverted).bytes
    let (old, new) = (added(in: settled), added(in: tracker.buffer.bytes))
    var gained = new.filter { ([""] + authors).contains($0.key) && $0.key != author }
      .filter { $0.value > old[$0.key, default: 0] }
    // An attribution can be changed by hand so that it is none any more, and goes with a selection, as comments do.
    let lost = old.filter { !$0.key.isEmpty }.reduce(0) {
      $0 + max(0, $1.value - new[$1.key, default: 0])
    }
    // What nobody has signed goes on.
    if old[""] != nil { gained[""] = nil }
    let goes = before.hunks.contains { $0.removed.contains(where: "<>@".utf8.contains) }
    if goes || new["", default: 0] <= old["", default: 0] + lost { gained[""] = nil }
    return gained.isEmpty
      ? nil : "\(gained) by \(author), not \(old)\n\(log.joined(separator: "\n"))"
  }

  /// How many bytes of a text each author has signed as added; the key is empty for those that nobody has.
  private func added(in bytes: [UInt8]) -> [String: Int] {
    let text = ParsedText(bytes, as: language, areSigned: true)
    let marks = text.reading.marks.filter(\.kind.isChange)
    let clean = text.reading.ranges(.clean, in: bytes.indices, from: 0)
    return marks.reduce(into: [:]) { added, mark in
      guard let new = mark.new else { return }
      let comment = bytes[mark.end - mark.attributionLength..<mark.end].dropFirst(3).dropLast(3)
      // Comments can be in it, as between two signs that would be a delimiter.
      added[CommentHead(of: comment).author ?? "", default: 0] +=
        clean.reduce(0) { $0 + $1.clamped(to: new).count }
    }
  }

  private var language: Language { tracker.options.language }

  var text: String { String(decoding: tracker.buffer.bytes, as: UTF8.self) }

  private func broken(_ marking: Marking) -> String? {
    let bytes = tracker.buffer.bytes
    let reading = Reading(of: bytes, as: language)
    let trace = log.joined(separator: "\n")
    if reading.text(.original, of: bytes) != original {
      return
        "1, the original is sacred: \(shown(reading.text(.original, of: bytes))) for \(shown(original))\n\(trace)"
    }
    if reading.text(.clean, of: bytes) != clean {
      return
        "2, the clean text is what the user sees: \(shown(reading.text(.clean, of: bytes))) for \(shown(clean))\n\(trace)"
    }
    if let touching = zip(marking.edits, marking.edits.dropFirst())
      .first(where: { $0.range.upperBound >= $1.range.lowerBound })
    {
      return "edits touch: \(touching)\n\(trace)"
    }
    if !tracker.hunks.isEmpty || !tracker.marking().edits.isEmpty {
      return "5, settled means settled\n\(trace)"
    }
    return nil
  }

  private func wasteful(_ marking: Marking, _ before: Tracker) -> String? {
    let written = marking.edits.reduce(0) { $0 + $1.range.count + $1.new.count }
    let most = 8 * before.hunks.weight + 48 * before.hunks.count
    guard written > most else { return nil }
    return "little is written: \(written) bytes for \(before.hunks)\n\(log.joined(separator: "\n"))"
  }

  /// Marks what is pending if the buffer, as it is, does not read as the writer means it.
  private mutating func readClean() -> String? {
    let bytes = tracker.buffer.bytes
    guard Reading(of: bytes, as: language).text(.clean, of: bytes) != clean else { return nil }
    hasTravelled = false
    return pause()
  }

  private mutating func change(_ place: CleanPlace, _ new: String, isTyped: Bool = false) {
    history.append(moment)
    undone = []
    hasTravelled = false
    var range = place.range
    for part in isTyped ? new.map(String.init) : [new] {
      put(range, part)
      range = range.lowerBound + part.utf8.count..<range.lowerBound + part.utf8.count
    }
    clean.replaceSubrange(place.clean, with: new.utf8)
    log.append("\(place.range) \(new.debugDescription): \(text)")
  }

  /// Undoes or redoes; promise 6: what comes back is left alone.
  private mutating func travel(
    _ count: Int,
    from source: WritableKeyPath<Writer, [Moment]>,
    to target: WritableKeyPath<Writer, [Moment]>
  ) -> String? {
    isBack = false
    for _ in 0..<count {
      guard let moment = self[keyPath: source].popLast() else { return nil }
      let here = self.moment
      hasTravelled = true
      isBack = moment.marks < marks
      self[keyPath: target].append(here)
      tracker.report(difference(from: tracker.buffer, to: moment.text))
      clean = moment.clean
      log.append("travelled: \(text)")
    }
    return nil
  }
}

extension Tracker {
  /// Makes the edits of a marking and settles; returns whether they are known again.
  mutating func land(_ marking: Marking) -> Bool {
    rest()
    var own = ownEdit(marking)
    own.note(marking.edits, on: buffer)
    apply(ours: marking.edits)
    land(own)
    let showing = own.showing(in: buffer)
    return own.makes(buffer) && showing.extent == .whole && showing.beside.isEmpty
  }
}
