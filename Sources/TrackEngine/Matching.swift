/// Which delimiter closes which: one pass over the delimiters with one stack.
///
/// A closer pairs with the nearest open mark of its kind; what does not close is text. An opener that
/// never closes has no influence on what comes after it, so a mark's end depends on nothing before
/// the mark and any suffix of the delimiters can be matched by itself. Linear: an element is pushed
/// and popped once, and one "next closer" note for each kind only moves forward.
struct Matching {
  /// What is known of a delimiter's part in a mark.
  enum Part: Equatable {
    /// Code hides it.
    case masked
    /// It is text, where it stands.
    case text
    /// It is an opener that nothing closes.
    case unclosed
    /// It is text because a mark that opened before it closes over it.
    case cut
    /// It opens a mark; the indices of the delimiters that close and divide it (-1: none).
    case opens(closer: Int, arrow: Int)
    /// It closes or divides a mark.
    case ends
  }

  private let delimiters: [Delimiter]
  private(set) var parts: [Part]

  /// Nothing is matched yet.
  init(_ delimiters: [Delimiter]) {
    self.delimiters = delimiters
    parts = Array(repeating: .text, count: delimiters.count)
  }

  /// Matches the delimiters of `range` by themselves, those in `zones` being masked.
  mutating func match(_ range: Range<Int>, masking zones: ArraySlice<CodeZone>) {
    var zone = zones.startIndex
    for index in range {
      let offset = delimiters[index].offset
      while zone < zones.endIndex, zones[zone].range.upperBound <= offset { zone += 1 }
      let masked = zone < zones.endIndex && zones[zone].range.lowerBound <= offset
      parts[index] = masked ? .masked : .text
    }
    var ahead = Lookahead(delimiters, parts, range)
    var stack = Stack()
    var consumed = 0
    for index in range where parts[index] != .masked {
      let delimiter = delimiters[index]
      guard delimiter.offset >= consumed else { continue }
      switch delimiter.role {
      case .opener:
        guard stack.canOpen(delimiter) else { continue }
        parts[index] = .unclosed
        if delimiter.mark == .comment {
          let cut = ahead.firstCloser(of: stack.closable, after: index)
          if let end = ahead.commentEnd(of: index), end < cut ?? Int.max {
            stack.push(.comment, index)
          } else {
            stack.pushUnclosedComment(index, upTo: cut.map { delimiters[$0].mark })
          }
        } else {
          stack.push(delimiter.mark, index)
        }
        consumed = delimiter.offset + 3
      case .arrow:
        guard stack.divide(index) else { continue }
        consumed = delimiter.offset + 2
      case .closer:
        guard let mark = stack.close(delimiter.mark, cutting: { parts[$0] = .cut }) else {
          continue
        }
        parts[mark.opener] = .opens(closer: index, arrow: mark.arrow)
        parts[index] = .ends
        if mark.arrow >= 0 { parts[mark.arrow] = .ends }
        consumed = delimiter.offset + 3
      }
    }
  }
}

/// The marks that are open at a point of the pass.
private struct Stack {
  struct Element {
    var mark: MarkKind
    var opener: Int
    var arrow = -1
    /// A comment that does not close: it is text, but up to where a mark around it closes over it
    /// it keeps that mark's kind from opening, and from being divided.
    var isUnclosed = false
    /// Bits of the kinds that can't open here, because their closer belongs to a mark around.
    var suppressed: UInt8 = 0
  }

  private var elements: [Element] = []
  private var open = [0, 0, 0, 0, 0]
  private var divided = 0

  /// Bits of the kinds of which a closer would close something.
  var closable: UInt8 {
    var bits: UInt8 = 0
    for kind in MarkKind.allCases where kind != .comment && isClosable(kind) {
      bits |= 1 << kind.rawValue
    }
    return bits
  }

  private func isClosable(_ kind: MarkKind) -> Bool {
    kind == .substitution ? divided > 0 : open[Int(kind.rawValue)] > 0
  }

