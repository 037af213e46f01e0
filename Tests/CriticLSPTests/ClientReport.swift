import JSONRPC

@testable import CriticLSP
@testable import TrackEngine

/// A change of a buffer, with the text that it was made on.
struct BufferChange {
  var edit: Edit
  var before: Text

  /// What takes it back.
  var inverse: Edit {
    let end = edit.range.lowerBound + edit.new.count
    return Edit(edit.range.lowerBound..<end, Array(before[edit.range]))
  }
}

extension ClientHabits.Report {
  /// The events that tell of changes, each with the text that its positions are in; none is the whole
  /// text.
  ///
  /// - Parameters:
  ///   - changes: The changes, oldest first.
  ///   - told: The text before the first of them.
  /// - Returns: The events, in the order of telling.
  func events(_ changes: [BufferChange], on told: Text) -> [BufferChange] {
    let edits = changes.reduce([]) { $0.followed(by: [$1.edit], on: told) }
    switch self {
    case .eachChange, .fullText: return changes
    case .nearbyAsOne(let distance):
      return events(merged(edits, on: told) { $0.count < distance }, on: told)
    case .wholeLines:
      let hunks = merged(edits, on: told) { !$0.contains(UInt8(ascii: "\n")) }
      return events(hunks.map { $0.onWholeLines(of: told) }, on: told)
    }
  }

  /// Makes one edit of those that follow each other across what `isJoint` says yes to.
  private func merged(
    _ edits: [Edit],
    on told: Text,
    where isJoint: (ArraySlice<UInt8>) -> Bool
  ) -> [Edit] {
    var merged: [Edit] = []
    for edit in edits {
      guard let last = merged.last,
        isJoint(told[last.range.upperBound..<edit.range.lowerBound])
      else {
        merged.append(edit)
        continue
      }
      let between = told[last.range.upperBound..<edit.range.lowerBound]
      merged[merged.count - 1] = Edit(
        last.range.lowerBound..<edit.range.upperBound,
        last.new + between + edit.new
      )
    }
    return merged
  }

  private func events(_ edits: [Edit], on told: Text) -> [BufferChange] {
    var text = told
    return edits.reversed().map { edit in
      let change = BufferChange(edit: edit, before: text)
      text.replace(edit.range, with: edit.new)
      return change
    }
  }
}

extension Edit {
  /// The edit as a replacement of lines with their ends.
  fileprivate func onWholeLines(of text: Text) -> Edit {
    let start = text.start(ofLine: text.line(at: range.lowerBound))
    let last = text.line(at: range.upperBound)
    let end = last + 1 < text.lineCount ? text.start(ofLine: last + 1) : text.count
    return Edit(
      start..<end,
      text[start..<range.lowerBound] + new + text[range.upperBound..<end]
    )
  }
}
