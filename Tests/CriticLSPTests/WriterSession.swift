import JSONRPC
import TestSupport

@testable import CriticLSP
@testable import TrackEngine

/// A session of a writer at a modelled client, with what the promises say of it.
///
/// Each step returns what is broken, or nil.
struct WriterSession {
  let client: ClientModel
  /// What nobody touches, at the end of the text; nil once all changes there were accepted or
  /// rejected.
  private var tail: String? = WriterSession.tail
  /// Whether the user travelled to a text from before an edit of ours, so that it is to stay as it is.
  private var isHeld = false
  /// Whether the server can know that text; until it is in marks, nobody can tell the original.
  private var isKnown = true
  private var travelledTexts: Set<[UInt8]> = []

  private static let tail = "End {==of==}{>>note<<} all {++new++} and {--old--}.\n"

  init(_ habits: ClientHabits, _ draft: String, options: String, seed: UInt64) throws {
    client = try ClientModel(
      habits,
      draft + "\n" + WriterSession.tail,
      options: options,
      seed: seed
    )
  }

  mutating func perform(_ step: WriterStep) throws -> String? {
    if let broken = try take(step) { return broken }
    if let violation = client.violation { return failure(violation) }
    return nil
  }

  private mutating func take(_ step: WriterStep) throws -> String? {
    switch step {
    case .type(let at, let word, let before, let gap):
      if let broken = try showTwin() { return broken }
      client.waitForPrompt()
      client.begin(at: CleanPlace(at: at * share, isBefore: before, in: client.text.bytes))
      type(word, gap)
    case .typeOn(let word, let gap): type(word, gap)
    case .backspace:
      client.pressBackspace()
      wasChanged()
    case .escape: client.leaveInsertMode()
    case .replace(let at, let count, let word):
      if let broken = try showTwin() { return broken }
      client.waitForPrompt()
      return replace(at, count, word)
    case .wait(let time): client.wait(time)
    case .pause: return try settle()
    case .undo(let count): return travel(count, ClientModel.undo)
    case .redo(let count): return travel(count, ClientModel.redo)
    case .save(let outcome):
      client.waitForPrompt()
      try client.save(outcome)
      if marksOnSave { isHeld = false }
      if case .putIn = outcome, marksOnSave { return try settle(isMarked: client.lag == 0) }
    case .lag(let time): client.lag = time
    default: return try review(step)
    }
    return nil
  }

  /// Ends the session: everything is put into marks, and then nothing happens any more.
  mutating func end() throws -> String? {
    if let broken = try mark() { return broken }
    let text = client.text
    client.wait(10_000)
    return client.text == text ? nil : failure("settled, and yet it changes")
  }

  // MARK: - The keyboard

  /// How much of the text lies before what nobody touches.
  private var share: Double {
    guard let tail else { return 1 }
    let end = content(of: Array(tail.utf8)).count + 1
    let all = content(of: client.text.bytes).count
    return Double(max(0, all - end)) / Double(max(1, all))
  }

  private mutating func type(_ word: String, _ gap: Int) {
    guard gap == 0 else {
      for letter in word {
        client.type(letter)
        wasChanged()
        client.wait(gap)
      }
      return
    }
    client.waitForPrompt()
    client.inOneGo { for letter in word { client.type(letter) } }
    wasChanged()
  }

  private mutating func replace(_ at: Double, _ count: Int, _ word: String) -> String? {
    let bytes = client.text.bytes
    let content = content(of: bytes)
    let free = Int(share * Double(content.count))
    let first = Int(at * share * Double(content.count))
    var count = min(count, free - first)
    if !client.habits.tellsEachChange, count > 1 {
      // What is told of many changes at once need not tell which delimiters the user took along.
      let run = content[first..<first + count]
      count = 1 + zip(run, run.dropFirst()).prefix { $0.upperBound == $1.lowerBound }.count
    }
    guard count > 0, let place = CleanPlace(count, at: at * share, in: bytes) else { return nil }
    client.replace(place, with: word)
    wasChanged()
    return nil
  }

