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

  /// The only place where the citation occurs.
  ///
  /// Linear, except for texts that repeat themselves.
  ///
  /// - Parameters:
  ///   - clean: The clean text.
  ///   - name: The name of the text in a failure.
  /// - Returns: UTF-8 offsets in the clean text.
  /// - Throws: ``Failure`` if it does not occur or occurs several times, with the lines in the marked-up text.
  func place(in clean: VariantText, calledIn name: String) throws(Failure) -> Range<Int> {
    if text.isEmpty { throw Failure(description: "\(name) is empty") }
    let all = clean.bytes.places(of: text)
    let places = all.filter { place in
      clean.bytes[..<place.lowerBound].suffix(after.count).elementsEqual(after)
        && clean.bytes[place.upperBound...].prefix(before.count).elementsEqual(before)
    }
    if places.count == 1 { return places[0] }
    let isPlain = after.isEmpty && before.isEmpty
    if places.count > 1 {
      let more = isPlain ? "add" : "make longer"
      throw Failure(
        description:
          "\(name) is \(clean.told(places)); \(more) \"after\", the text right before it, or"
          + " \"before\", the text right after it"
      )
    }
    guard all.isEmpty else {
      let sides =
        after.isEmpty ? "\"before\"" : before.isEmpty ? "\"after\"" : "\"after\" and \"before\""
      throw Failure(description: "\(name) is \(clean.told(all)), but nowhere with that \(sides)")
    }
    throw Failure(description: "\(name) is not in the clean text" + hint(in: clean))
  }

  /// Where a text that may be meant occurs.
  private func hint(in clean: VariantText) -> String {
    if let place = clean.markup.places(of: text).first {
      let line = clean.lines(of: [place.lowerBound])
      return "; on \(line) of the file it is deleted, or has marks in it"
    }
    let loose = clean.bytes.places(ofWords: text)
    guard let place = loose.first else { return "; compare it with what \"export\" writes" }
    return "; \(clean.told([place])) it has other spaces or line breaks"
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
    let clean = VariantText(.clean, of: self)
    let place: Range<Int>
    do throws(Citation.Failure) {
      place = try citation.place(in: clean, calledIn: "\"text\"")
    } catch {
      throw Review.Failure(description: error.description)
    }
    let hull = clean.hull(of: place)
    guard hull.lowerBound >= frontMatter(of: self).upperBound else {
      throw Review.Failure(description: "\"text\" is in the front matter, which holds no comments")
    }
    let text = author?.head(of: comment) ?? comment.onOneLine
    let review = Review(Tracker(Text(self)), around: hull)
    return try review.edits(for: .comment(hull, text))
  }
}

extension VariantText {
  /// Places of it in words, as in `at 2 places, on lines 3 and 9`.
  fileprivate func told(_ places: [Range<Int>]) -> String {
    let lines = lines(of: places.map { hull(of: $0).lowerBound })
    return places.count == 1 ? "on \(lines)" : "at \(places.count) places, on \(lines)"
  }

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
