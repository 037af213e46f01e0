import TrackEngine

/// The form of our edits that keeps the caret in place; it depends on the client, see `docs/clients.md`.
enum EditForm {
  /// For clients that leave the caret before text inserted at it.
  case plain
  /// For clients that move the caret after text inserted at it, as Helix and VS Code do: an insert after
  /// typed text also replaces the next character of the line by itself, so that the caret stays inside
  /// the mark.
  case takingNext

  /// The edits in this form, with the same result.
  ///
  /// - Parameters:
  ///   - edits: Edits on `text`.
  ///   - text: The buffer.
  ///   - hunks: What the user changed; the caret is likely at the end of one of them.
  /// - Returns: Edits on `text`.
  func formed(_ edits: [Edit], in text: Text, for hunks: [Hunk]) -> [Edit] {
    switch self {
    case .plain: edits
    case .takingNext: takingNext(edits, in: text, hunks.typedEnds)
    }
  }

  private func takingNext(_ edits: [Edit], in text: Text, _ ends: [Int]) -> [Edit] {
    edits.indices.map { index in
      let edit = edits[index]
      let at = edit.range.lowerBound
      guard edit.range.isEmpty, ends.contains(at) else { return edit }
      // Not at a line's end: no edit of ours crosses one.
      let line = text[at..<text.end(ofLine: text.line(at: at))].prefix(64)
      guard let next = String(decoding: line, as: UTF8.self).first else { return edit }
      let end = at + next.utf8.count
      let isFree = index + 1 == edits.count || edits[index + 1].range.lowerBound > end
      guard isFree, String(next).utf8.elementsEqual(text[at..<min(end, text.count)]) else {
        return edit
      }
      return Edit(at..<end, edit.new + next.utf8)
    }
  }
}

extension EditForm: CustomStringConvertible {
  /// How the edits look, in words.
  var description: String {
    switch self {
    case .plain: "as small as they can be"
    case .takingNext: "with the next character, for the caret"
    }
  }
}

extension [Hunk] {
  /// The ends of what was typed, as offsets of the buffer.
  fileprivate var typedEnds: [Int] {
    filter { !$0.new.isEmpty }.map(\.new.upperBound)
  }
}
