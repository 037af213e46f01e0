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
  /// Who wrote a comment of the thread, without the `@`.
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
    return zip(1..., changes).filter { number, change in
      if !numbers.isEmpty, !numbers.contains(number) { return false }
      if !kinds.isEmpty, !kinds.contains(change.kind) { return false }
      if isUncommented, !change.kind.isChange || !change.thread.isEmpty { return false }
      if !lines.isEmpty {
        let line = cursor.place(of: change.range.lowerBound).line
        guard lines.contains(where: { $0.contains(line) }) else { return false }
      }
      guard !categories.isEmpty || !authors.isEmpty else { return true }
      let heads = change.thread.map { CommentHead(of: bytes[$0.content]) }
      if !categories.isEmpty {
        let found = heads.compactMap(\.category).map { $0.lowercased() }
        guard !categories.isDisjoint(with: found) else { return false }
      }
      return authors.isEmpty || !authors.isDisjoint(with: heads.compactMap(\.author))
    }
    .map(\.1)
  }
}
