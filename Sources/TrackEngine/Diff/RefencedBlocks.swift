/// Code blocks that are indented in one text and fenced in the other, as pairs of ranges of lines.
///
/// - Parameters:
///   - old: The old text.
///   - oldStarts: The starts of its lines, and the end of the last.
///   - new: The new text.
///   - newStarts: The same for its lines.
/// - Returns: The pairs, each block in at most one.
func refencedBlocks(_ old: Bytes, _ oldStarts: [Int], _ new: Bytes, _ newStarts: [Int])
  -> [(old: Range<Int>, new: Range<Int>)]
{
  var numbering = Numbering(capacity: 64)
  let oldBlocks = CodeLines.all(in: old, oldStarts, &numbering)
  let newBlocks = CodeLines.all(in: new, newStarts, &numbering)
  var pairs: [(old: Range<Int>, new: Range<Int>)] = []
  for wasFenced in [false, true] {
    var oldLeft = oldBlocks.filter { $0.isFenced == wasFenced }
    var newLeft = newBlocks.filter { $0.isFenced != wasFenced }
    // The same code, else code that begins alike.
    for key in [\CodeLines.content, \CodeLines.first] {
      let found = commonOnce(oldLeft.map { $0[keyPath: key] }, newLeft.map { $0[keyPath: key] })
      pairs += found.map { (oldLeft[$0.old].lines, newLeft[$0.new].lines) }
      oldLeft = oldLeft.leavingOut(found.map(\.old))
      newLeft = newLeft.leavingOut(found.map(\.new))
    }
  }
  return pairs
}

/// The lines of a code block.
private struct CodeLines {
  var lines: Range<Int>
  var isFenced: Bool
  /// A number for what the block says, whatever its indentation, and one for its first line.
  var content: UInt64 = 0
  var first: UInt64 = 0

  private init?(
    _ lines: Range<Int>,
    isFenced: Bool,
    of text: Bytes,
    _ starts: [Int],
    _ numbering: inout Numbering
  ) {
    self.lines = lines
    self.isFenced = isFenced
    for line in isFenced ? lines.dropFirst().dropLast() : lines {
      let start = text.blankEnd(from: starts[line])
      guard !text.isLineEnd(start) else { continue }
      let number = UInt64(numbering.number(of: Bytes(rebasing: text[start..<starts[line + 1]])))
      if content == 0 { first = number }
      content = content.mixed(with: number &+ 1)
    }
    if content == 0 { return nil }
  }

  /// The fenced and indented code blocks of a text.
  static func all(in text: Bytes, _ starts: [Int], _ numbering: inout Numbering) -> [CodeLines] {
    var blocks: [CodeLines] = []
    var fences = FenceFinder(text, starts)
    var isAfterBlank = true
    var line = 0
    while line + 1 < starts.count {
      var end = line + 1
      var isFenced = false
      if let close = fences.close(of: line) {
        (end, isFenced) = (close + 1, true)
      } else if isAfterBlank, text.isIndentedCode(lineAt: starts[line]) {
        var last = line
        while end + 1 < starts.count,
          text.isBlank(lineAt: starts[end])
            || text.isIndentedCode(lineAt: starts[end])
        {
          if !text.isBlank(lineAt: starts[end]) { last = end }
          end += 1
        }
        end = last + 1
      } else {
        isAfterBlank = text.isBlank(lineAt: starts[line])
        line += 1
        continue
      }
      if let block = CodeLines(line..<end, isFenced: isFenced, of: text, starts, &numbering) {
        blocks.append(block)
      }
      isAfterBlank = false
      line = end
    }
    return blocks
  }
}

/// Finds the lines that close fences; linear for all of them.
private struct FenceFinder {
  private let text: Bytes
  private let starts: [Int]
  /// The shortest fence of backticks, and of tildes, that nothing closes any more.
  private var unclosed = (backticks: Int.max, tildes: Int.max)

  init(_ text: Bytes, _ starts: [Int]) {
    self.text = text
    self.starts = starts
  }

  /// The line that closes the fence which a line opens; nil if there is none.
  mutating func close(of line: Int) -> Int? {
    guard let (sign, length, rest) = fence(at: line) else { return nil }
    let isTilde = sign == Ascii.tilde
    guard length < (isTilde ? unclosed.tildes : unclosed.backticks),
      isTilde || !text[rest..<starts[line + 1]].contains(Ascii.backtick)
    else { return nil }
    for next in line + 1..<starts.count - 1 {
      guard let other = fence(at: next), other.sign == sign, other.length >= length,
        text.isLineEnd(text.blankEnd(from: other.rest))
      else { continue }
      return next
    }
    if isTilde { unclosed.tildes = length } else { unclosed.backticks = length }
    return nil
  }

  private func fence(at line: Int) -> (sign: UInt8, length: Int, rest: Int)? {
    let start = text.blankEnd(from: starts[line])
    guard start < text.count, text[start].isCodeSign else { return nil }
    let length = text.run(at: start)
    return length >= 3 ? (text[start], length, start + length) : nil
  }
}

extension [CodeLines] {
  /// The blocks without those at the given indices, which ascend.
  fileprivate func leavingOut(_ indices: [Int]) -> [CodeLines] {
    var left = indices[...]
    return enumerated().compactMap { index, block in
      guard index == left.first else { return block }
      left.removeFirst()
      return nil
    }
  }
}

extension Bytes {
  /// Whether a line is indented as code is, and not blank.
  fileprivate func isIndentedCode(lineAt offset: Int) -> Bool {
    let start = blankEnd(from: offset)
    return !isLineEnd(start) && (start - offset >= 4 || self[offset] == Ascii.tab)
  }
}
