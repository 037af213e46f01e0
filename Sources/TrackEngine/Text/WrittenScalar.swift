/// A Unicode scalar of a text, and its role in words.
struct WrittenScalar {
  /// Its length in bytes.
  var length: Int
  /// Its role in words.
  var script: Script
  /// Whether it is part of a word if it is between letters.
  var joinsWords = false
  /// Whether it joins the next scalar to the emoji before it.
  var joinsEmoji = false

  /// The role of a scalar in words, depending on how its script writes them.
  enum Script {
    /// A letter or a digit of a script that separates words.
    case letter
    /// A character that stands for a word or a part of one.
    case ideograph
    /// A Hiragana syllable, or a letter of another script that does not separate words.
    case kana
    /// Katakana, of which consecutive characters form a word.
    case katakana
    /// A character that belongs to the one before it.
    case mark
    case space
    /// Punctuation that ends a sentence.
    case stop
    /// Punctuation that ends part of a sentence.
    case pause
    case sign
  }
}

extension Bytes {
  /// The scalar at `offset`; a byte that is not part of one is a sign.
  @inline(__always)
  func writtenScalar(at offset: Int) -> WrittenScalar {
    let byte = self[offset]
    if byte < 0x80 { return WrittenScalar.ascii(byte) }
    return beyondAscii(at: offset)
  }

  /// Where a character ends of which the first scalar ends at `offset`: after its combining marks and joined
  /// emoji.
  func characterEnd(from offset: Int) -> Int {
    var end = offset
    while end < count, self[end] >= 0x80 {
      let next = writtenScalar(at: end)
      guard next.script == .mark else { break }
      end += next.length
      if next.joinsEmoji, end < count, self[end] >= 0x80 { end += writtenScalar(at: end).length }
    }
    return end
  }

  private func beyondAscii(at offset: Int) -> WrittenScalar {
    let (scalar, length) = anyScalar(at: offset)
    return scalar.map { WrittenScalar($0, length) } ?? WrittenScalar(length: 1, script: .sign)
  }

  /// The scalar at `offset` and its length; of a byte that is not part of one, nil and 1.
  func anyScalar(at offset: Int) -> (scalar: Unicode.Scalar?, length: Int) {
    if self[offset] < 0x80 { return (Unicode.Scalar(self[offset]), 1) }
    guard let (value, length) = scalar(at: offset), let scalar = Unicode.Scalar(value) else {
      return (nil, 1)
    }
    return (scalar, length)
  }

  /// The value and the length of the sequence at `offset`; nil if it is not UTF-8.
  private func scalar(at offset: Int) -> (UInt32, Int)? {
    let lead = self[offset]
    let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
    guard length > 0, offset + length <= count else { return nil }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for at in offset + 1..<offset + length {
      guard self[at] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(self[at] & 0x3F)
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    return value < least ? nil : (value, length)
  }
}

extension WrittenScalar {
  fileprivate static func ascii(_ byte: UInt8) -> WrittenScalar {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      WrittenScalar(length: 1, script: .letter)
    case Ascii.space, Ascii.tab: WrittenScalar(length: 1, script: .space)
    case UInt8(ascii: "."): WrittenScalar(length: 1, script: .stop, joinsWords: true)
    case UInt8(ascii: "!"), UInt8(ascii: "?"): WrittenScalar(length: 1, script: .stop)
    case UInt8(ascii: ","): WrittenScalar(length: 1, script: .pause)
    case UInt8(ascii: ";"), UInt8(ascii: ":"): WrittenScalar(length: 1, script: .pause)
    case UInt8(ascii: "'"), Ascii.minus, UInt8(ascii: "_"):
      WrittenScalar(length: 1, script: .sign, joinsWords: true)
    default: WrittenScalar(length: 1, script: .sign)
    }
  }

  fileprivate init(_ scalar: Unicode.Scalar, _ length: Int) {
    self.init(length: length, script: Script(scalar))
    // The apostrophe, the hyphens, and invisible joiners.
    joinsWords = [0x2019, 0x2010, 0x2011, 0xAD, 0x200C, 0x200D].contains(scalar.value)
    joinsEmoji = scalar.value == 0x200D
  }
}

extension WrittenScalar.Script {
  fileprivate init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    // The Latin letters, and Greek to Arabic with their marks: most of what is written in Europe.
    case 0xC0...0x2FF where scalar.value != 0xD7 && scalar.value != 0xF7: self = .letter
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: self = .ideograph
    case 0x3041...0x3096, 0x309D...0x309F: self = .kana
    case 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .katakana
    // Thai, Lao, Myanmar and Khmer.
    case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF:
      self = scalar.isMark ? .mark : .kana
    case 0x3002, 0xFF01, 0xFF0E, 0xFF1F, 0xFF61, 0x2026: self = .stop
    case 0x3001, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF64: self = .pause
    case 0x1F1E6...0x1F1FF: self = .sign
    default:
      if scalar.isMark {
        self = .mark
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        self = .letter
      } else {
        self = scalar.properties.isWhitespace ? .space : .sign
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it belongs to the character before it.
  fileprivate var isMark: Bool {
    properties.isGraphemeExtend || properties.isEmojiModifier || value == 0x200D
      || properties.generalCategory == .spacingMark
  }
}