  func canOpen(_ delimiter: Delimiter) -> Bool {
    if delimiter.beforeBrace, open[Int(delimiter.mark.rawValue)] > 0 { return false }
    guard let top = elements.last else { return true }
    if top.mark == .comment, !top.isUnclosed { return delimiter.mark == .comment }
    return top.suppressed & 1 << delimiter.mark.rawValue == 0
  }

  mutating func push(_ mark: MarkKind, _ opener: Int) {
    elements.append(
      Element(mark: mark, opener: opener, suppressed: elements.last?.suppressed ?? 0)
    )
    open[Int(mark.rawValue)] += 1
  }

  mutating func pushUnclosedComment(_ opener: Int, upTo closer: MarkKind?) {
    var suppressed = elements.last?.suppressed ?? 0
    if let closer { suppressed |= 1 << closer.rawValue }
    elements.append(
      Element(mark: .comment, opener: opener, isUnclosed: true, suppressed: suppressed)
    )
  }

  /// The first `~>` of a substitution divides it, where no mark inside it is open.
  mutating func divide(_ arrow: Int) -> Bool {
    guard let top = elements.last, top.mark == .substitution, top.arrow < 0 else { return false }
    elements[elements.count - 1].arrow = arrow
    divided += 1
    return true
  }

  /// Takes out the nearest open mark of the kind, and what is open in it: that is text.
  mutating func close(_ kind: MarkKind, cutting cut: (Int) -> Void) -> Element? {
    if kind == .comment {
      guard let top = elements.last, top.mark == .comment, !top.isUnclosed else { return nil }
    } else {
      guard isClosable(kind) else { return nil }
    }
    while let element = elements.popLast() {
      if !element.isUnclosed { open[Int(element.mark.rawValue)] -= 1 }
      if element.arrow >= 0 { divided -= 1 }
      if element.mark == kind, kind != .substitution || element.arrow >= 0 { return element }
      cut(element.opener)
    }
    return nil
  }
}

/// What lies ahead of a point of the pass, for the one decision that needs it: a comment hides
/// every other opener, so it must be known when it opens whether it closes.
private struct Lookahead {
  private var closers: [[Int]] = []
  private var next: [Int] = []
  /// The indices of the closers of comments, by that of their openers from `first` on; -1 for none.
  private var commentEnds: [Int] = []
  private let first: Int

  init(_ delimiters: [Delimiter], _ parts: [Matching.Part], _ range: Range<Int>) {
    let isComment = { (index: Int) in
      delimiters[index].mark == .comment && delimiters[index].role == .opener
        && parts[index] != .masked
    }
    first = range.lowerBound
    guard range.contains(where: isComment) else { return }
    closers = Array(repeating: [], count: MarkKind.allCases.count)
    next = Array(repeating: 0, count: MarkKind.allCases.count)
    commentEnds = Array(repeating: -1, count: range.count)
    for index in range where delimiters[index].role == .closer && parts[index] != .masked {
      closers[Int(delimiters[index].mark.rawValue)].append(index)
    }
    // Backwards: in a comment only comments open, so comments pair among themselves alone.
    var unpaired: [Int] = []
    for index in range.reversed()
    where delimiters[index].mark == .comment && parts[index] != .masked {
      if delimiters[index].role == .closer {
        unpaired.append(index)
      } else if delimiters[index].beforeBrace {
        commentEnds[index - first] = unpaired.last ?? -1
      } else {
        commentEnds[index - first] = unpaired.popLast() ?? -1
      }
    }
  }

  func commentEnd(of opener: Int) -> Int? {
    commentEnds[opener - first] < 0 ? nil : commentEnds[opener - first]
  }

  /// The first closer of one of `kinds` behind `index`; `index` rises from call to call.
  mutating func firstCloser(of kinds: UInt8, after index: Int) -> Int? {
    var first: Int?
    for kind in closers.indices where kinds & 1 << kind != 0 {
      while next[kind] < closers[kind].count, closers[kind][next[kind]] <= index { next[kind] += 1 }
      guard next[kind] < closers[kind].count else { continue }
      first = min(first ?? Int.max, closers[kind][next[kind]])
    }
    return first
  }
}
