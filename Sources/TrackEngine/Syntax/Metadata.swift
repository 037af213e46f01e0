/// What other tools hang on a mark: never text, and kept byte for byte.
///
/// The head stands between the opener and the content, as Obsidian Commentator writes it:
/// `{++{"author":"anna","time":1700000000}@@new++}`. The tail stands behind the closer: `{#s1}` and
/// `{id="s1" by="anna"}` are Roughdraft's, `[^cn-1]` is ChangeDown's.
///
/// A class, for nearly no mark has any and copies of what refers to it are many; those that say the same are equal.
final class Metadata: Equatable, Sendable {
  let head: [UInt8]
  let tail: [UInt8]

  /// What hangs on a mark; nil where nothing does.
  convenience init?(of mark: Mark, in bytes: [UInt8]) {
    guard mark.hasMetadata else { return nil }
    self.init(head: Array(bytes[mark.head]), tail: Array(bytes[mark.tail]))
  }

  private init(head: [UInt8], tail: [UInt8]) {
    self.head = head
    self.tail = tail
  }

  static func == (first: Metadata, second: Metadata) -> Bool {
    first === second || first.head == second.head && first.tail == second.tail
  }
}

extension MarkKind {
  /// The opener with what another tool has hung on the mark.
  func opener(with metadata: Metadata?) -> [UInt8] { opener + (metadata?.head ?? []) }

  /// The closer with what another tool has hung on the mark.
  func closer(with metadata: Metadata?) -> [UInt8] { closer + (metadata?.tail ?? []) }

  /// The opener with what another tool has hung on a mark.
  func opener(like mark: Mark, in bytes: [UInt8]) -> [UInt8] { opener + bytes[mark.head] }

  /// The closer with what another tool has hung on a mark.
  func closer(like mark: Mark, in bytes: [UInt8]) -> [UInt8] { closer + bytes[mark.tail] }
}

extension Mark {
  /// Whether another tool has hung something on the mark.
  var hasMetadata: Bool { headLength > 0 || tailLength > 0 }
  /// A JSON object and `@@` between the opener's signs and the content; mostly empty.
  public var head: Range<Int> { start + 3..<start + 3 + headLength }
  /// What stands behind the closer's signs; mostly empty.
  public var tail: Range<Int> { end - tailLength..<end }

  /// Takes in what stands after the opener and behind the closer, where the mark ends so far.
  @inline(__always)
  mutating func addMetadata(in bytes: Bytes) {
    if bytes[start + 3] == Ascii.open || bytes.mayBeTail(at: end) { findMetadata(in: bytes) }
  }

  private mutating func findMetadata(in bytes: Bytes) {
    headLength = bytes.head(at: start + 3) ?? 0
    tailLength = bytes.tails(at: end)
    end += tailLength
    guard hasMetadata else { return }
    var hash = Mark.hashSeed
    for range in [head, tail] {
      for byte in bytes[range] { hash = (hash ^ UInt64(byte)) &* Mark.hashFactor }
      // So that what is in the head is not the same in the tail.
      hash = (hash ^ 0xFF) &* Mark.hashFactor
    }
    metadataHash = hash
  }

  // The numbers of FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/.
  private static let hashSeed: UInt64 = 0xCBF2_9CE4_8422_2325
  private static let hashFactor: UInt64 = 0x100_0000_01B3

  /// Whether any letter near it can make metadata of what is none, or the other way round, or a comment of an
  /// attribution.
  func isDelicate(in bytes: Bytes) -> Bool {
    if hasMetadata || bytes[start + 3] == Ascii.open { return true }
    if end < bytes.count, bytes[end] == Ascii.bracket { return true }
    if end < bytes.count, bytes[end] == Ascii.open, bytes.opener(at: end) == nil { return true }
    return kind == .comment && startsWithName(in: bytes)
  }
}

extension Bytes {
  /// No metadata is longer.
  private static let longestMetadata = 4096

