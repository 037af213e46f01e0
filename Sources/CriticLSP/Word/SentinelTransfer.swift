import TrackEngine

/// Puts the sentinels of one reading of a text into another one, without sentinels.
///
/// A sentinel can change what pandoc reads: then the paragraph differs, and its sentinels are left out as far as their
/// places are not known. So the text that is shown is always what pandoc makes of the text alone.
struct SentinelTransfer {
  let keys: DocxKeys

  /// The tokens of a text with the sentinels of the same text with sentinels.
  ///
  /// Linear, but for a factor that is bounded.
  func tokens(_ tokens: [DocxToken], with marked: [DocxToken]) -> [DocxToken] {
    let (own, others) = (tokens.blocks, marked.blocks)
    let (names, otherNames) = (own.map(name), others.map(name))
    let pairs =
      names == otherNames
      ? own.indices.map { (old: $0, new: $0) }
      : commonPairs(otherNames.map(keys.number), names.map(keys.number)) ?? []
    var result: [DocxToken] = []
    var waiting: [DocxToken] = []
    func add(_ block: [DocxToken], _ other: [DocxToken]?) {
      result += waiting
      waiting = []
      result += other.map { place($0, in: block) } ?? block
    }
    var (at, otherAt) = (0, 0)
    for pair in pairs + [(old: others.count, new: own.count)] {
      var rest = own[at..<pair.new]
      let between = others[otherAt..<pair.old]
      let isEven = between.count { !isBare($0) } == rest.count
      for other in between {
        // A line of sentinels alone is none of the text's.
        if isBare(other) {
          waiting += other.filter { $0.sentinel != nil }
        } else if isEven, let block = rest.popFirst() {
          add(block, other)
        }
      }
      for block in rest { add(block, nil) }
      if pair.new < own.count { add(own[pair.new], others[pair.old]) }
      (at, otherAt) = (pair.new + 1, pair.old + 1)
    }
    return result + waiting
  }

  /// Whether there are only sentinels in a block.
  private func isBare(_ block: [DocxToken]) -> Bool {
    block.allSatisfy { $0.isInvisible || $0.isParagraphEnd }
      && block.contains { $0.sentinel != nil }
  }

  /// The text of a block, spaces and looks left out.
  private func name(of block: [DocxToken]) -> String {
    block.reduce(into: "") { name, token in
      switch token.content {
      case .text(let text): if !token.isSpace { name += text }
      case .piece: if !token.isSpace { name += "\u{1}" }
      case .object: name += "\u{2}"
      case .note: name += "\u{3}"
      case .paragraphEnd: name += "\u{4}"
      case .block: name += "\u{5}"
      case .table(let table):
        for row in table.rows {
          name += "\u{6}"
          for cell in row.cells { name += "\u{7}" + self.name(of: cell.tokens) }
        }
      case .bookmark, .sentinel: break
      }
    }
  }

  /// Where a sentinel stands: behind so many letters and other things to see, and so many spaces behind these.
  private struct Place {
    var sentinel: DocxToken
    var letters: Int
    var spaces: Int
  }

  /// A block with the sentinels of another one, which has the same text, or the same at its ends.
  private func place(_ marked: [DocxToken], in block: [DocxToken]) -> [DocxToken] {
    if case .table(let table)? = block.last?.content, case .table(let other)? = marked.last?.content
    {
      return marked.filter { $0.sentinel != nil } + block.dropLast() + [
        self.table(table, with: other, block[block.count - 1])
      ]
    }
    var notes = marked.compactMap { token -> [DocxToken]? in
      if case .note(_, let tokens) = token.content { tokens } else { nil }
    }[...]
    var places = places(in: marked, for: block)[...]
    var result: [DocxToken] = []
    var (letters, spaces) = (0, 0)
    func putSentinels(isAtSpace: Bool) {
      while let next = places.first,
        next.letters < letters || next.letters == letters && (next.spaces <= spaces || !isAtSpace)
      {
        result.append(next.sentinel)
        places.removeFirst()
      }
    }
    for var token in block {
      if !token.isInvisible { putSentinels(isAtSpace: token.isSpace) }
      switch token.content {
      case _ where token.isSpace: spaces += 1
      case _ where token.isInvisible || token.isParagraphEnd: break
      case .text(let text):
        var rest = text
        while let next = places.first, next.letters < letters + rest.unicodeScalars.count {
          let cut = rest.unicodeScalars.index(rest.startIndex, offsetBy: next.letters - letters)
          result.append(keys.token(String(rest[..<cut]), token.format))
          rest = String(rest[cut...])
          letters = next.letters
          spaces = 0
          putSentinels(isAtSpace: false)
        }
        token = keys.token(rest, token.format)
        letters += rest.unicodeScalars.count
        spaces = 0
      case .note(let reference, let tokens):
        if let other = notes.popFirst() {
          token.content = .note(reference, self.tokens(tokens, with: other))
        }
        letters += 1
        spaces = 0
      default:
        letters += 1
        spaces = 0
      }
      result.append(token)
    }
    putSentinels(isAtSpace: false)
    return result + places.map(\.sentinel)
  }

  /// Where the sentinels of a block stand in another one; those of which this is not known are left out.
  private func places(in marked: [DocxToken], for block: [DocxToken]) -> [Place] {
    var places: [Place] = []
    var (letters, spaces) = (0, 0)
    for token in marked {
      if token.sentinel != nil {
        places.append(Place(sentinel: token, letters: letters, spaces: spaces))
      } else if token.isSpace {
        spaces += 1
      } else if !token.isInvisible, !token.isParagraphEnd {
        if case .text(let text) = token.content {
          letters += text.unicodeScalars.count
        } else {
          letters += 1
        }
        spaces = 0
      }
    }
    let (name, other) = (self.name(of: block).unicodeScalars, self.name(of: marked).unicodeScalars)
    guard name.count != other.count || !name.elementsEqual(other) else { return places }
    let head = zip(name, other).prefix { $0 == $1 }.count
    let tail = zip(name.reversed(), other.reversed()).prefix { $0 == $1 }.count
    return places.compactMap { place in
      if place.letters <= head { return place }
      guard other.count - place.letters <= tail else { return nil }
      var moved = place
      moved.letters += name.count - other.count
      return moved
    }
  }

  private func table(_ table: DocxTable, with marked: DocxTable, _ token: DocxToken) -> DocxToken {
    var table = table
    for (row, other) in zip(table.rows.indices, marked.rows) {
      for (cell, otherCell) in zip(table.rows[row].cells.indices, other.cells) {
        table.rows[row].cells[cell].tokens = tokens(
          table.rows[row].cells[cell].tokens,
          with: otherCell.tokens
        )
      }
    }
    var token = token
    token.content = .table(table)
    return token
  }
}
