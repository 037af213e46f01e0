/// A thread of comments on a stretch of a marked-up text, given by what the stretch is in its two variants.
public struct Remark: Equatable, Sendable {
  /// UTF-8 offsets of the original text.
  public var old: Range<Int>
  /// UTF-8 offsets of the clean text.
  public var new: Range<Int>
  /// What the comments say, each with its head.
  public var comments: [[UInt8]]

  /// Creates a thread.
  public init(_ old: Range<Int>, _ new: Range<Int>, _ comments: [[UInt8]]) {
    (self.old, self.new, self.comments) = (old, new, comments)
  }
}

/// Writes threads of comments into a marked-up text: the plain text of each stretch is highlighted, and the comments
/// stand behind its end.
///
/// Both variants of the text stay as they are. A highlight takes in the code span that it would cut, and fenced code is
/// not highlighted. Linear in the text and the threads, but for those that would not read as meant.
///
/// - Parameters:
///   - remarks: In the order in which they begin.
///   - marked: The text.
///   - language: Its language.
/// - Returns: The text with the comments; how many of the stretches are highlighted in part only, for others are
///   highlighted there; and how many threads are left out, since they would be read as text wherever they were.
public func remarking(
  _ remarks: [Remark],
  on marked: [UInt8],
  as language: Language
) -> (text: [UInt8], narrowed: Int, left: Int) {
  var writing = RemarkWriting(marked, language)
  for remark in remarks { writing.add(remark) }
  writing.sortThreads()
  return writing.written()
}

/// Threads that are being placed in a text.
private struct RemarkWriting {
  private let text: ParsedText
  private let original: VariantText
  private let clean: VariantText
  /// The stretches that are highlighted, and the comments behind each place.
  private var highlights: [Range<Int>] = []
  private var comments: [(place: Int, text: [UInt8])] = []
  private var narrowed = 0

  init(_ marked: [UInt8], _ language: Language) {
    text = ParsedText(marked, as: language)
    original = VariantText(.original, of: marked, text.reading)
    clean = VariantText(.clean, of: marked, text.reading)
  }

  mutating func add(_ remark: Remark) {
    let hulls = [
      remark.old.isEmpty ? nil : original.hull(of: remark.old),
      remark.new.isEmpty ? nil : clean.hull(of: remark.new),
    ].compactMap(\.self)
    let written = remark.comments.flatMap { MarkKind.comment.around($0.withoutDelimiters) }
    guard var start = hulls.map(\.lowerBound).min(), var end = hulls.map(\.upperBound).max() else {
      let place = clean.place(of: min(remark.new.lowerBound, clean.bytes.count))
      return comments.append((behindMark(text.outsideCode(place)), written))
    }
    // Spaces and line ends at its ends are not highlighted.
    while let length = text.bytes[start..<end].lengthOfSpaceAtStart { start += length }
    while let length = text.bytes[start..<end].lengthOfSpaceAtEnd { end -= length }
    for (index, range) in text.plainStretches(of: start..<end).enumerated() {
      var range = aroundCode(range)
      // Behind a change, too, which touches the highlight no more than it would without the space.
      while index == 0, let length = text.bytes[range].lengthOfSpaceAtStart {
        range = range.lowerBound + length..<range.upperBound
      }
      guard !range.isEmpty else { continue }
      var free = [range]
      for known in highlights where known.overlaps(range) {
        free = free.flatMap { part in
          [
            part.lowerBound..<min(part.upperBound, max(part.lowerBound, known.lowerBound)),
            max(part.lowerBound, min(part.upperBound, known.upperBound))..<part.upperBound,
          ].filter { !$0.isEmpty }
        }
      }
      if free != [range], !highlights.contains(range) { narrowed += 1 }
      highlights += free
      end = max(end, range.upperBound)
    }
    comments.append((behindMark(text.outsideCode(end)), written))
  }

  /// Of threads at one place, which are one when they are read, one that is open comes first, so that it stays open.
  mutating func sortThreads() {
    func isResolved(_ thread: [UInt8]) -> Bool { CommentHead(of: thread.dropFirst(3)).isResolved }
    comments = comments.enumerated().sorted { one, other in
      let (isDone, isOtherDone) = (isResolved(one.element.text), isResolved(other.element.text))
      return one.element.place != other.element.place
        ? one.element.place < other.element.place
        : isDone != isOtherDone ? isOtherDone : one.offset < other.offset
    }.map(\.element)
  }

  /// What stands at a place, where a highlight ends before a comment stands, and the next one begins behind it.
  private struct Insertion: Equatable {
    enum Rank: Int {
      case closer
      case comments
      case opener
    }
    let place: Int
    let rank: Rank
    let text: [UInt8]
  }

  private func highlights(of ranges: [Range<Int>]) -> [Insertion] {
    ranges.flatMap { range in
      [
        Insertion(place: range.lowerBound, rank: .opener, text: MarkKind.highlight.opener),
        Insertion(place: range.upperBound, rank: .closer, text: MarkKind.highlight.closer),
      ]
    }
  }