  /// The length of a JSON object with `@@` behind it; nil where there is none.
  ///
  /// It is in one line, and its strings hold nothing that means anything to CriticMarkup or begins code, so that
  /// marks read the same with it and without it.
  fileprivate func head(at offset: Int) -> Int? {
    let end = Swift.min(count, offset + Bytes.longestMetadata)
    var scanner = ObjectScanner(Bytes(rebasing: self[..<end]), at: offset)
    guard scanner.passObject() else { return nil }
    let at = scanner.at
    let sign = UInt8(ascii: "@")
    guard at + 2 <= count, self[at] == sign, self[at + 1] == sign else { return nil }
    return at + 2 - offset
  }

  /// Whether what stands at an offset may hang on a mark that ends there.
  @inline(__always)
  fileprivate func mayBeTail(at offset: Int) -> Bool {
    guard offset + 1 < count else { return false }
    return self[offset] == Ascii.bracket
      || self[offset] == Ascii.open
        && (self[offset + 1] == UInt8(ascii: "#") || self[offset + 1].isOfID)
  }

  /// The length of all that hangs behind a closer that ends at an offset.
  fileprivate func tails(at offset: Int) -> Int {
    var end = offset
    while let length = tail(at: end) { end += length }
    return end - offset
  }

  /// The length of `{#id}`, of `{id="…" by="…"}` or of `[^cn-1]`; nil where there is none.
  private func tail(at offset: Int) -> Int? {
    guard offset + 4 <= count else { return nil }
    let end = Swift.min(count, offset + Bytes.longestMetadata)
    let line = Bytes(rebasing: self[offset..<end])
    switch self[offset] {
    case Ascii.bracket: return line.reference
    case Ascii.open where self[offset + 1] == UInt8(ascii: "#"): return line.identifier
    case Ascii.open: return line.attributes
    default: return nil
    }
  }

  /// The length of `[^cn-1]`, with which the text begins; nil where it does not.
  var reference: Int? {
    guard starts(with: "[^cn-".utf8) else { return nil }
    let end = idEnd(from: 5)
    return end > 5 && end < count && self[end] == UInt8(ascii: "]") ? end + 1 : nil
  }

  /// The length of `{#id}`, with which the text begins.
  private var identifier: Int? {
    let end = idEnd(from: 2)
    return end > 2 && end < count && self[end] == Ascii.close ? end + 1 : nil
  }

  /// The length of `{id="s1" by="anna"}`, with which the text begins; an `id` is among the attributes.
  private var attributes: Int? {
    var at = 1
    var hasID = false
    while at < count {
      let name = at..<idEnd(from: at)
      guard !name.isEmpty, name.upperBound + 1 < count, self[name.upperBound] == Ascii.equals
      else { return nil }
      if self[name].elementsEqual("id".utf8) { hasID = true }
      guard let end = valueEnd(from: name.upperBound + 1), end < count else { return nil }
      if self[end] == Ascii.close { return hasID ? end + 1 : nil }
      guard self[end] == Ascii.space else { return nil }
      at = blankEnd(from: end)
    }
    return nil
  }

  /// Where a value ends, in quotation marks or not; nil where none begins.
  private func valueEnd(from offset: Int) -> Int? {
    let quote = self[offset]
    guard quote == Ascii.quote else {
      let end = idEnd(from: offset)
      return end > offset ? end : nil
    }
    var at = offset + 1
    while at < count, self[at] != quote {
      if !self[at].isInert { return nil }
      at += 1
    }
    return at < count ? at + 1 : nil
  }

  /// Where letters, digits and what may stand between them end: no delimiter can be spelled with them.
  private func idEnd(from offset: Int) -> Int {
    var end = offset
    while end < count, self[end].isOfID { end += 1 }
    while end > offset, "-.:".utf8.contains(self[end - 1]) { end -= 1 }
    return end
  }
}

extension UInt8 {
  fileprivate var isOfID: Bool {
    switch self {
    case UInt8(ascii: "_"), Ascii.minus, UInt8(ascii: "."), Ascii.colon: true
    case UInt8(ascii: "'"): false
    default: self < 0x80 && isLetter
    }
  }

