import JSONRPC
import TrackEngine

/// The one object that a command is told, or what a code action is resolved by, and its document.
///
/// Every argument is read when it is wanted; errors name it.
struct CommandArguments {
  let json: JSON
  let snapshot: Snapshot

  /// Where a command acts: on its `range`, at its `position` or its `line` and `column`, or on the
  /// change with its number.
  func place() throws(ResponseError) -> Range<Int> {
    if let json = given("range") {
      guard let range = try? Range<Position>(json) else {
        throw .invalidParams("range must be an LSP range, {start, end}, not \(json).")
      }
      return snapshot.conversions.offsets(of: range)
    }
    if let json = given("position") {
      guard let position = try? Position(json) else {
        throw .invalidParams("position must be an LSP position, {line, character}, not \(json).")
      }
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

  /// Where the user is; nil where the arguments do not say so.
  func caret() throws(ResponseError) -> Range<Int>? {
    let names: [StaticString] = ["range", "position", "line", "change"]
    return names.contains { given($0) != nil } ? try place() : nil
  }

  /// The argument `text`; nil where there is none.
  func text() throws(ResponseError) -> String? {
    guard let json = given("text") else { return nil }
    guard let text = json.string else {
      throw .invalidParams("text must be a string, not \(json).")
    }
    return text
  }

  /// The argument `kind`; nil where there is none.
  func kind() throws(ResponseError) -> MarkKind? {
    try choice("kind", MarkKind.allCases, \.description)
  }

  /// The argument `category`; nil where there is none.
  func category() throws(ResponseError) -> CommentCategory? {
    try choice("category", CommentCategory.allCases, \.rawValue)
  }

  /// The argument `fix`.
  func fix() throws(ResponseError) -> Review.Fix {
    guard let fix = try choice("fix", Review.Fix.allCases, \.rawValue) else {
      throw .invalidParams("fix must say what is to be done.")
    }
    return fix
  }

  /// The argument `on`; nil where there is none.
  func isOn() throws(ResponseError) -> Bool? {
    guard let json = given("on") else { return nil }
    guard let isOn = json.bool else {
      throw .invalidParams("on must be true or false, not \(json).")
    }
    return isOn
  }

  /// The argument `variant`; the clean text where there is none.
  func variant() throws(ResponseError) -> Variant {
    guard let json = given("variant") else { return .clean }
    guard let variant = json.string.flatMap(Variant.init) else {
      throw .invalidParams("variant must be \"clean\", \"original\" or \"markup\", not \(json).")
    }
    return variant
  }

  private func given(_ name: StaticString) -> JSON? {
    json[name].flatMap { $0.isNull ? nil : $0 }
  }

  /// An argument that is one of some words; nil where there is none.
  private func choice<Value>(
    _ name: StaticString,
    _ values: [Value],
    _ word: (Value) -> String
  ) throws(ResponseError) -> Value? {
    guard let json = given(name) else { return nil }
    for value in values where word(value) == json.string { return value }
    let words = values.map { "\"\(word($0))\"" }
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    throw .invalidParams("\(name) must be \(list), not \(json).")
  }
}
