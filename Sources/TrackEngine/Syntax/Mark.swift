/// One of the five marks of CriticMarkup.
public enum MarkKind: UInt8, CaseIterable, Sendable {
  case addition
  case deletion
  case substitution
  case highlight
  case comment

  /// Whether accepting and rejecting the mark give different texts.
  public var isChange: Bool { rawValue <= MarkKind.substitution.rawValue }

  /// The three bytes that open the mark.
  public var opener: [UInt8] {
    switch self {
    case .addition: Array("{++".utf8)
    case .deletion: Array("{--".utf8)
    case .substitution: Array("{~~".utf8)
    case .highlight: Array("{==".utf8)
    case .comment: Array("{>>".utf8)
    }
  }

  /// The three bytes that close the mark.
  public var closer: [UInt8] {
    switch self {
    case .addition: Array("++}".utf8)
    case .deletion: Array("--}".utf8)
    case .substitution: Array("~~}".utf8)
    case .highlight: Array("==}".utf8)
    case .comment: Array("<<}".utf8)
    }
  }
}

extension MarkKind: CustomStringConvertible {
  /// The word CriticMarkup has for the kind.
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

/// A mark as it stands in a text; all numbers are UTF-8 offsets.
///
/// Invariant: `start + 6 <= end`, and `start + 3 <= arrow <= end - 5` where there is an arrow, which
/// only a substitution has.
public struct Mark: Equatable, Sendable {
  /// The mark's kind.
  public var kind: MarkKind
  /// Where its opener begins.
  public var start: Int
  /// Where its closer ends.
  public var end: Int
  /// Where the `~>` of a substitution stands; -1 in other marks.
  public var arrow: Int
  /// How many marks it lies in.
  public var depth: Int
  /// How many marks lie in it; they follow it in ``Reading/marks``.
  public var inner: Int

  /// The same mark so much further on.
  func moved(by shift: Int) -> Mark {
    var mark = self
    mark.start += shift
    mark.end += shift
    if arrow >= 0 { mark.arrow += shift }
    return mark
  }

  /// From opener to closer.
  public var range: Range<Int> { start..<end }
  /// What stands between the delimiters; in a substitution, both sides and the arrow.
  public var content: Range<Int> { start + 3..<end - 3 }
  /// Opener, closer and arrow.
  var delimiters: [Range<Int>] {
    let ends = [start..<start + 3, end - 3..<end]
    return arrow < 0 ? ends : ends + [arrow..<arrow + 2]
  }

  /// The text that is there when the mark is rejected, delimiters left out.
  public var old: Range<Int>? {
    switch kind {
    case .deletion, .highlight: content
    case .substitution: start + 3..<arrow
    case .addition, .comment: nil
    }
  }

  /// The text that is there when the mark is accepted, delimiters left out.
  public var new: Range<Int>? {
    switch kind {
    case .addition, .highlight: content
    case .substitution: arrow + 2..<end - 3
    case .deletion, .comment: nil
    }
  }
}

extension Mark: CustomStringConvertible {
  /// Kind and range, as in `addition 4..<12`.
  public var description: String { "\(kind) \(start)..<\(end)" }
}