  /// Whether no delimiter begins, ends or divides with it, nor code or a line.
  fileprivate var isInert: Bool { !isBrace && !isCodeSign && self >= Ascii.space }
}

/// Passes over a JSON object (RFC 8259) that is all in one line and whose strings are inert.
struct ObjectScanner {
  private let bytes: Bytes
  private(set) var at: Int
  /// The names of the object's own members, and where their values stand; strings without their quotation marks.
  private(set) var members: [(name: Range<Int>, value: Range<Int>)] = []

  private static let deepest = 16

  init(_ bytes: Bytes, at offset: Int) {
    self.bytes = bytes
    at = offset
  }

  /// Passes over an object; false if there is none.
  mutating func passObject() -> Bool { passObject(depth: 0) }

  private mutating func passObject(depth: Int) -> Bool {
    guard pass(Ascii.open) else { return false }
    passSpace()
    if pass(Ascii.close) { return true }
    while true {
      passSpace()
      guard let name = passString() else { return false }
      passSpace()
      guard pass(Ascii.colon), let value = passValue(depth: depth + 1) else { return false }
      if depth == 0 { members.append((name, value)) }
      if pass(Ascii.close) { return true }
      guard pass(UInt8(ascii: ",")) else { return false }
    }
  }

  private mutating func passArray(depth: Int) -> Bool {
    guard pass(Ascii.bracket) else { return false }
    passSpace()
    if pass(UInt8(ascii: "]")) { return true }
    while passValue(depth: depth + 1) != nil {
      if pass(UInt8(ascii: "]")) { return true }
      guard pass(UInt8(ascii: ",")) else { return false }
    }
    return false
  }

  /// Passes over a value and the white space around it.
  private mutating func passValue(depth: Int) -> Range<Int>? {
    passSpace()
    let start = at
    guard at < bytes.count, depth < ObjectScanner.deepest else { return nil }
    var value: Range<Int>?
    switch bytes[at] {
    case Ascii.quote: value = passString()
    case Ascii.open: value = passObject(depth: depth) ? start..<at : nil
    case Ascii.bracket: value = passArray(depth: depth) ? start..<at : nil
    default:
      let isWord = pass("true") || pass("false") || pass("null")
      value = isWord || passNumber() ? start..<at : nil
    }
    passSpace()
    return value
  }

  private mutating func passString() -> Range<Int>? {
    guard pass(Ascii.quote) else { return nil }
    let start = at
    while at < bytes.count {
      switch bytes[at] {
      case Ascii.quote:
        at += 1
        return start..<at - 1
      case Ascii.backslash:
        guard passEscape() else { return nil }
      case let byte where byte.isInert: at += 1
      default: return nil
      }
    }
    return nil
  }

  private mutating func passEscape() -> Bool {
    at += 1
    guard at < bytes.count else { return false }
    if pass(UInt8(ascii: "u")) {
      guard at + 4 <= bytes.count else { return false }
      let isHex = bytes[at..<at + 4].allSatisfy { byte in
        "0123456789abcdefABCDEF".utf8.contains(byte)
      }
      at += 4
      return isHex
    }
    guard "\"\\/bfnrt".utf8.contains(bytes[at]) else { return false }
    at += 1
    return true
  }

  private mutating func passNumber() -> Bool {
    _ = pass(Ascii.minus)
    guard pass(UInt8(ascii: "0")) || passDigits() else { return false }
    if pass(UInt8(ascii: ".")), !passDigits() { return false }
    if pass(UInt8(ascii: "e")) || pass(UInt8(ascii: "E")) {
      if !pass(Ascii.plus) { _ = pass(Ascii.minus) }
      return passDigits()
    }
    return true
  }

  private mutating func passDigits() -> Bool {
    let start = at
    while at < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]) { at += 1 }
    return at > start
  }

  private mutating func passSpace() { at = bytes.blankEnd(from: at) }

  private mutating func pass(_ byte: UInt8) -> Bool {
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  private mutating func pass(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      guard bytes[at...].starts(with: word) else { return false }
      at += word.count
      return true
    }
  }
}
