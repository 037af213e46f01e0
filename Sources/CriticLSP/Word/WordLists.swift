/// The lists of a Word document that LibreOffice has written.
///
/// It numbers the items of one list differently, for in Word all lists of a kind are one until one begins anew. pandoc takes each
/// number for a list.
struct WordLists {
  private struct List {
    var kind: String
    /// The levels at which it begins anew.
    var restarts: Set<String>
  }

  private let lists: [String: List]
  /// The number of the list of each kind to which the next item belongs.
  private var current: [String: String] = [:]
  /// The number that each one got, which its later items get, too.
  private var given: [String: String] = [:]

  /// Reads which lists there are.
  ///
  /// - Parameter numbering: The root of `word/numbering.xml`.
  init(_ numbering: XML) {
    let lists = numbering.elements.filter { $0.name == "w:num" }.map { number in
      let overrides = number.elements.filter { $0.first("w:startOverride") != nil }
      return (
        number["w:numId"] ?? "",
        List(
          kind: number.first("w:abstractNumId")?["w:val"] ?? "",
          restarts: Set(overrides.compactMap { $0["w:ilvl"] })
        )
      )
    }
    self.lists = Dictionary(lists) { first, _ in first }
  }

  /// Gives all items of a list one number, and changes the document for that; what an item was before stays as it is.
  mutating func join(in element: XML) {
    if element.name == "w:pPr", let properties = element.first("w:numPr"),
      let number = properties.first("w:numId"), let name = number["w:val"], let list = lists[name]
    {
      let level = properties.first("w:ilvl")?["w:val"] ?? "0"
      let known = list.restarts.contains(level) ? nil : current[list.kind]
      let joined = given[name] ?? known ?? name
      (given[name], current[list.kind]) = (joined, joined)
      number["w:val"] = joined
    }
    for child in element.elements where child.name != "w:pPrChange" { join(in: child) }
  }
}
