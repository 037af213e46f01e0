/// An edit of a text from which something can be learned.
public struct TaughtEdit: Sendable {
  /// What became of it.
  public enum Outcome: String, CaseIterable, Sendable {
    /// It was made without having been proposed in marks.
    case made
    /// It was proposed, and accepted.
    case accepted
    /// It was proposed, and rejected.
    case rejected
    /// It was proposed, and something else was written.
    case edited
    /// It is proposed.
    case pending
  }

  /// What became of it.
  public let outcome: Outcome
  /// What it does to words; nil if it is too long to be a wording.
  public let wording: Wording?
  /// The text that stood: the words that the edit changes, as they are written.
  public let draft: [UInt8]
  /// The text that was made of it, or proposed.
  public let revised: [UInt8]
  /// The text that stands there now; nil if that is not decided.
  public let final: [UInt8]?
  /// What stands on the line before it: up to 80 bytes.
  public let before: [UInt8]
  /// What stands on the line after it: up to 80 bytes.
  public let after: [UInt8]
  /// What the comments at it say.
  public let reasons: [String]
  /// What they are about, in lower case.
  public let categories: [String]
  /// Who made it, if that is known.
  public let author: String?
  /// Where it is in the text in which it was found.
  public let offset: Int
  /// The heading above it, which whoever knows headings fills in.
  public var heading: String?
  let neighbours: WordEdit.Neighbours

  /// How much of the line is kept, in bytes.
  private static let reach = 80
  /// The longest text, and the longest reason, in bytes.
  private static let longestText = 2048

  /// An edit that a text shows, as far as it is about language.
  ///
  /// - Parameters:
  ///   - range: What is new in the text.
  ///   - text: The text after the edit.
  ///   - language: Its language.
  ///   - replaced: What stood in its place.
  ///   - outcome: What became of it.
  ///   - decided: The text that stands there now, if it is another one.
  ///   - remarks: The comments at it, as they are written.
  ///   - author: Who made it.
  init?(
    _ range: Range<Int>,
    of text: [UInt8],
    _ language: Language,
    replacing replaced: [UInt8],
    _ outcome: Outcome,
    decided: [UInt8]? = nil,
    remarks: [[UInt8]] = [],
    author: String?
  ) {
    guard replaced.count <= TaughtEdit.longestText, range.count <= TaughtEdit.longestText,
      let edit = WordEdit(range, of: text, language, replacing: replaced)
    else { return nil }
    self.outcome = outcome
    wording = edit.wording
    (draft, revised, neighbours) = (edit.old, edit.new, edit.neighbours)
    final =
      switch outcome {
      case .made, .accepted: edit.new
      case .rejected: edit.old
      case .edited: decided
      case .pending: nil
      }
    before = Array(Array(edit.before.suffix(TaughtEdit.reach)).drop { $0 & 0xC0 == 0x80 })
    after = Array(edit.after.prefix(TaughtEdit.reach)[...].wholeCharacters)
    let heads = remarks.map { ($0, CommentHead(of: $0[...])) }
    reasons = heads.compactMap { remark, head in
      let said = remark[head.body].prefix(TaughtEdit.longestText)[...].wholeCharacters
      let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
    categories = heads.compactMap { $0.1.category?.lowercased() }
    self.author = author
    offset = range.lowerBound
  }
}
