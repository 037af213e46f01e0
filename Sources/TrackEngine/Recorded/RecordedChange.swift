/// A change between two texts that another program has recorded, as a word processor does.
public struct RecordedChange: Equatable, Sendable {
  /// What was removed, in UTF-8 offsets of the original text.
  public var old: Range<Int>
  /// What was added, in UTF-8 offsets of the clean text.
  public var new: Range<Int>
  /// The comment that says who made the change, as in `@anna`; nil to say nothing.
  public var attribution: [UInt8]?
  /// With which changes that touch it, by the same author, it is one.
  public var joining = Joining.all

  /// With which changes one can be joined; the strictest comes last.
  public enum Joining: Comparable, Sendable {
    case all
    /// A deletion with deletions, an addition with additions; the other kind only if that can be joined with all.
    case ownKind
    case none
  }

  /// Creates a change.
  public init(_ old: Range<Int>, _ new: Range<Int>, attribution: [UInt8]? = nil) {
    (self.old, self.new, self.attribution) = (old, new, attribution)
  }
}

/// Puts recorded changes into marks.
///
/// Rejecting everything in the result gives the original text, and accepting everything the clean one, byte for byte.
/// Changes that touch are one if they have the same attribution, unless they are to stay apart; a change in code takes in
/// the code span or block. Where the marks of a paragraph would not read as meant, it is compared instead, without
/// attributions. Linear but for that.
///
/// - Parameters:
///   - changes: In order and disjoint. Between them both texts are the same; if they are not, all of them are compared.
///   - original: The text before the changes.
///   - clean: The text after them. Neither has marks.
///   - language: The language of both.
/// - Returns: The marked-up text.
public func marked(
  _ changes: [RecordedChange],
  from original: [UInt8],
  to clean: [UInt8],
  as language: Language
) -> [UInt8] {
  var marking = RecordedMarking(original, clean, language)
  if marking.add(changes) {
    let marked = marking.marked()
    if Claim(clean: clean, original: original).isKept(by: marked, as: language) { return marked }
  }
  return comparison(of: original, and: clean, as: language)
}

/// Whether recorded changes read as meant in marks, as ``marked(_:from:to:as:)`` writes them, without a comparison.
///
/// - Parameters:
///   - changes: In order and disjoint.
///   - original: The text before the changes.
///   - clean: The text after them.
///   - language: The language of both.
/// - Returns: Whether they do.
public func areReadable(
  _ changes: [RecordedChange],
  from original: [UInt8],
  to clean: [UInt8],
  as language: Language
) -> Bool {
  var marking = RecordedMarking(original, clean, language)
  return marking.add(changes) && marking.paragraphs().allSatisfy { marking.written($0) != nil }
}

/// Two texts and the recorded changes between them.
private struct RecordedMarking {
  private let original: [UInt8]
  private let clean: [UInt8]
  private let language: Language
  /// The code of the original text and of the clean one.
  private let oldZones: [Range<Int>]
  private let newZones: [Range<Int>]
  private var changes: [RecordedChange] = []

  init(_ original: [UInt8], _ clean: [UInt8], _ language: Language) {
    (self.original, self.clean, self.language) = (original, clean, language)
    oldZones = Reading(of: original, as: language).zones.map(\.range)
    newZones = Reading(of: clean, as: language).zones.map(\.range)
  }

  /// Takes the changes, widened to the code that they are in; false if the texts differ between them.
  mutating func add(_ changes: [RecordedChange]) -> Bool {
    var (oldAt, newAt) = (0, 0)
    let ends = RecordedChange(
      original.count..<original.count,
      clean.count..<clean.count
    )
    for change in changes + [ends] {
      guard oldAt <= change.old.lowerBound, newAt <= change.new.lowerBound,
        original[oldAt..<change.old.lowerBound] == clean[newAt..<change.new.lowerBound]
      else { return false }
      (oldAt, newAt) = (change.old.upperBound, change.new.upperBound)
    }
    for change in changes where !(change.old.isEmpty && change.new.isEmpty) { append(change) }
    coverCode()
    return true
  }

  /// Adds a change behind the others, joined with the last if they overlap, or touch and are by the same author.
  private mutating func append(_ change: RecordedChange) {
    guard let last = changes.last,
      change.old.lowerBound <= last.old.upperBound, change.new.lowerBound <= last.new.upperBound
    else { return changes.append(change) }
    let isOverlapping =
      change.old.lowerBound < last.old.upperBound || change.new.lowerBound < last.new.upperBound
    guard isOverlapping || change.isJoined(with: last) else { return changes.append(change) }
    changes[changes.count - 1] = last.joined(with: change)
  }

  /// Makes the changes in each code span or block of either text one change, which takes in all of it.
  private mutating func coverCode() {
    let whole = changes.map { Difference($0.old, $0.new) }
      .widened { [oldZones.reach(around: $0.old), newZones.reach(around: $0.new)] }
    changes = whole.map { whole, parts in
      let attribution = changes[parts].lazy.compactMap(\.attribution).first
      return RecordedChange(whole.old, whole.new, attribution: attribution)
    }
  }

