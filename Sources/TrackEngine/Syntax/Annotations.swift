extension Text {
  /// The range of the annotations block that iA Writer appends to a text; empty if there is none.
  ///
  /// The block is a line of `---`, a line that begins with `Annotations:`, the authors' lines, which begin with
  /// `@`, `&` or `*`, and a line of `...`, as in the "Markdown Annotations" specification. Linear in the block.
  var annotations: Range<Int> {
    let none = count..<count
    var line = lineCount - 1
    while line > 0, self[start(ofLine: line)..<end(ofLine: line)].allSatisfy(\.isSpace) {
      line -= 1
    }
    guard line > 1, isLine(line, "...") else { return none }
    line -= 1
    while line > 0 {
      let text = self[start(ofLine: line)..<end(ofLine: line)]
      if text.starts(with: "Annotations:".utf8) {
        return isLine(line - 1, "---") ? start(ofLine: line - 1)..<count : none
      }
      guard let first = text.first, "@&*".utf8.contains(first) else { return none }
      line -= 1
    }
    return none
  }

  private func isLine(_ line: Int, _ text: String) -> Bool {
    self[start(ofLine: line)..<end(ofLine: line)].elementsEqual(text.utf8)
  }
}

extension [UInt8] {
  /// The text without the annotations block that iA Writer appends; linear.
  public var withoutAnnotations: [UInt8] { Array(self[..<Text(self).annotations.lowerBound]) }

  /// The text without that block and the line breaks before it, or at its end; linear.
  var body: [UInt8] { withoutAnnotations.withoutLastLineBreaks }

  /// The text with the annotations block of another one, or none, in place of its own; linear.
  func withAnnotations(of other: [UInt8]) -> [UInt8] {
    let (own, known) = (withoutAnnotations, other.withoutAnnotations)
    if own.count == count, known.count == other.count { return self }
    return own.withoutLastLineBreaks + other[known.withoutLastLineBreaks.count...]
  }
}
