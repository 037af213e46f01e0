/// An edit of ours that the editor may report back, whole or in parts, and how the buffer has changed since the
/// edit was made.
///
/// It is recognized by the resulting text, not by how a client reports it: clients compare texts, report in any
/// order, and merge what was typed meanwhile into the same change.
public struct OwnEdit: Sendable {
  /// Sorted, disjoint edits of the text it was made for.
  public let edits: [Edit]
  /// The hunks that remain pending in the resulting text.
  let remaining: [Hunk]
  /// Whether it leaves all that is pending as it was, so that what is held stays so.
  let isBeside: Bool
  /// The hash of the resulting text.
  let result: TextHash
  /// The state it was made for.
  let origin: Int
  /// The text it was made for.
  let base: Text
  /// The edits without what they replace by itself.
  private let parts: [Edit]
  /// The changes to that text since then.
  private(set) var since = Hunks()

  init(
    _ edits: [Edit],
    on buffer: Text,
    remaining: [Hunk] = [],
    isBeside: Bool = false,
    origin: Int
  ) {
    self.edits = edits
    self.remaining = remaining
    self.isBeside = isBeside
    self.origin = origin
    base = buffer
    result = buffer.hash(after: edits)
    parts = edits.trimmed(on: buffer)
  }

  /// An edit of ours that a tracker has not made: one of a text whose marks are elsewhere, or as a client applies it to a
  /// newer text than it was made for.
  public init(_ edits: [Edit], on buffer: Text) {
    self.init(edits, on: buffer, origin: 0)
  }

  /// Records edits of the buffer, including ours; `buffer` is the text before them.
  public mutating func note(_ edits: [Edit], on buffer: Text) {
    assert(buffer.count == base.count + since.growth, "edits of another text")
    since.compose(edits, on: buffer)
  }

  /// Records that all of the edit and nothing else has been applied, however it was reported.
  public mutating func land() { since = Hunks(parts.hunks(on: base)) }

  /// Whether a text is the edit's result.
  public func makes(_ buffer: Text) -> Bool { buffer.hash == result }

  /// Whether an edit of a buffer removes and inserts the same as one of its parts, at any offset.
  public func hasPart(like edit: Edit, of buffer: Text) -> Bool {
    edits.contains { part in
      part.range.count == edit.range.count && part.new == edit.new
        && (part.range.isEmpty || base[part.range] == buffer[edit.range])
    }
  }

  /// The number of places to examine for each edit of the buffer.
  public var weight: Int { parts.count + since.count }

  /// What the user did to the text the edit was made for, if no part of the edit is left.
  ///
  /// This is certain if nothing was changed at the places of its parts; the text a part removed counts as
  /// restored even if something was typed directly beside it. If one part is undone in this way, all are: a
  /// user who removed more or less than another part would have done so in the original text.
  ///
  /// - Parameter buffer: The present text.
  /// - Returns: The changes; nil if some of the edit is left, or may be.
  public func besideNothing(in buffer: Text) -> [Edit]? {
    let since = since.list.edits(in: buffer)
    let beside = clusters(since).flatMap(\.changes)
    var rest = beside[...]
    var isUntouched = false
    let isGone = parts.allSatisfy { part in
      rest = rest.drop { $0.range.upperBound < part.range.lowerBound }
      let touching = rest.prefix { $0.range.lowerBound <= part.range.upperBound }
      guard touching.isEmpty || part.new.isEmpty else { return false }
      if !touching.contains(where: { $0.range.overlaps(part.range) }) { isUntouched = true }
      return !touching.contains { $0.range == part.range }
    }
    return isGone && isUntouched && !beside.isEmpty && !hasRemains(in: since) ? beside : nil
  }

