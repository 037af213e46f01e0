import TestSupport

@testable import TrackEngine

/// Something that happens to the buffer as it stands, delimiters included; places are fractions of the text, so
/// that any sub-list of a session is a session.
enum RawStep: CustomStringConvertible {
  /// Letter by letter.
  case type(Double, String)
  case replace(Double, Int, by: String)
  /// As in Replace mode.
  case typeOver(Double, String)
  case backspace(Double, Int)
  case delete(Double, Int)
  case cutLines(Double, Int)
  case moveLine(Double, to: Double)
  /// Some characters of a line are replaced, and the client reports the line.
  case reportLine(Double, Double, Int, by: String)
  /// The same, and the client reports the whole text.
  case reportText(Double, Int, by: String)
  case pause(isForced: Bool)
  case undo(Int)
  case redo(Int)

  var description: String {
    switch self {
    case .type(let at, let text): ".type(\(at), \(text.debugDescription))"
    case .replace(let at, let count, let text):
      ".replace(\(at), \(count), by: \(text.debugDescription))"
    case .typeOver(let at, let text): ".typeOver(\(at), \(text.debugDescription))"
    case .backspace(let at, let count): ".backspace(\(at), \(count))"
    case .delete(let at, let count): ".delete(\(at), \(count))"
    case .cutLines(let at, let count): ".cutLines(\(at), \(count))"
    case .moveLine(let at, let place): ".moveLine(\(at), to: \(place))"
    case .reportLine(let at, let inLine, let count, let text):
      ".reportLine(\(at), \(inLine), \(count), by: \(text.debugDescription))"
    case .reportText(let at, let count, let text):
      ".reportText(\(at), \(count), by: \(text.debugDescription))"
    case .pause(let isForced): ".pause(isForced: \(isForced))"
    case .undo(let count): ".undo(\(count))"
    case .redo(let count): ".redo(\(count))"
    }
  }

  static func random(_ random: inout Seeded, words: [String]) -> RawStep {
    func place() -> Double { Double(Int.random(in: 0...64, using: &random)) / 64 }
    func count(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }
    let word = words.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<20, using: &random) {
    case 0...4: return .type(place(), word)
    case 5...6: return .replace(place(), count(9), by: "")
    case 7...9: return .replace(place(), count(5), by: word)
    case 10: return .typeOver(place(), word)
    case 11: return .backspace(place(), count(6))
    case 12: return .delete(place(), count(6))
    case 13: return .cutLines(place(), count(3))
    case 14: return .moveLine(place(), to: place())
    case 15: return .reportLine(place(), place(), count(4) - 1, by: word)
    case 16: return .reportText(place(), count(4) - 1, by: word)
    case 17: return .pause(isForced: .random(using: &random))
    case 18: return .undo(count(3))
    default: return .redo(count(3))
    }
  }
}

/// A writer who also edits what is not meant to be seen, with the tracker after them.
struct RawWriter {
  private(set) var tracker: Tracker
  private var history: [Text] = []
  private var undone: [Text] = []

  init(_ draft: [UInt8]) {
    tracker = Tracker(Text(draft))
  }

  mutating func perform(_ step: RawStep) {
    let before = tracker.buffer
    switch step {
    case .type(let at, let text): type(text, at: offset(at))
    case .replace(let at, let count, let text):
      let start = offset(at)
      put(start..<offset(count, after: start), text)
    case .typeOver(let at, let text): type(text, at: offset(at), isOver: true)
    case .backspace(let at, let count):
      var place = offset(at)
      for _ in 0..<count where place > 0 {
        let end = place
        repeat { place -= 1 } while !isBoundary(tracker.buffer.bytes[...], place)
        put(place..<end, "")
      }
    case .delete(let at, let count):
      let place = offset(at)
      for _ in 0..<count { put(place..<offset(1, after: place), "") }
    case .cutLines(let at, let count): put(lines(at, count), "")
    case .moveLine(let at, let place):
      let range = lines(at, 1)
      let line = Array(tracker.buffer[range])
      tracker.report(Edit(range, []), isLast: false)
      let start = lines(place, 0).lowerBound
      tracker.report(Edit(start..<start, line))
    case .reportLine(let at, let inLine, let count, let text):
      report(lines(at, 1), replacing: inLine, count, by: text)
    case .reportText(let at, let count, let text):
      report(0..<tracker.buffer.count, replacing: at, count, by: text)
    case .pause(let isForced): return pause(isForced: isForced)
    case .undo(let count): return travel(count, from: \.history, to: \.undone)
    case .redo(let count): return travel(count, from: \.undone, to: \.history)
    }
    guard tracker.buffer.hash != before.hash else { return }
    history.append(before)
    undone = []
  }

  /// Puts pending changes into marks, but not those that undo or redo brought back.
  mutating func pause(isForced: Bool) {
    guard !tracker.isHeld else { return }
    let marking = tracker.marking(isForced: isForced)
    guard !marking.edits.isEmpty else { return tracker.settle(marking.remaining) }
    history.append(tracker.buffer)
    _ = tracker.land(marking)
  }

  private mutating func put(_ range: Range<Int>, _ text: String) {
    if range.isEmpty, text.isEmpty { return }
    tracker.report(Edit(range, Array(text.utf8)))
  }

  private mutating func type(_ text: String, at place: Int, isOver: Bool = false) {
    var place = place
    for character in text {
      put(place..<(isOver ? offset(1, after: place) : place), String(character))
      place += String(character).utf8.count
    }
  }

  private mutating func report(
    _ range: Range<Int>,
    replacing fraction: Double,
    _ count: Int,
    by text: String
  ) {
    var new = Array(tracker.buffer[range])
    let start = Int(fraction * Double(new.count))
    new.replaceSubrange(start..<min(new.count, start + count), with: text.utf8)
    tracker.report(Edit(range, new))
  }

  private mutating func travel(
    _ count: Int,
    from source: WritableKeyPath<RawWriter, [Text]>,
    to target: WritableKeyPath<RawWriter, [Text]>
  ) {
    for _ in 0..<count {
      guard let next = self[keyPath: source].popLast() else { return }
      self[keyPath: target].append(tracker.buffer)
      tracker.report(difference(from: tracker.buffer, to: next))
    }
  }

  /// An offset between two characters of the buffer.
  private func offset(_ fraction: Double) -> Int {
    let bytes = tracker.buffer.bytes[...]
    var offset = Int(fraction * Double(bytes.count))
    while !isBoundary(bytes, offset) { offset += 1 }
    return offset
  }

  /// The offset so many characters after another one, or the end of the text.
  private func offset(_ characters: Int, after start: Int) -> Int {
    let bytes = tracker.buffer.bytes[...]
    var offset = start
    for _ in 0..<characters where offset < bytes.count {
      repeat { offset += 1 } while !isBoundary(bytes, offset)
    }
    return offset
  }

  private func lines(_ fraction: Double, _ count: Int) -> Range<Int> {
    let text = tracker.buffer
    let line = min(text.lineCount - 1, Int(fraction * Double(text.lineCount)))
    let end = line + count < text.lineCount ? text.start(ofLine: line + count) : text.count
    return text.start(ofLine: line)..<end
  }
}
