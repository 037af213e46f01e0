import TrackEngine

/// How our edits must look for the caret to stay where it belongs, which differs by client: see
/// `docs/clients.md`.
enum EditForm {
  /// The caret stays before what is inserted at it, and moves with what is deleted around it.
  case plain
  /// What is inserted at the caret pushes it along: an insert after typed text takes in the next
  /// character of the line, by itself, so that the caret stays inside the mark. As Helix and VS Code
  /// do.
  case takingNext

  /// The edits in this form; they do the same.
  ///
  /// - Parameters:
  ///   - edits: Edits on `text`.
  ///   - text: The buffer.
  ///   - hunks: What the user changed; the caret is most likely at the end of one of them.
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
      // At a line's end there is nothing to take: no edit of ours crosses a line's end.
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
  /// Where what was typed ends in the buffer.
  fileprivate var typedEnds: [Int] {
    OffsetMap(self).differences.filter { !$0.new.isEmpty }.map(\.new.upperBound)
  }
}
