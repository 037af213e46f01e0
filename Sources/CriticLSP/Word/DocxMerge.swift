import TrackEngine

/// Puts the clean and the original text of a document together as one text with tracked changes.
///
/// The sentinels that both have cut them into segments: what is between those of a change was changed, and the other
/// segments are the same in both, or are compared. All tokens of both texts are in the result, in order: so accepting
/// gives the one and rejecting the other.
struct DocxMerge {
  let stretches: [DocxStretch]
  let keys: DocxKeys
  /// The last change that was passed.
  private var last: Int?

  init(_ stretches: [DocxStretch], _ keys: DocxKeys) {
    self.stretches = stretches
    self.keys = keys
  }

  /// Puts two texts together: of a document, a cell or a note.
  ///
  /// Linear, but for a factor that is bounded.
  mutating func merged(_ new: [DocxToken], _ old: [DocxToken]) -> [MergedToken] {
    // The end of the last paragraph cannot be inserted or deleted.
    guard let newEnd = new.lastIndex(where: { !$0.isInvisible }),
      let oldEnd = old.lastIndex(where: { !$0.isInvisible }),
      new[newEnd].isParagraphEnd, old[oldEnd].isParagraphEnd
    else { return segments(new, old) }
    var (newRest, oldRest) = (new, old)
    let end = same(newRest.remove(at: newEnd), oldRest.remove(at: oldEnd))
    return segments(newRest, oldRest) + end
  }

  private mutating func segments(_ new: [DocxToken], _ old: [DocxToken]) -> [MergedToken] {
    let common = DocxMerge.common(new, old)
    let whole = Set(common.compactMap { new[$0.new].sentinel }).wholeStretches
    var result: [MergedToken] = []
    var open: [Int] = []
    var (newAt, oldAt) = (0, 0)
    for (newNext, oldNext) in common + [(new.count, old.count)] {
      let (newPart, oldPart) = (Array(new[newAt..<newNext]), Array(old[oldAt..<oldNext]))
      if let change = open.last {
        last = change
        result += replaced(newPart, oldPart, change)
      } else {
        let next = newNext < new.count ? new[newNext].sentinel?.number : nil
        result += compared(newPart, oldPart, next: next)
      }
      guard newNext < new.count, let sentinel = new[newNext].sentinel else { break }
      result.append(MergedToken(new[newNext], .both))
      if stretches[sentinel.number].isChange {
        last = sentinel.number
        if sentinel == .start(sentinel.number), whole.contains(sentinel.number) {
          open.append(sentinel.number)
        }
        if sentinel == .end(sentinel.number) { open.removeAll { $0 == sentinel.number } }
      }
      (newAt, oldAt) = (newNext + 1, oldNext + 1)
    }
    return result
  }

  /// The places of the sentinels that both have.
  private static func common(_ new: [DocxToken], _ old: [DocxToken]) -> [(new: Int, old: Int)] {
    func places(_ tokens: [DocxToken]) -> [(sentinel: Sentinel, place: Int)] {
      tokens.enumerated().compactMap { place, token in token.sentinel.map { ($0, place) } }
    }
    let (all, others) = (places(new), places(old))
    let both = Set(all.map(\.sentinel)).intersection(others.map(\.sentinel))
    let (shared, otherShared) = (
      all.filter { both.contains($0.sentinel) }, others.filter { both.contains($0.sentinel) }
    )
    let pairs = commonPairs(shared.map(\.sentinel), otherShared.map(\.sentinel)) ?? []
    return pairs.map { (shared[$0.old].place, otherShared[$0.new].place) }
  }

  /// What a change replaces by what; if only its paragraphs become others, these stay and have other properties.
  private mutating func replaced(
    _ new: [DocxToken],
    _ old: [DocxToken],
    _ change: Int?
  ) -> [MergedToken] {
    if isSame(new, old) { return zipped(new, old) }
    return old.map { MergedToken($0, .deleted(change)) }
      + new.map { MergedToken($0, .inserted(change)) }
  }

  // MARK: Segments outside of changes

  private mutating func compared(
    _ new: [DocxToken],
    _ old: [DocxToken],
    next: Int?
  ) -> [MergedToken] {
    if new.isEmpty, old.isEmpty { return [] }
    if isSame(new, old) { return zipped(new, old) }
    // The sentinels that only one has cut words that the other one has whole.
    let (new, old) = (joined(new), joined(old))
    if isSame(new, old) { return zipped(new, old) }
    let named = (new + old).compactMap(\.sentinel?.number).first { stretches[$0].isChange }
    let near = next.flatMap { stretches[$0].isChange ? $0 : nil }
    // It belongs to the change beside it.
    let isBesideNext =
      new.last { !$0.isInvisible }?.key != old.last { !$0.isInvisible }?.key
    let change = named ?? (isBesideNext ? near ?? last : last ?? near)
    let (newBlocks, oldBlocks) = (new.blocks, old.blocks)
    let pairs = commonPairs(oldBlocks.map(key), newBlocks.map(key)) ?? []
    var result: [MergedToken] = []
    var (oldAt, newAt) = (0, 0)
    for (oldNext, newNext) in pairs + [(oldBlocks.count, newBlocks.count)] {
      result += compared(
        Array(newBlocks[newAt..<newNext].joined()),
        Array(oldBlocks[oldAt..<oldNext].joined()),
        change
      )
      if newNext < newBlocks.count { result += zipped(newBlocks[newNext], oldBlocks[oldNext]) }
      (oldAt, newAt) = (oldNext + 1, newNext + 1)
    }
    return result
  }

