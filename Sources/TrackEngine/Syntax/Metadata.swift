/// Metadata that another tool attaches to a mark: not part of the text, and kept byte for byte.
///
/// Attributes stand between the opener's brace and its signs, as Obsidian's Track Changes writes them:
/// `{author="Claude" date="2026-06-14"++new++}`. The head is between the opener and the content, as Obsidian
/// Commentator writes it: `{++{"author":"anna","time":1700000000}@@new++}`. The tail follows the closer: `{#s1}` and
/// `{id="s1" by="anna"}` are Roughdraft's, `[^cn-1]` is ChangeDown's.
///
/// Here it is known by a hash, for few marks have metadata while values that refer to it are copied often; a
/// ``Texts`` holds its bytes.
struct Metadata: Hashable {
  let hash: UInt64

  init(hash: UInt64) { self.hash = hash }

  /// That of a mark which has nothing but a tail.
  init(tail: [UInt8]) {
    hash = tail.withUnsafeBufferPointer { $0.metadataHash(of: [0..<0, 0..<0, $0.indices]) }
  }
}

/// A piece of the metadata of a mark, taken apart.
struct MetadataItem {
  /// Which tool writes it, and where.
  enum Form {
    /// `author="Claude" date="2026-06-14"`, before the signs of the opener.
    case attributes
    /// A JSON object, behind the opener.
    case object
    /// `{#s1}`, behind the closer.
    case identifier
    /// `{id="s1" by="anna"}`, behind the closer.
    case identified
    /// `[^cn-1]`, behind the closer.
    case reference
  }

  /// The name of what is said, and what is said, without quotation marks; an identifier and a reference have no name.
  typealias Member = (name: Range<Int>, value: Range<Int>)

  let form: Form
  /// In text order.
  let members: [Member]
}

extension Mark {
  /// The pieces of the metadata, in text order.
  func metadataItems(in bytes: Bytes) -> [MetadataItem] {
    var items: [MetadataItem] = []
    if !attributes.isEmpty {
      var members: [MetadataItem.Member] = []
      _ = bytes.quotedAttributes(at: attributes.lowerBound) { members.append($0) }
      items.append(MetadataItem(form: .attributes, members: members))
    }
    if !head.isEmpty {
      var scanner = ObjectScanner(bytes, at: head.lowerBound)
      _ = scanner.passObject()
      items.append(MetadataItem(form: .object, members: scanner.members))
    }
    var at = tail.lowerBound
    while at < tail.upperBound, let found = bytes.tailItem(at: at) {
      items.append(found.item)
      at += found.length
    }
    return items
  }

  /// The footnotes that the mark refers to: for `[^cn-1]`, the range of `cn-1`.
  func references(in bytes: Bytes) -> [Range<Int>] {
    guard tailLength > 0 else { return [] }
    return metadataItems(in: bytes).filter { $0.form == .reference }.flatMap(\.members).map(\.value)
  }
}

extension MarkKind {
  /// The opener, with the metadata of a mark.
  func opener(like mark: Mark, in bytes: [UInt8]) -> [UInt8] {
    opener(with: bytes[mark.attributes], bytes[mark.head])
  }

  /// The opener with attributes and a head.
  func opener(with attributes: ArraySlice<UInt8>, _ head: ArraySlice<UInt8>) -> [UInt8] {
    Array(opener.prefix(1) + attributes + opener.dropFirst() + head)
  }

  /// The closer, with the metadata of a mark.
  func closer(like mark: Mark, in bytes: [UInt8]) -> [UInt8] { closer + bytes[mark.tail] }
}

extension Mark {
  /// The metadata of the mark; nil if it has none.
  var metadata: Metadata? { hasMetadata ? Metadata(hash: metadataHash) : nil }
  /// Whether the mark has metadata of another tool.
  var hasMetadata: Bool { attributesLength > 0 || headLength > 0 || tailLength > 0 }
  /// The attributes between the brace and the signs of the opener; usually empty.
  public var attributes: Range<Int> { start + 1..<start + 1 + attributesLength }
  /// A JSON object and `@@` after the signs of the opener; usually empty.
  public var head: Range<Int> { opener.upperBound - headLength..<opener.upperBound }
  /// The metadata after the three bytes of the closer; usually empty.
  public var tail: Range<Int> { end - tailLength..<end }