  /// A stretch of both texts that is marked by itself.
  typealias Paragraph = (changes: ArraySlice<RecordedChange>, old: Range<Int>, new: Range<Int>)

  /// The paragraphs in which there are changes, and the text between them.
  func paragraphs() -> [Paragraph] {
    var paragraphs: [Paragraph] = []
    var (oldAt, newAt) = (0, 0)
    var first = 0
    func end(_ next: Int, _ oldEnd: Int, _ newEnd: Int) {
      paragraphs.append((changes[first..<next], oldAt..<oldEnd, newAt..<newEnd))
      (first, oldAt, newAt) = (next, oldEnd, newEnd)
    }
    for index in changes.indices.dropLast() {
      let change = changes[index]
      let kept = change.old.upperBound..<changes[index + 1].old.lowerBound
      guard let place = blankLineEnd(in: kept) else { continue }
      end(index + 1, place, change.new.upperBound + place - kept.lowerBound)
    }
    end(changes.count, original.count, clean.count)
    return paragraphs
  }

  /// The marked-up text, paragraph by paragraph.
  func marked() -> [UInt8] {
    paragraphs().flatMap { paragraph in
      written(paragraph)
        ?? comparison(
          of: Array(original[paragraph.old]),
          and: Array(clean[paragraph.new]),
          as: language
        )
    }
  }

  /// Where the first blank line in a range ends, outside code; nil if there is none.
  private func blankLineEnd(in range: Range<Int>) -> Int? {
    var at = range.lowerBound
    while at + 1 < range.upperBound {
      if original[at] == Ascii.newline, original[at + 1] == Ascii.newline {
        let place = at + 2
        if oldZones.range(cutAt: place) == nil { return place }
      }
      at += 1
    }
    return nil
  }

  /// A paragraph with its changes in marks; nil if it would not read as meant.
  func written(_ paragraph: Paragraph) -> [UInt8]? {
    let (changes, old, new) = paragraph
    let claim = Claim(clean: Array(clean[new]), original: Array(original[old]))
    let text = claim.clean.applying(
      changes.map { Edit($0.new.moved(by: -new.lowerBound), marks(of: $0)) }
    )
    return changes.isEmpty || claim.isKept(by: text, as: language) ? text : nil
  }

  private func marks(of change: RecordedChange) -> [UInt8] {
    let (old, new) = (original[change.old], clean[change.new])
    if old == new { return Array(new) }
    func mark(_ kind: MarkKind, _ content: ArraySlice<UInt8>) -> [UInt8] {
      content.isEmpty ? [] : kind.around(content)
    }
    let attribution = change.attribution.map(MarkKind.comment.around) ?? []
    guard !old.isEmpty, !new.isEmpty, old.firstRange(of: MarkKind.arrow) == nil else {
      return mark(.deletion, old) + mark(.addition, new) + attribution
    }
    return mark(.substitution, old + MarkKind.arrow + new) + attribution
  }
}

extension RecordedChange {
  /// The change without what both texts have at its ends.
  ///
  /// - Parameters:
  ///   - original: The text before it.
  ///   - clean: The text after it.
  /// - Returns: The change.
  public func trimmed(from original: [UInt8], to clean: [UInt8]) -> RecordedChange {
    let edit = Edit(old, Array(clean[new])).trimmed(replacing: original[old])
    var change = self
    let start = new.lowerBound + edit.range.lowerBound - old.lowerBound
    (change.old, change.new) = (edit.range, start..<start + edit.new.count)
    return change
  }

  /// Whether one that touches it is a part of the same change.
  public func isJoined(with other: RecordedChange) -> Bool {
    guard attribution == other.attribution, joining != .none, other.joining != .none else {
      return false
    }
    let isOneKind = old.isEmpty == other.old.isEmpty && new.isEmpty == other.new.isEmpty
    return isOneKind || joining == .all || other.joining == .all
  }

  /// One change of this one and a later one that touches or overlaps it, joined with others only as both may be.
  public func joined(with next: RecordedChange) -> RecordedChange {
    var whole = self
    whole.old = old.lowerBound..<max(old.upperBound, next.old.upperBound)
    whole.new = new.lowerBound..<max(new.upperBound, next.new.upperBound)
    whole.attribution = attribution ?? next.attribution
    whole.joining = max(joining, next.joining)
    return whole
  }

  /// The changes that a comparison of two texts finds, by words; for stretches of which nothing is recorded.
  ///
  /// Linear, except for a bounded factor.
  public static func found(
    from original: [UInt8],
    to clean: [UInt8],
    as language: Language
  ) -> [RecordedChange] {
    textChanges(original, clean, as: language).map { RecordedChange($0.old, $0.new) }
  }
}
