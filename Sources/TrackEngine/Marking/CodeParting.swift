/// Where a text that goes into marks is cut so that the delimiters in it are text; those that code
/// hides are text already, and that code stays whole.
///
/// A cut changes what is code. In the line of a fence, before it, it hides the fence. A block that is
/// not closed hides the closer of its mark, so that the mark is read as if no code were in it, and what
/// is after the mark anew: such a block is cut like other text, in a mark of its own where code is
/// before it.
struct CodeParting {
  private(set) var cuts: Set<Int> = []
  /// Where the first block begins that is not closed and is met by a delimiter.
  private(set) var unclosedFence: Int?
  private let bytes: [UInt8]
  private let opener: [UInt8]
  /// Where runs of backticks and tildes are cut.
  private let broken: Set<Int>
  /// The code after the places known already.
  private var zones: ArraySlice<CodeZone> = []
  /// Whether the last of the code is a block that is not closed.
  private var isOpen = false
  /// Whether code hides a delimiter of the mark at hand.
  private var hides = false
  /// How often code is still looked for, which bounds the work.
  private var looks = CodeParting.mostLooks

  /// In texts of more fences that nothing closes, code is not heeded to the end.
  static let mostLooks = 8

  /// Cuts a text at those of some places, in rising order, that code does not hide.
  init(_ bytes: [UInt8], _ kind: MarkKind, at places: [Int], breaking broken: Set<Int>) {
    self.bytes = bytes
    self.broken = broken
    opener = kind.opener
    look(from: 0)
    for place in places { part(at: place) }
    // The mark's own closer.
    part(at: bytes.count)
    cuts.subtract([0, bytes.count])
  }

  private mutating func part(at place: Int) {
    let isOver = zones.prefix { $0.range.upperBound <= place }.count
    zones = zones.dropFirst(isOpen ? min(isOver, zones.count - 1) : isOver)
    guard looks > 0, let zone = zones.first, isMet(zone, by: place) else {
      cuts.insert(place)
      return
    }
    let isInside = zone.range.lowerBound < place
    let isUnclosed = isOpen && zones.count == 1
    if isInside, !isUnclosed {
      hides = true
      return
    }
    if isUnclosed { unclosedFence = unclosedFence ?? zone.range.lowerBound }
    if isInside, hides { cuts.insert(zone.range.lowerBound) }
    cuts.insert(place)
    look(from: place)
  }

  /// Whether a place lies after the beginning of a zone, or before it in the line of its fence.
  private func isMet(_ zone: CodeZone, by place: Int) -> Bool {
    if zone.range.lowerBound < place { return true }
    return zone.isFenced
      && !bytes[place..<zone.range.lowerBound].contains(where: \.isLineBreak)
  }

  /// Looks for the code after a cut, as it is in the mark that begins there.
  private mutating func look(from start: Int) {
    looks -= 1
    hides = false
    let rest = opener + bytes[start...]
    let shift = start - opener.count
    let cuts = Set(broken.map { $0 - shift })
    let found = rest.withUnsafeBufferPointer { $0.code(cutting: cuts) }
    isOpen = found.isOpen
    zones =
      found.zones.map { CodeZone(range: $0.range.moved(by: shift), isFenced: $0.isFenced) }[...]
  }
}
