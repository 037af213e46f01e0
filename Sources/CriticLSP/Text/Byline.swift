import TrackEngine

extension Change {
  /// Who made the change, as in `@anna, 2026-11-22`, where its first comment does not say so itself; nil where nobody is
  /// named.
  ///
  /// - Parameters:
  ///   - bytes: The text that was read.
  ///   - footnotes: Those of the document.
  /// - Returns: The words.
  func byline(in bytes: [UInt8], _ footnotes: Footnotes?) -> String? {
    let made = attribution(in: bytes, footnotes)
    guard made != Attribution() else { return nil }
    let first = remarks(in: bytes).first.map { CommentHead(of: bytes[$0.content]) }
    let isSaid = made.author == first?.author && made.date == first?.date && made.status == nil
    return isSaid ? nil : made.byline
  }
}

extension Attribution {
  /// As in `@anna, 2026-11-22, proposed`; nil where nothing is said.
  fileprivate var byline: String? {
    let parts = [author.map { "@\(CommentHead.written($0))" }, date, status].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
