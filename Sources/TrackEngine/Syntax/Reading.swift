/// A text read as CriticMarkup: its marks and its code.
public struct Reading: Equatable, Sendable {
  /// The language that the text was read in.
  public let language: Language
  /// All marks, by where they start; a mark is followed by those nested in it.
  public var marks: [Mark] = []
  /// All code, by where it starts.
  public var zones: [CodeZone] = []

  /// Nothing yet.
  init(language: Language) {
    self.language = language
  }
}

extension Reading {
  /// Reads `bytes`, which may be any bytes; this cannot fail, since anything that is not a mark is text.
  ///
  /// Linear.
  ///
  /// Rules: a closer pairs with the nearest open mark of its kind; in a comment only comments count; code masks
  /// delimiters, except that the closer of an open mark is masked only if another follows before the first
  /// blank line after the code.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - language: Its language.
  public init(of bytes: [UInt8], as language: Language) {
    self = bytes.withUnsafeBufferPointer { Reading(of: $0, as: language) }
  }

  /// Reads a stretch that begins in the block of a fence.
  init(of bytes: Bytes, as language: Language, in fence: Fence? = nil) {
    self = Parser(bytes, language, in: fence).reading
  }

  /// Whether a mark begins at an offset.
  ///
  /// Logarithmic.
  func hasMark(at offset: Int) -> Bool { hasMark(startingIn: offset..<offset + 1) }

  /// Whether a mark begins in a range; logarithmic.
  func hasMark(startingIn range: Range<Int>) -> Bool {
    let index = marks.partitioningIndex { $0.start >= range.lowerBound }
    return index < marks.count && marks[index].start < range.upperBound
  }

  /// The comments in a stretch that are in no other comment, in order.
  func comments(in stretch: Range<Int>) -> [Mark] {
    let first = marks.partitioningIndex { $0.start >= stretch.lowerBound }
    var end = 0
    return marks[first...].prefix { $0.start < stretch.upperBound }.filter { mark in
      guard mark.kind == .comment, mark.start >= end else { return false }
      end = mark.end
      return true
    }
  }

  /// The first code that ends after an offset.
  ///
  /// Logarithmic.
  func zone(endingAfter offset: Int) -> CodeZone? {
    let index = zones.partitioningIndex { $0.range.upperBound > offset }
    return index < zones.count ? zones[index] : nil
  }

  /// The indices of the outermost marks.
  public var topLevel: [Int] { outermost(marks.indices) }

  /// The outermost marks.
  var topMarks: [Mark] { topLevel.map { marks[$0] } }

  /// The indices of the outermost marks of a range of indices.
  func outermost(_ range: Range<Int>) -> [Int] {
    var found: [Int] = []
    var index = range.lowerBound
    while index < range.upperBound {
      found.append(index)
      index = after(index)
    }
    return found
  }
}
