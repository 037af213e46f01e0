/// What a comment begins with, by convention: who wrote it and what it is about, as in
/// `@ada: [tone] too flat`.
public struct CommentHead: Equatable, Sendable {
  /// Who wrote the comment.
  public var author: String?
  /// What the comment is about, in one word.
  public var category: String?
  /// From the comment's beginning to after the author.
  public var authorRange: Range<Int>
  /// What the comment says, in the offsets of the slice that was read.
  public var body: Range<Int>

  /// As many bytes as an author or a category may have.
  private static let longest = 64

  /// Reads what stands between a comment's delimiters.
  public init(of content: ArraySlice<UInt8>) {
    var rest = CommentHead.trimmed(content)
    let name = rest.dropFirst().prefix(CommentHead.longest)
    authorRange = content.startIndex..<content.startIndex
    if rest.first == UInt8(ascii: "@"), let colon = name.firstIndex(of: UInt8(ascii: ":")),
      CommentHead.isName(name[..<colon]),
      colon + 1 == rest.endIndex || rest[colon + 1] == Ascii.space
    {
      author = String(decoding: name[..<colon], as: UTF8.self)
      rest = CommentHead.trimmed(rest[(colon + 1)...])
      authorRange = content.startIndex..<rest.startIndex
    }
    let word = rest.dropFirst().prefix(CommentHead.longest)
    if rest.first == UInt8(ascii: "["), let end = word.firstIndex(of: UInt8(ascii: "]")),
      end > word.startIndex + 1, word[..<end].allSatisfy(CommentHead.isLetter),
      end + 1 == rest.endIndex || rest[end + 1] != UInt8(ascii: "(")
    {
      category = String(decoding: word[..<end], as: UTF8.self)
      rest = CommentHead.trimmed(rest[(end + 1)...])
    }
    body = rest.startIndex..<rest.endIndex
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.drop { $0 == Ascii.space }
  }

  /// One word, or several that begin with capitals: `@ada could you see: …` is no author.
  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    let words = String(decoding: bytes, as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false)
    return words.allSatisfy { word in
      guard let first = word.first, !word.contains(where: \.isWhitespace) else { return false }
      return words.count == 1 || first.isUppercase
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == Ascii.minus
  }
}
