/// The elements that were inserted last; the oldest is forgotten for one too many.
struct RecentSet<Element: Hashable> {
  private var elements: Set<Element> = []
  /// The same, oldest first.
  private var order: [Element] = []
  private let most: Int

  init(most: Int = 1000) { self.most = most }

  func contains(_ element: Element) -> Bool { elements.contains(element) }

  /// Inserts an element; returns false if it is there already.
  @discardableResult
  mutating func insert(_ element: Element) -> Bool {
    guard elements.insert(element).inserted else { return false }
    order.append(element)
    if order.count > most { elements.remove(order.removeFirst()) }
    return true
  }
}