  private mutating func wasChanged() {
    // Doing the very same again after an undo cannot be told from redo, and is left alone like it.
    isHeld = isHeld && travelledTexts.contains(client.text.bytes)
  }

  private mutating func travel(_ count: Int, _ move: (ClientModel) -> () -> Bool) -> String? {
    client.waitForPrompt()
    for _ in 0..<count {
      travelledTexts.insert(client.text.bytes)
      guard move(client)() else { break }
      travelledTexts.insert(client.text.bytes)
      isHeld = client.landings < client.allLandings
      // Steps that are told as one may hide the marks that they went through.
      isKnown = client.wasTold && (count == 1 || client.habits.tellsEachChange)
    }
    return nil
  }

  // MARK: - Judging

  private var marksOnSave: Bool {
    switch client.habits.saving {
    case .tells: marking == "save"
    // The marks come after saving, and the user can say no to them.
    case .asksBeforeTelling: false
    case .asks, .formats: true
    }
  }

  private var marking: String? { try? client.command("status")["marking"]?.string }

  /// Waits until nothing happens any more, and judges what there is.
  ///
  /// - Parameter isMarked: Whether everything is in marks now, by what was done before.
  /// - Returns: What is broken.
  /// - Throws: What the server answers in error.
  private mutating func settle(isMarked: Bool = false) throws -> String? {
    client.leaveInsertMode()
    client.takeInbox()
    client.flush()
    let held = isHeld && isKnown && client.isQuietHere ? client.text : nil
    var rounds = 0
    repeat {
      client.wait(1000)
      rounds += 1
    } while rounds < 2 || (!client.isQuiet && rounds < 30)
    if !client.isQuiet { return failure("after \(rounds) s there is still something to do") }
    if let violation = client.violation { return failure(violation) }
    if let held, held != client.text { return failure("6, undo is the user's") }
    let isByItself = marking == "idle" && !isHeld && !client.isBroken
    return judge(isMarked: isMarked || isByItself)
  }

  private mutating func judge(isMarked: Bool) -> String? {
    guard !client.isSpoilt else { return nil }
    if isMarked || client.showsTwin { client.isBroken = false }
    guard !client.isBroken else { return nil }
    let twin = ClientModel.Twin(of: client.text)
    if twin.clean != client.twin.clean {
      return failure("2, the clean text is \(quoted(client.twin.clean))")
    }
    if isMarked, !isKnown {
      client.twin.original = twin.original
      isKnown = true
    }
    if isMarked, twin.original != client.twin.original {
      return failure("1, the original is \(quoted(client.twin.original))")
    }
    if let tail, !client.buffer.hasSuffix(tail) {
      return failure("3, nobody touched \(tail.debugDescription)")
    }
    return nil
  }

  /// Puts everything into marks, by a request that every client can make.
  private mutating func mark() throws -> String? {
    if let broken = try settle() { return broken }
    try client.format()
    isHeld = false
    let broken = try settle(isMarked: true)
    if client.isSpoilt {
      client.isSpoilt = false
      client.twin = ClientModel.Twin(of: client.text)
      client.history = []
      client.undone = []
      if !client.buffer.hasSuffix(WriterSession.tail) { tail = nil }
    }
    return broken
  }

  /// Sees to it that accepting everything gives what the user means, so that places can be found.
  private mutating func showTwin() throws -> String? {
    guard client.isSpoilt || !client.showsTwin else { return nil }
    if let broken = try settle() { return broken }
    return client.isSpoilt || !client.showsTwin ? try mark() : nil
  }

  private func quoted(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).debugDescription
  }

  func failure(_ what: String) -> String {
    "\(client.habits): \(what)\n  buffer: \(client.buffer.debugDescription)\n\(client.film)"
  }
}

// MARK: - Looking through the changes

