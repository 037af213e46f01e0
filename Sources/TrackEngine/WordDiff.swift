/// The edits, word by word, that turn the text of `range` into `new`.
///
/// Lines that both sides have are found first, then words inside what is left. Where the two sides
/// have too little in common to be worth telling apart, one edit replaces the whole. Linear but for
/// the number of differences, which is bounded.
///
/// - Parameters:
///   - range: UTF-8 offsets in `text`.
///   - new: What takes the range's place.
///   - text: The text before.
/// - Returns: Edits on `text`, sorted and disjoint.
func wordDiff(_ range: Range<Int>, _ new: [UInt8], in text: Text) -> [Edit] {
  let trimmed = Edit(range, new).trimmed(on: text)
  if trimmed.range.isEmpty, trimmed.new.isEmpty { return [] }
  if trimmed.range.isEmpty || trimmed.new.isEmpty { return [trimmed.onLines(of: text, in: range)] }
  let whole = trimmed.onWords(of: text, in: range)
  let old = Array(text[whole.range])
  var edits: [Edit] = []
  for block in changedBlocks(lines(of: old), lines(of: whole.new)) {
    let oldBlock = Array(old[block.old])
    let newBlock = Array(whole.new[block.new])
    for part in changedBlocks(words(of: oldBlock), words(of: newBlock)) {
      let start = whole.range.lowerBound + block.old.lowerBound + part.old.lowerBound
      edits.append(Edit(start..<start + part.old.count, Array(newBlock[part.new])))
    }
  }
  return joined(edits, in: text)
}

extension Edit {
  /// The edit with the words that it cuts, as far as `bounds` reach.
  func onWords(of text: Text, in bounds: Range<Int>) -> Edit {
    var start = range.lowerBound
    var end = range.upperBound
    while start > bounds.lowerBound, text[start - 1].isLetter { start -= 1 }
    while end < bounds.upperBound, text[end].isLetter { end += 1 }
    return Edit(
      start..<end,
      text[start..<range.lowerBound] + new + text[range.upperBound..<end]
    )
  }

  /// An insertion or a deletion of lines moved to the beginning of a line, where that is the same.
  ///
  /// Taking `Two.` from `One. Two. Three.`, a line each, is also taking `wo.`, the line break and the
  /// `T` behind it; but it is not what anybody did.
  fileprivate func onLines(of text: Text, in bounds: Range<Int>) -> Edit {
    var moved = range.isEmpty ? new : Array(text[range])
    guard moved.contains(Ascii.newline) else { return self }
    var start = range.lowerBound
    while start > bounds.lowerBound, let last = moved.last, last == text[start - 1] {
      if text[start - 1] == Ascii.newline { break }
      moved.removeLast()
      moved.insert(last, at: 0)
      start -= 1
    }
    guard start == 0 || text[start - 1] == Ascii.newline else { return self }
    return range.isEmpty ? Edit(start..<start, moved) : Edit(start..<start + range.count, [])
  }
}

/// Joins edits that only spaces part: a rewritten phrase is one change, not one for each word.
private func joined(_ edits: [Edit], in text: Text) -> [Edit] {
  var result: [Edit] = []
  for edit in edits {
    if let last = result.last {
      let gap = text[last.range.upperBound..<edit.range.lowerBound]
      if gap.allSatisfy(\.isSpace), gap.count < 3 {
        result[result.count - 1].join(edit, in: text)
        continue
      }
    }
    result.append(edit)
  }
  return result
}

/// A stretch that differs, in both texts.
private struct Block {
  var old: Range<Int>
  var new: Range<Int>
}

/// A text cut into tokens; equal tokens have equal numbers only within one comparison.
private struct Tokens {
  let bytes: [UInt8]
  /// Where tokens begin, and the end of the text.
  var starts: [Int]
  var count: Int { starts.count - 1 }

  func token(_ index: Int) -> ArraySlice<UInt8> { bytes[starts[index]..<starts[index + 1]] }
}

private func lines(of bytes: [UInt8]) -> Tokens {
  bytes.withUnsafeBufferPointer { buffer in
    var starts = [0]
    while let last = starts.last, last < buffer.count { starts.append(buffer.lineEnd(after: last)) }
    return Tokens(bytes: bytes, starts: starts)
  }
}

