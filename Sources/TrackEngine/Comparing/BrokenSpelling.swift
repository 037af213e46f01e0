/// A deletion and an addition of any bytes, in as many marks as it takes for nothing in them to be read as a delimiter
/// or as code, whatever it is.
///
/// It is the last resort: ugly, and always right where no other text is around. A delimiter is cut in two, a mark each.
/// Backticks have marks of their own, in turn of another kind: code from one to the next would then hide the
/// closer of a mark that does not close again, and so is none.
struct BrokenSpelling {
  /// The marks.
  private(set) var bytes: [UInt8] = []
  /// How many backticks there were.
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
        bytes += MarkKind.substitution.opener + old + Array("~>".utf8) + new
        bytes += MarkKind.substitution.closer
        return
      }
    }
    // An opener before a brace can be read as a brace and a closer.
    let start = piece.first == Ascii.close ? MarkKind.comment.opener + MarkKind.comment.closer : []
    bytes += kind.opener + start + piece + kind.closer
  }

  private func isCut(_ text: [UInt8], at offset: Int) -> Bool {
    let (before, after) = (text[offset - 1], text[offset])
    if after == Ascii.close { return false }
    // A backslash would make text of the closer with the brace.
    if before == Ascii.backslash, after == Ascii.open { return true }
    if before.isCodeSign || after.isCodeSign || before == Ascii.open { return true }
    return offset + 1 < text.count && text[offset + 1] == Ascii.close && before == after
  }
}
