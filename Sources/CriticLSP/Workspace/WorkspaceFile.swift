import TrackEngine

/// What is kept of a Markdown file of the workspace.
struct WorkspaceFile {
  /// How it was listed when it was read; nil to have it read again.
  var listed: Listing.File?
  var symbols: [WorkspaceSymbol] = []
  /// The list of changes as sent to the client: JSON arrays of some items each.
  var diagnostics: [[UInt8]] = []
  /// A new number for every new list of changes.
  var revision = 0
}

/// A change with its location and what a search looks at.
struct WorkspaceSymbol {
  let name: String
  let kind: SymbolKind
  let isDeletion: Bool
  let range: Range<Position>
  /// The text of the heading above it.
  let heading: String?
  /// Kind, old and new text, comments, and authors.
  private let fields: [Field]

  init(_ entry: ChangeEntry, below title: [UInt8], _ conversions: Conversions) {
    name =
      entry.summary
      + (entry.answers.first.map { " · \(quoted($0))" } ?? entry.byline.map { " · \($0)" } ?? "")
    kind = entry.symbolKind
    isDeletion = entry.code == .mark(.deletion)
    range = conversions.positions(of: entry.range)
    heading = title.isEmpty ? nil : String(decoding: title.prefix(200), as: UTF8.self)
    fields =
      [Field(Array("\(entry.code)".utf8))]
      + ([entry.old, entry.new] + entry.comments).filter { !$0.isEmpty }.map { Field($0) }
      + entry.authors.map { Field(Array("@\($0)".utf8)) }
  }

  /// Whether each of the words, in lower case, is found in the kind, a text, a comment or a name.
  func matches(_ words: [String]) -> Bool {
    words.allSatisfy { word in fields.contains { $0.matches(word) } }
  }
}

/// A searchable text.
private struct Field {
  /// In lower case; cut if it is long.
  private let text: [UInt8]
  /// About how much of `text` is shown, in bytes.
  ///
  /// Only there may the letters of a word match with gaps, because in a whole paragraph nearly every word would.
  private let shown: Int

  /// In bytes.
  private static let maxLength = 1000
  /// In characters.
  private static let maxShown = 60

  init(_ bytes: [UInt8]) {
    let lower = String(decoding: bytes.prefix(Field.maxLength), as: UTF8.self).lowercased()
    text = Array(lower.utf8)
    shown = lower.prefix(Field.maxShown).utf8.count
  }

  func matches(_ word: String) -> Bool {
    hasLetters(of: word) || text.count > shown && text.holds(Array(word.utf8))
  }

  private func hasLetters(of word: String) -> Bool {
    // In UTF-8 an ASCII byte is never a part of another character.
    guard word.utf8.contains(where: { $0 >= 0x80 }) else {
      return text[..<shown].holdsInOrder(word.utf8)
    }
    return String(decoding: text[..<shown], as: UTF8.self).unicodeScalars
      .holdsInOrder(word.unicodeScalars)
  }
}

extension Sequence where Element: Equatable {
  /// Whether the elements of another sequence occur in this order, with or without gaps.
  fileprivate func holdsInOrder(_ other: some Sequence<Element>) -> Bool {
    var wanted = other.makeIterator()
    guard var next = wanted.next() else { return true }
    for element in self where element == next {
      guard let following = wanted.next() else { return true }
      next = following
    }
    return false
  }
}

extension [UInt8] {
  fileprivate func holds(_ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= count else { return part.isEmpty }
    return (0...count - part.count).contains { start in
      self[start] == first && self[start..<start + part.count].elementsEqual(part)
    }
  }
}
