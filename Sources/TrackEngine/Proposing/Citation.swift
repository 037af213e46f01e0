/// A piece of the clean text, identified by its content.
public struct Citation: Equatable, Sendable {
  /// The text of the piece.
  public var text: [UInt8]
  /// The text that has to be directly before it.
  public var after: [UInt8]
  /// The text that has to be directly after it.
  public var before: [UInt8]

  /// Cites a text between two others.
  public init(_ text: [UInt8], after: [UInt8] = [], before: [UInt8] = []) {
    self.text = text
    self.after = after
    self.before = before
  }
}

extension Citation {
  /// Why a citation does not identify a piece; the middle of a sentence.
  struct Failure: Error {
    let description: String
  }
}

/// A clean text, in which pieces are looked up; in citations each line end means one of the text's own.
struct CitedText {
  let clean: VariantText
  /// The clean text with line feeds.
  let lines: UnifiedLines
  /// What the searches have cost.
  private(set) var steps = 0

  /// For how many citations the lines are told where the text is, and what may have been meant.
  private static let mostHints = 20

  init(_ clean: VariantText) {
    self.clean = clean
    lines = UnifiedLines(clean.bytes)
  }

  /// The only place of each citation, in ``lines``.
  ///
  /// Linear in the lengths of the text and the citations.
  ///
  /// - Parameters:
  ///   - citations: The citations, with line feeds.
  ///   - name: The name of the text in a failure.
  /// - Returns: For each its place, or why there is none.
  mutating func places(
    of citations: [Citation],
    calledIn name: String
  ) -> [Result<Range<Int>, Citation.Failure>] {
    let whole = Occurrences(of: citations.map { $0.after + $0.text + $0.before }, in: lines.bytes)
    steps += whole.steps
    var hints = 0
    return zip(citations, whole.found).map { citation, found in
      if citation.text.isEmpty { return .failure(.init(description: "\(name) is empty")) }
      if found.count == 1 {
        let start = found.first + citation.after.count
        return .success(start..<start + citation.text.count)
      }
      hints += 1
      let isHinted = hints <= CitedText.mostHints
      return .failure(failure(of: citation, found.count, calledIn: name, isHinted))
    }
  }

  private func failure(
    of citation: Citation,
    _ count: Int,
    calledIn name: String,
    _ isHinted: Bool
  ) -> Citation.Failure {
    let isPlain = citation.after.isEmpty && citation.before.isEmpty
    guard isHinted else {
      return Citation.Failure(
        description: count > 0
          ? "\(name) is at \(count) places" : "\(name) is not in the clean text"
      )
    }
    let all = lines.bytes.places(of: citation.text)
    if count > 1 {
      let (after, before) = (citation.after, citation.before)
      let places = all.filter { place in
        lines.bytes[..<place.lowerBound].suffix(after.count).elementsEqual(after)
          && lines.bytes[place.upperBound...].prefix(before.count).elementsEqual(before)
      }
      let more = isPlain ? "add" : "make longer"
      return Citation.Failure(
        description:
          "\(name) is \(told(places)); \(more) \"after\", the text right before it, or"
          + " \"before\", the text right after it"
      )
    }
    guard all.isEmpty else {
      let sides =
        citation.after.isEmpty
        ? "\"before\"" : citation.before.isEmpty ? "\"after\"" : "\"after\" and \"before\""
      return Citation.Failure(
        description: "\(name) is \(told(all)), but nowhere with that \(sides)"
      )
    }
    return Citation.Failure(description: "\(name) is not in the clean text" + hint(citation.text))
  }

  /// Where a text that may be meant occurs.
  private func hint(_ text: [UInt8]) -> String {
    let markup = clean.markup.unified
    if let place = markup.places(of: text).first {
      let line = markup[..<place.lowerBound].count { $0 == Ascii.newline } + 1
      return "; on line \(line) of the file it is deleted, or has marks in it"
    }
    let loose = lines.bytes.places(ofWords: text)
    guard let place = loose.first else { return "; compare it with what \"export\" writes" }
    return "; \(told([place])) it has other spaces or line breaks"
  }

  /// Places of it in words, as in `at 2 places, on lines 3 and 9`.
  private func told(_ places: [Range<Int>]) -> String {
    let lines = clean.lines(of: places.map { clean.hull(of: origin(of: $0)).lowerBound })
    return places.count == 1 ? "on \(lines)" : "at \(places.count) places, on \(lines)"
  }

  /// The range in the clean text of one in ``lines``.
  func origin(of range: Range<Int>) -> Range<Int> {
    lines.origin(of: range.lowerBound)..<lines.origin(of: range.upperBound)
  }
}