  /// Adds the metadata after the opener and after the closer, where the mark ends so far.
  @inline(__always)
  mutating func addMetadata(in bytes: Bytes) {
    if attributesLength > 0 || bytes[start + 3] == Ascii.open || bytes.mayBeTail(at: end) {
      findMetadata(in: bytes)
    }
  }

  private mutating func findMetadata(in bytes: Bytes) {
    headLength = bytes.head(at: opener.upperBound) ?? 0
    tailLength = bytes.tails(at: end)
    end += tailLength
    hashMetadata(in: bytes)
  }

  /// Keeps of the metadata only what is the mark's: from the first identifier, attributes or reference on that is
  /// not, all that follows the closer is text.
  mutating func keepMetadata(in bytes: Bytes, where isOfMark: (Range<Int>) -> Bool) {
    var kept = tail.lowerBound
    while kept < end, let length = bytes.tail(at: kept), isOfMark(kept..<kept + length) {
      kept += length
    }
    tailLength -= end - kept
    end = kept
    if headLength > 0, !isOfMark(head) { headLength = 0 }
    hashMetadata(in: bytes)
  }

  /// Gives back to the text what follows the first `length` bytes of the tail.
  mutating func cutTail(to length: Int, in bytes: Bytes) {
    end -= tailLength - length
    tailLength = length
    hashMetadata(in: bytes)
  }

  /// Makes the comment behind the mark part of it.
  mutating func takeIn(attribution comment: Mark, in bytes: Bytes) {
    tailLength += comment.end - end
    attributionLength = comment.end - end
    end = comment.end
    hashMetadata(in: bytes)
  }

  private mutating func hashMetadata(in bytes: Bytes) {
    metadataHash = hasMetadata ? bytes.metadataHash(of: [attributes, head, tail]) : 0
  }

  /// Whether any letter typed near the mark can create or destroy metadata, or turn an attribution into a
  /// comment.
  func isDelicate(in bytes: Bytes) -> Bool {
    if hasMetadata || bytes[opener.upperBound] == Ascii.open { return true }
    if end < bytes.count, bytes[end] == Ascii.bracket { return true }
    if end < bytes.count, bytes[end] == Ascii.open, bytes.opener(at: end) == nil { return true }
    return kind == .comment && startsWithName(in: bytes)
  }
}

extension Bytes {
  // The constants of FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/.
  private static let hashSeed: UInt64 = 0xCBF2_9CE4_8422_2325
  private static let hashFactor: UInt64 = 0x100_0000_01B3

  /// A hash of the attributes, the head and the tail of a mark.
  fileprivate func metadataHash(of ranges: [Range<Int>]) -> UInt64 {
    var hash = Bytes.hashSeed
    for range in ranges {
      for byte in self[range] { hash = (hash ^ UInt64(byte)) &* Bytes.hashFactor }
      // So that the same bytes hash differently in each of them.
      hash = (hash ^ 0xFF) &* Bytes.hashFactor
    }
    return hash
  }

  /// The greatest length of metadata, in bytes.
  static let longestMetadata = 4096

  /// The length of a JSON object with `@@` after it; nil if there is none.
  ///
  /// The object is on one line, and its strings hold no CriticMarkup and nothing that begins code, so that
  /// marks read the same with it and without it.
  func head(at offset: Int) -> Int? {
    let end = Swift.min(count, offset + Bytes.longestMetadata)
    var scanner = ObjectScanner(Bytes(rebasing: self[..<end]), at: offset)
    guard scanner.passObject() else { return nil }
    let at = scanner.at
    let sign = UInt8(ascii: "@")
    guard at + 2 <= count, self[at] == sign, self[at + 1] == sign else { return nil }
    return at + 2 - offset
  }

