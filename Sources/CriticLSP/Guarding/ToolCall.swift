import JSONRPC

/// What an agent is about to do, as it tells its hooks before each call of a tool: the JSON of `PreToolUse` in Claude Code,
/// Codex and others.
struct ToolCall {
  /// The files that it would write, in order; empty if the tool writes none that we know of.
  let writes: [FileWrite]
  /// What else it would do to files, in words; nil if that is all.
  let besides: String?

  /// - Throws: `ResponseError` that says what is missing in a call of a tool that we know.
  init(_ json: JSON) throws(ResponseError) {
    guard let input = json["tool_input"] else { throw .invalidParams("tool_input: missing") }
    let folder = try json.readIfPresent("cwd", as: Path.self)
    var writes: [FileWrite] = []
    var besides: String?
    switch json["tool_name"]?.string {
    case "Write"?:
      writes = [FileWrite(try input.read("file_path"), .text(try input.readUTF8("content")))]
    case "Edit"?:
      writes = [FileWrite(try input.read("file_path"), .replacements([try Replacement(input)]))]
    case "MultiEdit"?:
      let edits = try input.read("edits", as: [Replacement].self)
      writes = [FileWrite(try input.read("file_path"), .replacements(edits))]
    case "apply_patch"?:
      let patch = Patch(try input.readUTF8("command"))
      writes = patch.updates.map { FileWrite($0.path, .patch($0)) }
      besides = patch.besides
    default: break
    }
    self.writes = writes.map { write in
      let isWhole = write.path.isAbsolute || folder == nil
      return isWhole ? write : FileWrite((folder ?? ".") / write.path, write.content)
    }
    self.besides = besides
  }
}

/// What a tool would make of a file.
struct FileWrite {
  enum Content {
    case text([UInt8])
    case replacements([Replacement])
    case patch(Patch.Update)
  }

  let path: Path
  let content: Content

  init(_ path: Path, _ content: Content) { (self.path, self.content) = (path, content) }

  /// What it would make of a text; nil if the tool would fail.
  func made(of text: [UInt8]) -> [UInt8]? {
    switch content {
    case .text(let new): new
    case .replacements(let all):
      all.reduce(text as [UInt8]?) { text, one in text.flatMap(one.made) }
    case .patch(let update): update.made(of: text)
    }
  }
}

/// The replacement of a text by another, wherever it is or where it is once.
struct Replacement: JSONReadable {
  private let old: [UInt8]
  private let new: [UInt8]
  private let isEverywhere: Bool

  init(_ json: JSON) throws(ResponseError) {
    old = try json.readUTF8("old_string")
    new = try json.readUTF8("new_string")
    isEverywhere = json["replace_all"]?.bool ?? false
  }

  /// The text with it; nil if `old` is not in it, or several times and only one is meant.
  func made(of text: [UInt8]) -> [UInt8]? {
    if old.isEmpty { return text.isEmpty ? new : nil }
    var made: [UInt8] = []
    var rest = text[...]
    var count = 0
    while let range = rest.firstRange(of: old) {
      made += rest[..<range.lowerBound] + new
      rest = rest[range.upperBound...]
      count += 1
    }
    return count == 1 || count > 1 && isEverywhere ? made + rest : nil
  }
}
