/// An edit of ours that the editor may show us, in one piece or in parts, and what the buffer has come to
/// be since it was made.
///
/// It is known again by what the text is, never by how a client tells of it: clients compare texts,
/// report in any order, and put what was typed meanwhile into the same change.
public struct OwnEdit: Sendable {
  /// Sorted, disjoint edits of the text that it was made for.
  public let edits: [Edit]
  /// What is still pending in the text that it makes.
  let remaining: [Hunk]
  /// The text that it makes.
  let result: TextHash
  /// The state that it was made for.
  let origin: Int
  /// The text that it was made for.
  let base: Text
  /// The edits with what they remove.
  private let parts: [Hunk]
  /// The same for what the buffer has come to be since.
  private(set) var since: [Hunk] = []

  init(_ edits: [Edit], on buffer: Text, remaining: [Hunk] = [], origin: Int) {
    self.edits = edits
    self.remaining = remaining
    self.origin = origin
    base = buffer
    result = buffer.hash(after: edits)
    parts = edits.trimmed(on: buffer).map { Hunk($0, on: buffer) }
  }

  /// An edit of ours as a client puts it into a newer text, `buffer`, than it was made for.
  public init(_ edits: [Edit], misplacedIn buffer: Text) {
    self.init(edits, on: buffer, origin: 0)
  }

  /// Takes in edits of the buffer, ours among them; `buffer` is the text before them.
  public mutating func note(_ edits: [Edit], on buffer: Text) { since.compose(edits, on: buffer) }

  /// Takes it that all of it has come and nothing else, however that was told.
  public mutating func land() { since = parts }

  /// Whether a text is the one that it makes.
  public func makes(_ buffer: Text) -> Bool { buffer.hash == result }

  /// Whether an edit of a buffer takes out and puts in what one of its edits does, wherever that is.
  public func hasPart(like edit: Edit, of buffer: Text) -> Bool {
    edits.contains { part in
      part.range.count == edit.range.count && part.new == edit.new
        && (part.range.isEmpty || base[part.range] == buffer[edit.range])
    }
  }

  /// How many places there are to look through when something is typed.
  public var weight: Int { parts.count + since.count }

  /// What the user did to the text that it was made for, if nothing of it is there any more.
  ///
  /// That is for sure where nothing was changed at the places of its parts; what it took out is there
  /// also where something was typed right beside it. Where one part is gone so, all are: who took out
  /// more or less than another part would have done so in the same text.
  public var besideNothing: [Hunk]? {
    let beside = clusters.flatMap(\.changes)
    var rest = beside[...]
    var isUntouched = false
    let isGone = parts.allSatisfy { part in
      rest = rest.drop { $0.old.upperBound < part.old.lowerBound }
      let touching = rest.prefix { $0.old.lowerBound <= part.old.upperBound }
      guard touching.isEmpty || part.new.isEmpty else { return false }
      if !touching.contains(where: { $0.old.overlaps(part.old) }) { isUntouched = true }
      return !touching.contains { $0.old == part.old }
    }
    return isGone && isUntouched && !beside.isEmpty && !hasRemains ? beside : nil
  }

  /// Whether something of a part that was changed over stands where the user's own text was, or as far beside
  /// it as a client can tell it: what looks like a change beside it is what is left of it.
  private var hasRemains: Bool {
    let remains = since.compactMap { change in
      change.trimmed.map { (old: change.old, left: $0) }
    }
    .filter { !$0.left.new.isEmpty && !$0.left.old.isEmpty }
    return !remains.isEmpty
      && parts.contains { part in
        let reach = reach(of: part)
        return remains.contains { remain in
          reach.lowerBound <= remain.old.upperBound && remain.old.lowerBound <= reach.upperBound
            && part.new[...].firstRange(of: remain.left.new[...]) != nil
        }
      }
  }

  /// Where a client that compares texts can tell a part: text that repeats what is beside it can be put in
  /// after that as well.
  private func reach(of part: Hunk) -> Range<Int> {
    guard part.old.isEmpty else { return part.old }
    let place = part.old.lowerBound
    let before = base[max(0, place - part.new.count)..<place]
    let after = base[place..<min(base.count, place + part.new.count)]
    let back = zip(before.reversed(), part.new.reversed()).prefix { $0 == $1 }.count
    let on = zip(after, part.new).prefix { $0 == $1 }.count
    return place - back..<place + on
  }

  /// Whether it does what another does, and more.
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
  /// What the buffer shows of an edit of ours.
  public struct Showing: Sendable {
    /// How much of it has come.
    public enum Extent: Sendable {
      case nothing
      case part
      case whole
    }

    /// How much of it has come.
    public var extent: Extent
    /// What the user did beside it; where all of it has come, on the text that it makes.
    public var beside: [Hunk] = []
    /// Edits of the buffer that take back what has come.
    public var takingBack: [Edit] = []

    /// Whether some of it has come, and nothing else is changed.
    public var isPart: Bool { extent == .part && beside.isEmpty }
  }

