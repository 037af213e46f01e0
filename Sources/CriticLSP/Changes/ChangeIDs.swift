import TrackEngine

/// Names changes by what they say, so that a name stays while other changes come and go, unlike a number.
///
/// Changes that say the same are told apart by their order.
struct ChangeIDs {
  private var counts: [String: Int] = [:]

  /// The name of the next change of a list of all changes, as in `c3f09ab1` and `c3f09ab1-2`.
  mutating func next(_ change: ListedChange) -> String {
    let name = ChangeIDs.name(of: change.entry)
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count == 1 ? name : "\(name)-\(count)"
  }

  private static func name(of entry: ChangeEntry) -> String {
    var text = Array("\(entry.code)\n\(entry.attribution.author ?? "")\n".utf8)
    text += entry.old + [0] + entry.new
    // A comment that stands alone has no other text; answers to it come and go.
    if entry.code == .mark(.comment) { text += entry.comments.first ?? [] }
    // The letter tells it from a number.
    return "c" + "\(TextHash(of: text))".prefix(7)
  }
}

extension [ListedChange] {
  /// The changes with their names; these are all changes of a text.
  var named: [(id: String, change: ListedChange)] {
    var ids = ChangeIDs()
    return map { (ids.next($0), $0) }
  }
}
