/// Where the comments of a Word document begin and end: after how many signs of its text.
struct CommentPlaces {
  private var starts: [String: Int] = [:]
  private var ends: [String: Int] = [:]

  /// Looks for them.
  ///
  /// - Parameter parts: The parts with text, in order.
  init(_ parts: [XML]) {
    var count = 0
    var (starts, ends) = (starts, ends)
    for part in parts {
      part.visit { element in
        let id = element["w:id"] ?? ""
        switch element.name {
        case "w:commentRangeStart": starts[id] = count
        case "w:commentRangeEnd", "w:commentReference": ends[id] = ends[id] ?? count
        case "w:t", "w:delText": count += element.text.utf8.count
        case "w:p", "w:tab", "w:br", "w:footnoteReference", "w:endnoteReference", "w:drawing":
          count += 1
        default: break
        }
      }
    }
    (self.starts, self.ends) = (starts, ends)
  }

  /// Whether a comment is on what another one is on, or stands behind that.
  func isSame(_ comment: String, _ other: String) -> Bool {
    guard let end = ends[comment], end == ends[other] else { return false }
    return starts[comment] == nil || starts[comment] == starts[other]
  }
}
