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
  /// The authors of the change or of comments of its thread, as displayed: without the `@`, with spaces.
  public var authors: Set<String> = []
  /// Whether to select only additions, deletions and substitutions without a comment.
  public var isUncommented = false

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
