/// An edit of ours that a client applied to a newer text than it was made for, and reported together with what
/// the user typed before and after.
extension OwnEdit {
  /// Edits of the buffer that undo the edit if the client applied it at the wrong places.
  ///
  /// This holds if the user typed one text somewhere, and the edit was applied partway through or at its end,
  /// at the offsets it was sent for. Other explanations of the buffer are not considered.
  ///
  /// - Parameters:
  ///   - buffer: The buffer.
  ///   - resolve: Where the client applies the edit in a text; nil if it cannot.
  /// - Returns: The edits; nil if this has not happened. Linear in what has changed since; changes of more than
  ///   a few kilobytes are not examined.
  public func takingBackStray(
    in buffer: Text,
    _ resolve: (Text) -> [Edit]?
  ) -> [Edit]? {
    let since = since.list
    guard let first = since.first, let last = since.last, !edits.isEmpty,
      edits.count <= OwnEdit.maxStrays
    else { return nil }
    // A client can report an insertion some bytes off if the texts begin or end alike.
    let beside = edits.map(\.new.count).max() ?? 0
    let old =
      max(0, first.old.lowerBound - beside)..<min(base.count, last.old.upperBound + beside)
    let length = old.count + since.growth
    guard length <= OwnEdit.maxChangeLength else { return nil }
    let now = Array(buffer[old.lowerBound..<old.lowerBound + length])
    var tries = OwnEdit.maxTries
    var placings = OwnEdit.maxPlacings
    func explained(by guesses: [Edit]) -> [Edit]? {
      for typed in guesses {
        if let edits = takingBack(in: buffer, typed: typed, &placings, resolve) { return edits }
      }
      return nil
    }
    let removals = edits.filter { !$0.range.isEmpty }.map { Edit($0.range, []) }
    let (cut, toCut) = (base.applying(removals), OffsetMap(removals))
    let changed = toCut.map(old, start: .before, end: .after)
    let insertions = edits.filter { !$0.new.isEmpty }
    let taken = withoutEdits(now[...], insertions[...], &tries) { text in
      explained(
        by: Edit(changed, text).trimmed(on: cut).slides(on: cut)
          .map { Edit(toCut.inverted.map($0.range), $0.new) }
      )
    }
    if let taken { return taken }
    // What it removes can be other text than it was to remove.
    return removals.isEmpty
      ? nil : explained(by: typedBeside(old.lowerBound, in: buffer)?.slides(on: base) ?? [])
  }

  private static let maxStrays = 8
  private static let maxChangeLength = 4096
  private static let maxTypingLength = 256
  private static let maxTries = 64
  private static let maxPlacings = 1024

  /// What the user can have typed in one piece, if the edit is where it belongs before that.
  ///
  /// - Parameters:
  ///   - start: Where the buffer begins to differ from the text that the edit was made for.
  ///   - buffer: The buffer.
  /// - Returns: An edit of the text that the edit was made for; nil if there can be none.
  private func typedBeside(_ start: Int, in buffer: Text) -> Edit? {
    let count = buffer.count - base.count - edits.growth
    guard 1...OwnEdit.maxTypingLength ~= count else { return nil }
    let meant = base.applying(edits)
    let end = min(start + OwnEdit.maxChangeLength, meant.count, buffer.count - count)
    guard start < end else { return nil }
    let same = zip(meant[start..<end], buffer[start..<end]).prefix { $0 == $1 }.count
    let place = OffsetMap(edits).inverted.map(start + same, bias: .before)
    return Edit(place..<place, Array(buffer[start + same..<start + same + count]))
  }

  /// Removes from a text what the edits inserted, in every possible way, until one fits.
  private func withoutEdits(
    _ text: ArraySlice<UInt8>,
    _ edits: ArraySlice<Edit>,
    _ tries: inout Int,
    _ explained: ([UInt8]) -> [Edit]?
  ) -> [Edit]? {
    guard let edit = edits.first else { return explained(Array(text)) }
    var rest = text
    while tries > 0, let found = rest.firstRange(of: edit.new[...]) {
      tries -= 1
      let head = text[..<found.lowerBound]
      let taken = withoutEdits(text[found.upperBound...], edits.dropFirst(), &tries) {
        explained(Array(head) + $0)
      }
      if let taken { return taken }
      rest = rest[(found.lowerBound + 1)...]
    }
    return nil
  }

  /// The edits of the buffer that undo the edit if it was applied while the user typed an edit letter by
  /// letter.
  private func takingBack(
    in buffer: Text,
    typed: Edit,
    _ placings: inout Int,
    _ resolve: (Text) -> [Edit]?
  ) -> [Edit]? {
    guard typed.new.count <= OwnEdit.maxTypingLength, typed.isOfCharacters(in: base) else {
      return nil
    }
    for count in 0...typed.new.count where isBoundary(typed.new[...], count) {
      guard count > 0 || typed.new.isEmpty else { continue }
      guard placings > 0 else { return nil }
      placings -= 1
      let before = Edit(typed.range, Array(typed.new[..<count]))
      let after = Array(typed.new[count...])
      let text = base.applying([before])
      let typing = OffsetMap([before])
      guard let own = resolve(text) else { continue }
      let meant = edits.map { typing.mapWhole($0.range) }
      if own.count == edits.count {
        guard own.map(\.new) == edits.map(\.new), own.map(\.range) != meant else { continue }
      } else {
        // Two of its parts are one where a client puts both at the end of a line that has got shorter.
        let places = meant.compactMap(\.self)
        let right = zip(places, edits).map { Edit($0, $1.new) }
        guard own.count < edits.count, own.flatMap(\.new) == edits.flatMap(\.new),
          places.count < edits.count || text.hash(after: own) != text.hash(after: right)
        else { continue }
      }
      let landed = text.applying(own)
      // If the insertion had moved the caret, the rest could just as well have been typed before it.
      let caret = OffsetMap(own).map(typed.range.lowerBound + count, bias: .before)
      let rest = Edit(caret..<caret, after)
      guard landed.applying([rest]).hash == buffer.hash else { continue }
      var taken = own.inverted(on: text)
      taken.follow([rest])
      return taken
    }
    return nil
  }
}

extension Edit {
  /// Whether it cuts no character of a text, and puts in whole ones.
  fileprivate func isOfCharacters(in text: Text) -> Bool {
    let near = text[max(0, range.lowerBound - 1)..<min(text.count, range.upperBound + 1)]
    let start = near.startIndex + min(1, range.lowerBound)
    return isBoundary(near, start) && isBoundary(near, start + range.count)
      && new.first.map { $0 & 0xC0 != 0x80 } ?? true
      && new[...].wholeCharacters.count == new.count
  }

  /// The edit, and equivalent ones closer to the beginning.
  fileprivate func slides(on text: Text) -> [Edit] {
    guard range.isEmpty, !new.isEmpty else { return [self] }
    let near = max(0, range.lowerBound - 15)..<range.lowerBound
    let slack = slack(within: near) { text[$0] }
    return (0...(-slack.lowerBound)).map { shift in moved(by: -shift) { text[$0] } }
  }
}
