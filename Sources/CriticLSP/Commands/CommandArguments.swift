import JSONRPC
import TrackEngine

/// The argument object of a command, or the data of a code action, and its document.
///
/// Each argument is read on demand; errors name it.
struct CommandArguments {
  let json: JSON
  let snapshot: Snapshot

  /// Where a command acts: `range`, `position`, `line` and `column`, or `change`, the number of a change.
  func target() throws(ResponseError) -> Range<Int> {
    let range = try json.argument("range", "an LSP range, {start, end}") {
      try? Range<Position>($0)
    }
    if let range { return snapshot.conversions.offsets(of: range) }
    let position = try json.argument("position", "an LSP position, {line, character}") {
      try? Position($0)
    }
    if let position {
      let offset = snapshot.offset(of: position)
      return offset..<offset
    }
    if let json = given("line") {
      guard let line = json.integer, let column = self.json["column"]?.integer, line > 0, column > 0
      else { throw .invalidParams("line and column must both be numbers from 1.") }
      let offset = snapshot.conversions.offset(line: line, column: column)
      return offset..<offset
    }
    if let json = given("change") {
      let changes = snapshot.tracker.numberedChanges
      guard let number = json.integer, changes.indices.contains(number - 1) else {
        throw .invalidParams("change must be a number from 1 to \(changes.count), not \(json).")
      }
      return changes[number - 1].inside
    }
    throw .invalidParams(
      "One of range, position, line with column, and change must say where to act."
    )
  }

  /// Where the user is; nil if the arguments do not say.
  func caret() throws(ResponseError) -> Range<Int>? {
    let names: [StaticString] = ["range", "position", "line", "change"]
    return names.contains { given($0) != nil } ? try target() : nil
  }

  /// The argument `text`; nil if missing.
  func text() throws(ResponseError) -> String? { try json.argument("text", "a string", \.string) }

  /// The argument `kind`; nil if missing.
  func kind() throws(ResponseError) -> MarkKind? {
    try json.choice("kind", MarkKind.allCases, \.description)
  }

  /// The argument `author`, a name; nil if missing.
  func author() throws(ResponseError) -> String? {
    try json.argument("author", "a name") { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// The argument `category`; nil if missing.
  func category() throws(ResponseError) -> CommentCategory? {
    try json.choice("category", CommentCategory.allCases, \.rawValue)
  }

  /// The argument `fix`.
  func fix() throws(ResponseError) -> Review.Fix {
    guard let fix = try json.choice("fix", Review.Fix.allCases, \.rawValue) else {
      throw .invalidParams("fix must say what to do.")
    }
    return fix
  }

  /// The argument `on`; nil if missing.
  func isOn() throws(ResponseError) -> Bool? { try bool("on") }

  /// The arguments `held` and `halfTyped`; true if missing.
  func markRequest() throws(ResponseError) -> MarkRequest {
    MarkRequest(
      includesHeld: try bool("held") ?? true,
      includesHalfTyped: try bool("halfTyped") ?? true
    )
  }

  /// The argument `variant`, one of some; the clean text if missing.
  func variant(of variants: [Variant]) throws(ResponseError) -> Variant {
    try json.choice("variant", variants, \.rawValue) ?? .clean
  }

  /// The argument `marks`: where they are to be.
  func place() throws(ResponseError) -> MarksPlace {
    guard let place = try json.choice("marks", MarksPlace.allCases, \.rawValue) else {
      throw .invalidParams("marks must say where the marks are to be.")
    }
    return place
  }

  private func bool(_ name: StaticString) throws(ResponseError) -> Bool? {
    try json.argument(name, "true or false", \.bool)
  }

  private func given(_ name: StaticString) -> JSON? {
    json[name].flatMap { $0.isNull ? nil : $0 }
  }
}
