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

  /// Gives all items of a list one number, and changes the document for that.
  mutating func join(in document: XML) {
    document.visit { element in
      guard element.name == "w:pPr", let properties = element.first("w:numPr"),
        let number = properties.first("w:numId"), let name = number["w:val"], let list = lists[name]
      else { return }
      let level = properties.first("w:ilvl")?["w:val"] ?? "0"
      if let known = current[list.kind], !list.restarts.contains(level) {
        number["w:val"] = known
      } else {
        current[list.kind] = name
      }
    }
  }
}
