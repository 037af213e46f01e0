/// The comments of a Word document.
struct WordComments {
  /// A comment of the document's `comments.xml`.
  struct Comment {
    var id: String
    var origin: WordChanges.Origin
    /// Its paragraphs, joined with `¶`, since a comment in Markdown is one line.
    var text: String
    /// The identifier of the comment that it answers.
    var parent: String?
    var isResolved = false
    /// Whether something in it is not plain text.
    var isFormatted: Bool
  }

  private(set) var all: [Comment] = []

  /// Reads the comments, and which answer which from Word's extension of 2012.
  init(_ root: XML?, extended: XML?) {
    guard let root else { return }
    var owners: [String: String] = [:]
    for element in root.elements where element.name == "w:comment" {
      guard let id = element["w:id"] else { continue }
      var paragraphs: [String] = []
      var isFormatted = false
      element.visit { part in
        switch part.name {
        case "w:p":
          paragraphs.append("")
          if let paragraph = part["w14:paraId"] { owners[paragraph] = id }
        case "w:t", "w:delText": paragraphs[max(0, paragraphs.count - 1)] += part.text
        case "w:tab", "w:br": paragraphs[max(0, paragraphs.count - 1)] += " "
        case "w:b", "w:i", "w:hyperlink", "w:drawing", "w:strike": isFormatted = true
        default: break
        }
      }
      let text = paragraphs.map(\.oneLine).filter { !$0.isEmpty }.joined(separator: " ¶ ")
      all.append(
        Comment(id: id, origin: WordChanges.Origin(element), text: text, isFormatted: isFormatted)
      )
    }
    for entry in extended?.elements ?? [] {
      guard let id = entry["w15:paraId"].flatMap({ owners[$0] }),
        let index = all.firstIndex(where: { $0.id == id })
      else { continue }
      all[index].parent = entry["w15:paraIdParent"].flatMap { owners[$0] }
      all[index].isResolved = entry["w15:done"] == "1" || entry["w15:done"] == "true"
    }
  }

  /// Makes answers of comments on what another one is on, as far as it is not known which answer which: LibreOffice shows both
  /// so, and older ones forget it.
  mutating func joinThreads(_ places: CommentPlaces) {
    guard all.allSatisfy({ $0.parent == nil }) else { return }
    var first = 0
    for index in all.indices.dropFirst() {
      let (comment, other) = (all[index], all[first])
      if comment.isResolved == other.isResolved, places.isSame(comment.id, other.id) {
        all[index].parent = other.id
      } else {
        first = index
      }
    }
  }

  /// The comments in threads: each begins with one that answers none, and has the others in the order of the document.
  var threads: [[Int]] {
    var threads: [[Int]] = []
    var places: [String: Int] = [:]
    for (index, comment) in all.enumerated() {
      if let parent = comment.parent, let place = places[parent] {
        places[comment.id] = place
        threads[place].append(index)
      } else {
        places[comment.id] = threads.count
        threads.append([index])
      }
    }
    return threads
  }
}

extension String {
  /// The text without line ends and without spaces at its ends.
  fileprivate var oneLine: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