  /// Whether metadata of a mark that ends at an offset may begin there.
  @inline(__always)
  fileprivate func mayBeTail(at offset: Int) -> Bool {
    guard offset + 1 < count else { return false }
    return self[offset] == Ascii.bracket
      || self[offset] == Ascii.open
        && (self[offset + 1] == UInt8(ascii: "#") || self[offset + 1].isOfID)
  }

  /// The length of all metadata after a closer that ends at an offset.
  func tails(at offset: Int) -> Int {
    var end = offset
    while let length = tail(at: end) { end += length }
    return end - offset
  }

  /// The length of `{#s1}`, `{id="s1" by="…"}` or `[^cn-1]`; nil if there is none.
  fileprivate func tail(at offset: Int) -> Int? {
    guard offset + 4 <= count else { return nil }
    let end = Swift.min(count, offset + Bytes.longestMetadata)
    let line = Bytes(rebasing: self[offset..<end])
    switch self[offset] {
    case Ascii.bracket: return line.reference
    case Ascii.open where self[offset + 1] == UInt8(ascii: "#"): return line.identifier
    case Ascii.open: return line.attributes { _ in }
    default: return nil
    }
  }

  /// The piece of metadata at an offset behind a closer, and its length; nil if there is none.
  fileprivate func tailItem(at offset: Int) -> (item: MetadataItem, length: Int)? {
    guard let length = tail(at: offset) else { return nil }
    let whole = offset..<offset + length
    var members: [MetadataItem.Member] = []
    if self[offset] == Ascii.bracket {
      members.append((0..<0, whole.lowerBound + 2..<whole.upperBound - 1))
      return (MetadataItem(form: .reference, members: members), length)
    }
    if self[offset + 1] == UInt8(ascii: "#") {
      members.append((0..<0, whole.lowerBound + 2..<whole.upperBound - 1))
      return (MetadataItem(form: .identifier, members: members), length)
    }
    _ = Bytes(rebasing: self[whole]).attributes { name, value in
      members.append((name.moved(by: offset), value.moved(by: offset)))
    }
    return (MetadataItem(form: .identified, members: members), length)
  }

  /// The length of a leading `[^cn-1]` or `[^cn-1.2]`; nil if there is none.
  var reference: Int? {
    guard starts(with: "[^cn-".utf8) else { return nil }
    var end = numberEnd(from: 5)
    if end > 5, end + 1 < count, self[end] == UInt8(ascii: "."), self[end + 1].isDigit {
      end = numberEnd(from: end + 1)
    }
    return end > 5 && end < count && self[end] == UInt8(ascii: "]") ? end + 1 : nil
  }

  /// The length of a leading `{#s1}`; nil if there is none.
  private var identifier: Int? {
    let end = idEnd(from: 2)
    return end < count && self[end] == Ascii.close && isIdentifier(2..<end) ? end + 1 : nil
  }

  /// Whether a range is an id of Roughdraft's, a letter and a number; other ids are the writer's own.
  private func isIdentifier(_ range: Range<Int>) -> Bool {
    guard range.count > 1, self[range.lowerBound].isAsciiLetter else { return false }
    return numberEnd(from: range.lowerBound + 1) == range.upperBound
  }

  /// Where the digits at an offset end.
  private func numberEnd(from offset: Int) -> Int {
    var end = offset
    while end < count, self[end].isDigit { end += 1 }
    return end
  }

  /// The length of attributes that stand between a brace and the signs of an opener, as in
  /// `author="Claude" date="2026-06-14"`; nil if there are none.
  ///
  /// Their values are quoted, and one of them says who or when. Nothing in them can be part of a delimiter, of code or
  /// of a line end.
  @inline(__always)
  func attributesLength(at offset: Int) -> Int? {
    guard offset < count, self[offset].isAsciiLetter else { return nil }
    return quotedAttributes(at: offset) { _ in }
  }