extension WriterSession {
  private mutating func review(_ step: WriterStep) throws -> String? {
    // What a decision leads to can be told only of a text that is in marks.
    if let broken = try mark() { return broken }
    let before = client.twin
    switch step {
    case .accept(let at, let word):
      guard let number = try change(at) else { return nil }
      return try decide("accept", #""change":\#(number)"#, word) { $0.original = $1.original }
    case .acceptAll(let word):
      tail = nil
      return try decide("acceptAll", "", word) { [isAlone = word == nil] in
        $0.original = isAlone ? $0.clean : $1.original
      }
    case .reject(let at):
      guard let number = try change(at) else { return nil }
      return try decide("reject", #""change":\#(number)"#, nil) { $0.clean = $1.clean }
    case .rejectAll:
      tail = nil
      return try decide("rejectAll", "", nil) { twin, _ in twin.clean = before.original }
    case .comment(let at, let count, let word):
      let end = client.text.count - (tail?.utf8.count ?? 0)
      guard let place = CleanPlace(count, at: at * share * 0.9, in: client.text.bytes),
        place.range.upperBound <= end
      else { return nil }
      let conversions = Conversions(text: client.text, encoding: client.encoding)
      let positions = conversions.positions(of: place.range)
      let (start, stop) = (positions.lowerBound, positions.upperBound)
      let range = Wire.range(start.line, start.character, stop.line, stop.character)
      return try decide("comment", #""range":\#(range),"text":"note""#, word) { _, _ in }
    case .untracked(let at, let word): return try typeUntracked(at, word)
    default:
      client.close()
      client.wait(100)
      client.open()
      travelledTexts = []
      return try settle(isMarked: true)
    }
  }

  /// The number of a change before what nobody touches.
  private func change(_ at: Double) throws -> Int? {
    let count = try client.command("changes").count - (tail == nil ? 0 : 4)
    return count > 0 ? 1 + min(count - 1, Int(at * Double(count))) : nil
  }

  /// Has the server decide about changes.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - members: Its arguments.
  ///   - word: What is typed before the edit has landed.
  ///   - expect: Takes over from what the text then says what cannot be known beforehand.
  /// - Returns: What is broken.
  /// - Throws: What the server answers in error.
  private mutating func decide(
    _ command: String,
    _ members: String,
    _ word: String?,
    _ expect: (inout ClientModel.Twin, ClientModel.Twin) -> Void
  ) throws -> String? {
    // What cannot be done is told and left alone.
    // Eglot takes no keys while a command is carried out.
    let word = client.habits.holdsKeys ? nil : word
    let landings = client.allLandings
    guard (try? client.command(command, members)) != nil else { return nil }
    if let word { type(word, 0) }
    if let broken = try settleDecision() { return broken }
    // The user said no, or typed on too soon.
    guard client.allLandings > landings else { return judge(isMarked: true) }
    expect(&client.twin, ClientModel.Twin(of: client.text))
    if word != nil {
      // What undo leads to was told with the original text from before the decision.
      client.history = []
      client.undone = []
    }
    return judge(isMarked: true)
  }

  /// Waits for a decision to land, and for what was typed meanwhile to be in marks.
  private mutating func settleDecision() throws -> String? {
    var rounds = 0
    repeat {
      client.leaveInsertMode()
      client.wait(1000)
      rounds += 1
    } while rounds < 2 || (!client.isQuiet && rounds < 30)
    try client.format()
    client.wait(2000)
    isHeld = false
    if let violation = client.violation { return failure(violation) }
    guard client.isSpoilt else { return nil }
    return try mark()
  }

  private mutating func typeUntracked(_ at: Double, _ word: String) throws -> String? {
    try client.command("toggleTracking", #""on":false"#)
    if let broken = try settle(isMarked: true) { return broken }
    client.waitForPrompt()
    client.begin(at: CleanPlace(at: at * share, isBefore: false, in: client.text.bytes))
    type(word, 0)
    client.leaveInsertMode()
    let text = client.text
    client.wait(5000)
    if client.text != text { return failure("tracking is off, and yet it marks") }
    client.twin = ClientModel.Twin(of: client.text)
    try client.command("toggleTracking", #""on":true"#)
    client.history = []
    client.undone = []
    travelledTexts = []
    return try settle(isMarked: true)
  }
}
