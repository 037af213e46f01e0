import JSONRPC
import TrackEngine

/// A call of an agent's shell, as a hook is told of it before and after: the JSON of `PreToolUse` and `PostToolUse`, and
/// of `PostToolUseFailure`.
struct ShellCall {
  /// The event that the hook is told of.
  let event: String
  /// Tells it from the other calls.
  let id: TextHash
  /// Where it runs.
  let folder: Path?

  /// Whether it is over.
  var isOver: Bool { event != "PreToolUse" }

  /// - Throws: `ResponseError` if a member is none.
  init?(_ json: JSON) throws(ResponseError) {
    guard json["tool_name"]?.string == "Bash" else { return nil }
    event = json["hook_event_name"]?.string ?? "PreToolUse"
    folder = try json.readIfPresent("cwd", as: Path.self)
    if let id = json["tool_use_id"]?.utf8 {
      self.id = TextHash(of: id)
    } else {
      // Who gives no id makes one call after the other.
      let session = json["session_id"]?.utf8 ?? []
      id = TextHash(of: session + Array(json["tool_input"]?.rawBytes ?? []))
    }
  }
}
