/// A deletion and an addition of any bytes, split into so many marks that nothing in them reads as a delimiter
/// or as code.
///
/// This is the last resort: ugly, but always correct if no other text is around. A delimiter is split between
/// two marks. Each backtick has its own mark, and the kinds of these marks alternate: code from one backtick to
/// the next would hide the closer of a mark that is not closed again, and so is not code.
struct BrokenSpelling {
  /// The marks.
  private(set) var bytes: [UInt8] = []
  /// The number of backticks written.
  private var backticks = 0

  /// Spells a replacement.
  init(of deleted: [UInt8], by added: [UInt8]) {
    write(deleted, as: .deletion)
    write(added, as: .addition)
  }

  private mutating func write(_ text: [UInt8], as kind: MarkKind) {
    var start = 0
    for end in text.indices.map({ $0 + 1 }) where end == text.count || isCut(text, at: end) {
      write(piece: text[start..<end], as: kind)
      start = end
    }
  }

  private mutating func write(piece: ArraySlice<UInt8>, as kind: MarkKind) {
    if piece.first == Ascii.backtick {
      backticks += 1
      if backticks.isMultiple(of: 2) {
        let (old, new) = kind == .deletion ? (piece, []) : ([], piece)
        bytes += MarkKind.substitution.opener + old + MarkKind.arrow + new
        bytes += MarkKind.substitution.closer
        return
      }
    }
    // An opener before a brace can read as a brace and a closer.
    let start = piece.first == Ascii.close ? MarkKind.comment.opener + MarkKind.comment.closer : []
    bytes += kind.opener + start + piece + kind.closer
  }

  private func isCut(_ text: [UInt8], at offset: Int) -> Bool {
    let (before, after) = (text[offset - 1], text[offset])
    if after == Ascii.close { return false }
    // A backslash would escape the closer together with the brace.
    if before == Ascii.backslash, after == Ascii.open { return true }
    if before.isCodeSign || after.isCodeSign || before == Ascii.open { return true }
    return offset + 1 < text.count && text[offset + 1] == Ascii.close && before == after
  }
}
