import TrackEngine

/// A Word document as tracked Markdown.
///
/// Both sides of the document, accepted and rejected, are converted by pandoc, once as they are and once with sentinels.
/// Those with sentinels are put together where the sentinels are; the result is compared with the plain ones, which are
/// what accepting and rejecting must give, and what differs is compared by words.
struct WordImport {
  /// The marked-up text.
  let text: [UInt8]
  /// What could not be said in Markdown, a sentence each.
  let notes: [String]

  /// Imports a document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - withDates: Whether comments and attributions say when.
  ///   - labels: The labels of its footnotes; nil for numbers.
  /// - Throws: `Platform.Failure` if pandoc is absent or fails.
  init(
    _ document: WordDocument,
    withDates: Bool,
    labels: NoteLabels? = nil
  ) throws(Platform.Failure) {
    let names = (labels ?? NoteLabels(of: document)).names
    let numbers = Dictionary(zip(document.notes, names.indices)) { first, _ in first }
    var warnings: [String] = []
    var ignored: [String] = []
    var conversion = WordConversion(document)
    func side(isAccepted: Bool, isMarked: Bool) throws(Platform.Failure) -> PandocVariant {
      // What is warned of in a document with sentinels may be because of these.
      let (markdown, notes) =
        isMarked
        ? try conversion.side(isAccepted: isAccepted, isMarked: true, &ignored)
        : try conversion.side(isAccepted: isAccepted, isMarked: false, &warnings)
      let labels = notes.map { numbers[$0] ?? 0 }.map { ($0, names[$0]) }
      return PandocVariant(of: markdown, labels: labels)
    }
    /// Both sides, which are one if nothing was changed.
    func sides(
      isMarked: Bool
    ) throws(Platform.Failure) -> (clean: PandocVariant, original: PandocVariant) {
      let clean = try side(isAccepted: true, isMarked: isMarked)
      let changes = document.changes
      guard !changes.origins.isEmpty || changes.hasOldProperties else { return (clean, clean) }
      return (clean, try side(isAccepted: false, isMarked: isMarked))
    }
    var (clean, original) = try sides(isMarked: false)
    let frontMatter = clean.removeFrontMatter()
    let isRetitled = original.removeFrontMatter() != frontMatter
    var sentinels = (clean: clean, original: original)
    if !document.changes.origins.isEmpty || !document.comments.all.isEmpty {
      sentinels = try sides(isMarked: true)
      _ = sentinels.clean.removeFrontMatter()
      _ = sentinels.original.removeFrontMatter()
    }
    let merge = WordMerge(sentinels.original, sentinels.clean, document.changes.origins.count)
    let repair = WordRepair(merge, from: original, to: clean)
    let pieces = repair.pieces().numbered(in: original.text)
    let people = WordPeople(document, pieces.compactMap(\.number), withDates: withDates)
    let changes = pieces.map { piece in
      var change = piece.change
      change.attribution = people.attribution(of: piece.number)
      return change
    }
    let text = marked(
      changes.cutEqually(original.text, clean.text),
      from: original.text,
      to: clean.text,
      as: Pandoc.language
    )
    let remarks = repair.remarks(document.comments, people, document.changes.origins.count)
    let (commented, narrowed, left) = remarking(remarks, on: text, as: Pandoc.language)
    self.text = people.adding(to: frontMatter) + commented
    var notes = document.changes.notes
    if narrowed > 0 {
      notes.append(
        "\(counted(narrowed, "commented stretch")) narrowed, for others begin or end inside"
      )
    }
    if left > 0 {
      notes.append("\(counted(left, "comment")) left out, for code is wherever it could be")
    }
    let mixed = pieces.count { people.count(of: $0.parts) > 1 }
    if mixed > 0 {
      notes.append(
        "\(counted(mixed, "change")) made of those of several people, with the name of one of them"
      )
    }
    let formatted = document.comments.all.count(where: \.isFormatted)
    if formatted > 0 { notes.append("formatting left out of \(counted(formatted, "comment"))") }
    notes += document.losses
    let shown = sentinels.clean.sentinels + sentinels.original.sentinels
    notes += document.surroundingLosses(besides: shown.lazy.map(\.sentinel))
    if isRetitled {
      notes.append("the change of the title was taken as accepted, for it is front matter")
    }
    self.notes = notes + warnings
  }
}

extension [WordMerge.Piece] {
  /// The pieces, where one that no tracked change is known for belongs to the one beside it, if both add or both delete and
  /// nothing but line ends is between them: where a figure begins, pandoc puts a tag of its own before what is marked.
  ///
  /// - Parameter original: The rejected side.
  /// - Returns: Them; linear.
  fileprivate func numbered(in original: [UInt8]) -> [WordMerge.Piece] {
    var result = self
    for index in indices where self[index].number == nil {
      let neighbour = [index + 1, index - 1].first { other in
        guard indices.contains(other), self[other].number != nil else { return false }
        let (one, next) = (
          self[Swift.min(index, other)].change, self[Swift.max(index, other)].change
        )
        return original[one.old.upperBound..<next.old.lowerBound]
          .allSatisfy { $0 == UInt8(ascii: "\n") }
          && one.old.isEmpty == next.old.isEmpty && one.new.isEmpty == next.new.isEmpty
      }
      if let neighbour { result[index].number = self[neighbour].number }
    }
    return result
  }
}

extension PandocVariant {
  /// Takes the metadata off the text, and gives it.
  fileprivate mutating func removeFrontMatter() -> [UInt8] {
    let count = Text(text).frontMatter.upperBound
    defer { remove(prefix: count) }
    return Array(text[..<count])
  }
}