  /// The number of a block, the same for those that hold the same.
  private func key(of block: [DocxToken]) -> Int {
    keys.number(of: block.filter { !$0.isInvisible }.map { String($0.key) }.joined(separator: " "))
  }

  private func isSame(_ new: [DocxToken], _ old: [DocxToken]) -> Bool {
    let (new, old) = (new.lazy.filter { !$0.isInvisible }, old.lazy.filter { !$0.isInvisible })
    return new.elementsEqual(old) { $0.key == $1.key }
  }

  /// The tokens with words whole that a sentinel cuts, behind the sentinel.
  private func joined(_ tokens: [DocxToken]) -> [DocxToken] {
    var joined: [DocxToken] = []
    var between: [DocxToken] = []
    for token in tokens {
      guard !token.isInvisible else {
        between.append(token)
        continue
      }
      if let last = joined.last, case .text(let start) = last.content, !between.isEmpty,
        case .text(let end) = token.content, last.format?.look == token.format?.look,
        !last.isSpace, !token.isSpace, start.isWord, end.isWord
      {
        joined.removeLast()
        joined += between + [keys.token(start + end, token.format)]
      } else {
        joined += between + [token]
      }
      between = []
    }
    return joined + between
  }

  /// Two texts that hold the same.
  private mutating func zipped(_ new: [DocxToken], _ old: [DocxToken]) -> [MergedToken] {
    var result: [MergedToken] = []
    var rest = old[...]
    for token in new {
      guard !token.isInvisible else {
        result.append(MergedToken(token, .inserted(nil)))
        continue
      }
      while let next = rest.first, next.isInvisible {
        result.append(MergedToken(next, .deleted(nil)))
        rest.removeFirst()
      }
      if let other = rest.popFirst() { result += same(token, other) }
    }
    return result + rest.map { MergedToken($0, .deleted(nil)) }
  }

  /// Two tokens that are taken for one another.
  private mutating func same(_ new: DocxToken, _ old: DocxToken) -> [MergedToken] {
    switch (new.content, old.content) {
    case (.paragraphEnd(let properties), .paragraphEnd(let other)):
      return [MergedToken(content: .paragraphEnd(new: properties, old: other), state: .both)]
    case (.note(_, let tokens), .note(_, let others)):
      return [MergedToken(content: .note(new, merged(tokens, others)), state: .both)]
    case (.table(let table), .table(let other)):
      return [MergedToken(content: .table(merged(table, other)), state: .both)]
    default: return [MergedToken(new, .both)]
    }
  }

  /// What differs between two texts, word by word if enough of them is the same.
  private mutating func compared(
    _ new: [DocxToken],
    _ old: [DocxToken],
    _ change: Int?
  ) -> [MergedToken] {
    let (newPlaces, oldPlaces) = (new.visiblePlaces, old.visiblePlaces)
    let differences = wordDifferences(newPlaces.map { new[$0] }, oldPlaces.map { old[$0] })
    var result: [MergedToken] = []
    var (newAt, oldAt) = (0, 0)
    for difference in differences {
      let newStart = newPlaces.place(difference.new.lowerBound, new.count)
      let oldStart = oldPlaces.place(difference.old.lowerBound, old.count)
      result += zipped(Array(new[newAt..<newStart]), Array(old[oldAt..<oldStart]))
      newAt = newPlaces.place(difference.new.upperBound, new.count)
      oldAt = oldPlaces.place(difference.old.upperBound, old.count)
      result += replaced(Array(new[newStart..<newAt]), Array(old[oldStart..<oldAt]), change)
    }
    return result + zipped(Array(new[newAt...]), Array(old[oldAt...]))
  }

  private func wordDifferences(_ new: [DocxToken], _ old: [DocxToken]) -> [Difference] {
    let head = zip(new, old).prefix { $0.key == $1.key }.count
    let tail = zip(new.dropFirst(head).reversed(), old.dropFirst(head).reversed())
      .prefix { $0.key == $1.key }.count
    let (newMiddle, oldMiddle) = (
      Array(new[head..<new.count - tail]), Array(old[head..<old.count - tail])
    )
    let whole = Difference(head..<old.count - tail, head..<new.count - tail)
    if newMiddle.isEmpty, oldMiddle.isEmpty { return [] }
    let pairs = commonPairs(oldMiddle.map(\.key), newMiddle.map(\.key)) ?? []
    let shared = pairs.map { newMiddle[$0.new] }.letterCount
    guard shared * 3 > max(newMiddle.letterCount, oldMiddle.letterCount) else { return [whole] }
    // Spaces and signs between two differences say nothing.
    var kept: [(old: Int, new: Int)] = []
    var run: [(old: Int, new: Int)] = []
    for pair in pairs + [(old: -1, new: -1)] {
      if let last = run.last, pair.old != last.old + 1 || pair.new != last.new + 1 {
        let tokens = run.map { newMiddle[$0.new] }
        if tokens.letterCount > 1 || tokens.contains(where: { $0.isParagraphEnd || $0.isBlock }) {
          kept += run
        }
        run = []
      }
      run.append(pair)
    }
    return differences(between: kept, oldMiddle.count, newMiddle.count).map { difference in
      Difference(
        difference.old.lowerBound + head..<difference.old.upperBound + head,
        difference.new.lowerBound + head..<difference.new.upperBound + head
      )
    }
  }

