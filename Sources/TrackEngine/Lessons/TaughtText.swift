/// A text, and the edits in it from which something can be learned.
public struct TaughtText: Sendable {
  /// The text after the edits.
  public let bytes: [UInt8]
  /// In the order of the text.
  public var edits: [TaughtEdit]

  /// The changes that stand in a text, which are all pending.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - bytes: The text with its marks.
  ///   - language: Its language.
  /// - Returns: The text with every change accepted.
  public static func standing(in bytes: [UInt8], as language: Language) -> TaughtText {
    let text = ProposedText(of: bytes, as: language)
    let pending = text.changes.map { _ in Decision(.pending) }
    return TaughtText(proposals: text, pending, of: bytes, language, isDecided: false)
  }

  /// What an earlier version of a text and the next one teach: what became of the changes of the earlier one, and
  /// what was changed without marks.
  ///
  /// Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - earlier: The earlier version.
  ///   - later: The next one.
  ///   - language: The language of both.
  ///   - author: Who made that of it.
  /// - Returns: The texts with the edits that were found in them.
  public static func between(
    _ earlier: [UInt8],
    _ later: [UInt8],
    as language: Language,
    by author: String?
  ) -> [TaughtText] {
    let original = Reading(of: later, as: language).text(.original, of: later)
    let proposed = ProposedText(of: earlier, as: language)
    guard proposed.changes.contains(where: { $0.change.kind.isChange }) else {
      return [TaughtText(from: proposed.settled, to: original, language, by: author)]
    }
    let decisions = Decision.all(of: earlier, in: later, as: language)
    let (settled, _) = proposed.text(proposed.sides(after: decisions))
    return [
      TaughtText(proposals: proposed, decisions, of: earlier, language, isDecided: true),
      TaughtText(from: settled, to: original, language, by: author),
    ]
  }

  /// The changes of a text with what became of them, those that are not decided or those that are.
  private init(
    proposals text: ProposedText,
    _ decisions: [Decision],
    of bytes: [UInt8],
    _ language: Language,
    isDecided: Bool
  ) {
    let (clean, places) = text.text(text.changes.map(\.new))
    let prose = Prose(clean, language)
    let footnotes = Footnotes(of: text.changes.isEmpty ? [] : bytes)
    edits = text.changes.indices.compactMap { index in
      let side = text.changes[index]
      guard side.change.kind.isChange, let outcome = TaughtEdit.Outcome(decisions[index].outcome),
        (outcome != .pending) == isDecided, prose.has(places[index])
      else { return nil }
      return TaughtEdit(
        places[index],
        of: clean,
        language,
        replacing: side.old,
        outcome,
        decided: decisions[index].final,
        remarks: side.comments,
        author: side.change.author(in: bytes, footnotes)
      )
    }
    self.bytes = clean
  }

  /// What differs between two texts without marks.
  private init(from old: [UInt8], to new: [UInt8], _ language: Language, by author: String?) {
    bytes = new
    guard old != new else {
      edits = []
      return
    }
    let prose = Prose(new, language)
    edits = textChanges(old, new, as: language).compactMap { difference in
      guard prose.has(difference.new) else { return nil }
      let replaced = Array(old[difference.old])
      return TaughtEdit(
        difference.new,
        of: new,
        language,
        replacing: replaced,
        .made,
        author: author
      )
    }
  }
}

extension TaughtEdit.Outcome {
  /// What became of a proposal; nil for what is none.
  fileprivate init?(_ outcome: Decision.Outcome) {
    switch outcome {
    case .accepted: self = .accepted
    case .rejected: self = .rejected
    case .edited: self = .edited
    case .pending: self = .pending
    case .settled: return nil
    }
  }
}

extension ProposedText {
  /// What stands in the place of each change when that is decided, and before it is.
  fileprivate func sides(after decisions: [Decision]) -> [[UInt8]] {
    zip(changes, decisions).map { side, decision in
      switch decision.outcome {
      case .accepted: side.new
      case .rejected, .pending, .settled: side.old
      case .edited: decision.final ?? side.old
      }
    }
  }

  /// The text with something in the place of each change, and where that is.
  fileprivate func text(_ sides: [[UInt8]]) -> (bytes: [UInt8], places: [Range<Int>]) {
    var text: [UInt8] = []
    var places: [Range<Int>] = []
    var at = 0
    for (side, change) in zip(sides, changes) {
      text += settled[at..<change.place]
      at = change.place
      let start = text.count
      if change.change.kind.isChange { text += side }
      places.append(start..<text.count)
    }
    text += settled[at...]
    return (text, places)
  }
}

/// The prose of a text: what is neither front matter nor code.
struct Prose {
  private let frontMatterEnd: Int
  private let reading: Reading

  /// Reads a text without marks; linear.
  init(_ bytes: [UInt8], _ language: Language) {
    frontMatterEnd = frontMatter(of: bytes).upperBound
    reading = Reading(of: bytes, as: language)
  }

  /// Whether a stretch is prose, or text between prose.
  func has(_ range: Range<Int>) -> Bool {
    guard range.lowerBound >= frontMatterEnd else { return false }
    guard let zone = reading.zone(endingAfter: range.lowerBound) else { return true }
    return range.isEmpty
      ? zone.range.lowerBound >= range.lowerBound : zone.range.lowerBound >= range.upperBound
  }

  /// The text without what is no prose: spaces stand in its place.
  func blanked(_ bytes: [UInt8]) -> [UInt8] {
    var text = bytes
    for range in [0..<frontMatterEnd] + reading.zones.map(\.range) {
      for index in range.clamped(to: text.indices) where !text[index].isLineBreak {
        text[index] = Ascii.space
      }
    }
    return text
  }
}
