import TrackEngine

/// A comment as an editor shows it: who says it, when, about what, and the text.
struct RemarkWords {
  /// Who, when and about what, as in `jonas, 20 Nov 2026 (clarity)`; nil if the comment is a text alone.
  let head: String?
  /// What is said.
  let text: ArraySlice<UInt8>
  /// The comment on a line of its own in a list, as in `jonas: [clarity] she counts`.
  let listed: [UInt8]

  init(_ comment: [UInt8]) {
    let head = CommentHead(of: comment[...])
    let who = [head.author, head.date.map(dateInWords)].compactMap(\.self).joined(separator: ", ")
    let tags = head.tags.isEmpty ? "" : " (\(head.tags.joined(separator: ", ")))"
    self.head = who.isEmpty && tags.isEmpty ? nil : (who.isEmpty ? "Comment" : who) + tags
    text = comment[head.body]
    let rest = comment[head.range.upperBound..<head.body.upperBound]
    let said = rest.isEmpty ? [] : (head.author == nil ? [] : Array(": ".utf8)) + rest
    listed = Array((head.author ?? "").utf8) + said
  }
}

extension ChangeEntry {
  /// Who made it, when, and what became of it, as in `anna, 20 Nov 2026, proposed`, unless the first comment says so.
  var bylineInWords: String? {
    guard byline != nil else { return nil }
    let (made, date) = (attribution, attribution.date.map(dateInWords))
    return [made.author, date, made.status].compactMap(\.self).joined(separator: ", ")
  }
}

/// A date as people write it, as in `20 Nov 2026`; what is no date of ISO 8601 stays as it is.
private func dateInWords(_ date: String) -> String {
  let parts = date.prefix { $0 != "T" }.split(separator: "-", omittingEmptySubsequences: false)
  guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]), 1...12 ~= month
  else { return date }
  return "\(day) \(months[month - 1]) \(parts[0])"
}

private let months = [
  "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]
