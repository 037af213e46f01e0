import TrackEngine

extension Snapshot {
  /// What of a list, by where its items start, an editor is sent: the ones nearest to the last edit, and no
  /// more than an editor can take.
  func shown<Item>(_ items: [Item], _ start: (Item) -> Int) -> ArraySlice<Item> {
    let most = settings.maxChanges
    guard items.count > most else { return items[...] }
    let place = lastPlace
    var low = items.firstIndex { start($0) >= place } ?? items.count
    var high = low
    while high - low < most {
      let isBefore =
        low > 0
        && (high == items.count || place - start(items[low - 1]) <= start(items[high]) - place)
      if isBefore { low -= 1 } else { high += 1 }
    }
    return items[low..<high]
  }

  /// The list of changes as an editor is sent it: one entry tells how many are left out, if there is to be
  /// a list.
  var shownEntries: [ChangeEntry] {
    let all = ChangeEntry.entries(of: tracker)
    let shown = shown(all, \.range.lowerBound)
    guard shown.count < all.count, settings.maxChanges > 0 else { return Array(shown) }
    let count = all.count - shown.count
    // Where going on in the list leads to what is left out.
    let next = shown.endIndex < all.count ? all[shown.endIndex] : nil
    let place = next?.range.lowerBound ?? shown.last?.range.upperBound ?? 0
    let more = ChangeEntry(
      code: "more",
      range: place..<place,
      old: [],
      new: [],
      comments: [],
      thread: [],
      problem: count == 1 ? "1 more change is not listed." : "\(count) more changes are not listed."
    )
    return shown + [more]
  }
}
