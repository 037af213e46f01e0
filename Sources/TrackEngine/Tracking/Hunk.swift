/// A pending change: what the user has put in the place of a range of the settled text.
///
/// Hunks are sorted and disjoint, do not touch, and change something. With the buffer they say what
/// the settled text is, so that it need not be kept.
public struct Hunk: Equatable, Sendable {
  /// The range, in UTF-8 offsets of the settled text.
  public internal(set) var old: Range<Int>
  /// What the settled text has there.
  public internal(set) var removed: [UInt8]
  /// What the buffer has there.
  public internal(set) var new: [UInt8]
  /// How settled text was changed.
  var manner: Manner

  init(_ edit: Edit, on text: Text) {
    self.init(edit, removed: Array(text[edit.range]))
  }

  init(_ edit: Edit, removed: [UInt8]) {
    old = edit.range
    self.removed = removed
    new = edit.new
    if edit.range.isEmpty || edit.new.isEmpty {
      manner = .bare
    } else {
      manner = edit.new.isCharacter && removed.isCharacter ? .overtyped : .other
    }
  }

  /// The same hunk so much further on.
  func moved(by shift: Int) -> Hunk {
    var hunk = self
    hunk.old = old.moved(by: shift)
    return hunk
  }

  /// The same hunk where its range is after edits that do not meet it.
  func moved(along map: OffsetMap) -> Hunk {
    moved(by: map.map(old.lowerBound, bias: .after) - old.lowerBound)
  }

  var isChange: Bool { removed != new }

  /// The hunk without what both texts have at its ends; nil if that is all.
  var trimmed: Hunk? {
    guard isChange else { return nil }
    let edit = Edit(old, new).trimmed(replacing: removed[...])
    var hunk = self
    let start = edit.range.lowerBound - old.lowerBound
    hunk.old = edit.range
    hunk.removed = Array(removed[start..<start + edit.range.count])
    hunk.new = edit.new
    return hunk
  }
}

extension Hunk: Replacement {
  var replaced: Range<Int> { old }
  var newCount: Int { new.count }
}

extension Hunk {
  /// How settled text was changed, which says what is meant where it was a delimiter's characters.
  enum Manner: Sendable {
    /// It was only ever removed by itself, and nothing else was told with it, as where Backspace and Delete
    /// are held: what they eat of a delimiter means its neighbours, also on the way out of other text.
    case eaten
    /// The same, told by whole lines or all of the text, or after what was typed and taken back there: of two
    /// signs that are the same the first can be meant as well.
    case erased
    /// It was only ever removed by itself: what is eaten of a delimiter alone means its neighbours.
    case bare
    /// It was only ever replaced character by character, as in Replace mode: a delimiter's characters
    /// stand for as many after it.
    case overtyped
    /// What was done means itself.
    case other

    /// Whether it was only ever removed by itself.
    var isBare: Bool { self == .eaten || self == .erased || self == .bare }

    /// The manner of what was changed in two.
    func joined(with other: Manner) -> Manner {
      if self == other { return self }
      return isBare && other.isBare ? .bare : .other
    }
  }
}

extension Hunk: CustomStringConvertible {
  /// As in `4..<6 "old" → "new"`.
  public var description: String {
    let removed = String(decoding: removed, as: UTF8.self)
    let new = String(decoding: new, as: UTF8.self)
    return "\(old.lowerBound)..<\(old.upperBound) \"\(removed)\" → \"\(new)\""
  }
}

extension [UInt8] {
  /// Whether it is one character, as a user sees it.
  var isCharacter: Bool {
    // None that a key types is longer.
    (1...32).contains(count) && String(decoding: self, as: UTF8.self).count == 1
  }
}

extension Collection<Hunk> {
  /// How much is taken out and put in.
  var weight: Int { reduce(0) { $0 + $1.old.count + $1.new.count } }
}

extension [Hunk] {
  /// The edits that make the buffer out of the settled text.
  var edits: [Edit] { map { Edit($0.old, $0.new) } }

  /// The edits that make the settled text out of the buffer.
  var inverted: [Edit] { inverted(within: 0..<Int.max) }

  /// Those of ``inverted`` that lie in a stretch of the buffer.
  func inverted(within stretch: Range<Int>) -> [Edit] {
    zip(self, differences).compactMap { hunk, place in
      stretch.holds(place.new) ? Edit(place.new, hunk.removed) : nil
    }
  }
}

extension [Hunk] {
  /// The one that holds or touches an offset of the buffer, with its range there.
  public func change(at offset: Int) -> (hunk: Hunk, range: Range<Int>)? {
    for (index, place) in zip(indices, differences) {
      if offset < place.new.lowerBound { return nil }
      if offset <= place.new.upperBound { return (self[index], place.new) }
    }
    return nil
  }

  /// Whether an edit of the buffer takes out something that one of them put in, and nothing else.
  func takesBack(_ edit: Edit) -> Bool {
    guard edit.new.isEmpty, !edit.range.isEmpty else { return false }
    for place in differences {
      if place.new.holds(edit.range) { return true }
      if edit.range.lowerBound < place.new.lowerBound { return false }
    }
    return false
  }

  /// Whether a stretch of the buffer holds nothing that they put in.
  func isUntouched(_ range: Range<Int>) -> Bool {
    for place in differences {
      if range.upperBound <= place.new.lowerBound { return true }
      if !place.new.isEmpty, range.lowerBound < place.new.upperBound { return false }
    }
    return true
  }
}
