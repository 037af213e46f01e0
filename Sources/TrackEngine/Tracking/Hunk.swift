/// A pending change: a stretch of the settled text, and the stretch of the buffer in its place.
///
/// Hunks are sorted and disjoint, do not touch, and each changes something. Whoever has them has the buffer, which
/// holds what was put in; the settled text follows from both, so it need not be kept.
public struct Hunk: Equatable, Sendable {
  /// The stretch, in UTF-8 offsets of the settled text.
  public let old: Range<Int>
  /// The stretch, in UTF-8 offsets of the buffer.
  public let new: Range<Int>
  let removedText: RemovedText
  /// How the settled text was changed.
  let manner: Manner

  init(_ old: Range<Int>, _ new: Range<Int>, _ removed: RemovedText, _ manner: Manner) {
    self.old = old
    self.new = new
    removedText = removed
    self.manner = manner
  }

  /// A single edit.
  init(_ place: Difference, replacing old: ArraySlice<UInt8>, by new: ArraySlice<UInt8>) {
    let manner = Manner(replacing: old, by: new)
    self.init(place.old, place.new, RemovedText(Array(old)), manner)
  }

  /// The text that the settled text has there.
  public var removed: [UInt8] { removedText.bytes }

  /// How much longer the text becomes.
  var growth: Int { new.count - old.count }

  /// The lengths of the settled text and of the buffer up to its end.
  var end: Lengths { Lengths(old: old.upperBound, new: new.upperBound) }

  /// The same hunk, shifted by a number of bytes in the settled text and in the buffer.
  func moved(old oldShift: Int, new newShift: Int) -> Hunk {
    Hunk(old.moved(by: oldShift), new.moved(by: newShift), removedText, manner)
  }

  /// The same hunk after edits of the settled text that do not meet it.
  func moved(along map: OffsetMap) -> Hunk {
    moved(old: map.map(old.lowerBound, bias: .after) - old.lowerBound, new: 0)
  }

  /// The hunk without what both texts share at its ends; nil if nothing is left.
  func trimmed(in buffer: Text) -> Hunk? {
    let edit = Edit(old, Array(buffer[new])).trimmed(replacing: removed[...])
    guard !edit.range.isEmpty || !edit.new.isEmpty else { return nil }
    let start = edit.range.lowerBound - old.lowerBound
    let rest = RemovedText(Array(removed[start..<start + edit.range.count]))
    let place = new.lowerBound + start
    return Hunk(edit.range, place..<place + edit.new.count, rest, manner)
  }
}

extension [Hunk] {
  /// The same hunks after edits of the buffer that are of settled text; nil if one of those touches a hunk.
  func moved(beside edits: [Edit]) -> [Hunk]? {
    var moved: [Hunk] = []
    var rest = edits[...]
    var shift = 0
    for hunk in self {
      while let edit = rest.first, edit.range.upperBound < hunk.new.lowerBound {
        shift += edit.new.count - edit.range.count
        rest.removeFirst()
      }
      if let edit = rest.first, edit.range.lowerBound <= hunk.new.upperBound { return nil }
      moved.append(hunk.moved(old: shift, new: shift))
    }
    return moved
  }
}

extension Hunk {
  /// How long a stretch is in the settled text and in the buffer.
  struct Lengths: Equatable, Sendable {
    var old = 0
    var new = 0

    var growth: Int { new - old }

    static func + (left: Lengths, right: Lengths) -> Lengths {
      Lengths(old: left.old + right.old, new: left.new + right.new)
    }
  }

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

    /// The manner of a single edit.
    init(replacing old: some Collection<UInt8>, by new: some Collection<UInt8>) {
      if old.isEmpty || new.isEmpty {
        self = .bare
      } else {
        self = new.isCharacter && old.isCharacter ? .overtyped : .other
      }
    }

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
  /// As in `4..<6 "old" → 4..<9`.
  public var description: String {
    "\(old) \"\(String(decoding: removed, as: UTF8.self))\" → \(new)"
  }
}

extension Collection<UInt8> {
  /// Whether it is one user-perceived character.
  var isCharacter: Bool {
    // No character that a key types is longer.
    (1...32).contains(count) && String(decoding: self, as: UTF8.self).count == 1
  }
}

extension [Hunk] {
  /// The hunks at the places in the buffer that follow from those in the settled text; `shift` is how much longer
  /// the text has become before them.
  func placed(after shift: Int = 0) -> [Hunk] {
    var shift = shift
    return map { hunk in
      defer { shift += hunk.growth }
      return hunk.moved(old: 0, new: hunk.old.lowerBound + shift - hunk.new.lowerBound)
    }
  }
}

extension Collection<Hunk> {
  /// The number of bytes removed and inserted.
  var weight: Int { reduce(0) { $0 + $1.old.count + $1.new.count } }

  /// How much longer they make the text.
  var growth: Int { reduce(0) { $0 + $1.growth } }

  /// The edits that turn the settled text into the buffer.
  func edits(in buffer: Text) -> [Edit] { map { Edit($0.old, Array(buffer[$0.new])) } }

  /// The edits that turn the buffer into the settled text.
  public var inverted: [Edit] { map { Edit($0.new, $0.removed) } }
}

extension Edit {
  /// The edit that takes it back; `text` is what it is made on.
  public func inverted(on text: Text) -> Edit {
    Edit(range.lowerBound..<range.lowerBound + new.count, Array(text[range]))
  }
}

extension Collection<Edit> {
  /// The edits as hunks; `text` is what they are made on, and `shift` how much longer it became before them.
  func hunks(on text: Text, after shift: Int = 0) -> [Hunk] {
    assert(areEdits(ofLength: text.count), "edits of another text")
    return zip(self, differences(after: shift)).map { edit, place in
      Hunk(place, replacing: text[edit.range], by: edit.new[...])
    }
  }

  /// The edits that take these back; `text` is what they are made on.
  public func inverted(on text: Text) -> [Edit] {
    assert(areEdits(ofLength: text.count), "edits of another text")
    return zip(self, differences).map { Edit($1.new, Array(text[$0.range])) }
  }
}
