import TrackEngine

extension Change {
  /// Who made the change, as in `@anna, 2026-11-22`, unless its first comment says so itself; nil if nobody is named.
  ///
  /// - Parameters:
  ///   - made: The attribution of the change.
  ///   - bytes: The text that was read.
  /// - Returns: The words.
  func byline(_ made: Attribution, in bytes: [UInt8]) -> String? {
    guard made != Attribution() else { return nil }
    let first = remarks(in: bytes).first.map { CommentHead(of: bytes[$0.content]) }
    let isSaid = made.author == first?.author && made.date == first?.date && made.status == nil
    return isSaid ? nil : made.byline
  }
}

extension Attribution {
  /// As in `@anna, 2026-11-22, proposed`; nil if nothing is said.
  fileprivate var byline: String? {
    let parts = [author.map { "@\(CommentHead.written($0))" }, date, status].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