  /// The same, and calls `body` with each attribute.
  fileprivate func quotedAttributes(
    at offset: Int,
    _ body: (MetadataItem.Member) -> Void
  ) -> Int? {
    let end = Swift.min(count, offset + Bytes.longestMetadata)
    let line = Bytes(rebasing: self[..<end])
    var at = offset
    var saysWhoOrWhen = false
    while true {
      guard let found = line.attribute(at: at), line[found.end - 1] == Ascii.quote else {
        return nil
      }
      body(found.member)
      let name = line[found.member.name]
      if name.elementsEqual("author".utf8) || name.elementsEqual("date".utf8) {
        saysWhoOrWhen = true
      }
      let next = line.blankEnd(from: found.end)
      if next == found.end { return saysWhoOrWhen ? found.end - offset : nil }
      at = next
    }
  }

  /// The offset of every brace that could begin an opener with attributes if text that is not part of any delimiter came
  /// or went behind it.
  ///
  /// Linear.
  var unfinishedAttributes: [Int] {
    var found: [Int] = []
    var at = special(from: 0)
    while at < count {
      let brace = at
      at = special(from: at + 1)
      guard self[brace] == Ascii.open, brace + 1 < count, self[brace + 1].isAsciiLetter else {
        continue
      }
      while at < count, self[at].isInert { at = special(from: at + 1) }
      // Up to the next brace or the tildes of a substitution there would be an equals sign, and signs.
      let end = Swift.min(count, at + 2)
      guard let sign = self[brace..<end].firstIndex(of: Ascii.equals) else { continue }
      if (sign + 1..<end).contains(where: { openerSigns(at: $0) != nil }) { found.append(brace) }
    }
    return found
  }

  /// The length of a leading `{id="s1" by="anna"}`, whose `id` must be of its form; nil if there is none.
  ///
  /// Calls `body` with each attribute.
  private func attributes(_ body: (MetadataItem.Member) -> Void) -> Int? {
    var at = 1
    var hasID = false
    while true {
      guard let found = attribute(at: at), found.end < count else { return nil }
      let (member, end) = (found.member, found.end)
      body(member)
      if self[member.name].elementsEqual("id".utf8) { hasID = isIdentifier(member.value) }
      if self[end] == Ascii.close { return hasID ? end + 1 : nil }
      guard self[end] == Ascii.space else { return nil }
      at = blankEnd(from: end)
    }
  }

  /// The attribute at an offset, whose value is quoted or not, and where it ends; nil if there is none.
  private func attribute(at offset: Int) -> (member: MetadataItem.Member, end: Int)? {
    let name = offset..<idEnd(from: offset)
    let start = name.upperBound + 1
    guard !name.isEmpty, start < count, self[start - 1] == Ascii.equals else { return nil }
    guard self[start] == Ascii.quote else {
      let end = idEnd(from: start)
      return end > start ? (member: (name: name, value: start..<end), end: end) : nil
    }
    var at = start + 1
    while at < count, self[at] != Ascii.quote {
      if !self[at].isInert { return nil }
      at += 1
    }
    return at < count ? (member: (name: name, value: start + 1..<at), end: at + 1) : nil
  }

  /// Where an identifier ends: letters, digits, and characters between them that cannot form a delimiter.
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

  /// Whether it cannot be part of a delimiter, of code or of a line end.
  fileprivate var isInert: Bool { !isBrace && !isCodeSign && self >= Ascii.space }
}

/// Skips a JSON object (RFC 8259) on one line whose strings are inert.
private struct ObjectScanner {
  private let bytes: Bytes
  private(set) var at: Int
  /// The names and values of the outermost object's members, without the quotation marks of strings.
  private(set) var members: [MetadataItem.Member] = []

  private static let deepest = 16

  init(_ bytes: Bytes, at offset: Int) {
    self.bytes = bytes
    at = offset
  }

  /// Skips an object; false if there is none.
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

  /// Skips the array whose bracket is here.
  private mutating func passArray(depth: Int) -> Bool {
    at += 1
    passSpace()
    if pass(UInt8(ascii: "]")) { return true }
    while passValue(depth: depth + 1) != nil {
      if pass(UInt8(ascii: "]")) { return true }
      guard pass(UInt8(ascii: ",")) else { return false }
    }
    return false
  }

  /// Skips a value and the white space around it.
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
