/// Selects changes of a text: every criterion that is set must hold; a criterion with several values holds for
/// any of them.
public struct ChangeFilter: Sendable {
  /// Numbers in the list of changes, from 1; empty for all.
  public var numbers: Set<Int> = []
  /// The kinds; a comment is one that stands alone.
  public var kinds: Set<MarkKind> = []
  /// The lines, from 1, on which the first mark begins.
  public var lines: [ClosedRange<Int>] = []
  /// The categories of comments of the thread, in lower case.
  public var categories: Set<String> = []
  /// The authors of additions, deletions and substitutions, as displayed: without the `@`, with spaces.
  public var authors: Set<String> = []
  /// The authors of comments, of those that stand alone too, as displayed.
  public var commenters: Set<String> = []
  /// The first day, as in `2026-11-22`, of the dates that are given; nil for changes without a date too.
  public var since: String?
  /// Whether to select only additions, deletions and substitutions without a comment.
  public var isUncommented = false
  /// Whether to select only what has a thread that is not resolved.
  public var isOpen = false
  /// Whether to select only alternatives, of which one can stay.
  public var isConflict = false

  /// Creates a filter that all changes pass.
  public init() {}

  /// The selected changes, from all changes of a text.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - changes: The list of changes, ``Reading/changes``.
  ///   - bytes: The text.
  /// - Returns: Those that pass, in order.
  public func chosen(among changes: [Change], in bytes: [UInt8]) -> [Change] {
    var matcher = Matcher(self, bytes)
    return changes.filter { matcher.matches($0) }
  }

  /// Tells of one change after the other, from the first on, whether it passes a filter.
  public struct Matcher: Sendable {
    private let filter: ChangeFilter
    private var bytes: [UInt8] = []
    private var footnotes: Footnotes?
    private var cursor = LineCursor([])
    private var number = 0

    /// Starts before the first change of a text.
    public init(_ filter: ChangeFilter, _ bytes: [UInt8]) {
      self.init(filter)
      let isNamed = !filter.authors.isEmpty || !filter.commenters.isEmpty || filter.since != nil
      beginPart(bytes, line: 1, isNamed ? Footnotes(of: bytes) : nil)
    }

    /// Starts before the first change of a text that comes part by part.
    public init(_ filter: ChangeFilter) {
      self.filter = filter
    }

    /// Begins the next part of the text.
    ///
    /// - Parameters:
    ///   - bytes: The part, which begins where a line does.
    ///   - line: The number of that line, from 1.
    ///   - footnotes: Those of the whole text.
    public mutating func beginPart(_ bytes: [UInt8], line: Int, _ footnotes: Footnotes?) {
      self.bytes = bytes
      self.footnotes = footnotes
      cursor = LineCursor(bytes, line: line)
    }

    /// Whether the next change passes.
    public mutating func matches(_ change: Change) -> Bool {
      number += 1
      if !filter.numbers.isEmpty, !filter.numbers.contains(number) { return false }
      if !filter.kinds.isEmpty, !filter.kinds.contains(change.kind) { return false }
      if filter.isUncommented, !change.kind.isChange || change.isCommented(in: bytes) {
        return false
      }
      if filter.isOpen, !change.isCommented(in: bytes) || change.isResolved(in: bytes) {
        return false
      }
      if filter.isConflict, !change.isConflict(in: bytes) { return false }
      if !filter.lines.isEmpty {
        let line = cursor.place(of: change.range.lowerBound).line
        guard filter.lines.contains(where: { $0.contains(line) }) else { return false }
      }
      let categories = filter.categories
      if !categories.isEmpty, categories.isDisjoint(with: change.categories(in: bytes)) {
        return false
      }
      if !filter.authors.isEmpty {
        guard !filter.authors.isDisjoint(with: change.authors(of: bytes, footnotes)) else {
          return false
        }
      }
      if let since = filter.since {
        guard let date = change.date(in: bytes, footnotes), date.first?.isNumber == true,
          date >= since
        else { return false }
      }
      return filter.commenters.isEmpty
        || !filter.commenters.isDisjoint(with: change.commenters(in: bytes, footnotes))
    }
  }
}

extension ChangeFilter {
  /// What the changes of a text, or of several, have that a filter can ask for.
  public struct Traits: Equatable, Sendable {
    /// The kinds of the changes.
    public private(set) var kinds: Set<MarkKind> = []
    /// The lines on which they begin, which ascend in each text.
    public private(set) var lines: [Int] = []
    /// The categories of their comments, in lower case.
    public private(set) var categories: Set<String> = []
    /// The authors of additions, deletions and substitutions.
    public private(set) var authors: Set<String> = []
    /// The authors of comments.
    public private(set) var commenters: Set<String> = []

    /// The traits of no changes.
    public init() {}

    /// The traits of the changes of a text; linear.
    public init(of changes: [Change], in bytes: [UInt8]) {
      var cursor = LineCursor(bytes)
      let footnotes = Footnotes(of: bytes)
      for change in changes {
        kinds.insert(change.kind)
        let line = cursor.place(of: change.range.lowerBound).line
        if lines.last != line { lines.append(line) }
        categories.formUnion(change.categories(in: bytes))
        authors.formUnion(change.authors(of: bytes, footnotes))
        commenters.formUnion(change.commenters(in: bytes, footnotes))
      }
    }

    /// Adds those of another text.
    public mutating func add(_ other: Traits) {
      kinds.formUnion(other.kinds)
      lines += other.lines
      categories.formUnion(other.categories)
      authors.formUnion(other.authors)
      commenters.formUnion(other.commenters)
    }
  }

  /// The same filter with only those values that no change has.
  public func missing(from traits: Traits) -> ChangeFilter {
    var missing = ChangeFilter()
    missing.kinds = kinds.subtracting(traits.kinds)
    missing.lines = lines.filter { !traits.lines.contains(where: $0.contains) }
    missing.categories = categories.subtracting(traits.categories)
    missing.authors = authors.subtracting(traits.authors)
    missing.commenters = commenters.subtracting(traits.commenters)
    return missing
  }
}

extension Change {
  /// Who made an addition, a deletion or a substitution; nobody for anything else.
  fileprivate func authors(of bytes: [UInt8], _ footnotes: Footnotes?) -> [String] {
    kind.isChange ? makers(in: bytes, footnotes) : []
  }

  /// What its comments are about, in lower case.
  fileprivate func categories(in bytes: [UInt8]) -> Set<String> {
    Set(thread.flatMap { CommentHead(of: bytes[$0.content]).tags.map { $0.lowercased() } })
  }

  /// Who wrote its comments; a name alone is no comment.
  fileprivate func commenters(in bytes: [UInt8], _ footnotes: Footnotes?) -> Set<String> {
    Set(remarks(in: bytes).compactMap { $0.attribution(in: bytes, footnotes).author })
  }
}
