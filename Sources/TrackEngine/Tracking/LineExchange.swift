/// The user's last edit as half of an exchange of lines, which tells what the next edit there means.
///
/// An editor that has a program filter lines, or sorts them, can put the new ones behind the old and then remove these
/// (Neovim, Vim), or remove the old ones first (Emacs).
enum LineExchange: Sendable {
  /// Lines were put in, which are in this range of the text now.
  case added(Range<Int>)
  /// Lines were removed, which were in this range of the text before.
  case removed(Range<Int>)

  /// What an edit begins; nil if it neither puts in lines nor removes lines.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - text: The text that it is made on.
  init?(begunBy edit: Edit, on text: Text) {
    let range = edit.range
    if range.isEmpty, edit.new[...].areLines {
      self = .added(range.lowerBound..<range.lowerBound + edit.new.count)
    } else if edit.new.isEmpty, text[range].hasLines {
      self = .removed(range)
    } else {
      return nil
    }
  }

  /// What it and the next edit come to: the replacement of lines by lines.
  ///
  /// - Parameters:
  ///   - edit: The next edit.
  ///   - text: The text that it is made on.
  /// - Returns: An edit of the text before both; nil if they are no exchange. Linear in the lines.
  func replacement(endedBy edit: Edit, on text: Text) -> Edit? {
    switch self {
    case .added(let range):
      guard edit.new.isEmpty, text[edit.range].hasLines else { return nil }
      return LineExchange.replacement(of: edit.range, by: range, in: text)
    case .removed(let range):
      guard edit.range.isEmpty, edit.range.lowerBound == range.lowerBound, edit.new[...].areLines
      else { return nil }
      return Edit(range, edit.new)
    }
  }

  /// The replacement of lines by those that are in the text, too, behind them.
  ///
  /// A client that compares texts can report that the ones were removed and the others put in before or behind their
  /// places, so whole lines are taken.
  ///
  /// - Parameters:
  ///   - removed: What is removed.
  ///   - added: What was put in.
  ///   - text: The text that has both.
  /// - Returns: An edit of the text without what was put in; nil if nothing is removed right before that.
  private static func replacement(
    of removed: Range<Int>,
    by added: Range<Int>,
    in text: Text
  ) -> Edit? {
    guard let (removed, added) = meeting(removed, added, in: text) else { return nil }
    let start = text.start(ofLine: text.line(at: removed.lowerBound))
    let line = text.line(at: added.upperBound)
    let isWhole = text.start(ofLine: line) == added.upperBound
    let next = line + 1 < text.lineCount ? text.start(ofLine: line + 1) : text.count
    let end = isWhole ? added.upperBound : next
    return Edit(
      start..<end - added.count,
      Array(text[start..<removed.lowerBound] + text[removed.upperBound..<end])
    )
  }

  /// The most bytes between the two edits.
  private static let longestGap = 1024

  /// What is removed and what was put in, moved to where the former ends at the latter, or in it, if the same text stays;
  /// nil if they are elsewhere.
  private static func meeting(
    _ removed: Range<Int>,
    _ added: Range<Int>,
    in text: Text
  ) -> (Range<Int>, Range<Int>)? {
    guard removed.lowerBound < added.lowerBound else { return nil }
    let gap = max(0, added.lowerBound - removed.upperBound)
    // Lines that are equal to their neighbours could be moved far.
    guard gap <= longestGap else { return nil }
    func slack(_ range: Range<Int>, within bounds: Range<Int>) -> ClosedRange<Int> {
      range.slack(within: bounds) { text[$0] == text[$1] }
    }
    let forth = slack(removed, within: removed.lowerBound..<removed.upperBound + gap).upperBound
    let rest = gap - forth
    let back = slack(added, within: added.lowerBound - rest..<added.upperBound).lowerBound
    let (moved, place) = (removed.moved(by: forth), added.moved(by: back))
    let isMet =
      moved.lowerBound < place.lowerBound && place.lowerBound <= moved.upperBound
      && moved.upperBound < place.upperBound
    return isMet ? (moved, place) : nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate var hasLines: Bool { contains(where: \.isLineBreak) }

  /// Whether it is put in as lines: a line break by itself is typed.
  fileprivate var areLines: Bool { hasLines && !isCharacter }
}
