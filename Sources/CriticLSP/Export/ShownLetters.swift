import TrackEngine

/// The letters and digits of a clean text that a reader of a page sees, in order: what only Markdown needs, targets of links
/// and the like, is not among them.
///
/// A page shows the text without its signs, so what a reader has selected there is found by its letters.
struct ShownLetters {
  private let text: [UInt8]
  private var letters: [Unicode.Scalar] = []
  /// Where each letter begins in the text.
  private var offsets: [Int] = []

  /// Finds the letters of a text; linear.
  init(of text: [UInt8]) {
    self.text = text
    var at = frontMatter(of: text).upperBound
    var isLineStart = true
    while at < text.count {
      if isLineStart { at = afterMarker(at) }
      guard at < text.count else { break }
      isLineStart = text[at] == 0x0A
      if let end = afterHidden(at) {
        at = end
        continue
      }
      let (scalar, end) = scalar(at)
      if let scalar, scalar.isShownLetter {
        letters.append(scalar)
        offsets.append(at)
      }
      at = end
    }
  }

  /// Where a stretch of a page is.
  enum Place {
    /// Nowhere, or it has no letters.
    case none
    case one(Range<Int>)
    /// At so many places, and what is around it decides for none of them.
    case several(Int)
  }

  /// As many letters around a stretch, or all that are known, tell it from others.
  private static let fewestLetters = 8

  /// Where a stretch of a page is in the text.
  ///
  /// Of several places it is the one whose surroundings are most alike. Linear in the text for each place.
  func place(of shown: String, before: String, after: String) -> Place {
    let (wanted, before, after) = (shown.shownLetters, before.shownLetters, after.shownLetters)
    guard let first = wanted.first, wanted.count <= letters.count else { return .none }
    var (count, isTied) = (0, false)
    var best: (start: Int, alike: Int)?
    for start in 0...letters.count - wanted.count where letters[start] == first {
      guard letters[start..<start + wanted.count].elementsEqual(wanted) else { continue }
      let end = start + wanted.count
      let alike =
        zip(letters[..<start].suffix(before.count).reversed(), before.reversed())
        .prefix { $0 == $1 }.count + zip(letters[end...], after).prefix { $0 == $1 }.count
      count += 1
      isTied = alike == best?.alike || isTied && alike < best?.alike ?? 0
      if alike > best?.alike ?? -1 { best = (start, alike) }
    }
    guard let (start, alike) = best else { return .none }
    let fewest = min(ShownLetters.fewestLetters, before.count + after.count)
    guard count == 1 || !isTied && alike >= fewest else { return .several(count) }
    let last = offsets[start + wanted.count - 1]
    return .one(balanced(offsets[start]..<scalar(last).end, shown))
  }

  /// A range with the signs at its ends that are selected too, or whose counterpart is in it.
  private func balanced(_ range: Range<Int>, _ shown: String) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    let tail = Array(shown.unicodeScalars.reversed().prefix { !$0.isShownLetter }.reversed())
    for scalar in tail where end < text.count && !scalar.properties.isWhitespace {
      let next = self.scalar(end)
      guard next.scalar == scalar else { break }
      end = next.end
    }
    for sign in "*_`~".utf8 {
      let runs = text[start..<end].indices.filter {
        text[$0] == sign && ($0 == start || text[$0 - 1] != sign)
      }
      guard runs.count % 2 == 1, let run = runs.first else { continue }
      // What ends emphasis stands behind a word.
      if run > 0, text[run - 1] > 0x20, run == start || text[run - 1] != UInt8(ascii: "(") {
        start = before(sign, start) ?? start
      } else {
        end = after(sign, end) ?? end
        while end < text.count, text[end] == sign { end += 1 }
      }
    }
    let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
    let depth = text[start..<end].reduce(0) { $0 + ($1 == open ? 1 : $1 == close ? -1 : 0) }
    if depth < 0 { start = before(open, start) ?? start }
    if depth > 0, let closed = after(close, end) { end = afterTarget(closed) ?? closed }
    if depth < 0 { end = text[end - 1] == close ? afterTarget(end) ?? end : end }
    return start..<end
  }

  /// Where the last run of a byte before an offset begins in the same line.
  private func before(_ byte: UInt8, _ offset: Int) -> Int? {
    let last = text[..<offset].lastIndex { $0 == byte || $0 == 0x0A }
    guard var start = last, text[start] == byte else { return nil }
    while start > 0, text[start - 1] == byte { start -= 1 }
    return start
  }

  // MARK: - What a page does not show

  /// The offset behind what makes the block of a line that begins at an offset, if that holds digits.
  private func afterMarker(_ offset: Int) -> Int {
    let end = text[offset...].firstIndex(of: 0x0A) ?? text.count
    if text[offset..<end].starts(with: "```".utf8) || text[offset..<end].starts(with: "~~~".utf8) {
      return end
    }
    return offset + blockPrefixLength(of: text[offset..<end])
  }

  /// The offset behind what a page does not show; nil if it shows what is at an offset.
  private func afterHidden(_ offset: Int) -> Int? {
    switch text[offset] {
    case UInt8(ascii: "]"): afterTarget(offset + 1)
    case UInt8(ascii: "["):
      text[(offset + 1)...].first == UInt8(ascii: "^") ? after(UInt8(ascii: "]"), offset) : nil
    case UInt8(ascii: "&"): afterEntity(offset)
    case UInt8(ascii: "{"):
      text[(offset + 1)...].first.map { "#.".utf8.contains($0) } == true
        ? after(UInt8(ascii: "}"), offset) : nil
    default: nil
    }
  }

  /// The offset behind a link's target, its label or its attributes; nil if there is none at an offset.
  private func afterTarget(_ offset: Int) -> Int? {
    guard offset < text.count else { return nil }
    switch text[offset] {
    case UInt8(ascii: "("): return after(UInt8(ascii: ")"), offset)
    case UInt8(ascii: "["): return after(UInt8(ascii: "]"), offset)
    case UInt8(ascii: "{"): return after(UInt8(ascii: "}"), offset)
    default: return nil
    }
  }

  /// The offset behind the next byte of a kind in the same line.
  private func after(_ byte: UInt8, _ offset: Int) -> Int? {
    let next = text[offset...].firstIndex { $0 == byte || $0 == 0x0A }
    return next.flatMap { text[$0] == byte ? $0 + 1 : nil }
  }

  private func afterEntity(_ offset: Int) -> Int? {
    let name = text[(offset + 1)...].prefix(10).prefix {
      $0 != UInt8(ascii: ";") && Unicode.Scalar($0).isShownLetter || $0 == UInt8(ascii: "#")
    }
    let end = name.endIndex
    return !name.isEmpty && end < text.count && text[end] == UInt8(ascii: ";") ? end + 1 : nil
  }

  private func scalar(_ offset: Int) -> (scalar: Unicode.Scalar?, end: Int) {
    var decoder = UTF8()
    var rest = text[offset...].prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return (nil, offset + 1) }
    return (scalar, offset + UTF8.width(scalar))
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter or a digit.
  fileprivate var isShownLetter: Bool { properties.isAlphabetic || properties.numericType != nil }
}

extension String {
  /// The letters and digits.
  fileprivate var shownLetters: [Unicode.Scalar] { unicodeScalars.filter(\.isShownLetter) }
}
