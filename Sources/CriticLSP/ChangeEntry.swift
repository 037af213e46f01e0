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

  /// The entry in one line: what was changed into what.
  var summary: String {
    switch code {
    case "addition": "Added \(quoted(new))"
    case "deletion": "Deleted \(quoted(old))"
    case "substitution": "\(quoted(old)) → \(quoted(new))"
    case "highlight": "Highlighted \(quoted(new))"
    case "comment": "Comment \(quoted(comments.first ?? []))"
    case "pending": "Not in marks yet: " + pendingSummary
    default: problem ?? code
    }
  }

  private var pendingSummary: String {
    if old.isEmpty { return "added \(quoted(new))" }
    if new.isEmpty { return "deleted \(quoted(old))" }
    return "\(quoted(old)) → \(quoted(new))"
  }
}

/// A text in quotation marks, on one line and not too long.
func quoted(_ bytes: [UInt8]) -> String { "“\(clipped(bytes))”" }

/// A text on one line and not too long.
func clipped(_ bytes: [UInt8]) -> String {
  var end = min(bytes.count, 1000)
  while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
  let line = String(decoding: bytes[..<end], as: UTF8.self).map { $0.isNewline ? "⏎" : String($0) }
  let short = line.count > 60 || end < bytes.count ? line.prefix(40) + ["…"] : line[...]
  return short.joined()
}
