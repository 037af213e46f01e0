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
      edits.count <= OwnEdit.maxStrays, edits.allSatisfy(\.range.isEmpty)
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
    return withoutEdits(now[...], edits[...], &tries) { text in
      for typed in Edit(old, text).trimmed(on: base).slides(on: base) {
        if let edits = takingBack(in: buffer, typed: typed, &placings, resolve) { return edits }
      }
      return nil
    }
  }

  private static let maxStrays = 8
  private static let maxChangeLength = 4096
  private static let maxTypingLength = 256
  private static let maxTries = 64
  private static let maxPlacings = 1024

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
    guard typed.new.count <= OwnEdit.maxTypingLength else { return nil }
    for count in 0...typed.new.count where isBoundary(typed.new[...], count) {
      guard count > 0 || typed.new.isEmpty else { continue }
      guard placings > 0 else { return nil }
      placings -= 1
      let before = Edit(typed.range, Array(typed.new[..<count]))
      let after = Array(typed.new[count...])
      let text = base.applying([before])
      let typing = OffsetMap([before])
      guard let own = resolve(text), own.map(\.new) == edits.map(\.new),
        own.map(\.range) != edits.map({ typing.mapWhole($0.range) })
      else { continue }
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
  /// The edit, and equivalent ones closer to the beginning.
  fileprivate func slides(on text: Text) -> [Edit] {
    guard range.isEmpty, !new.isEmpty else { return [self] }
    let near = max(0, range.lowerBound - 15)..<range.lowerBound
    let slack = slack(within: near) { text[$0] }
    return (0...(-slack.lowerBound)).map { shift in moved(by: -shift) { text[$0] } }
  }
}