private func words(of bytes: [UInt8]) -> Tokens {
  enum Kind {
    case letter
    case space
    case other
  }
  func kind(_ byte: UInt8) -> Kind {
    if byte.isLetter { return .letter }
    return byte.isSpace ? .space : .other
  }
  var starts = [0]
  var at = 0
  while at < bytes.count {
    let first = kind(bytes[at])
    let isReturn = bytes[at] == Ascii.carriageReturn
    at += 1
    if first != .other {
      while at < bytes.count, kind(bytes[at]) == first { at += 1 }
    } else if isReturn, at < bytes.count, bytes[at] == Ascii.newline {
      at += 1
    }
    starts.append(at)
  }
  return Tokens(bytes: bytes, starts: starts)
}

/// The stretches in which the tokens differ, by Myers' greedy algorithm ("An O(ND) Difference
/// Algorithm and Its Variations", 1986), given up beyond a number of differences.
private func changedBlocks(_ old: Tokens, _ new: Tokens) -> [Block] {
  let all = [Block(old: 0..<old.bytes.count, new: 0..<new.bytes.count)]
  var numbers: [ArraySlice<UInt8>: Int] = [:]
  func number(_ token: ArraySlice<UInt8>) -> Int {
    let next = numbers.count
    return numbers[token, default: -1] >= 0
      ? numbers[token, default: -1]
      : {
        numbers[token] = next
        return next
      }()
  }
  let oldNumbers = (0..<old.count).map { number(old.token($0)) }
  let newNumbers = (0..<new.count).map { number(new.token($0)) }
  guard let pairs = commonPairs(oldNumbers, newNumbers) else { return all }
  var blocks: [Block] = []
  var atOld = 0
  var atNew = 0
  for (oldIndex, newIndex) in pairs + [(old.count, new.count)] {
    if oldIndex > atOld || newIndex > atNew {
      blocks.append(
        Block(
          old: old.starts[atOld]..<old.starts[oldIndex],
          new: new.starts[atNew]..<new.starts[newIndex]
        )
      )
    }
    atOld = oldIndex + 1
    atNew = newIndex + 1
  }
  return blocks
}

/// The indices of a longest common subsequence; nil if more differs than is worth the search.
private func commonPairs(_ old: [Int], _ new: [Int]) -> [(Int, Int)]? {
  let head = zip(old, new).prefix { $0 == $1 }.count
  let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
    .prefix { $0 == $1 }.count
  let old = old[head..<old.count - tail]
  let new = new[head..<new.count - tail]
  let limit = min(old.count + new.count, 1000)
  var furthest = [1: head]
  var trace: [[Int: Int]] = []
  var reached: Int?
  search: for cost in 0...limit {
    trace.append(furthest)
    for diagonal in stride(from: -cost, through: cost, by: 2) {
      let down = furthest[diagonal + 1, default: head - 1]
      let right = furthest[diagonal - 1, default: head - 1] + 1
      var x = diagonal == -cost || diagonal != cost && right <= down ? down : right
      var y = x - diagonal
      while x < old.endIndex, y < new.endIndex, old[x] == new[y] {
        x += 1
        y += 1
      }
      furthest[diagonal] = x
      if x >= old.endIndex, y >= new.endIndex {
        reached = cost
        break search
      }
    }
  }
  guard let reached else { return nil }
  var pairs: [(Int, Int)] = []
  var x = old.endIndex
  var y = new.endIndex
  for cost in stride(from: reached, through: 1, by: -1) {
    let before = trace[cost]
    let diagonal = x - y
    let down = before[diagonal + 1, default: head - 1]
    let right = before[diagonal - 1, default: head - 1] + 1
    let isDown = diagonal == -cost || diagonal != cost && right <= down
    let start = isDown ? down : right
    while x > start {
      x -= 1
      y -= 1
      pairs.append((x, y))
    }
    if isDown { y -= 1 } else { x -= 1 }
  }
  while x > head, y > head {
    x -= 1
    y -= 1
    pairs.append((x, y))
  }
  let suffix = (0..<tail).map { (old.endIndex + $0, new.endIndex + $0) }
  return (0..<head).map { ($0, $0) } + pairs.reversed() + suffix
}
