import TrackEngine

extension Snapshot {
  /// The items of a list to send: those nearest to the last edit, at most `maxChanges`.
  func shown<Item>(_ items: [Item], _ start: (Item) -> Int) -> ArraySlice<Item> {
    let most = settings.maxChanges
    guard items.count > most else { return items[...] }
    var low = items.firstIndex { start($0) >= lastPlace } ?? items.count
    var high = low
    while high - low < most {
      let isBefore =
        low > 0
        && (high == items.count
          || lastPlace - start(items[low - 1]) <= start(items[high]) - lastPlace)
      if isBefore { low -= 1 } else { high += 1 }
    }
    return items[low..<high]
  }

  /// The list of changes to send.
  ///
  /// If some are left out, one more entry says how many, unless lists are off.
  ///
  /// - Parameter whole: The whole document.
  /// - Returns: The entries.
  func shownEntries(of whole: Excerpt) -> [ChangeEntry] {
    let all = EntryPlaces(of: self, in: whole)
    let places = shown(all.places, \.start)
    let shown = places.map(all.entry)
    guard places.count < all.places.count, settings.maxChanges > 0 else { return shown }
    let count = all.places.count - places.count
    // At the next one that is left out, so that stepping through the list leads there.
    let next = places.endIndex < all.places.count ? all.places[places.endIndex] : nil
    let start = next?.start ?? shown.last?.range.upperBound ?? 0
    let more = ChangeEntry(
      code: .more,
      range: start..<start,
      problem: count == 1 ? "1 more change is not listed." : "\(count) more changes are not listed."
    )
    return shown + [more]
  }
}
