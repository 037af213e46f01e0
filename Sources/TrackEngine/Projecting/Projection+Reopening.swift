extension Projection {
  /// A decision that can be taken back.
  struct Decision: Sendable {
    /// The number of the state after it.
    let state: Int
    /// The edits of the record of that state that take it back; sorted, disjoint.
    let undoing: [Edit]
  }

  /// Whether there is a decision to take back, if what was edited since allows it.
  public var hasDecision: Bool { !decisions.isEmpty }

  /// What takes the last decision back; what was edited since stays.
  ///
  /// - Returns: The plan; nil if there is no decision, or where what was decided has been edited since. Linear.
  public func reopening() -> Plan? {
    guard let decision = decisions.last, let back = edits(backTo: decision.state) else {
      return nil
    }
    let decided = record.applying(back)
    let before = reading(of: decided.applying(decision.undoing))
    let map = OffsetMap(back).inverted
    for bias in [OffsetMap.Bias.before, .after] {
      guard let edits = decision.undoing.moved(by: map, bias) else { return nil }
      var plan = plan(edits)
      plan.reopened = decision.state
      let after = reading(of: record.applying(edits))
      // Typed right where a mark began or ended, something could get into it; and what was changed in it since would be
      // a change in a change.
      if after.original == before.original, after.nested <= before.nested { return plan }
    }
    return nil
  }

  /// The original text of a record, and how many of its changes are in another one.
  private func reading(of record: Text) -> (original: [UInt8], nested: Int) {
    let bytes = record.bytes
    let reading = Reading(of: bytes, as: options.language)
    var nested = 0
    var end = 0
    for mark in reading.marks where mark.kind.isChange {
      if mark.start < end { nested += 1 } else { end = mark.end }
    }
    return (reading.text(.original, of: bytes), nested)
  }
}

extension [Edit] {
  /// The same edits of a later text; nil if that has changed where they are.
  fileprivate func moved(by map: OffsetMap, _ bias: OffsetMap.Bias) -> [Edit]? {
    var moved: [Edit] = []
    for edit in self {
      guard let whole = map.mapWhole(edit.range) else { return nil }
      let place = edit.range.isEmpty ? map.map(edit.range, start: bias, end: bias) : whole
      moved.append(Edit(place, edit.new))
    }
    return moved
  }
}
