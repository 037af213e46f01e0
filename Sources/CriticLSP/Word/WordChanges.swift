/// The tracked changes of a Word document: who made each, by the number that its sentinels have, and how many there are
/// of what Markdown cannot say.
struct WordChanges {
  /// Who made a change, and when.
  struct Origin: Hashable {
    var author: String?
    /// As Word writes it, `2026-11-26T09:00:00Z`; nil if it is not known.
    var date: String?

    init(_ element: XML) {
      author = element["w:author"].flatMap { $0.isEmpty ? nil : $0 }
      // LibreOffice writes a date without a year where there is none.
      date = element["w:date"].flatMap { $0.hasPrefix("0") ? nil : $0 }
    }
  }

  private(set) var origins: [Origin] = []
  private(set) var moves = 0
  /// Changes of how characters or paragraphs look, of numbering, of tables and cells.
  private(set) var formats = 0
  private(set) var numberings = 0
  private(set) var tables = 0
  private(set) var cells = 0
  /// Entries of an index.
  private(set) var entries = 0
  /// Whether rejecting gives paragraphs other properties.
  private(set) var hasOldProperties = false

  /// Numbers the changes in an element, in the order they are written in; the number becomes an attribute, by which
  /// the copies of the document that are made of it know them.
  mutating func number(_ root: XML) {
    root.visit { element in
      switch element.name {
      case "w:moveFrom", "w:ins", "w:del", "w:moveTo":
        if element.name == "w:moveFrom", !element.children.isEmpty { moves += 1 }
        element[WordChanges.number] = "\(origins.count)"
        origins.append(Origin(element))
      case "w:instrText", "w:delInstrText": if element.isIndexEntry { entries += 1 }
      case "w:rPrChange", "w:sectPrChange": formats += 1
      case "w:pPrChange":
        hasOldProperties = true
        if element.first("w:pPr")?.first("w:numPr") != nil { numberings += 1 } else { formats += 1 }
      case "w:numberingChange": numberings += 1
      case "w:tblPrChange", "w:tblGridChange", "w:tblPrExChange", "w:trPrChange": tables += 1
      case "w:tcPrChange", "w:cellIns", "w:cellDel", "w:cellMerge": cells += 1
      default: break
      }
    }
  }

  /// The attribute that holds the number of a change.
  static let number = "critic-number"

  /// What is said of what cannot be marks, a sentence each.
  var notes: [String] {
    let notes = [
      (
        moves, "moved stretch became a deletion and an addition",
        "moved stretches became deletions and additions"
      ),
      (
        formats, "change of formatting was taken as accepted",
        "changes of formatting were taken as accepted"
      ),
      (
        numberings, "change of numbering is not in the text",
        "changes of numbering are not in the text"
      ),
      (
        tables, "change of a table was taken as accepted",
        "changes of tables were taken as accepted"
      ),
      (cells, "change of a cell was taken as accepted", "changes of cells were taken as accepted"),
      (entries, "entry of an index is not in the text", "entries of an index are not in the text"),
    ]
    return notes.filter { $0.0 > 0 }.map { count, one, several in
      "\(count) \(count == 1 ? one : several)"
    }
  }
}
