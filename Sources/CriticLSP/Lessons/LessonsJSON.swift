import JSONRPC
import TrackEngine

/// Lessons as JSON.
enum LessonsJSON {
  /// The version of the format; it rises only if a member changes its meaning or is removed.
  private static let version = 1

  /// The report as one object.
  static func object(_ report: LessonsReport) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("version", version)
      $0.member("files", report.files.count)
      $0.member("edits", report.all.outcomes.count)
      report.all.outcomes.writeMembers(to: &$0)
      $0.member("count", report.count)
      $0.member(
        "lessons",
        array: { array in
          for lesson in report.lessons { array.object { write(lesson, report.files, to: &$0) } }
        }
      )
      write("categories", report.all.categories, to: &$0)
      write("authors", report.all.authors, to: &$0)
      write("headings", report.all.headings, to: &$0)
    }
    return writer.bytes + Array("\n".utf8)
  }

  private static func write(_ lesson: Lesson, _ files: [Path], to writer: inout JSONWriter) {
    writer.member("old", utf8: lesson.wording.old)
    writer.member("new", utf8: lesson.wording.new)
    writer.member("kind", lesson.wording.kind.description)
    writer.member("verdict", lesson.verdict.rawValue)
    writer.member("count", lesson.count)
    lesson.outcomes.writeMembers(to: &writer)
    writer.member("undone", lesson.undone)
    writer.member("standing", lesson.standing)
    writer.member("files", lesson.files)
    writer.member(
      "reasons",
      array: { array in
        for (text, count) in lesson.reasons {
          array.object {
            $0.member("text", text)
            $0.member("count", count)
          }
        }
      }
    )
    write("categories", lesson.categories.map { ($0.tag, $0.count) }, to: &writer)
    write("authors", lesson.authors.map { ($0.name, $0.count) }, to: &writer)
    writer.member(
      "examples",
      array: { array in
        for example in lesson.examples {
          array.object { write(example.edit, in: files[example.file], to: &$0) }
        }
      }
    )
  }

  private static func write(
    _ name: StaticString,
    _ counts: [(String, Int)],
    to writer: inout JSONWriter
  ) {
    writer.member(
      name,
      array: { array in
        for (name, count) in counts {
          array.object {
            $0.member("name", name)
            $0.member("count", count)
          }
        }
      }
    )
  }

  /// How many names are written.
  private static let mostNames = 100

  private static func write(_ name: StaticString, _ tallies: Tallies, to writer: inout JSONWriter) {
    writer.member(
      name,
      array: { array in
        for (name, outcomes) in tallies.sorted.prefix(mostNames) {
          array.object {
            $0.member("name", name)
            $0.member("count", outcomes.count)
            outcomes.writeMembers(to: &$0)
          }
        }
      }
    )
  }

  /// An edit as a line: what stood, what was proposed, what stands now, and why.
  static func line(_ edit: TaughtEdit, in path: Path) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("version", version)
      write(edit, in: path, to: &$0)
    }
    return writer.bytes + Array("\n".utf8)
  }

  private static func write(_ edit: TaughtEdit, in path: Path, to writer: inout JSONWriter) {
    writer.member("file", path)
    writer.member("heading", edit.heading)
    writer.member("author", edit.author)
    writer.member("outcome", edit.outcome.rawValue)
    writer.member("draft", utf8: edit.draft)
    writer.member("proposed", edit.outcome == .made ? nil : JSONString(utf8: edit.revised))
    writer.member("final", edit.final.map(JSONString.init))
    writer.member("before", utf8: edit.before)
    writer.member("after", utf8: edit.after)
    writer.member("reasons", edit.reasons)
    writer.member("categories", edit.categories)
  }
}

extension OutcomeCounts {
  /// Writes a member for each outcome.
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("made", self[.made])
    writer.member("accepted", self[.accepted])
    writer.member("rejected", self[.rejected])
    writer.member("edited", self[.edited])
    writer.member("pending", self[.pending])
  }
}
