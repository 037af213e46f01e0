/// A selection inside one addition or deletion, which is resolved by itself; the rest stays in marks.
struct ChangePart {
  let change: Change
  /// The mark of the change that holds the part.
  let mark: Mark
  /// What is selected, in the offsets of the stretch.
  let range: Range<Int>

  /// Whether some of the mark's text lies before the part.
  var hasHead: Bool { mark.content.lowerBound < range.lowerBound }
  /// Whether some of the mark's text lies after the part.
  var hasTail: Bool { range.upperBound < mark.content.upperBound }
}

extension Review {
  /// The text that accepting or rejecting a selection resolves, if it is a part of an addition or deletion; nil if
  /// whole changes are resolved.
  public func textOfPart(at range: Range<Int>, _ variant: Variant) -> [UInt8]? {
    let range = moved(range)
    return verified(resolvingPartAt: range, variant) == nil ? nil : Array(settled.bytes[range])
  }

  /// The edits that resolve the selected part of a change; nil if it is not a part of one, or if the rest would
  /// not read as meant by itself.
  func verified(resolvingPartAt range: Range<Int>, _ variant: Variant) -> VerifiedEdits? {
    guard let part = part(at: range) else { return nil }
    let isShown = (part.change.kind == .addition) == (variant == .clean)
    let edits = isShown ? showing(part) : hiding(part)
    let claim = claim(of: part, isShown: isShown, variant)
    return VerifiedEdits([edits], of: settled.bytes, as: language, claim)
  }

  private func part(at range: Range<Int>) -> ChangePart? {
    guard !range.isEmpty else { return nil }
    for change in changes where change.kind == .addition || change.kind == .deletion {
      guard change.range.holds(range) else { continue }
      // Marks that others nested in it are part of it and must not be split.
      guard let mark = change.marks.first(where: { $0.content.holds(range) }), mark.inner == 0,
        range != mark.content || change.marks.count > 1, cutsNoCharacter(range, in: mark.content)
      else { return nil }
      return ChangePart(change: change, mark: mark, range: range)
    }
    return nil
  }

  /// Whether both ends are between characters as the user sees them; a CRLF is one.
  private func cutsNoCharacter(_ range: Range<Int>, in content: Range<Int>) -> Bool {
    func count(_ range: Range<Int>) -> Int {
      String(decoding: settled.bytes[range], as: UTF8.self).count
    }
    let head = content.lowerBound..<range.lowerBound
    let tail = range.upperBound..<content.upperBound
    return count(head) + count(range) + count(tail) == count(content)
  }

  /// Makes the part plain text, between the marks of the rest; comments stay with the rest, and who made the change
  /// stays with all of it.
  private func showing(_ part: ChangePart) -> [Edit] {
    let (mark, range) = (part.mark, part.range)
    let isLast = mark == part.change.marks.last && !part.hasTail
    let isAfterRest = part.hasHead || mark != part.change.marks.first
    let kept = part.change.thread.filter {
      isLast || isAfterRest && $0.isAttribution(in: settled.bytes)
    }
    let thread = kept.flatMap { settled.bytes[$0.range] }
    let before =
      part.hasHead
      ? Edit(range.lowerBound..<range.lowerBound, settled.bytes[mark.closer] + thread)
      : Edit(mark.start..<range.lowerBound, thread)
    let end = isLast ? part.change.range.upperBound : mark.end
    let after =
      part.hasTail
      ? Edit(range.upperBound..<range.upperBound, Array(settled.bytes[mark.opener]))
      : Edit(range.upperBound..<end, [])
    return [before, after]
  }

  /// Removes the part; the marks of the rest stay as they are.
  private func hiding(_ part: ChangePart) -> [Edit] {
    [Edit(part.hasHead || part.hasTail ? part.range : part.mark.range, [])]
  }

  /// What the texts are when the part is resolved: it appears in the variant that is not kept, or disappears from it.
  private func claim(of part: ChangePart, isShown: Bool, _ variant: Variant) -> Claim {
    let (bytes, reading) = (settled.bytes, settled.reading)
    let kept = reading.text(variant, of: bytes)
    let other = VariantText(variant == .clean ? .original : .clean, of: bytes, reading)
    let place = other.offset(ofMarkup: part.range.lowerBound)
    var changed = other.bytes
    if isShown {
      changed.insert(contentsOf: bytes[part.range], at: place)
    } else {
      changed.removeSubrange(place..<place + part.range.count)
    }
    return variant == .clean
      ? Claim(clean: kept, original: changed)
      : Claim(clean: changed, original: kept)
  }
}
