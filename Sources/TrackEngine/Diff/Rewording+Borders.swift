extension Rewording {
  /// The new token for each old one that was kept or exchanged; -1 for the others.
  ///
  /// What ends emphasis or a link is not kept where what began it is not: `[a](x), [b](y)` and `[c](z)` do not share
  /// the beginning of the first link and the end of the second.
  static func partners(_ old: WordTokens, _ new: WordTokens, _ kept: [(old: Int, new: Int)])
    -> [Int32]
  {
    var newOfOld = [Int32](repeating: -1, count: old.count)
    var dropped = -1
    for (oldToken, newToken) in kept {
      let (oldPartner, newPartner) = (Int(old[oldToken].partner), Int(new[newToken].partner))
      let isEnd = oldPartner >= 0 && newPartner >= 0 && oldPartner < oldToken
      let isAddress = old[oldToken].kind == .address && dropped == oldToken - 1
      if isAddress || isEnd && newOfOld[oldPartner] != Int32(newPartner) {
        dropped = oldToken
      } else {
        newOfOld[oldToken] = Int32(newToken)
      }
    }
    return newOfOld
  }

  /// Splits changes at kept signs of emphasis and links whose other end lies outside the change.
  ///
  /// `*{~~very good~>quite bad~~}* {~~and we~>but they~~}` can be accepted change by change; no part of
  /// `*{~~very good* and we~>quite bad* but they~~}` could.
  mutating func spareBorders() {
    changes = changes.flatMap { change -> [Difference] in
      guard change.old.count > 1, change.new.count > 1 else { return [change] }
      var pieces: [Difference] = []
      var rest = change
      func take(_ end: (old: Int, new: Int), _ next: (old: Int, new: Int)) {
        pieces.append(
          Difference(rest.old.lowerBound..<end.old, rest.new.lowerBound..<end.new)
        )
        rest = Difference(next.old..<change.old.upperBound, next.new..<change.new.upperBound)
      }
      for token in change.old where rest.old.contains(token) {
        guard let newToken = cutBorder(token, in: change), rest.new.contains(newToken) else {
          continue
        }
        take((token, newToken), (token + 1, newToken + 1))
        // The address behind a bracket is part of the link.
        guard change.old.contains(token + 1), change.new.contains(newToken + 1),
          old[token + 1].kind == .address, new[newToken + 1].kind == .address
        else { continue }
        let address = (old: token + 2, new: newToken + 2)
        take(address, address)
      }
      return pieces + [rest]
    }
  }

  /// The new token that corresponds to an old one in a change which begins or ends what ends or begins outside;
  /// nil if it is not such a token.
  private func cutBorder(_ token: Int, in change: Difference) -> Int? {
    guard old[token].partner >= 0 else { return nil }
    let partner = Int(old[token].partner)
    guard !change.old.contains(partner) else { return nil }
    let (ownNew, partnerNew) = (Int(newOfOld[token]), Int(newOfOld[partner]))
    // One of the two may be gone with the words around it.
    let newToken = ownNew >= 0 ? ownNew : partnerNew >= 0 ? Int(new[partnerNew].partner) : -1
    guard newToken >= 0, new[newToken].partner >= 0, old[token].number == new[newToken].number,
      partnerNew < 0 || new[newToken].partner == Int32(partnerNew)
    else { return nil }
    return newToken
  }

  /// Takes what both sides of a change begin or end with out of it, and parts the markers of lists and headings
  /// from what follows them.
  mutating func trim() {
    changes = changes.flatMap { change -> [Difference] in
      var (oldStart, newStart) = (change.old.lowerBound, change.new.lowerBound)
      var (oldEnd, newEnd) = (change.old.upperBound, change.new.upperBound)
      var pieces: [Difference] = []
      func isEqual(_ oldToken: Int, _ newToken: Int) -> Bool {
        old[oldToken].number == new[newToken].number
      }
      while oldStart < oldEnd, newStart < newEnd {
        if !isEqual(oldStart, newStart) {
          let oldMarker = old.marker(in: oldStart..<oldEnd)
          let newMarker = new.marker(in: newStart..<newEnd)
          guard let oldMarker, let newMarker,
            old.isHeading(oldMarker) == new.isHeading(newMarker)
          else { break }
          if oldMarker > oldStart || newMarker > newStart {
            pieces.append(Difference(oldStart..<oldMarker, newStart..<newMarker))
          }
          if !isEqual(oldMarker, newMarker) {
            pieces.append(Difference(oldMarker..<oldMarker + 1, newMarker..<newMarker + 1))
          }
          (oldStart, newStart) = (oldMarker, newMarker)
        }
        oldStart += 1
        newStart += 1
      }
      while oldStart < oldEnd, newStart < newEnd, isEqual(oldEnd - 1, newEnd - 1) {
        oldEnd -= 1
        newEnd -= 1
      }
      if oldStart < oldEnd || newStart < newEnd {
        pieces.append(Difference(oldStart..<oldEnd, newStart..<newEnd))
      }
      return pieces
    }
  }

  /// Moves an inserted or removed item that begins behind a list marker to where the marker begins: the markers
  /// are renumbered, the items are not.
  mutating func moveToMarkers() {
    var moved: [Difference] = []
    var oldLimit = 0
    for change in changes {
      let isInsertion = change.old.isEmpty
      let inserted = isInsertion ? change.new : change.old
      let tokens = isInsertion ? new : old
      let room = change.old.lowerBound - oldLimit
      oldLimit = change.old.upperBound
      guard change.old.isEmpty != change.new.isEmpty, inserted.count > 2, room >= 2,
        tokens.isMarkerAndSpace(before: inserted.lowerBound),
        tokens.isMarkerAndSpace(before: inserted.upperBound)
      else {
        moved.append(change)
        continue
      }
      let item = Difference(change.old.moved(by: -2), change.new.moved(by: -2))
      let end = (old: item.old.upperBound, new: item.new.upperBound)
      guard old[end.old + 1].number == new[end.new + 1].number else {
        moved.append(change)
        continue
      }
      moved.append(item)
      if old[end.old].number != new[end.new].number {
        moved.append(Difference(end.old..<end.old + 1, end.new..<end.new + 1))
      }
    }
    changes = moved
  }

  /// Makes the line breaks that moved in a paragraph one change, unless lines were only joined or only parted.
  mutating func joinReflows() {
    var joined: [Difference] = []
    var start = 0
    while start < changes.count {
      var end = start
      var hasJoined = false
      var hasParted = false
      while end < changes.count, let move = breakMove(changes[end]) {
        if end > start {
          let between = changes[end - 1].old.upperBound..<changes[end].old.lowerBound
          let isSplit = between.contains { old[$0].kind.isBorder }
          if isSplit || hasMark(changes[end - 1].new.upperBound...changes[end].new.lowerBound) {
            break
          }
        }
        hasJoined = hasJoined || move.joins
        hasParted = hasParted || move.parts
        end += 1
      }
      if hasJoined, hasParted {
        let (first, last) = (changes[start], changes[end - 1])
        joined.append(first.joined(with: last))
      } else {
        joined += changes[start..<max(end, start + 1)]
      }
      start = max(end, start + 1)
    }
    changes = joined
  }

  /// Whether a change replaces the address of a link by another one.
  func isOfAddress(_ change: Difference) -> Bool {
    change.old.count == 1 && change.new.count == 1 && old[change.old.lowerBound].kind == .address
      && new[change.new.lowerBound].kind == .address
  }

  /// Whether a change that only moves a line break joins lines, and whether it parts them; nil for any other
  /// change.
  private func breakMove(_ change: Difference) -> (joins: Bool, parts: Bool)? {
    guard change.old.count < 2, change.new.count < 2,
      change.old.allSatisfy({ old[$0].kind.isGap }), change.new.allSatisfy({ new[$0].kind.isGap })
    else { return nil }
    let hadBreak = change.old.contains { old[$0].kind == .softBreak }
    let hasBreak = change.new.contains { new[$0].kind == .softBreak }
    guard hadBreak || hasBreak else { return nil }
    return (hadBreak && !hasBreak, hasBreak && !hadBreak)
  }
}

extension WordTokens {
  /// The marker that a stretch begins with, perhaps behind spaces; nil if there is none.
  fileprivate func marker(in stretch: Range<Int>) -> Int? {
    let start = stretch.lowerBound
    if self[start].kind == .marker { return start }
    let isIndented = self[start].kind == .space && stretch.contains(start + 1)
    return isIndented && self[start + 1].kind == .marker ? start + 1 : nil
  }

  fileprivate func isMarkerAndSpace(before token: Int) -> Bool {
    token > 1 && self[token - 2].kind == .marker && self[token - 1].kind == .space
  }
}
