/// A piece of the clean text, identified by its content, or by its lines.
public struct Citation: Equatable, Sendable {
  /// The text of the piece; empty for all of the lines, without the line end of the last one.
  public var text: [UInt8]
  /// The text that has to be directly before it.
  public var after: [UInt8]
  /// The text that has to be directly after it.
  public var before: [UInt8]
  /// The lines of the clean text that it is in, from 1.
  public var lines: ClosedRange<Int>?

  /// Cites a text between two others, or in some lines.
  public init(
    _ text: [UInt8],
    after: [UInt8] = [],
    before: [UInt8] = [],
    lines: ClosedRange<Int>? = nil
  ) {
    self.text = text
    self.after = after
    self.before = before
    self.lines = lines
  }
}

extension Citation {
  /// Why a citation does not identify a piece; the middle of a sentence.
  struct Failure: Error {
    let description: String
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
  ///   - language: The language of the text.
  ///   - author: The author of the comment.
  /// - Returns: Sorted, disjoint edits of the marked-up text.
  /// - Throws: ``Review/Failure`` if the piece does not occur or occurs several times, or no comment can be
  ///   written there.
  public func edits(
    commentingOn citation: Citation,
    saying comment: [UInt8],
    as language: Language,
    by author: AuthorName? = nil
  ) throws(Review.Failure) -> [Edit] {
    var cited = CitedText(VariantText(.clean, of: self, as: language))
    let place: Range<Int>
    do throws(Citation.Failure) {
      place = try cited.places(of: [.init(citation.unified, "\"text\"")])[0].get()[0]
    } catch {
      throw Review.Failure(description: error.description)
    }
    let hull = cited.clean.hull(of: cited.origin(of: place))
    guard hull.lowerBound >= frontMatter(of: self).upperBound else {
      throw Review.Failure(description: "\"text\" is in the front matter, which holds no comments")
    }
    return try edits(commentingAt: hull, saying: comment, as: language, by: author)
  }

  /// The edits that comment on a change, or answer the comments on it.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - number: The change, by its place among ``Reading/changes``, from 1.
  ///   - comment: The comment.
  ///   - language: The language of the text.
  ///   - author: The author of the comment.
  /// - Returns: Sorted, disjoint edits of the marked-up text.
  /// - Throws: ``Review/Failure`` if there is no such change, or no comment can be written there.
  public func edits(
    commentingOnChange number: Int,
    saying comment: [UInt8],
    as language: Language,
    by author: AuthorName? = nil
  ) throws(Review.Failure) -> [Edit] {
    let changes = Reading(of: self, as: language).changes
    guard changes.indices.contains(number - 1) else {
      let there = changes.isEmpty ? "there are none" : "they are 1 to \(changes.count)"
      throw Review.Failure(description: "there is no change \(number); \(there)")
    }
    let place = changes[number - 1].markRange.lowerBound + 1
    return try edits(commentingAt: place..<place, saying: comment, as: language, by: author)
  }

  /// The edits that comment on a range of the marked-up text, or answer the comments there.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - range: UTF-8 offsets.
  ///   - comment: The comment.
  ///   - language: The language of the text.
  ///   - author: The author of the comment.
  /// - Returns: Sorted, disjoint edits of the marked-up text.
  /// - Throws: ``Review/Failure`` if no comment can be written there.
  public func edits(
    commentingAt range: Range<Int>,
    saying comment: [UInt8],
    as language: Language,
    by author: AuthorName? = nil
  ) throws(Review.Failure) -> [Edit] {
    let text = author?.head(of: comment) ?? comment.onOneLine
    let tracker = Tracker(Text(self), options: Tracker.Options(language))
    return try Review(tracker, around: range).edits(for: .comment(range, text))
  }
}

extension Citation {
  /// The same with a line feed for each line end.
  var unified: Citation {
    Citation(text.unified, after: after.unified, before: before.unified, lines: lines)
  }
}
