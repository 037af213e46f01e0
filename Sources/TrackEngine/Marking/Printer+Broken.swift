extension Printer {
  /// Prints a deletion or an addition of any text, in as many marks as that takes.
  mutating func writeBroken(_ kind: MarkKind, _ spans: [Span]) {
    // Marks inside it are in no variant of the text.
    let seen = spans.filter { !$0.isHidden }
    let text = texts.bytes(of: seen)
    // A mark with the braces of two groups would be text.
    let brace = text.firstIndex(of: Ascii.close) ?? text.count
    let cuts = text.indices.dropFirst().filter {
      text.isCut(at: $0, in: texts.language) || $0 > brace && text[$0] == Ascii.open
    }
    let metadata = seen.first?.metadata
    var rest = seen.divided(at: cuts)[...]
    var start = 0
    for end in cuts + [text.count] where end > start {
      write(piece: rest.removeFirst(), with: text[start..<end], kind, metadata)
      start = end
    }
  }

  private mutating func write(
    piece: [Span],
    with text: ArraySlice<UInt8>,
    _ kind: MarkKind,
    _ metadata: Metadata?
  ) {
    func delimiter(_ role: Delimiter.Role, _ kind: MarkKind) -> Span {
      Span(writing: role, of: kind, with: metadata)
    }
    let first = text.first
    if first == Ascii.backtick, texts.language.pairsBackticks {
      backticks += 1
      if backticks.isMultiple(of: 2) {
        let arrow = [delimiter(.arrow, .substitution)]
        output.append(delimiter(.opener, .substitution))
        output += kind == .deletion ? piece + arrow : arrow + piece
        output.append(delimiter(.closer, .substitution))
        return
      }
    }
    output.append(delimiter(.opener, kind))
    // An opener before a brace can read as a brace and a closer, or as a group.
    if first == Ascii.close || text.groupEnd(in: kind) != nil {
      output += Span.parting
    }
    output += piece + [delimiter(.closer, kind)]
  }
}

extension [UInt8] {
  /// Whether a mark must end at an offset and another one begin.
  fileprivate func isCut(at offset: Int, in language: Language) -> Bool {
    let (before, after) = (self[offset - 1], self[offset])
    if after == Ascii.close { return false }
    // The brace and the closer would be text.
    if before.isEscape, after == Ascii.open { return true }
    // In a substitution, which may hold a backtick, no arrow stands behind it.
    func isSign(_ byte: UInt8) -> Bool {
      language.isCodeSign(byte) || byte == Ascii.tilde && language.pairsBackticks
    }
    if isSign(before) || isSign(after) || before == Ascii.open { return true }
    return offset + 1 < count && self[offset + 1] == Ascii.close && before == after
  }
}

extension [UInt8] {
  /// A text in which all of another one is deleted and all of a third one added, broken into so many marks that
  /// nothing in them reads as anything else: exact for any two texts, if nothing else is around; linear.
  init(deleting old: [UInt8], adding new: [UInt8], as language: Language) {
    let texts = Texts(settled: old, buffer: new, language)
    let all = [Span(kind: .deleted, source: .settled(old.indices)), Span(typed: new.indices)]
    self = texts.bytes(of: Printer(all, in: texts, .broken).output)
  }
}
