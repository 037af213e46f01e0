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
    return shown + omitted(all.places.map(\.start), beside: places.indices, shown.last)
  }

  /// The entry that says how many are left out of a list; none if that is nobody's question.
  ///
  /// - Parameters:
  ///   - starts: Where all entries begin.
  ///   - shown: Which are listed.
  ///   - last: The last one of these.
  /// - Returns: The entry, if there is one.
  func omitted(_ starts: [Int], beside shown: Range<Int>, _ last: ChangeEntry?) -> [ChangeEntry] {
    let count = starts.count - shown.count
    guard count > 0, settings.maxChanges > 0 else { return [] }
    // At the next one that is left out, so that stepping through the list leads there.
    let next = shown.upperBound < starts.count ? starts[shown.upperBound] : nil
    let start = next ?? last?.range.upperBound ?? 0
    let told = count == 1 ? "1 more change is not listed." : "\(count) more changes are not listed."
    return [ChangeEntry(code: .more, range: start..<start, problem: told)]
  }
}
