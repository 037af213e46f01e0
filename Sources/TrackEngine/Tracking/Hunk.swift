/// A pending change: the text the user has put in place of a range of the settled text.
///
/// Hunks are sorted and disjoint, do not touch, and each changes something. The settled text follows from them
/// and the buffer, so it need not be kept.
public struct Hunk: Equatable, Sendable {
  /// The range, in UTF-8 offsets of the settled text.
  public internal(set) var old: Range<Int>
  /// The text there in the settled text.
  public internal(set) var removed: [UInt8]
  /// The text there in the buffer.
  public internal(set) var new: [UInt8]
  /// How the settled text was changed.
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

  /// The same hunk, shifted by a number of bytes.
  func moved(by shift: Int) -> Hunk {
    var hunk = self
    hunk.old = old.moved(by: shift)
    return hunk
  }

  /// The same hunk at its range after edits that do not meet it.
  func moved(along map: OffsetMap) -> Hunk {
    moved(by: map.map(old.lowerBound, bias: .after) - old.lowerBound)
  }

  var isChange: Bool { removed != new }

  /// The hunk without what both texts share at its ends; nil if nothing is left.
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
  /// How settled text was changed, which decides what is meant where the text was part of a delimiter.
  enum Manner: Sendable {
    /// Only removed, with nothing else reported, as when Backspace or Delete is held: removing part of a
    /// delimiter means removing its neighbours, also when the deletion began in other text.
    case eaten
    /// The same, but reported as whole lines or the whole text, or after text typed there was taken back: of
    /// two equal signs, the first may also be the one meant.
    case erased
    /// Only removed: removing only part of a delimiter means removing its neighbours.
    case bare
    /// Only replaced character by character, as in Replace mode: a delimiter's characters stand for as many
    /// characters after it.
    case overtyped
    /// Any other change, which is taken literally.
    case other

    /// Whether the text was only removed.
    var isBare: Bool { self == .eaten || self == .erased || self == .bare }

    /// The manner of a change made in two steps.
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
  /// Whether it is one user-perceived character.
  var isCharacter: Bool {
    // No character that a key types is longer.
    (1...32).contains(count) && String(decoding: self, as: UTF8.self).count == 1
  }
}

extension Collection<Hunk> {
  /// The number of bytes removed and inserted.
  var weight: Int { reduce(0) { $0 + $1.old.count + $1.new.count } }
}

extension [Hunk] {
  /// The edits that turn the settled text into the buffer.
  var edits: [Edit] { map { Edit($0.old, $0.new) } }

  /// The edits that turn the buffer into the settled text.
  var inverted: [Edit] { zip(self, differences).map { Edit($1.new, $0.removed) } }
}
