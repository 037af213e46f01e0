/// One of the five marks of CriticMarkup.
public enum MarkKind: UInt8, CaseIterable, Sendable {
  case addition
  case deletion
  case substitution
  case highlight
  case comment

  /// The two bytes that divide a substitution.
  static let arrow = Array("~>".utf8)

  /// Whether accepting and rejecting the mark result in different texts.
  public var isChange: Bool { rawValue <= MarkKind.substitution.rawValue }

  /// The three bytes that open the mark.
  public var opener: [UInt8] { MarkKind.openers[Int(rawValue)] }

  /// The three bytes that close the mark.
  public var closer: [UInt8] { MarkKind.closers[Int(rawValue)] }

  /// A text between the two.
  func around(_ text: some Collection<UInt8>) -> [UInt8] { opener + text + closer }

  // Kept, because they are needed for every mark that is written.
  private static let openers = ["{++", "{--", "{~~", "{==", "{>>"].map { Array($0.utf8) }
  private static let closers = ["++}", "--}", "~~}", "==}", "<<}"].map { Array($0.utf8) }
}

extension MarkKind: CustomStringConvertible {
  /// The name of the kind in CriticMarkup.
  public var description: String {
    switch self {
    case .addition: "addition"
    case .deletion: "deletion"
    case .substitution: "substitution"
    case .highlight: "highlight"
    case .comment: "comment"
    }
  }
}

/// A mark in a text; all numbers are UTF-8 offsets or lengths.
///
/// Invariant: ``opener`` and ``closer`` do not overlap; a substitution, and only that, has its ``arrow``
/// between them.
public struct Mark: Equatable, Sendable {
  /// The mark's kind.
  public var kind: MarkKind
  /// Where its opener begins.
  public var start: Int
  /// Where its closer ends, with any metadata of another tool.
  public var end: Int
  /// The offset of a substitution's `~>`; -1 in other marks.
  public var arrow: Int
  /// The number of marks it is nested in.
  public var depth: Int
  /// The number of marks nested in it; they follow it in ``Reading/marks``.
  public var inner: Int
  /// The length of ``attributes``.
  var attributesLength = 0
  /// The length of ``head``.
  var headLength = 0
  /// The length of ``tail``.
  var tailLength = 0
  /// The length of the attribution at the end of ``tail``, where marking has made it part of the mark.
  var attributionLength = 0
  /// A hash of the three; 0 if all are empty.
  var metadataHash: UInt64 = 0

  /// The same mark, shifted by a number of bytes.
  func moved(by shift: Int) -> Mark {
    var mark = self
    mark.start += shift
    mark.end += shift
    if arrow >= 0 { mark.arrow += shift }
    return mark
  }

  /// From opener to closer.
  public var range: Range<Int> { start..<end }
  /// The three bytes of the opener, with ``attributes`` between them, and ``head``.
  public var opener: Range<Int> { start..<start + 3 + attributesLength + headLength }
  /// The three bytes of the closer, and ``tail``.
  public var closer: Range<Int> { end - tailLength - 3..<end }
  /// The text between the delimiters; in a substitution, both sides and the arrow.
  public var content: Range<Int> { opener.upperBound..<closer.lowerBound }
  /// Opener, closer and arrow.
  var delimiters: [Range<Int>] {
    arrow < 0 ? [opener, closer] : [opener, closer, arrow..<arrow + 2]
  }

  /// Whether a comment says only who made the change before it.
  public func isAttribution(in bytes: [UInt8]) -> Bool {
    startsWithName(in: bytes) && kind == .comment && CommentHead(of: bytes[content]).isAttribution
  }

  /// The same for borrowed bytes.
  func isAttribution(in bytes: Bytes) -> Bool {
    kind == .comment && startsWithName(in: bytes)
      && CommentHead(of: Array(bytes[content])[...]).isAttribution
  }

  /// Whether a comment says that it is resolved.
  public func isResolved(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer(isResolved)
  }

  /// The same for borrowed bytes.
  func isResolved(in bytes: Bytes) -> Bool {
    guard kind == .comment, let first = firstByte(in: bytes),
      first == UInt8(ascii: "@") || first == UInt8(ascii: "[")
    else { return false }
    return CommentHead(of: Array(bytes[content])[...]).isResolved
  }

  /// Whether a mark's content begins with `@`, leading white space aside.
  func startsWithName(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer(startsWithName)
  }

  /// The same for borrowed bytes.
  func startsWithName(in bytes: Bytes) -> Bool { firstByte(in: bytes) == UInt8(ascii: "@") }

  /// The first byte of the content that is no white space; nil if there is none.
  private func firstByte(in bytes: Bytes) -> UInt8? {
    var at = content.lowerBound
    while at < content.upperBound, bytes[at].isWhiteSpace { at += 1 }
    return at < content.upperBound ? bytes[at] : nil
  }

  /// The range that remains when the mark is rejected, without delimiters; nil if there is none.
  public var old: Range<Int>? {
    switch kind {
    case .deletion, .highlight: content
    case .substitution: opener.upperBound..<arrow
    case .addition, .comment: nil
    }
  }

  /// The range that remains when the mark is accepted, without delimiters; nil if there is none.
  public var new: Range<Int>? {
    switch kind {
    case .addition, .highlight: content
    case .substitution: arrow + 2..<closer.lowerBound
    case .deletion, .comment: nil
    }
  }
}

extension Mark: CustomStringConvertible {
  /// The kind and range, as in `addition 4..<12`.
  public var description: String { "\(kind) \(start)..<\(end)" }
}
