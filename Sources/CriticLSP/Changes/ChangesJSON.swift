import JSONRPC
import TrackEngine

/// The list of changes as one JSON object: `{version, files: [{file, changes, counts}]}`.
struct ChangesJSON: ChangesReport {
  private var hasFile = false
  /// Whether a change of the file has been added.
  private var hasChange = false
  private var counts = ChangeCounts()

  func begin() -> [UInt8] { Array(#"{"version":\#(ListedChange.formatVersion),"files":["#.utf8) }

  mutating func begin(_ path: Path) -> [UInt8] {
    let comma = hasFile ? "," : ""
    hasFile = true
    counts = ChangeCounts()
    hasChange = false
    var writer = JSONWriter()
    writer.value(path)
    return Array("\(comma)\n{\"file\":".utf8) + writer.bytes + Array(",\"changes\":[".utf8)
  }

  mutating func add(_ change: ListedChange, of path: Path) -> [UInt8] {
    let comma = hasChange ? "," : ""
    hasChange = true
    counts.add(change)
    var writer = JSONWriter()
    change.write(to: &writer)
    return Array(comma.utf8) + writer.bytes
  }

  mutating func end(_ path: Path) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(counts.writeMembers)
    return Array("],\"counts\":".utf8) + writer.bytes + Array("}".utf8)
  }

  func end() -> [UInt8] { Array("\n]}\n".utf8) }
}

/// The list of changes as JSON objects, one per line.
struct ChangesJSONLines: ChangesReport {
  func add(_ change: ListedChange, of path: Path) -> [UInt8] {
    var writer = JSONWriter()
    change.write(to: &writer, in: path)
    return writer.bytes + Array("\n".utf8)
  }
}
