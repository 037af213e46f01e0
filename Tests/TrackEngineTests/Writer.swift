import TestSupport

@testable import TrackEngine

/// Something a writer does in a random session; places are fractions of the text, so that any
/// sub-list of a session is a session.
enum WriterStep: CustomStringConvertible {
  case insert(Double, String, before: Bool)
  /// As insert, letter by letter, which the editor undoes as one.
  case type(Double, String, before: Bool)
  case remove(Double, Int, with: String)
  case pause
  case undo(Int)
  case redo(Int)

  var description: String {
    switch self {
    case .insert(let at, let text, let before):
      ".insert(\(at), \(text.debugDescription), before: \(before))"
    case .type(let at, let text, let before):
      ".type(\(at), \(text.debugDescription), before: \(before))"
    case .remove(let at, let count, let text):
      ".remove(\(at), \(count), with: \(text.debugDescription))"
    case .pause: ".pause"
    case .undo(let count): ".undo(\(count))"
    case .redo(let count): ".redo(\(count))"
    }
  }

  static func random(_ random: inout Seeded, words: [String], undoes: Bool = false) -> WriterStep {
    let at = Double(Int.random(in: 0...64, using: &random)) / 64
    switch Int.random(in: 0..<(undoes ? 14 : 10), using: &random) {
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
    default: return .redo(Int.random(in: 1...4, using: &random))
    }
  }
}

/// A writer at a plain editor with the tracker behind it, and what the promises say of the result.
struct Writer {
  var tracker: Tracker
  /// What a plain editor would hold.
  private(set) var clean: [UInt8]
  private let original: [UInt8]
  private var history: [Moment] = []
  private var undone: [Moment] = []
  private var marks = 0
  private var hasTravelled = false
  /// Whether the last step came back over a mark: what the tracker must leave alone.
  private(set) var isBack = false
  private(set) var log: [String] = []

  private struct Moment {
    var text: Text
    var clean: [UInt8]
    /// How often the text had been marked.
    var marks: Int
  }

  init(_ text: String) {
    tracker = Tracker(Text(Array(text.utf8)))
    let bytes = tracker.buffer.bytes
    clean = Reading(of: bytes).text(.clean, of: bytes)
    original = Reading(of: bytes).text(.original, of: bytes)
  }

  /// Does a step, with a pause behind it if that is wanted; returns what promise it broke.
  mutating func perform(_ step: WriterStep, pausing: Bool = false) -> String? {
    perform(step) ?? (pausing ? pause() : nil)
  }

  private mutating func perform(_ step: WriterStep) -> String? {
    switch step {
    case .insert(let at, let text, let before):
      if let broken = readClean() { return broken }
      change(CleanPlace(at: at, isBefore: before, in: tracker.buffer.bytes), text)
    case .type(let at, let text, let before):
      if let broken = readClean() { return broken }
      change(CleanPlace(at: at, isBefore: before, in: tracker.buffer.bytes), text, isTyped: true)
    case .remove(let at, let count, let text):
      if let broken = readClean() { return broken }
      guard let place = CleanPlace(count, at: at, in: tracker.buffer.bytes) else { return nil }
      change(place, text)
    case .pause: return pause()
    case .undo(let count): return travel(count, from: \.history, to: \.undone)
    case .redo(let count): return travel(count, from: \.undone, to: \.history)
    }
    return nil
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
      history.append(Moment(text: tracker.buffer, clean: clean, marks: marks))
      guard tracker.land(marking) else { return "the echo is not known again" }
      marks += 1
    }
    log.append("marked: \(text)")
    guard marking.remaining.isEmpty else {
      return
        "unwritable: \(marking.remaining) in \(String(decoding: before.buffer.bytes, as: UTF8.self))"
    }
    return broken(marking)
  }

  var text: String { String(decoding: tracker.buffer.bytes, as: UTF8.self) }

  private func broken(_ marking: Marking) -> String? {
    let bytes = tracker.buffer.bytes
    let reading = Reading(of: bytes)
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

  private func shown(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).debugDescription
  }

  /// Marks what is pending if the buffer, as it is, does not read as the writer means it.
  private mutating func readClean() -> String? {
    let bytes = tracker.buffer.bytes
    guard Reading(of: bytes).text(.clean, of: bytes) != clean else { return nil }
    hasTravelled = false
    return pause()
  }

  private mutating func change(_ place: CleanPlace, _ new: String, isTyped: Bool = false) {
    history.append(Moment(text: tracker.buffer, clean: clean, marks: marks))
    undone = []
    hasTravelled = false
    var range = place.range
    for part in isTyped ? new.map(String.init) : [new] {
      tracker.apply([Edit(range, Array(part.utf8))])
      tracker.arrive()
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
      hasTravelled = true
      isBack = moment.marks < marks
      self[keyPath: target].append(Moment(text: tracker.buffer, clean: clean, marks: marks))
      tracker.apply([difference(from: tracker.buffer, to: moment.text)])
      tracker.arrive()
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
    apply(marking.edits)
    land(own)
    let showing = own.showing
    return own.makes(buffer) && showing.extent == .whole && showing.beside.isEmpty
  }
}
