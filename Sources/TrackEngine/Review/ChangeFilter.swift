/// Which changes of a text are meant: what is asked for in different ways must all hold, of several values of
/// one way any.
public struct ChangeFilter: Sendable {
  /// The numbers in the list of changes, from 1; empty for all.
  public var numbers: Set<Int> = []
  /// The kinds; a comment is one that stands alone.
  public var kinds: Set<MarkKind> = []
  /// The lines, from 1, on which the first mark begins.
  public var lines: [ClosedRange<Int>] = []
  /// What a comment of the thread is about, in lower case.
  public var categories: Set<String> = []
  /// Who made the change or wrote a comment of its thread, as it is shown: without the `@`, with spaces.
  public var authors: Set<String> = []
  /// Additions, deletions and substitutions without a comment only.
  public var isUncommented = false

  /// A filter that all changes pass.
  public init() {}

  /// The changes that are meant, of all that a text has.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - changes: The list of changes, ``Reading/changes``.
  ///   - bytes: The text.
  /// - Returns: Those that pass, in order.
  public func chosen(among changes: [Change], in bytes: [UInt8]) -> [Change] {
    var cursor = LineCursor(bytes)
    let footnotes = authors.isEmpty ? nil : Footnotes(of: bytes)
    return zip(1..., changes).filter { number, change in
      if !numbers.isEmpty, !numbers.contains(number) { return false }
      if !kinds.isEmpty, !kinds.contains(change.kind) { return false }
      if isUncommented, !change.kind.isChange || change.isCommented(in: bytes) { return false }
      if !lines.isEmpty {
        let line = cursor.place(of: change.range.lowerBound).line
        guard lines.contains(where: { $0.contains(line) }) else { return false }
      }
      if !categories.isEmpty {
        let found = change.thread.compactMap { CommentHead(of: bytes[$0.content]).category }
        guard !categories.isDisjoint(with: found.map { $0.lowercased() }) else { return false }
      }
      return authors.isEmpty || !authors.isDisjoint(with: change.authors(in: bytes, footnotes))
    }
    .map(\.1)
  }
}