  /// Whether a remnant of an overwritten part is where the user's own text was, or as far beside it as a client
  /// can report it: a change beside the part may be a remnant of the part.
  private func hasRemains(in since: [Edit]) -> Bool {
    let remains = since.map { (old: $0.range, left: $0.trimmed(on: base)) }
      .filter { !$0.left.new.isEmpty && !$0.left.range.isEmpty }
    return !remains.isEmpty
      && parts.contains { part in
        let reach = reach(of: part)
        return remains.contains { remain in
          reach.lowerBound <= remain.old.upperBound && remain.old.lowerBound <= reach.upperBound
            && part.new[...].firstRange(of: remain.left.new[...]) != nil
        }
      }
  }

  /// The range within which a client that compares texts can report a part: an insertion that repeats the text
  /// beside it can also be reported after that text.
  private func reach(of part: Edit) -> Range<Int> {
    guard part.range.isEmpty else { return part.range }
    let place = part.range.lowerBound
    let near = place - part.new.count..<place + part.new.count
    let slack = part.slack(within: near.clamped(to: 0..<base.count)) { base[$0] }
    return place + slack.lowerBound..<place + slack.upperBound
  }

  /// Whether it does all that another edit does, and more.
  public func goesOn(from other: OwnEdit) -> Bool {
    guard origin == other.origin, edits.count > other.edits.count else { return false }
    var rest = edits[...]
    return other.edits.allSatisfy { edit in
      rest = rest.drop { $0.range.lowerBound < edit.range.lowerBound }
      return rest.first == edit
    }
  }
}

// MARK: - What the buffer shows of it

extension OwnEdit {
  /// How much of an edit of ours the buffer shows.
  public struct Showing: Sendable {
    /// How much of the edit has been applied.
    public enum Extent: Sendable {
      case nothing
      case part
      case whole
    }

    /// How much of the edit has been applied.
    public var extent: Extent
    /// What the user did besides; relative to the resulting text if all of the edit has been applied.
    public var beside: [Edit] = []
    /// Edits of the buffer that undo what has been applied.
    public var takingBack: [Edit] = []

    /// Whether part of the edit has been applied, and nothing else has changed.
    public var isPart: Bool { extent == .part && beside.isEmpty }
  }

  /// How much of the edit the present text shows; linear in the edit and in what has changed since.
  public func showing(in buffer: Text) -> Showing {
    guard !since.isEmpty else { return Showing(extent: .nothing) }
    var showing = Showing(extent: .nothing)
    var isComplete = true
    // Offsets from the original text to the result, and to the buffer.
    var (toResult, toBuffer) = (0, 0)
    for cluster in clusters(since.list.edits(in: buffer)) {
      let found = cluster.explained
      let now = cluster.now
      isComplete = isComplete && found.isComplete
      showing.beside += found.beside.map { $0.moved(by: toResult) }
      if !found.own.isEmpty {
        showing.extent = .part
        if found.beside.isEmpty {
          // Separately, so that what is typed between them leaves them unchanged.
          showing.takingBack += found.own.inverted(on: base).map { $0.moved(by: toBuffer) }
        } else {
          let start = cluster.range.lowerBound + toBuffer
          let edit = Edit(start..<start + now.count, found.without)
          showing.takingBack.append(edit.trimmed(replacing: now[...]))
        }
      }
      toResult += cluster.parts.growth
      toBuffer += now.count - cluster.range.count
    }
    if isComplete, showing.extent == .part { showing.extent = .whole }
    return showing
  }

  /// Parts of the edit and later changes that meet, touch, or could be reported as if they did.
  private struct Cluster {
    /// The range in the text that the edit was made for.
    var range: Range<Int>
    var parts: ArraySlice<Edit>
    var since: ArraySlice<Edit>
    /// The text there before.
    var before: [UInt8]

    /// The text there now.
    var now: [UInt8] { text(with: since) }

    /// The changes within each word, however they were reported.
    var changes: [Edit] {
      let text = Text(before)
      return wordDiff(0..<before.count, now, in: text).trimmed(on: text)
        .map { $0.moved(by: range.lowerBound) }
    }

    func text(with edits: ArraySlice<Edit>) -> [UInt8] {
      before.applying(edits.map { $0.moved(by: -range.lowerBound) })
    }

