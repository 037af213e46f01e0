/// A link, image, formula or reference to a footnote in the Markdown that pandoc writes, which a change that touches its
/// signs takes in as a whole: a mark would cut what they mean.
struct WordUnit {
  /// All of it.
  let range: Range<Int>
  /// The text of a link, without brackets, which may be changed by itself; nothing of the others may.
  let text: Range<Int>

  private init(range: Range<Int>, text: Range<Int>) { (self.range, self.text) = (range, text) }

  /// A reference to a footnote.
  init(_ reference: PandocVariant.NotePlace) {
    self.init(
      range: reference.range,
      text: reference.range.lowerBound..<reference.range.lowerBound
    )
  }

  /// Whether a change touches more of it than its text or a link's address.
  func isMade(in change: Range<Int>) -> Bool {
    guard !text.isEmpty else { return change.overlaps(range) }
    return change.overlaps(range.lowerBound..<text.lowerBound)
      || change.overlaps(text.upperBound..<text.upperBound + 2)
      || change.overlaps(range.upperBound - 1..<range.upperBound)
  }

  /// Those in a text; a link in a link comes first.
  ///
  /// Linear. A sign that makes none has a backslash.
  static func all(in text: [UInt8]) -> [WordUnit] {
    var units: [WordUnit] = []
    var open: [Int] = []
    var formula: Int?
    var at = 0
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "\\"): at += 1
      case UInt8(ascii: "\n") where at + 1 < text.count && text[at + 1] == UInt8(ascii: "\n"):
        (open, formula) = ([], nil)
      case UInt8(ascii: "$"):
        let end = text[at...].firstIndex { $0 != UInt8(ascii: "$") } ?? text.count
        if let start = formula {
          units.append(WordUnit(range: start..<end, text: start..<start))
          formula = nil
        } else {
          formula = at
        }
        at = end - 1
      case UInt8(ascii: "["): open.append(at)
      case UInt8(ascii: "]"):
        guard let start = open.popLast(), at + 1 < text.count, text[at + 1] == UInt8(ascii: "("),
          let end = text[at...].firstIndex(where: { ")\n".utf8.contains($0) }),
          text[end] == UInt8(ascii: ")")
        else { break }
        units.append(WordUnit(range: start..<end + 1, text: start + 1..<at))
        at = end
      default: break
      }
      at += 1
    }
    return units
  }
}
