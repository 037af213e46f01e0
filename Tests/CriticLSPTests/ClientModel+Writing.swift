import TestSupport

@testable import CriticLSP
@testable import TrackEngine

// MARK: - The keyboard

extension ClientModel {
  /// Whether accepting all changes of the buffer gives what the user means, so that a place in the
  /// buffer is one in the text.
  var showsTwin: Bool { Twin(of: text).clean == twin.clean }

  /// Goes to a place and begins to type there.
  func begin(at place: CleanPlace) {
    leaveInsertMode()
    caret = place.range.lowerBound
    enterInsertMode()
    undone = []
    history.append(Step(before: here))
  }

  /// Types a letter at the caret; nothing where there is no text, as inside of a comment.
  func type(_ letter: Character) {
    waitForPrompt()
    guard let place = cleanCaret else { return }
    if !isInserting || history.isEmpty {
      enterInsertMode()
      history.append(Step(before: here))
    }
    let new = Array(String(letter).utf8)
    note("types \(String(letter).debugDescription)")
    change(Edit(caret..<caret, new), clean: Edit(place..<place, new))
    caret += new.count
  }

  /// Deletes the character before the caret, or eats a mark's delimiter there, which means it.
  func pressBackspace() {
    waitForPrompt()
    guard showsTwin else { return }
    let content = content(of: text.bytes)
    guard let index = content.lastIndex(where: { $0.upperBound <= caret }) else { return }
    let character = content[index]
    let between = text[character.upperBound..<caret]
    let isAtCloser = between.elementsEqual("++}".utf8) || between.elementsEqual("~~}".utf8)
    guard between.isEmpty || isAtCloser else { return }
    if !isInserting || history.isEmpty {
      enterInsertMode()
      history.append(Step(before: here))
    }
    let end = content[...index].reduce(0) { $0 + $1.count }
    let range = between.isEmpty ? character : caret - 1..<caret
    let count = between.isEmpty ? character.count : lastLength(of: content[...index])
    note("Backspace")
    change(Edit(range, []), clean: Edit(end - count..<end, []))
    caret = range.lowerBound
  }

  /// The length of the last character as users see it, which eating a delimiter means.
  private func lastLength(of content: ArraySlice<Range<Int>>) -> Int {
    var joined: Range<Int>?
    for range in content.suffix(32).reversed() {
      if let joined, joined.lowerBound != range.upperBound { break }
      joined = range.lowerBound..<(joined?.upperBound ?? range.upperBound)
    }
    return joined.flatMap { String(decoding: text[$0], as: UTF8.self).last?.utf8.count } ?? 0
  }

  /// Replaces a stretch of the text, as a command of the editor does.
  func replace(_ place: CleanPlace, with new: String) {
    waitForPrompt()
    leaveInsertMode()
    undone = []
    history.append(Step(before: here))
    note("replaces \(place.range) by \(new.debugDescription)")
    change(Edit(place.range, Array(new.utf8)), clean: Edit(place.clean, Array(new.utf8)))
    caret = place.range.lowerBound + new.utf8.count
  }

  private func change(_ edit: Edit, clean: Edit) {
    undone = []
    let changes = make([edit], asOne: false)
    history[history.count - 1].changes += changes
    twin.clean.replaceSubrange(clean.range, with: clean.new)
    landings = allLandings
    isBroken = isBroken || !showsTwin
  }

  /// Where the caret is in the text without marks; nil where it is in none of it.
  private var cleanCaret: Int? {
    guard showsTwin else { return nil }
    let content = content(of: text.bytes)
    if content.isEmpty { return 0 }
    var offset = 0
    for character in content {
      if character.lowerBound == caret { return offset }
      offset += character.count
      if character.upperBound == caret { return offset }
    }
    return nil
  }

  private func note(_ what: String) { film.note("\(what) at \(caret)", at: now) }

  /// Waits until the client has asked the user what it has to ask.
  func waitForPrompt() {
    guard habits.prompts else { return }
    takeInbox()
  }
}

// MARK: - Undo

extension ClientModel {
  /// Takes the last step back; returns whether there was one.
  func undo() -> Bool {
    guard let step = history.popLast() else { return false }
    undone.append(Step(before: here, changes: step.changes))
    note("undoes")
    travel(to: step.before, step.changes.reversed().map(\.inverse))
    return true
  }

  /// Does again what was taken back last; returns whether there was something.
  func redo() -> Bool {
    guard let step = undone.popLast() else { return false }
    history.append(Step(before: here, changes: step.changes))
    note("redoes")
    travel(to: step.before, step.changes.map(\.edit))
    return true
  }

  private func travel(to moment: Moment, _ steps: [Edit]) {
    leaveInsertMode()
    switch habits.travel {
    case .eachChange: make(steps, asOne: false)
    case .least:
      let (here, there) = (text.bytes, moment.text.bytes)
      let head = zip(here, there).prefix { $0 == $1 }.count
      let tail = zip(here.dropFirst(head).reversed(), there.dropFirst(head).reversed())
        .prefix { $0 == $1 }.count
      let edit = Edit(head..<here.count - tail, Array(there[head..<there.count - tail]))
        .onCharacters(of: text)
      if !edit.range.isEmpty || !edit.new.isEmpty { make([edit], asOne: true) }
    }
    twin = moment.twin
    landings = moment.landings
    caret = min(moment.caret, text.count)
    isBroken = !showsTwin
    film.note("buffer: \(buffer.debugDescription)", at: now)
  }
}