  /// What the buffer shows of the edit; linear in the edit and in what has changed since.
  public var showing: Showing {
    guard !since.isEmpty else { return Showing(extent: .nothing) }
    var showing = Showing(extent: .nothing)
    var isComplete = true
    // From the text that it was made for to the text that it makes, and to the buffer.
    var (toResult, toBuffer) = (0, 0)
    for cluster in clusters {
      let found = cluster.explained
      let now = cluster.now
      isComplete = isComplete && found.isComplete
      showing.beside += found.beside.map { $0.moved(by: toResult) }
      if !found.own.isEmpty {
        showing.extent = .part
        if found.beside.isEmpty {
          // One by one, so that what is typed between them leaves them as they are.
          showing.takingBack += found.own.map { $0.moved(by: toBuffer) }.inverted
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

  /// Parts of the edit and changes since that meet, touch, or could be told as if they did.
  private struct Cluster {
    /// The stretch of the text that the edit was made for.
    var range: Range<Int>
    var parts: ArraySlice<Hunk>
    var since: ArraySlice<Hunk>
    /// What there was.
    var before: [UInt8]

    /// What there is now.
    var now: [UInt8] { text(with: since) }

    /// What was changed in each word, however it was told.
    var changes: [Hunk] {
      let text = Text(before)
      return wordDiff(0..<before.count, now, in: text)
        .compactMap { Hunk($0, on: text).trimmed?.moved(by: range.lowerBound) }
    }

    func text(with hunks: ArraySlice<Hunk>) -> [UInt8] {
      var text = before
      for hunk in hunks.reversed() {
        let start = hunk.old.lowerBound - range.lowerBound
        text.replaceSubrange(start..<start + hunk.old.count, with: hunk.new)
      }
      return text
    }

    /// How what there is now has come about: which of the parts have come, and what the user did.
    struct Explanation {
      /// The parts that have come.
      var own: ArraySlice<Hunk>
      var isComplete: Bool
      /// What the user did to the text that the parts make, offsets as in that before them.
      var beside: [Hunk]
      /// What there would be now without the parts.
      var without: [UInt8]
    }

    /// The explanation by which the user did least; parts come from the first or from the last on.
    var explained: Explanation {
      if since.isEmpty || parts.isEmpty {
        return Explanation(own: [], isComplete: parts.isEmpty, beside: Array(since), without: now)
      }
      let now = now
      var best = (own: parts, beside: Hunk(Edit(0..<0, []), removed: []))
      var least = Int.max
      for own in guesses {
        let text = text(with: own)
        let edit = Edit(0..<text.count, now).trimmed(replacing: text[...])
        let cost = edit.range.count + edit.new.count
        // Who deletes more than an edit of ours would have deleted has done all of it.
        let isOwn = own.isEmpty || edit.range.isEmpty || own.contains { !$0.new.isEmpty }
        guard isOwn, cost < least else { continue }
        least = cost
        best = (own, Hunk(edit, removed: Array(text[edit.range])))
        if cost == 0 { break }
      }
      let isChange = least > 0
      let made = OffsetMap(best.own.map { $0.moved(by: -range.lowerBound) })
      var without = before
      if isChange {
        let place = made.inverted.map(best.beside.old, start: .before)
        without.replaceSubrange(place, with: best.beside.new)
      }
      return Explanation(
        own: best.own,
        isComplete: best.own.count == parts.count,
        beside: isChange ? [best.beside.moved(by: range.lowerBound)] : [],
        without: without
      )
    }

    /// What may have come, that with most parts first.
    private var guesses: [ArraySlice<Hunk>] {
      guard parts.count <= OwnEdit.maxGuesses else { return [parts, parts.prefix(0)] }
      return (0...parts.count).reversed().flatMap { (count: Int) -> [ArraySlice<Hunk>] in
        count == 0 || count == parts.count
          ? [parts.prefix(count)] : [parts.suffix(count), parts.prefix(count)]
      }
    }
  }

  private static let maxGuesses = 16

  /// Whether a change since is one of the parts, as it was made.
  private func isExact(_ part: Int, _ change: Int) -> Bool {
    part < parts.count && change < since.count && parts[part].old == since[change].old
      && parts[part].new == since[change].new
  }

  private var clusters: [Cluster] {
    var clusters: [Cluster] = []
    var part = 0
    var change = 0
    while part < parts.count || change < since.count {
      let first = (part, change)
      var range: Range<Int>?
      var reach = 0
      func join(_ hunks: [Hunk], _ index: inout Int, slide: Int) -> Bool {
        guard index < hunks.count else { return false }
        let old = hunks[index].old
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
        || part < parts.count && parts[part].old.lowerBound <= since[change].old.lowerBound
      if isExact(part, change) {
        range = parts[part].old
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

extension Hunk {
  /// How far beside its place a client can tell it where the text repeats itself.
  fileprivate var slide: Int { min(64, max(old.count, new.count)) }
}
