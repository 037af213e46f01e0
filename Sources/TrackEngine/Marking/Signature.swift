/// The attribution that changes get when they are put into marks, as `{>>@anna | 2026-11-25<<}` behind each of them.
///
/// Marking takes it for metadata of the mark, as it does another tool's: it goes where the mark goes, is written behind
/// each part of a mark that is divided, and text with different metadata is not written in one mark. So nobody's
/// addition is extended by somebody else.
struct Signature {
  /// The metadata of a change that is made now.
  let own: Metadata
  /// What is written behind a mark for it.
  let tail: [UInt8]
  private let author: String?
  /// The metadata of marks that the author has signed at other times.
  private var earlier: Set<Metadata> = []

  init(_ attribution: Attribution) {
    tail = attribution.comment
    own = Metadata(tail: tail)
    author = CommentHead(of: Array(attribution.head.utf8)[...]).author
  }

  /// Notes a mark of a text, if all that it holds beside its text is an attribution to the author.
  mutating func note(_ mark: Mark, in bytes: [UInt8]) {
    guard let metadata = mark.metadata, mark.attributesLength == 0, mark.headLength == 0,
      mark.attributionLength == mark.tailLength
    else { return }
    let comment = bytes[mark.tail]
    let head = CommentHead(of: comment.dropFirst(3).dropLast(3))
    if head.author == author, metadata != own { earlier.insert(metadata) }
  }

  /// The metadata with which a change in marks is written anew: the author's are as of now.
  func renewed(_ metadata: Metadata?) -> Metadata? {
    metadata.map { earlier.contains($0) ? own : $0 }
  }
}

extension ParsedText {
  /// A text in which the attribution right behind a change is part of its mark if changes are signed; otherwise it is
  /// a comment like any other.
  ///
  /// Linear.
  init(_ bytes: [UInt8], as language: Language, areSigned: Bool) {
    self = ParsedText(bytes, as: language).signed(areSigned)
  }

  /// The same text with the attribution right behind a change as part of its mark, if that is wanted.
  func signed(_ areSigned: Bool) -> ParsedText {
    guard areSigned else { return self }
    var reading = reading
    reading.takeInAttributions(of: bytes)
    return ParsedText(bytes, reading, areSigned: true)
  }
}

extension Reading {
  /// Makes the attribution behind each change part of its mark.
  fileprivate mutating func takeInAttributions(of bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      guard marks.contains(where: { $0.isAttribution(in: bytes) }) else { return }
      var kept: [Mark] = []
      kept.reserveCapacity(marks.count)
      // The kept marks that the next one can lie in, and the last change that it can stand behind, by depth.
      var open: [Int] = []
      var before: [Int?] = []
      for mark in marks {
        open.removeLast(max(0, open.count - mark.depth))
        before.removeLast(max(0, before.count - mark.depth - 1))
        while before.count <= mark.depth { before.append(nil) }
        if let last = before[mark.depth], kept[last].end == mark.start,
          mark.isAttribution(in: bytes), mark.inner == 0, !mark.hasMetadata
        {
          kept[last].takeIn(attribution: mark, in: bytes)
          for outer in open { kept[outer].inner -= 1 }
          before[mark.depth] = nil
          continue
        }
        before[mark.depth] = mark.kind.isChange ? kept.count : nil
        open.append(kept.count)
        kept.append(mark)
      }
      marks = kept
    }
  }
}
