import JSONRPC
import TrackEngine

/// An entry of the list of changes as the user sees it, in offsets of the buffer.
struct ChangeEntry {
  /// `addition` …, `pending` or the name of a malformation.
  var code: String
  var range: Range<Int>
  var old: [UInt8]
  var new: [UInt8]
  var comments: [[UInt8]]
  /// Where the comments stand.
  var thread: [Range<Int>]
  /// What is wrong, for marks that are malformed.
  var problem: String?

  var isPending: Bool { code == "pending" }
}

extension ChangeEntry {
  /// The entries of a document: changes, highlights and lone comments, pending changes, and marks
  /// that are malformed; by where they start.
  ///
  /// Linear in the text.
  static func entries(of tracker: Tracker) -> [ChangeEntry] {
    let bytes = tracker.buffer.bytes
    let reading = Reading(of: bytes)
    var entries = reading.changes.map { change in
      ChangeEntry(
        code: change.kind.description,
        range: change.markRange,
        old: change.old(in: reading, bytes),
        new: change.new(in: reading, bytes),
        comments: change.comments(in: bytes),
        thread: change.thread.map(\.range)
      )
    }
    entries += pending(tracker, reading)
    entries += reading.malformed(in: bytes).map { malformed in
      ChangeEntry(
        code: malformed.kind.rawValue,
        range: malformed.range,
        old: [],
        new: [],
        comments: [],
        thread: [],
        problem: malformed.sentence
      )
    }
    return entries.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Pending changes that are not typing in an addition or in a comment, which show already.
  private static func pending(_ tracker: Tracker, _ reading: Reading) -> [ChangeEntry] {
    var shift = 0
    return tracker.hunks.compactMap { hunk in
      let start = hunk.old.lowerBound + shift
      shift += hunk.new.count - hunk.old.count
      let range = start..<start + hunk.new.count
      let isInMark = reading.marks.contains { mark in
        (mark.kind == .addition || mark.kind == .substitution || mark.kind == .comment)
          && mark.content.lowerBound <= range.lowerBound
          && range.upperBound <= mark.content.upperBound
      }
      guard !isInMark || hunk.new.isEmpty else { return nil }
      return ChangeEntry(
        code: "pending",
        range: range,
        old: hunk.removed,
        new: hunk.new,
        comments: [],
        thread: []
      )
    }
  }

  /// Writes the entry in one line, as a part of a string: what was changed into what.
  func writeSummary(to writer: inout JSONWriter) {
    switch code {
    case "addition": write("Added ", new, to: &writer)
    case "deletion": write("Deleted ", old, to: &writer)
    case "substitution": writeSubstitution(to: &writer)
    case "highlight": write("Highlighted ", new, to: &writer)
    case "comment": write("Comment ", comments.first ?? [], to: &writer)
    case "pending":
      writer.text(plain: "Not in marks yet: ")
      if old.isEmpty {
        write("added ", new, to: &writer)
      } else if new.isEmpty {
        write("deleted ", old, to: &writer)
      } else {
        writeSubstitution(to: &writer)
      }
    default: writer.text(problem ?? code)
    }
  }

  private func write(_ what: StaticString, _ text: [UInt8], to writer: inout JSONWriter) {
    writer.text(plain: what)
    Quotation(of: text).write(to: &writer)
  }

  private func writeSubstitution(to writer: inout JSONWriter) {
    Quotation(of: old).write(to: &writer)
    write(" → ", new, to: &writer)
  }
}
