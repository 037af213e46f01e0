/// A stretch of the marked-up text in which a change of the clean text is written anew: what the change replaces,
/// and what stays around it.
///
/// A highlight that the stretch meets holds the change afterwards. Comments stay, behind those of the change.
struct Recast {
  /// The stretch; no mark that is not a highlight is cut by it.
  private(set) var region: Range<Int>
  /// The original text in it.
  private var old: [UInt8] = []
  /// What stays before the change: the rest of a mark that the stretch begins in.
  private var before: [UInt8] = []
  /// What stays after it.
  private var after: [UInt8] = []
  /// The openers of highlights that the stretch ends in, and the closers of those that it begins in, with their
  /// comments.
  private var openers: [UInt8] = []
  private var closers: [UInt8] = []
  /// The highlights of all of whose text something is replaced; the first gives the change its delimiters.
  private var held: Int?
  private var heldComments: [UInt8] = []
  /// Other comments in the stretch.
  private var comments: [UInt8] = []
  /// The highlight that the stretch begins in, and the one that it ends in.
  private var cutHighlights: (first: Int?, last: Int?) = (nil, nil)

  private let spelling: ProposalSpelling
  private let hull: Range<Int>

  init(of hull: Range<Int>, in spelling: ProposalSpelling) {
    self.spelling = spelling
    self.hull = hull
    region = hull
    guard !hull.isEmpty else { return }
    collect(hull, in: spelling.container(of: hull))
    joinHighlights()
  }

  /// The change with all that stays.
  func spelled(_ change: ProposedChange, with strategy: Strategy) -> [UInt8] {
    let isChange = old != change.new
    let language = spelling.source.reading.language
    var text = isChange ? strategy.printed(old, change.new, as: language) : old
    // Removing what somebody added leaves no change, and then a name alone would say nothing.
    text +=
      isChange ? change.writtenComments(as: language) : change.writtenReasons(as: language)
    text += comments
    if let held, openers.isEmpty, closers.isEmpty, isChange || !old.isEmpty {
      let mark = spelling.marks[held]
      text =
        MarkKind.highlight.opener(like: mark, in: spelling.bytes) + text
        + MarkKind.highlight.closer(like: mark, in: spelling.bytes)
    }
    return before + openers + text + closers + heldComments + after
  }

  /// Takes in a part of the stretch, which lies in the text of a highlight or outside all marks.
  private mutating func collect(_ range: Range<Int>, in container: Int?) {
    var at = range.lowerBound
    var last: Int?
    var next = spelling.marks.partitioningIndex { $0.start >= range.lowerBound }
    if let first = spelling.child(of: container, around: range.lowerBound) {
      take(first, in: range)
      at = spelling.marks[first].end
      last = first
      next = first + 1 + spelling.marks[first].inner
    }
    while next < spelling.marks.count, spelling.marks[next].start < range.upperBound {
      let mark = spelling.marks[next]
      if mark.start > at { last = nil }
      old += spelling.bytes[at..<mark.start]
      if mark.kind == .comment {
        take(comment: mark, after: last, in: range)
      } else {
        take(next, in: range)
        last = next
      }
      at = mark.end
      next += 1 + mark.inner
    }
    if at < range.upperBound { old += spelling.bytes[at..<range.upperBound] }
  }

  private mutating func take(_ index: Int, in range: Range<Int>) {
    let mark = spelling.marks[index]
    switch mark.kind {
    case .highlight: take(highlight: index, in: range)
    case .addition, .substitution:
      guard let seen = mark.new, !seen.isEmpty, !range.holds(seen) else { fallthrough }
      let rest = rest(of: mark)
      if mark.start < range.lowerBound { before += rest } else { after = rest + after }
      region = region.joined(with: mark.range)
    case .deletion, .comment:
      old += spelling.original(of: index)
      comments += spelling.comments(in: index)
      region = region.joined(with: mark.range)
    }
  }

  /// A comment stays with the mark before it, if that stays.
  private mutating func take(comment mark: Mark, after last: Int?, in range: Range<Int>) {
    let text = spelling.bytes[mark.range]
    guard let last else {
      comments += text
      return
    }
    if spelling.marks[last].kind == .highlight {
      if range.holds(spelling.marks[last].content) { heldComments += text } else { closers += text }
    } else if spelling.marks[last].start < range.lowerBound, !before.isEmpty {
      before += text
    } else {
      comments += text
    }
  }

  private mutating func take(highlight index: Int, in range: Range<Int>) {
    let mark = spelling.marks[index]
    let inside = mark.content.clamped(to: range)
    if mark.start < range.lowerBound, !range.holds(mark.content) {
      collect(inside, in: index)
      closers += spelling.bytes[mark.closer]
      if cutHighlights.first == nil { cutHighlights.first = index }
    } else if range.upperBound < mark.end, !range.holds(mark.content) {
      openers += spelling.bytes[mark.opener]
      cutHighlights.last = index
      collect(inside, in: index)
    } else {
      if held == nil { held = index }
      region = region.joined(with: mark.range)
      collect(inside, in: index)
    }
  }

  /// The text of a mark without what the stretch replaces.
  private func rest(of mark: Mark) -> [UInt8] {
    let source = spelling.source
    let start = source.offset(ofMarkup: max(mark.start, hull.lowerBound))
    let end = source.offset(ofMarkup: min(mark.end, hull.upperBound))
    let removed = source.stretches(of: start..<end).map {
      Edit($0.moved(by: -mark.start), [])
    }
    return Array(spelling.bytes[mark.range]).applying(removed)
  }

  /// The highlights that the stretch meets are one with the highlight that it ends in, if there is one, and their
  /// comments follow that.
  private mutating func joinHighlights() {
    guard let last = cutHighlights.last, cutHighlights.first != nil || held != nil else { return }
    let mark = spelling.marks[last]
    after += spelling.bytes[region.upperBound..<mark.end]
    if let first = cutHighlights.first {
      after += closers.dropFirst(spelling.marks[first].closer.count)
      openers = []
      closers = []
    }
    after += heldComments
    heldComments = []
    region = region.lowerBound..<mark.end
  }
}
