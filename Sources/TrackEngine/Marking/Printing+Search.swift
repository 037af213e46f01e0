extension Printing {
  /// Prints every dirty range, or as many as possible.
  ///
  /// Alone, or with the code, the word, the line or the paragraph around it, since the text there can prevent printing.
  /// Where only a comment was removed and text on both sides of it would spell a delimiter, an empty one is left.
  mutating func search() {
    write(widened(over: typedCode()))
    write(dirty.filter { !printed.meet($0) })
    if dirty.allSatisfy(isPrinted) { return }
    write(widened(over: seenCode.zones))
    for surroundings in [Surroundings.word, .line, .paragraph] { write(widened(by: surroundings)) }
    write(dirty.filter { !isPrinted($0) && $0.content.isEmpty }.map(\.parted), [.plain])
  }

  /// Prints what no form prints so that it reads as meant, as the old text and the new text, broken into marks in
  /// which nothing reads as anything else; with as little text around the changes as suffices, in the end with
  /// all of it.
  ///
  /// This is the last resort, since it is ugly. It is exact for any text.
  mutating func compare() {
    write(dirty.filter { !isPrinted($0) }, [.broken])
    for surroundings in [Surroundings.line, .paragraph] {
      write(widened(by: surroundings), [.broken])
    }
    // Only now with marks that no change touches.
    let text = unmarked.textStart..<settled.bytes.count
    let wide = widened { stretch(.paragraph, around: $0.old, within: text) }
    write(wide, Strategy.withLastResort)
    if let first = dirty.first(where: { !isPrinted($0) }) { printAll(around: first) }
  }

  /// Prints everything; if a comment cannot be printed beside the rest, without the comments, and if text of which all
  /// stays would be a mark, with an empty comment in its opener.
  private mutating func printAll(around range: DirtyRange) {
    guard var all = substitution(of: unmarked.stretch, around: range) else { return }
    let known = printed
    printed = []
    write([all], Strategy.withLastResort)
    if !printed.isEmpty { return }
    for keepsComments in [true, false] {
      if !keepsComments { all.content.removeAll { $0.kind == .comment } }
      printed = [Printed(all, in: texts, .broken)]
      if isExact() { return }
    }
    let openers = texts.bytes(of: all.content).delimiters.filter { $0.role == .opener }
    let parts = all.content.divided(at: openers.map { $0.offset + 1 })
    all.content = Array(parts.joined(separator: Span.parting))
    printed = [Printed(all, in: texts, .broken)]
    if !isExact() { printed = known }
  }

  /// Whether a dirty range is printed, possibly as part of a wider one.
  ///
  /// Logarithmic.
  func isPrinted(_ range: DirtyRange) -> Bool {
    printed.first(overlapping: range.changes, \.range.changes) != nil
  }
}
