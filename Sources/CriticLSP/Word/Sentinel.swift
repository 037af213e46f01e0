import TrackEngine

/// A place in a text that pandoc carries through a conversion: noncharacters of Unicode (U+FDD0 to U+FDEF), which no
/// text holds and no format means anything by.
enum Sentinel: Hashable {
  /// Where the stretch of a number begins, and where it ends.
  case start(Int)
  case end(Int)
  /// Before text that would be read as a delimiter of a mark.
  case escape

  /// What stands in the text: a sign, the digits of the number to the base 8, and a last sign.
  var text: String {
    switch self {
    case .start(let number): Sentinel.text(Sentinel.startSign, number)
    case .end(let number): Sentinel.text(Sentinel.endSign, number)
    case .escape: String(decoding: Sentinel.lead + [Sentinel.escapeSign], as: UTF8.self)
    }
  }

  /// Whether a stretch begins there.
  var isStart: Bool { if case .start = self { true } else { false } }

  /// The number of its stretch; -1 for one that has none.
  var number: Int {
    switch self {
    case .start(let number), .end(let number): number
    case .escape: -1
    }
  }

  /// The bytes in UTF-8 that all of the noncharacters begin with; they differ in the last.
  private static let lead: [UInt8] = [0xEF, 0xB7]
  private static let startSign: UInt8 = 0x90
  private static let endSign: UInt8 = 0x91
  private static let escapeSign: UInt8 = 0x92
  private static let lastSign: UInt8 = 0x93
  private static let standInSign: UInt8 = 0x94
  /// The digits.
  private static let digits: Range<UInt8> = 0x98..<0xA0

  private static func text(_ sign: UInt8, _ number: Int) -> String {
    let octal = String(number, radix: 8).utf8.map { $0 - UInt8(ascii: "0") + digits.lowerBound }
    return String(decoding: ([sign] + octal + [lastSign]).flatMap { lead + [$0] }, as: UTF8.self)
  }
}

extension Sentinel {
  /// A stretch of a text with sentinels.
  enum Part: Equatable {
    case text([UInt8])
    case sentinel(Sentinel)
  }

  /// A text, cut at its sentinels; other noncharacters of theirs are left out.
  ///
  /// Linear.
  static func parts(of text: [UInt8]) -> [Part] {
    var parts: [Part] = []
    var plain = 0
    var at = 0
    func end(_ upperBound: Int) {
      if plain < upperBound { parts.append(.text(Array(text[plain..<upperBound]))) }
    }
    while at < text.count {
      guard let sign = sign(in: text, at: at) else {
        at += 1
        continue
      }
      end(at)
      at += 3
      if sign == escapeSign { parts.append(.sentinel(.escape)) }
      if sign == startSign || sign == endSign {
        var number = 0
        while let digit = Sentinel.sign(in: text, at: at), digits.contains(digit) {
          number = (number << 3 | Int(digit - digits.lowerBound)) & 0xFFFF_FFFF
          at += 3
        }
        if Sentinel.sign(in: text, at: at) == lastSign { at += 3 }
        parts.append(.sentinel(sign == startSign ? .start(number) : .end(number)))
      }
      plain = at
    }
    end(text.count)
    return parts
  }

  /// A text without its sentinels, and without noncharacters that could be taken for some.
  ///
  /// Linear.
  static func removed(from text: [UInt8]) -> [UInt8] {
    parts(of: text).reduce(into: []) { if case .text(let more) = $1 { $0 += more } }
  }

  /// The last byte of the noncharacter at an offset, if one of ours begins there.
  private static func sign(in text: [UInt8], at offset: Int) -> UInt8? {
    guard offset + 2 < text.count, text[offset] == lead[0], text[offset + 1] == lead[1],
      (0x90..<digits.upperBound).contains(text[offset + 2])
    else { return nil }
    return text[offset + 2]
  }
}

extension Sentinel {
  private static let standInStart = (lead + [standInSign])[...]

  /// Whether a text has what looks like the beginning of a stand-in.
  static func mayHaveStandIns(_ text: [UInt8]) -> Bool {
    text[...].firstRange(of: standInStart) != nil
  }

  /// What stands for a paragraph that pandoc does not read, by the paragraph's number.
  static func standIn(_ number: Int) -> String { text(standInSign, number) }

  /// Where the stand-ins of numbers from 0 on are in a text; nil if there are others, or not each once and in order.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - count: How many there are.
  /// - Returns: The place of each.
  static func standIns(in text: [UInt8], count: Int) -> [Range<Int>]? {
    var places: [Range<Int>] = []
    var at = 0
    while let sign = text[at...].firstRange(of: standInStart) {
      let name = Array(standIn(places.count).utf8)
      let place = sign.lowerBound..<sign.lowerBound + name.count
      guard place.upperBound <= text.count, text[place].elementsEqual(name) else { return nil }
      places.append(place)
      at = place.upperBound
    }
    return places.count == count ? places : nil
  }
}
