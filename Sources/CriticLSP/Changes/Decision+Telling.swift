import JSONRPC
import TrackEngine

extension Decision {
  /// As in `accepted` and `edited to “blue”`.
  var sentence: String {
    guard outcome == .edited, let final else { return outcome.rawValue }
    return final.isEmpty ? "edited, nothing stands there" : "edited to \(quoted(final))"
  }

  /// Writes the members that the object of a decided change has beside those of the change.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("decision", outcome.rawValue)
    writer.member("final", final.map(JSONString.init))
  }
}
