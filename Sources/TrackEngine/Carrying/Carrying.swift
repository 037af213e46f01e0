/// The marks and comments of a text, carried onto a text that somebody, or some program, wrote without them.
///
/// Accepting everything in the result gives what it gives in the new text, byte for byte, for any bytes. A mark is
/// carried only where the comparison of the two clean texts keeps what it holds and enough of what is around it, so that
/// its place is certain; the others are listed. Linear, except for a bounded factor.
public struct Carrying: Sendable {
  /// The edits of the new text; sorted, disjoint.
  public private(set) var edits: [Edit] = []
  /// The changes that are not carried, in the order of the old text.
  public private(set) var left: [Left] = []
  /// Whether these are told at the end of the text; nothing can be in code that nothing closes.
  public private(set) var isAppended = false
  /// The old text, with the line ends of the new one, if each has only one kind: no line end is a change.
  public let source: [UInt8]
  /// Its changes, highlights and lone comments.
  public let changes: [Change]

  /// Why a mark is not carried.
  public enum Obstacle: Error, Sendable {
    /// What it holds, or what was around it, is not there any more.
    case gone
    /// It is there, but it may be another one.
    case uncertain
    /// The new text has other marks there.
    case occupied
    /// Written there, it would not read as it did.
    case unwritable
  }

  /// A mark that is not carried.
  public struct Left: Equatable, Sendable {
    /// Its index in ``Carrying/changes``.
    public var index: Int
    /// Why it is not carried.
    public var obstacle: Obstacle
    /// The comments of ``Carrying/source`` that are not carried with it: those of its thread, and those in it that have no place either.
    public var comments: [Mark]

    init(_ index: Int, _ obstacle: Obstacle, _ comments: [Mark]) {
      (self.index, self.obstacle, self.comments) = (index, obstacle, comments)
    }
  }

  /// What is done beside carrying.
  public struct Options: Sendable {
    /// The language of both texts.
    public let language: Language
    /// Whether what the new text changes beside is recorded, so that rejecting everything gives what it gave in the old
    /// text, but for front matter, which is not tracked.
    public var isRecording = true
    /// Whether what is not carried is told in comments at the end of the text.
    public var isAppending = false
    /// Who is named on each change that is recorded; nil to name nobody.
    public var author: AuthorName?

    /// Records, and names nobody.
    public init(_ language: Language) { self.language = language }
  }

  /// Carries marks.
  ///
  /// - Parameters:
  ///   - old: The text that has the marks.
  ///   - new: The text without them; marks that it has itself stay as they are.
  ///   - options: What is done beside.
  public init(of old: [UInt8], onto new: [UInt8], _ options: Options) {
    source = old.withLineEnds(of: new)
    let old = VariantText(.clean, of: source, as: options.language)
    let target = VariantText(.clean, of: new, as: options.language)
    changes = old.reading.changes
    let isRecording = options.isRecording
    var placing = MarkPlacing(changes, of: old, in: target, isRecording: isRecording)
    var writing = MarkWriting(old, target)
    writing.leaveOut(&placing, changes)
    left = placing.left
    var text: [UInt8]
    if isRecording, let recorded = placing.recorded(changes, old, target, options.author) {
      text = recorded
    } else {
      writing.write(placing.marks)
      left += writing.left
      text = new.applying(writing.written.map(\.edit))
      if isRecording { text = compared(source, text, options) }
    }
    for index in left.flatMap({ placing.inner[$0.index] ?? [] }) {
      left.append(Left(index, .gone, changes[index].thread))
    }
    left += old.lost(of: changes, from: text, beside: left)
    left = left.joined
    if options.isAppending, !left.isEmpty {
      let comments = LeftComments(left, changes, of: old)
      if let whole = comments.appended(to: text, as: options.language) {
        (text, isAppended) = (whole, true)
      }
    }
    edits = target.edits(marking: text)
  }
}

extension [UInt8] {
  /// The text with the line ends of another one, if each has only one kind.
  ///
  /// - Parameter other: The other text.
  /// - Returns: The text; linear.
  public func withLineEnds(of other: [UInt8]) -> [UInt8] {
    guard let old = onlyLineEnd, let new = other.onlyLineEnd, old != new else { return self }
    var text: [UInt8] = []
    text.reserveCapacity(count)
    for byte in self {
      if !byte.isLineBreak { text.append(byte) } else if byte == old.last { text += new }
    }
    return text
  }

  /// The line end of all lines; nil if there is none, or several kinds.
  private var onlyLineEnd: [UInt8]? {
    withUnsafeBufferPointer { bytes in
      var found: [UInt8]?
      var at = 0
      while at < bytes.count {
        let length = bytes[at].isLineBreak ? bytes.lineBreak(at: at) : 0
        if length > 0 {
          let end = Array(bytes[at..<at + length])
          if found != nil, found != end { return nil }
          found = end
        }
        at += Swift.max(1, length)
      }
      return found
    }
  }
}

extension [Carrying.Left] {
  /// In the order of the text, each change once.
  fileprivate var joined: [Carrying.Left] {
    sorted { $0.index < $1.index }.reduce(into: []) { joined, next in
      if joined.last?.index == next.index {
        joined[joined.count - 1].comments += next.comments
      } else {
        joined.append(next)
      }
    }
  }
}

extension VariantText {
  /// The edits of the marked-up text that make another one of it, which shows the same.
  ///
  /// Linear.
  fileprivate func edits(marking text: [UInt8]) -> [Edit] {
    let other = VariantText(.clean, of: text, as: reading.language)
    let (gaps, otherGaps) = (hidden, other.hidden)
    var edits: [Edit] = []
    var (index, next) = (0, 0)
    // Where one text has marks, the other may have none.
    while index < gaps.count || next < otherGaps.count {
      let at = min(
        index < gaps.count ? gaps[index].offset : .max,
        next < otherGaps.count ? otherGaps[next].offset : .max
      )
      var range: Range<Int>?
      var new: [UInt8] = []
      if index < gaps.count, gaps[index].offset == at {
        range = gaps[index].range
        index += 1
      }
      if next < otherGaps.count, otherGaps[next].offset == at {
        new = Array(text[otherGaps[next].range])
        next += 1
      }
      let edit = Edit(range ?? place(in: at), new)
      if !markup[edit.range].elementsEqual(new) { edits.append(edit) }
    }
    return edits
  }

  /// The empty range of the marked-up text at an offset of the variant where nothing is hidden.
  private func place(in offset: Int) -> Range<Int> {
    let at = offset < bytes.count ? hull(of: offset..<offset + 1).lowerBound : markup.count
    return at..<at
  }
}