  /// The text with all of it; with less of it where it would not read as meant.
  func written() -> (text: [UInt8], narrowed: Int, left: Int) {
    let (highlights, comments) = (highlights, comments)
    let claim = Claim(clean: clean.bytes, original: original.bytes)
    let first =
      highlights.map { self.highlights(of: [$0]) }
      + comments.map { [Insertion(place: $0.place, rank: .comments, text: $0.text)] }
    let writing = VerifiedWriting(
      of: first.indices,
      first: { first[$0] },
      others: { index, _ in
        guard index >= highlights.count else {
          return [self.highlights(of: lines(of: highlights[index]))]
        }
        let comment = first[index][0]
        return places(besides: comment.place).map {
          [Insertion(place: $0, rank: .comments, text: comment.text)]
        }
      },
      where: { reads($0, claim) }
    )
    let whole = highlights.indices.count { writing.forms[$0] == first[$0] }
    let left = writing.refused.count { $0 >= highlights.count }
    return (written(writing.forms), narrowed + highlights.count - whole, left)
  }

  /// Where a thread is written that would be read as something else at its place: at the end of the line, before the
  /// code, at the end or at the beginning of the text.
  private func places(besides place: Int) -> [Int] {
    let line = text.bytes[place...].firstIndex(of: Ascii.newline) ?? text.bytes.count
    let code = text.reading.zones.last { $0.range.lowerBound < max(1, place) }
    return [behindMark(text.outsideCode(line)), code?.range.lowerBound ?? 0, text.bytes.count, 0]
  }

  /// Whether both texts stay as they are, and there is a mark for each highlight and each thread.
  private func reads(_ written: [Int: [Insertion]], _ claim: Claim) -> Bool {
    let some = self.written(written)
    let reading = Reading(of: some, as: text.reading.language)
    let added = written.values.joined().count { $0.rank != .closer }
    return reading.marks.count >= text.reading.marks.count + added
      && claim.isKept(by: some, reading)
  }

  private func written(_ forms: [Int: [Insertion]]) -> [UInt8] {
    let insertions = forms.sorted { $0.key < $1.key }.flatMap(\.value).enumerated().sorted {
      ($0.element.place, $0.element.rank.rawValue, $0.offset)
        < ($1.element.place, $1.element.rank.rawValue, $1.offset)
    }
    return text.bytes.applying(
      insertions.map { Edit($0.element.place..<$0.element.place, $0.element.text) }
    )
  }

  /// A range with all of a code span that it cuts; without fenced code at its ends, empty if it lies in some.
  private func aroundCode(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    for zone in zones(around: start..<end) {
      if zone.isFenced {
        if zone.range.lowerBound < start { start = min(end, zone.range.upperBound) }
        if zone.range.upperBound > end { end = max(start, zone.range.lowerBound) }
      } else if text.mark(at: zone.range.lowerBound) == nil {
        start = min(start, zone.range.lowerBound)
        end = max(end, zone.range.upperBound)
      }
    }
    return start..<end
  }

  private func zones(around range: Range<Int>) -> ArraySlice<CodeZone> {
    let zones = text.reading.zones
    let first = zones.partitioningIndex { $0.range.upperBound > range.lowerBound }
    return zones[first...].prefix { $0.range.lowerBound < range.upperBound }
  }

  /// A place that is in no mark and no run of backticks, and behind the comments of the mark that ends there.
  private func behindMark(_ offset: Int) -> Int {
    var place = offset
    while place > 0, place < text.bytes.count, text.bytes[place - 1] == Ascii.backtick,
      text.bytes[place] == Ascii.backtick
    { place += 1 }
    if let mark = text.mark(at: place), text.reading.marks[mark].start < place {
      place = text.reading.marks[mark].end
    }
    return text.threadEnd(from: place)
  }

  /// The lines of a range, without their ends and what makes them blocks: only the text.
  private func lines(of range: Range<Int>) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let end =
        text.bytes[start..<range.upperBound].firstIndex(of: Ascii.newline) ?? range.upperBound
      let isFirst = start == range.lowerBound
      let text = text.bytes[start..<end].drop { byte in
        !isFirst && (byte.isSpace || "#>-*+|".utf8.contains(byte))
      }
      if !text.isEmpty { lines.append(text.startIndex..<end) }
      start = end + 1
    }
    return lines
  }
}

extension [UInt8] {
  /// The text with a space in whatever would be a delimiter of a mark.
  fileprivate var withoutDelimiters: [UInt8] {
    var result: [UInt8] = []
    for byte in self {
      let last = result.suffix(2)
      if byte == Ascii.close, last.count == 2, last.first == last.last,
        last.last?.isSignOfMark == true
      {
        result.append(Ascii.space)
      }
      if byte.isSignOfMark, result.last == Ascii.open { result.append(Ascii.space) }
      result.append(byte == Ascii.newline || byte == Ascii.carriageReturn ? Ascii.space : byte)
    }
    // A backslash right before the closer is no fault in our reading, but it is in others'.
    return result.last == Ascii.backslash ? result + [Ascii.space] : result
  }
}

extension ArraySlice<UInt8> {
  /// The length of the space or line end that it begins with, also of one that breaks no line; nil if there is none.
  fileprivate var lengthOfSpaceAtStart: Int? {
    guard let first else { return nil }
    if first.isWhiteSpace { return 1 }
    return starts(with: [0xC2, 0xA0]) ? 2 : nil
  }

  /// The same of one that it ends with.
  fileprivate var lengthOfSpaceAtEnd: Int? {
    guard let last else { return nil }
    if last.isWhiteSpace { return 1 }
    return suffix(2) == [0xC2, 0xA0] ? 2 : nil
  }
}

extension UInt8 {
  /// Whether it can be one of the two equal signs of a delimiter.
  fileprivate var isSignOfMark: Bool { "+-~=<>".utf8.contains(self) }
}
