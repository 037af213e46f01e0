import JSONRPC
import TrackEngine

/// A semantic token: a stretch of a document, and what themes should colour it as.
struct SemanticToken: Equatable {
  /// The token type; standard names, which themes know.
  enum Kind: Int, CaseIterable {
    /// Delimiters.
    case `operator`
    /// Added text.
    case string
    /// Deleted text.
    case regexp
    /// Highlighted text.
    case function
    /// Comments.
    case comment

    var name: String { "\(self)" }
  }

  /// A standard modifier first; then the kinds of marks and resolved threads, for themes made for CriticMarkup.
  static let modifiers =
    ["deprecated"] + MarkKind.allCases.map(\.description) + [CommentHead.resolved]

  var range: Range<Int>
  var kind: Kind
  /// A bit for each of `modifiers`.
  var modifiers: Int

  init(_ range: Range<Int>, _ kind: Kind, in mark: MarkKind, isResolved: Bool = false) {
    self.range = range
    self.kind = kind
    let deprecated = kind == .regexp ? 1 : 0
    let resolved = isResolved ? 2 << MarkKind.allCases.count : 0
    modifiers = deprecated | 2 << Int(mark.rawValue) | resolved
  }
}

extension SemanticToken {
  /// The tokens of a stretch, in its offsets, sorted by start.
  ///
  /// - Parameters:
  ///   - reading: The reading of the stretch.
  ///   - bytes: The stretch.
  ///   - overlap: Whether tokens may overlap; otherwise the token of a mark is split by the marks inside it.
  /// - Returns: Tokens that are not empty; linear in the marks.
  static func tokens(of reading: Reading, in bytes: [UInt8], overlap: Bool) -> [SemanticToken] {
    var tokens: [SemanticToken] = []
    tokens.reserveCapacity(4 * reading.marks.count)
    var isSorted = true
    var thread = ThreadState()
    for index in reading.marks.indices {
      let mark = reading.marks[index]
      let isResolved = mark.kind == .comment && thread.isResolved(after: mark, in: bytes)
      let inner = overlap || mark.inner == 0 ? [] : reading.outermostMarks(inside: index)
      eachPart(of: mark) { range, kind in
        var at = range.lowerBound
        for hole in inner where range.contains(hole.lowerBound) {
          add(at..<hole.lowerBound, kind)
          at = hole.upperBound
        }
        add(at..<range.upperBound, kind)
      }

      func add(_ range: Range<Int>, _ kind: Kind) {
        guard !range.isEmpty else { return }
        let token = SemanticToken(range, kind, in: mark.kind, isResolved: isResolved)
        // Only nested marks are out of order.
        if let last = tokens.last, precedes(token, last) { isSorted = false }
        tokens.append(token)
      }
    }
    return isSorted ? tokens : tokens.sorted(by: precedes)
  }

  /// The order of the protocol: by start, and outer tokens before inner ones.
  static func precedes(_ first: SemanticToken, _ second: SemanticToken) -> Bool {
    (first.range.lowerBound, -first.range.upperBound)
      < (second.range.lowerBound, -second.range.upperBound)
  }

  private static func eachPart(of mark: Mark, _ body: (Range<Int>, Kind) -> Void) {
    body(mark.opener, .operator)
    switch mark.kind {
    case .addition: body(mark.content, .string)
    case .deletion: body(mark.content, .regexp)
    case .substitution:
      body(mark.opener.upperBound..<mark.arrow, .regexp)
      body(mark.arrow..<mark.arrow + 2, .operator)
      body(mark.arrow + 2..<mark.closer.lowerBound, .string)
    case .highlight: body(mark.content, .function)
    case .comment: body(mark.content, .comment)
    }
    body(mark.closer, .operator)
  }
}

/// Whether the thread is resolved that the comments last met belong to.
private struct ThreadState {
  /// Where its last comment ends.
  private var end = -1
  /// Whether it is resolved; nil before its first comment.
  private var isResolved: Bool?

  /// Whether the thread of the next comment is resolved.
  mutating func isResolved(after comment: Mark, in bytes: [UInt8]) -> Bool {
    if comment.start != end { isResolved = nil }
    end = comment.end
    // An attribution begins no thread: the next comment is its first.
    if isResolved == nil, !comment.isAttribution(in: bytes) {
      isResolved = comment.isResolved(in: bytes)
    }
    return isResolved ?? false
  }
}

extension Reading {
  /// The ranges of the marks directly inside a mark.
  fileprivate func outermostMarks(inside index: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var next = index + 1
    while next <= index + marks[index].inner {
      found.append(marks[next].range)
      next += 1 + marks[next].inner
    }
    return found
  }
}

/// What a client can do with semantic tokens.
struct SemanticTokensSupport {
  let full: Bool
  let delta: Bool
  let range: Bool
  let multiline: Bool
  let overlap: Bool

  /// Reads the client's capability.
  init(_ json: JSON?) {
    let requests = json?["requests"]
    let isRelative = json?["formats"]?.elements.contains { $0.string == "relative" } ?? true
    let full = requests?["full"]
    delta = isRelative && full?["delta"]?.bool ?? false
    self.full = isRelative && (full?.bool ?? (full?.kind == .object))
    range = isRelative && (requests?["range"]?.bool ?? (requests?["range"]?.kind == .object))
    multiline = json?["multilineTokenSupport"]?.bool ?? false
    overlap = json?["overlappingTokenSupport"]?.bool ?? false
  }
}