extension [UInt8] {
  /// The edits that write a comment on a piece of the clean text: the piece is highlighted, or if it lies in a
  /// change, the comment is on that.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - citation: The piece.
  ///   - comment: The comment.
  ///   - author: The author of the comment.
  /// - Returns: Sorted, disjoint edits of the marked-up text.
  /// - Throws: ``Review/Failure`` if the piece does not occur or occurs several times, or no comment can be
  ///   written there.
  public func edits(
    commentingOn citation: Citation,
    saying comment: [UInt8],
    by author: AuthorName? = nil
  ) throws(Review.Failure) -> [Edit] {
    var cited = CitedText(VariantText(.clean, of: self))
    let place: Range<Int>
    do throws(Citation.Failure) {
      place = try cited.places(of: [citation.unified], calledIn: "\"text\"")[0].get()
    } catch {
      throw Review.Failure(description: error.description)
    }
    let hull = cited.clean.hull(of: cited.origin(of: place))
    guard hull.lowerBound >= frontMatter(of: self).upperBound else {
      throw Review.Failure(description: "\"text\" is in the front matter, which holds no comments")
    }
    return try edits(commentingAt: hull, saying: comment, by: author)
  }

  /// The edits that comment on a change, or answer the comments on it.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - number: The change, by its place among ``Reading/changes``, from 1.
  ///   - comment: The comment.
  ///   - author: The author of the comment.
  /// - Returns: Sorted, disjoint edits of the marked-up text.
  /// - Throws: ``Review/Failure`` if there is no such change, or no comment can be written there.
  public func edits(
    commentingOnChange number: Int,
    saying comment: [UInt8],
    by author: AuthorName? = nil
  ) throws(Review.Failure) -> [Edit] {
    let changes = Reading(of: self).changes
    guard changes.indices.contains(number - 1) else {
      let there = changes.isEmpty ? "there are none" : "they are 1 to \(changes.count)"
      throw Review.Failure(description: "there is no change \(number); \(there)")
    }
    let place = changes[number - 1].markRange.lowerBound + 1
    return try edits(commentingAt: place..<place, saying: comment, by: author)
  }

  /// The edits that comment on a range of the marked-up text, or answer the comments there.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - range: UTF-8 offsets.
  ///   - comment: The comment.
  ///   - author: The author of the comment.
  /// - Returns: Sorted, disjoint edits of the marked-up text.
  /// - Throws: ``Review/Failure`` if no comment can be written there.
  public func edits(
    commentingAt range: Range<Int>,
    saying comment: [UInt8],
    by author: AuthorName? = nil
  ) throws(Review.Failure) -> [Edit] {
    let text = author?.head(of: comment) ?? comment.onOneLine
    return try Review(Tracker(Text(self)), around: range).edits(for: .comment(range, text))
  }
}

extension Citation {
  /// The same with a line feed for each line end.
  var unified: Citation { Citation(text.unified, after: after.unified, before: before.unified) }
}

extension VariantText {
  /// The lines of offsets of the marked-up text, which ascend, as in `lines 3, 9 and 12`.
  func lines(of offsets: [Int]) -> String {
    var cursor = LineCursor(markup)
    var numbers: [Int] = []
    for offset in offsets {
      let line = cursor.place(of: offset).line
      if numbers.last != line { numbers.append(line) }
    }
    let most = 10
    var words = numbers.prefix(most).map { "\($0)" }
    if numbers.count > most { words.append("\(numbers.count - most) more") }
    guard words.count > 1, let last = words.popLast() else { return "line \(words[0])" }
    return "lines \(words.joined(separator: ", ")) and \(last)"
  }
}

extension [UInt8] {
  /// The places where a text occurs, which may overlap.
  fileprivate func places(of text: [UInt8]) -> [Range<Int>] {
    guard let first = text.first, text.count <= count else { return [] }
    return withUnsafeBufferPointer { bytes in
      text.withUnsafeBufferPointer { text in
        var places: [Range<Int>] = []
        for start in 0...bytes.count - text.count where bytes[start] == first {
          var length = 1
          while length < text.count, bytes[start + length] == text[length] { length += 1 }
          if length == text.count { places.append(start..<start + length) }
        }
        return places
      }
    }
  }

  /// The places where the words of a text occur in sequence, with any white space between them.
  fileprivate func places(ofWords text: [UInt8]) -> [Range<Int>] {
    let words = text.split { $0.isSpace || $0.isLineBreak }.map(Array.init)
    guard let first = words.first else { return [] }
    return places(of: first).compactMap { place in
      var end = place.upperBound
      for word in words.dropFirst() {
        let gap = self[end...].prefix { $0.isSpace || $0.isLineBreak }
        guard !gap.isEmpty, self[gap.endIndex...].starts(with: word) else { return nil }
        end = gap.endIndex + word.count
      }
      return place.lowerBound..<end
    }
  }
}
