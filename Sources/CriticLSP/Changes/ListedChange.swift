import JSONRPC
import TrackEngine

/// A change as scripts and people get it told: what it is, its number, where it is and what is around it.
struct ListedChange: Sendable {
  /// From 1.
  let number: Int
  let entry: ChangeEntry
  let around: ChangeSurroundings.Context
}

extension ListedChange {
  /// The list of changes of a text.
  ///
  /// Linear.
  static func all(of bytes: [UInt8], as language: Language) -> [ListedChange] {
    var all: [ListedChange] = []
    var lister = ChangeLister()
    let part = DocumentPart(bytes, Reading(of: bytes, as: language), hasPlaces: true)
    lister.list(part) { all.append($0) }
    return all
  }
}

extension ListedChange {
  /// The version of the format in JSON; it rises only if a member changes its meaning or is removed.
  static let formatVersion = 1

  /// Writes the change as an object: the command line and the server write the same members.
  ///
  /// - Parameters:
  ///   - writer: The writer.
  ///   - file: The file's name, if the object is to be understood on its own.
  ///   - more: Writes any further members of the object.
  func write(
    to writer: inout JSONWriter,
    in file: Path? = nil,
    more: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.object {
      if let file {
        $0.member("version", ListedChange.formatVersion)
        $0.member("file", file)
      }
      $0.member("number", number)
      $0.member("kind", entry.code.description)
      $0.member("line", around.region.line)
      $0.member("column", around.region.column)
      $0.member("endLine", around.region.endLine)
      $0.member("endColumn", around.region.endColumn)
      $0.member("heading", around.heading.map(JSONString.init))
      $0.member("old", utf8: entry.old)
      $0.member("new", utf8: entry.new)
      $0.member("before", utf8: around.before)
      $0.member("after", utf8: around.after)
      $0.member("comments", entry.comments.map(JSONString.init))
      $0.member("categories", entry.comments.flatMap { CommentHead(of: $0[...]).tags })
      $0.member("resolved", entry.isResolved)
      $0.member("authors", entry.authors)
      $0.member("author", entry.attribution.author)
      $0.member("date", entry.attribution.date)
      $0.member("status", entry.attribution.status)
      more(&$0)
    }
  }
}
