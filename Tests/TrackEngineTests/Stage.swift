import Foundation
import TestSupport
import TrackEngine

/// An editor and a tracker after it, as the pictures show them: a buffer, a caret, a selection.
struct Stage {
  private(set) var tracker: Tracker
  private(set) var caret: Int?
  private(set) var selection: Range<Int>?
  private var history: [Text] = []
  private var undone: [Text] = []

  struct BadAction: Error {
    var text: String
  }

  init(picture: String, options: Set<String>) {
    let scene = Scene(picture)
    caret = scene.caret
    selection = scene.selection
    tracker = Tracker(
      Text(Array(scene.text.utf8)),
      isTracking: !options.contains("off"),
      options: Tracker.Options(
        options.language,
        tracksFrontMatter: options.contains("frontMatter")
      )
    )
  }

  /// The buffer with the caret and the selection shown as far as `model` shows them.
  func picture(like model: String) -> String {
    let scene = Scene(model)
    var signs: [(Int, String)] = []
    if let caret, scene.caret != nil { signs.append((caret, "‸")) }
    if let selection, scene.selection != nil {
      signs.append((selection.lowerBound, "⟦"))
      signs.append((selection.upperBound, "⟧"))
    }
    var bytes = tracker.buffer.bytes
    for (offset, sign) in signs.sorted(by: { $0.0 > $1.0 }) {
      bytes.insert(contentsOf: sign.utf8, at: offset)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  var text: String { String(decoding: tracker.buffer.bytes, as: UTF8.self) }

  mutating func perform(_ action: String) throws {
    let words = action.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words[0] {
    case "type":
      for character in try quoted(rest) { insert(String(character)) }
    case "paste": insert(try quoted(rest))
    case "backspace": try repeated(rest) { $0.backspace() }
    case "delete" where rest == "selection": insert("")
    case "delete": try repeated(rest) { $0.delete() }
    case "put": try put(rest)
    case "report": try report(rest)
    case "undo": try travel(rest, from: \.history, to: \.undone)
    case "redo": try travel(rest, from: \.undone, to: \.history)
    case "wait": settle(isForced: false)
    case "as":
      let said = rest.components(separatedBy: " on ")
      tracker.options.attribution = Attribution(
        author: said[0],
        date: said.count > 1 ? said[1] : nil
      )
    default:
      guard try review(words[0], rest) else { throw BadAction(text: action) }
    }
  }

  /// Puts the pending changes into marks, as the server does after a pause.
  mutating func settle(isForced: Bool = true) {
    guard !tracker.isHeld else { return }
    let marking = tracker.marking(isForced: isForced)
    guard !marking.edits.isEmpty else { return tracker.settle(marking.remaining) }
    remember()
    tracker.rest()
    let own = tracker.ownEdit(marking)
    apply(marking.edits)
    tracker.land(own)
  }

  // MARK: - What the user does

  private mutating func insert(_ text: String) {
    let range = selection ?? (caret ?? 0)..<(caret ?? 0)
    guard !range.isEmpty || !text.isEmpty else { return }
    selection = nil
    change(range, text)
    caret = range.lowerBound + text.utf8.count
  }

  private mutating func backspace() {
    guard let at = caret, let last = String(decoding: tracker.buffer[0..<at], as: UTF8.self).last
    else { return }
    change(at - last.utf8.count..<at, "")
    caret = at - last.utf8.count
  }

  private mutating func delete() {
    let count = tracker.buffer.count
    guard let at = caret,
      let first = String(decoding: tracker.buffer[at..<count], as: UTF8.self).first
    else { return }
    change(at..<at + first.utf8.count, "")
    caret = at
  }

  private mutating func change(_ range: Range<Int>, _ text: String) {
    remember()
    undone = []
    tracker.report(Edit(range, Array(text.utf8)))
  }

  private mutating func remember() { history.append(tracker.buffer) }

  /// Undoes or redoes so many steps as one.
  private mutating func travel(
    _ count: String,
    from source: WritableKeyPath<Stage, [Text]>,
    to target: WritableKeyPath<Stage, [Text]>
  ) throws {
    var text = tracker.buffer
    for _ in 0..<(count.isEmpty ? 1 : Int(count) ?? 0) {
      self[keyPath: target].append(text)
      guard let next = self[keyPath: source].popLast() else { throw BadAction(text: "undo") }
      text = next
    }
    let edit = difference(from: tracker.buffer, to: text)
    moveCaret(after: [edit])
    tracker.report(edit)
  }

  private mutating func apply(_ edits: [Edit]) {
    moveCaret(after: edits)
    tracker.apply(ours: edits)
  }

  private mutating func moveCaret(after edits: [Edit]) {
    for edit in edits.reversed() {
      caret = caret.map { moved($0, by: edit) }
      selection = selection.map { moved($0.lowerBound, by: edit)..<moved($0.upperBound, by: edit) }
    }
  }

  /// What the server inserts at the caret goes after it.
  private func moved(_ offset: Int, by edit: Edit) -> Int {
    if offset <= edit.range.lowerBound { return offset }
    if offset >= edit.range.upperBound { return offset + edit.new.count - edit.range.count }
    return edit.range.lowerBound + min(offset - edit.range.lowerBound, edit.new.count)
  }

  private mutating func put(_ rest: String) throws {
    guard rest.hasPrefix("caret ") else { throw BadAction(text: "put \(rest)") }
    let scene = Scene(try quoted(String(rest.dropFirst("caret ".count))))
    guard let place = scene.caret, let found = text.range(of: scene.text) else {
      throw BadAction(text: "put \(rest)")
    }
    caret = text.utf8.distance(from: text.startIndex, to: found.lowerBound) + place
    selection = nil
  }

  /// `report insert "text" at N`, `report replace "old" by "new"`: a change as the client tells it.
  private mutating func report(_ rest: String) throws {
    if rest.hasPrefix("insert "), let at = rest.range(of: "\" at ", options: .backwards),
      let offset = Int(rest[at.upperBound...])
    {
      let new = try quoted(String(rest[..<at.lowerBound].dropFirst("insert ".count)) + "\"")
      return report(Edit(offset..<offset, Array(new.utf8)))
    }
    guard rest.hasPrefix("replace "), let by = rest.range(of: "\" by \"") else {
      throw BadAction(text: "report \(rest)")
    }
    let old = try quoted(String(rest[..<by.lowerBound].dropFirst("replace ".count)) + "\"")
    let new = try quoted("\"" + String(rest[by.upperBound...]))
    guard let found = text.range(of: old) else { throw BadAction(text: "report \(rest)") }
    let start = text.utf8.distance(from: text.startIndex, to: found.lowerBound)
    report(Edit(start..<start + old.utf8.count, Array(new.utf8)))
  }

  private mutating func report(_ edit: Edit) {
    remember()
    let meaning = tracker.meaning(of: edit)
    moveCaret(after: meaning.edits)
    tracker.apply(meaning)
    tracker.arrive()
    tracker.endReport()
  }

  private mutating func review(_ word: String, _ rest: String) throws -> Bool {
    let range = selection ?? (caret ?? 0)..<(caret ?? 0)
    let action: Review.Action
    switch word {
    case "accept" where rest == "all": action = .resolveAll(.clean)
    case "reject" where rest == "all": action = .resolveAll(.original)
    case "accept" where rest.hasPrefix("by "):
      action = .resolveAuthor(String(rest.dropFirst(3)), .clean)
    case "reject" where rest.hasPrefix("by "):
      action = .resolveAuthor(String(rest.dropFirst(3)), .original)
    case "accept" where !rest.isEmpty: action = .resolveKind(try kind(rest), .clean)
    case "reject" where !rest.isEmpty: action = .resolveKind(try kind(rest), .original)
    case "accept": action = .resolve(range, .clean)
    case "reject": action = .resolve(range, .original)
    case "comment": action = .comment(range, Array(try quoted(rest).utf8))
    case "highlight": action = .highlight(range)
    case "remove" where rest == "comment": action = .removeComment(range)
    case "resolve" where rest == "comment": action = .resolveThread(range, nil)
    case "remove" where rest == "annotations": action = .removeAnnotations
    case "remove": action = .resolveKind(try kind(rest), .clean)
    case "edit": action = .editComment(range, Array(try quoted(rest).utf8))
    case "join": action = .join(range)
    case "split": action = .split(range)
    case "take": action = .takeAlternative(range, rest)
    case "fix": action = try fix(rest)
    default: return false
    }
    let edits = try Review(tracker).edits(for: action)
    let own = tracker.ownEdit(edits)
    remember()
    apply(edits)
    selection = nil
    tracker.land(own)
    return true
  }

  /// A kind by the word for several of it.
  private func kind(_ word: String) throws -> MarkKind {
    guard let kind = MarkKind.allCases.first(where: { "\($0)s" == word }) else {
      throw BadAction(text: word)
    }
    return kind
  }

  /// `fix close`, `fix escape` …: what is malformed at the caret.
  private func fix(_ word: String) throws -> Review.Action {
    let bytes = tracker.buffer.bytes
    let malformed = Reading(of: bytes, as: tracker.options.language).malformed(in: bytes).first {
      $0.range.lowerBound <= caret ?? 0 && caret ?? 0 <= $0.range.upperBound
    }
    guard let malformed, let fix = Review.Fix(rawValue: word) else {
      throw BadAction(text: "fix \(word)")
    }
    return .fix(malformed.range, fix)
  }

  private mutating func repeated(_ rest: String, _ body: (inout Stage) -> Void) throws {
    guard let count = rest.isEmpty ? 1 : Int(rest) else { throw BadAction(text: rest) }
    if let selected = selection, !selected.isEmpty {
      insert("")
      return
    }
    for _ in 0..<count { body(&self) }
  }
}

/// A picture taken apart.
struct Scene {
  var text = ""
  var caret: Int?
  var selection: Range<Int>?

  init(_ picture: String) {
    var start: Int?
    // By scalars: a sign before a combining mark must not hide in one character with it.
    for scalar in picture.unicodeScalars {
      switch scalar {
      case "‸": caret = text.utf8.count
      case "⟦": start = text.utf8.count
      case "⟧":
        selection = (start ?? 0)..<text.utf8.count
        caret = text.utf8.count
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

/// The one edit between two texts, without what they have in common at both ends.
func difference(from old: Text, to new: Text) -> Edit {
  let (old, new) = (old.bytes, new.bytes)
  let head = zip(old, new).prefix { $0 == $1 }.count
  let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
    .prefix { $0 == $1 }.count
  return Edit(head..<old.count - tail, Array(new[head..<new.count - tail]))
}

private func quoted(_ text: String) throws -> String {
  guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
    throw Stage.BadAction(text: text)
  }
  var result = ""
  var isEscaped = false
  for character in text.dropFirst().dropLast() {
    if isEscaped {
      switch character {
      case "n": result += "\n"
      case "r": result += "\r"
      case "t": result += "\t"
      default: result.append(character)
      }
      isEscaped = false
    } else if character == "\\" {
      isEscaped = true
    } else {
      result.append(character)
    }
  }
  return result
}
