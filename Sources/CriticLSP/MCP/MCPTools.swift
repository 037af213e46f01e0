import JSONRPC
import TrackEngine

/// The table of tools; none accepts or rejects a change, which is left to a person.
extension MCPTool {
  /// In the order in which they are listed.
  static let all = [
    listDocuments, read, changes, propose, comment, revise, withdraw, waitForReview, decisions,
  ]
}

extension MCPTool.Value {
  /// A number that may be missing.
  static func number(_ name: String, _ description: String) -> Self {
    Self(name: name, kind: .type("integer"), description: description, isOptional: true)
  }

  static let path = Self(
    name: "path",
    kind: .text,
    description:
      "the Markdown file; absolute, or relative to one of the folders that the server was given"
  )
  /// A truth value that may be missing.
  static func flag(_ name: String, _ description: String) -> Self {
    Self(name: name, kind: .type("boolean"), description: description, isOptional: true)
  }

  static let lines = Self(
    name: "lines",
    kind: .pair("integer"),
    description:
      "the first and the last line of the clean text that it is in, as read counts them: [12, 14]; they shift when"
      + " somebody writes, so give the text as well where you can",
    isOptional: true
  )
  static let author = Self(
    name: "author",
    kind: .text,
    description: "the author, as in ai:model",
    isOptional: true
  )
  static let after = Self(
    name: "after",
    kind: .text,
    description: "the text right before it, where it occurs more than once",
    isOptional: true
  )
  static let before = Self(
    name: "before",
    kind: .text,
    description: "the text right after it, where it occurs more than once",
    isOptional: true
  )
}