    /// How the present text arose: which parts were applied, and what the user did.
    struct Explanation {
      /// The parts that were applied.
      var own: ArraySlice<Edit>
      var isComplete: Bool
      /// What the user did to the text that the parts result in, at offsets before the parts.
      var beside: [Edit]
      /// The present text without the parts.
      var without: [UInt8]
    }

    /// The explanation in which the user did least; parts are applied from the first on or from the last on.
    var explained: Explanation {
      if since.isEmpty || parts.isEmpty {
        return Explanation(own: [], isComplete: parts.isEmpty, beside: Array(since), without: now)
      }
      let now = now
      var best = (own: parts, beside: Edit(0..<0, []))
      var least = Int.max
      for own in guesses {
        let text = text(with: own)
        let edit = Edit(0..<text.count, now).trimmed(replacing: text[...])
        let cost = edit.range.count + edit.new.count
        // A user who deletes more than an edit of ours would have deleted did all of it.
        let isOwn = own.isEmpty || edit.range.isEmpty || own.contains { !$0.new.isEmpty }
        guard isOwn, cost < least else { continue }
        least = cost
        best = (own, edit)
        if cost == 0 { break }
      }
      let isChange = least > 0
      let made = OffsetMap(best.own.map { $0.moved(by: -range.lowerBound) })
      var without = before
      if isChange {
        let place = made.inverted.map(best.beside.range, start: .before)
        without.replaceSubrange(place, with: best.beside.new)
      }
      return Explanation(
        own: best.own,
        isComplete: best.own.count == parts.count,
        beside: isChange ? [best.beside.moved(by: range.lowerBound)] : [],
        without: without
      )
    }

    /// The parts that may have been applied, longest list first.
    private var guesses: [ArraySlice<Edit>] {
      guard parts.count <= OwnEdit.maxGuesses else { return [parts, parts.prefix(0)] }
      return (0...parts.count).reversed().flatMap { (count: Int) -> [ArraySlice<Edit>] in
        count == 0 || count == parts.count
          ? [parts.prefix(count)] : [parts.suffix(count), parts.prefix(count)]
      }
    }
  }

  private static let maxGuesses = 16

  private func clusters(_ since: [Edit]) -> [Cluster] {
    /// Whether a later change is exactly one of the parts.
    func isExact(_ part: Int, _ change: Int) -> Bool {
      part < parts.count && change < since.count && parts[part] == since[change]
    }
    var clusters: [Cluster] = []
    var part = 0
    var change = 0
    while part < parts.count || change < since.count {
      let first = (part, change)
      var range: Range<Int>?
      var reach = 0
      func join(_ edits: [Edit], _ index: inout Int, slide: Int) -> Bool {
        guard index < edits.count else { return false }
        let old = edits[index].range
        if let known = range {
          guard old.lowerBound <= max(reach, known.upperBound + slide) else { return false }
          range = known.lowerBound..<max(known.upperBound, old.upperBound)
        } else {
          range = old
        }
        if slide > 0 { reach = max(reach, old.upperBound + slide) }
        index += 1
        return true
      }
      func joinChange() -> Bool {
        change < since.count && join(since, &change, slide: since[change].slide)
      }
      let isPartFirst =
        change == since.count
        || part < parts.count && parts[part].range.lowerBound <= since[change].range.lowerBound
      if isExact(part, change) {
        range = parts[part].range
        part += 1
        change += 1
      } else {
        _ = isPartFirst ? join(parts, &part, slide: 0) : joinChange()
        while !isExact(part, change), join(parts, &part, slide: 0) || joinChange() {}
      }
      guard let range else { break }
      clusters.append(
        Cluster(
          range: range,
          parts: parts[first.0..<part],
          since: since[first.1..<change],
          before: Array(base[range])
        )
      )
    }
    return clusters
  }
}

extension Edit {
  /// How far off a client can report it where the text repeats itself, in bytes.
  fileprivate var slide: Int { min(64, max(range.count, new.count)) }
}
