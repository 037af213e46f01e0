import JSONRPC
import TrackEngine

/// The list of changes as one JSON object: `{version, files: [{file, changes, counts}]}`.
struct ChangesJSON: ChangesReport {
  private var hasFile = false

  func begin() -> [UInt8] { Array(#"{"version":\#(ListedChange.formatVersion),"files":["#.utf8) }

  mutating func add(_ changes: [ListedChange], of path: String) -> [UInt8] {
    let comma = hasFile ? "," : ""
    hasFile = true
    var writer = JSONWriter()
    writer.object {
      $0.member("file", path)
      $0.member("changes", array: { for change in changes { change.write(to: &$0, in: nil) } })
      $0.member("counts", ChangeCounts(of: changes))
    }
    return Array("\(comma)\n".utf8) + writer.bytes
  }

  func end() -> [UInt8] { Array("\n]}\n".utf8) }
}

/// The list of changes as JSON objects, one per line.
struct ChangesJSONLines: ChangesReport {
  func add(_ changes: [ListedChange], of path: String) -> [UInt8] {
    changes.flatMap { change -> [UInt8] in
      var writer = JSONWriter()
      change.write(to: &writer, in: path)
      return writer.bytes + Array("\n".utf8)
    }
  }
}

extension ListedChange {
  /// The version of the format; it rises only if a member changes its meaning or is removed.
  static let formatVersion = 1

  /// Writes the change as an object.
  ///
  /// - Parameters:
  ///   - writer: The writer.
  ///   - file: The file's name, if the object is to be understood on its own.
  ///   - more: Writes any further members of the object.
  func write(
    to writer: inout JSONWriter,
    in file: String?,
    more: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.object {
      if let file {
        $0.member("version", ListedChange.formatVersion)
        $0.member("file", file)
      }
      $0.member("number", number)
      $0.member("kind", kind.description)
      $0.member("line", line)
      $0.member("column", column)
      if let heading {
        $0.member("heading", utf8: heading)
      } else {
        $0.member("heading", JSONNull())
      }
      $0.member("old", utf8: old)
      $0.member("new", utf8: new)
      $0.member("before", utf8: before)
      $0.member("after", utf8: after)
      $0.member("comments", comments.map(JSONString.init))
      $0.member("categories", categories)
      $0.member("authors", authors)
      if let author { $0.member("author", author) } else { $0.member("author", JSONNull()) }
      if let date { $0.member("date", date) } else { $0.member("date", JSONNull()) }
      more(&$0)
    }
  }
}
