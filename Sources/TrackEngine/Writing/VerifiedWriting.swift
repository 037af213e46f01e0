/// Items written into a text, each in the first of its forms with which everything reads back as claimed.
///
/// All are written in their first form, and read back once. Where that is not as claimed, halves of them are written,
/// each beside what is written by then, so that one that cannot be written costs a few readings and not one for each of
/// the others. An item by itself is tried in its other forms, and refused if none will do.
struct VerifiedWriting<Form> {
  /// The form in which each item is written, by its index.
  private(set) var forms: [Int: Form] = [:]
  /// The items that are not written, in order.
  private(set) var refused: [Int] = []
  /// How often the claim was checked.
  private(set) var readings = 0

  private let mostReadings: Int
  private let first: (Int) -> Form
  private let others: (Int, [Int: Form]) -> [Form]
  private let holds: ([Int: Form]) -> Bool

  /// Writes items.
  ///
  /// - Parameters:
  ///   - items: Their indices.
  ///   - mostReadings: How often the claim is checked; what is not written by then is refused.
  ///   - first: The first form of an item.
  ///   - others: Its other forms, beside what is written.
  ///   - holds: Whether the claim holds where items are written in these forms.
  init(
    of items: Range<Int>,
    atMost mostReadings: Int = .max,
    first: @escaping (Int) -> Form,
    others: @escaping (Int, [Int: Form]) -> [Form] = { _, _ in [] },
    where holds: @escaping ([Int: Form]) -> Bool
  ) {
    (self.mostReadings, self.first, self.others, self.holds) = (mostReadings, first, others, holds)
    write(items)
  }

  private mutating func write(_ items: Range<Int>) {
    if items.isEmpty || write(items.map { ($0, first($0)) }) { return }
    guard items.count == 1 else {
      let middle = items.lowerBound + items.count / 2
      write(items.lowerBound..<middle)
      write(middle..<items.upperBound)
      return
    }
    let item = items.lowerBound
    for form in others(item, forms) where write([(item, form)]) { return }
    refused.append(item)
  }

  /// Writes items beside those that are written, if the claim holds then.
  private mutating func write(_ more: [(Int, Form)]) -> Bool {
    guard readings < mostReadings else { return false }
    readings += 1
    let next = forms.merging(more) { $1 }
    guard holds(next) else { return false }
    forms = next
    return true
  }
}