  // MARK: Tables

  /// Two tables with as many columns.
  private mutating func merged(_ new: DocxTable, _ old: DocxTable) -> MergedTable {
    let (names, otherNames) = (unchanged(in: new, .clean), unchanged(in: old, .original))
    let pairs =
      commonPairs(otherNames.map(keys.number), names.map(keys.number)) ?? []
    var result = MergedTable(head: new.head, rows: [])
    var (newAt, oldAt) = (0, 0)
    for (oldNext, newNext) in pairs + [(old.rows.count, new.rows.count)] {
      let (rows, others) = (new.rows[newAt..<newNext], old.rows[oldAt..<oldNext])
      if rows.count == others.count {
        for (row, other) in zip(rows, others) { result.rows += merged(row, other) }
      } else {
        for row in others { result.rows.append(lone(row) { .deleted($0) }) }
        for row in rows { result.rows.append(lone(row) { .inserted($0) }) }
      }
      if newNext < new.rows.count {
        result.rows += merged(new.rows[newNext], old.rows[oldNext])
      }
      (oldAt, newAt) = (oldNext + 1, newNext + 1)
    }
    return result
  }

  private mutating func merged(_ new: DocxTable.Row, _ old: DocxTable.Row) -> [MergedTable.Row] {
    guard new.cells.count == old.cells.count else {
      return [lone(old) { .deleted($0) }, lone(new) { .inserted($0) }]
    }
    var row = MergedTable.Row(properties: new.properties, cells: [], state: .both)
    for (cell, other) in zip(new.cells, old.cells) {
      row.cells.append((cell.properties, merged(cell.tokens, other.tokens)))
    }
    return [row]
  }

  /// A row that only one table has.
  private mutating func lone(
    _ row: DocxTable.Row,
    _ state: (Int?) -> MergedToken.State
  ) -> MergedTable.Row {
    let numbers = row.cells.flatMap(\.tokens).compactMap(\.sentinel?.number)
    last = numbers.first { stretches[$0].isChange } ?? last
    let table = DocxToken(content: .table(DocxTable(head: [], rows: [row])), key: 0)
    guard case .table(let merged) = MergedToken(table, state(last)).content else {
      return MergedTable.Row(properties: nil, cells: [], state: .both)
    }
    return merged.rows[0]
  }

  /// For each row of a table, the text in it that no change holds, as far as there is some.
  private func unchanged(in table: DocxTable, _ side: Variant) -> [String] {
    var open = Set<Int>()
    var begun = Set<Int>()
    let tokens = table.rows.flatMap { $0.cells.flatMap(\.tokens) }
    for case let sentinel? in tokens.map(\.sentinel) where stretches[sentinel.number].isChange {
      if sentinel == .start(sentinel.number) { begun.insert(sentinel.number) }
      if sentinel == .end(sentinel.number), !begun.contains(sentinel.number) {
        open.insert(sentinel.number)
      }
    }
    return table.rows.enumerated().map { index, row in
      var text = ""
      var isEmpty = true
      for token in row.cells.flatMap(\.tokens) {
        if let sentinel = token.sentinel, stretches[sentinel.number].isChange {
          if sentinel == .start(sentinel.number) {
            open.insert(sentinel.number)
          } else {
            open.remove(sentinel.number)
          }
        } else if open.isEmpty, case .text(let word) = token.content {
          text += word
        }
        isEmpty = isEmpty && (token.isInvisible || token.isParagraphEnd)
      }
      // One that a change holds is like no other one.
      return isEmpty || !text.isEmpty ? (row.properties?.written ?? "") + text : "\(side) \(index)"
    }
  }
}

extension Set<Sentinel> {
  /// The stretches of which both sentinels are there.
  fileprivate var wholeStretches: Set<Int> {
    Set<Int>(
      compactMap { contains(.start($0.number)) && contains(.end($0.number)) ? $0.number : nil }
    )
  }
}

extension [DocxToken] {
  /// The indices of what can be seen.
  fileprivate var visiblePlaces: [Int] { indices.filter { !self[$0].isInvisible } }
}

extension [Int] {
  /// The place of an index, or the end.
  fileprivate func place(_ index: Int, _ end: Int) -> Int { index < count ? self[index] : end }
}

extension String {
  fileprivate var isWord: Bool { allSatisfy { $0.isLetter || $0.isNumber } }
}
