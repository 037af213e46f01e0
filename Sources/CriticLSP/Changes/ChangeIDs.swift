import TrackEngine

extension [ListedChange] {
  /// All changes of a text, each with a name by what it says, as in `c3f09ab1`, which stays while other changes come and
  /// go, unlike a number.
  ///
  /// Changes that say the same are told apart by their order: `c3f09ab1-2`.
  var named: [(id: String, change: ListedChange)] {
    var counts: [String: Int] = [:]
    return map { change in
      let name = change.entry.name
      let count = counts[name, default: 0] + 1
      counts[name] = count
      return (count == 1 ? name : "\(name)-\(count)", change)
    }
  }
}

extension ChangeEntry {
  fileprivate var name: String {
    var text = Array("\(code)\n\(attribution.author ?? "")\n".utf8)
    text += old + [0] + new
    // A comment that stands alone has no other text; answers to it come and go.
    if code == .mark(.comment) { text += comments.first ?? [] }
    // The letter tells it from a number.
    return "c" + "\(TextHash(of: text))".prefix(7)
  }
}
