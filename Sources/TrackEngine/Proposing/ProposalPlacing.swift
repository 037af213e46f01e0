/// Finds where proposals are in the clean text, and what each of them changes there.
struct ProposalPlacing {
  let clean: VariantText
  /// The changes, in order; disjoint.
  private(set) var changes: [ProposedChange] = []
  /// The proposals that change nothing.
  private(set) var idle = Proposal.Failure()
  /// How many bytes were looked at.
  private(set) var steps = 0

  /// Places proposals, except those that have a problem already.
  ///
  /// - Throws: ``Proposal/Failure`` that names every proposal that holds marks, whose text does not occur or
  ///   occurs several times, that overlaps another, or is where nothing is tracked.
  init(
    _ proposals: [Proposal],
    without left: Proposal.Failure,
    in clean: VariantText,
    by author: AuthorName?
  ) throws(Proposal.Failure) {
    self.clean = clean
    var cited = CitedText(clean)
    let places = cited.places(of: proposals.map(\.query))
    let untracked = Untracked(clean.markup)
    var failure = Proposal.Failure()
    var placed: [Placed] = []
    for (index, proposal) in proposals.enumerated() where left.problems[index] == nil {
      if let problem = proposal.problem(in: clean.reading.language) {
        failure.add(problem, at: index, of: proposals)
        continue
      }
      let found: [Range<Int>]
      switch places[index] {
      case .success(let places): found = places
      case .failure(let problem):
        failure.add(problem.description, at: index, of: proposals)
        continue
      }
      let comment = ProposedChange.Comment(
        index: index,
        text: author.map { $0.head(of: proposal.reason ?? []) } ?? proposal.reason?.onOneLine,
        hasReason: proposal.reason != nil
      )
      for old in found {
        let edit = proposal.edit(at: old, in: cited.lines.bytes) { range in
          !clean.hasMarks(upTo: cited.origin(of: range))
        }
        if edit.range.isEmpty, edit.new.isEmpty {
          let problem =
            proposal.manner == .replaced ? "\"old\" and \"new\" are the same" : "\"new\" is empty"
          idle.add("\(problem); nothing is proposed", at: index, of: proposals)
          continue
        }
        let range = cited.origin(of: edit.range)
        if let problem = untracked.problem(with: clean.place(of: range.lowerBound)) {
          failure.add(problem, at: index, of: proposals)
          continue
        }
        let new = cited.lines.spelled(edit.new, replacing: edit.range)
        let change = ProposedChange(range: range, new: new, comments: [comment])
        placed.append(Placed(change: change, old: old, index: index))
      }
    }
    placed.sort { $0.key < $1.key }
    for (first, second) in zip(placed, placed.dropFirst()) where first.overlaps(second) {
      let (known, late) = (min(first.index, second.index), max(first.index, second.index))
      let problem = "it overlaps edit \(known + 1); make one edit of the two"
      failure.add(problem, at: late, of: proposals)
    }
    changes = placed.map(\.change)
    guard failure.problems.isEmpty else { throw failure }
    slideToLineEnds(after: clean.offset(ofMarkup: untracked.metadata.upperBound))
    steps = cited.steps + 2 * clean.bytes.count
  }

  /// Gives whole inserted or removed lines the line break before them, as a comparison does.
  private mutating func slideToLineEnds(after start: Int) {
    let edits = changes.map { Edit($0.range, $0.new) }
    let edited = clean.bytes.applying(edits)
    var differences = Array(edits.differences)
    clean.bytes.withUnsafeBufferPointer { old in
      edited.withUnsafeBufferPointer { differences.slideToLineEnds(old, $0, after: start) }
    }
    var end = 0
    for (index, difference) in differences.enumerated() {
      // No mark comes into a deletion by that.
      let old = changes[index].range
      let passed = difference.old.lowerBound..<(old.isEmpty ? difference.old : old).lowerBound
      if end <= difference.old.lowerBound, passed.isEmpty || !clean.hasMarks(upTo: passed) {
        changes[index].range = difference.old
        changes[index].new = Array(edited[difference.new])
      }
      end = changes[index].range.upperBound
    }
  }
}

extension VariantText {
  /// Whether marks begin or end in a range, or between it and the next character, which must be there.
  fileprivate func hasMarks(upTo range: Range<Int>) -> Bool {
    hull(of: range.lowerBound..<range.upperBound + 1).count > range.count + 1
  }
}

/// A proposal at its place.
private struct Placed {
  let change: ProposedChange
  /// The place of the text that it cites, which may hold more than what changes.
  let old: Range<Int>
  let index: Int

  /// By this they are in the order of the text.
  var key: (Int, Int, Int, Int) {
    (change.range.lowerBound, change.range.upperBound, old.lowerBound, index)
  }

  /// Whether one that follows in the text replaces some of the same text, or adds text where it cannot be told which
  /// comes first.
  func overlaps(_ next: Placed) -> Bool {
    if next.change.range.lowerBound < change.range.upperBound { return true }
    return change.range == next.change.range && next.old.lowerBound < old.upperBound
  }
}

extension Proposal {
  /// What it looks up in the clean text.
  fileprivate var query: CitedText.Query {
    CitedText.Query(old.unified, manner.name, isEverywhere: isEverywhere)
  }

  /// What it changes where the text that it cites is; with line feeds.
  ///
  /// Text that is replaced is so by whole words; beside a text that stays there is only what is new.
  ///
  /// - Parameters:
  ///   - old: The place of the text that it cites.
  ///   - text: The text around it.
  ///   - isPlain: Whether no mark begins or ends in a range.
  /// - Returns: The edit, which may change nothing.
  fileprivate func edit(
    at old: Range<Int>,
    in text: [UInt8],
    where isPlain: (Range<Int>) -> Bool
  ) -> Edit {
    let new = new.unified
    let end = manner == .followed ? old.upperBound : old.lowerBound
    return manner == .replaced
      ? Edit(old, new).trimmed(replacing: text[old]).shaped(in: text, within: old, where: isPlain)
      : Edit(end..<end, new).onWholeCharacters(of: text, in: old)
  }

  /// Why it cannot be proposed anywhere; nil if it can.
  fileprivate func problem(in language: Language) -> String? {
    if old.text.isEmpty, old.lines == nil {
      return manner == .replaced
        ? "\"old\" is empty; to add text, give \"insert_after\" or \"insert_before\", what it is beside"
        : "\(manner.name) is empty; give the text beside the place"
    }
    let marks = Reading(of: new, as: language).marks
    guard let mark = marks.first,
      marks.count
        > (manner == .replaced ? Reading(of: old.text, as: language).marks.count : 0)
    else { return nil }
    let text = String(decoding: new[mark.range].prefix(40), as: UTF8.self)
    return
      "\"new\" has CriticMarkup in it (\(text)); give the text as it should read, and the marks are written"
      + " for you; a comment is given as \"reason\""
  }
}

extension Proposal.Manner {
  /// How the text that is cited is called in a failure.
  fileprivate var name: String {
    switch self {
    case .replaced: "\"old\""
    case .followed: "\"insert_after\""
    case .preceded: "\"insert_before\""
    }
  }
}

/// The stretches of a text that hold no marks.
private struct Untracked {
  /// The front matter.
  let metadata: Range<Int>
  /// iA Writer's annotations.
  let annotations: Range<Int>

  init(_ markup: [UInt8]) {
    metadata = frontMatter(of: markup)
    annotations = Text(markup).annotations
  }

  /// Why nothing can be changed at an offset; nil if it can.
  func problem(with offset: Int) -> String? {
    if offset < metadata.upperBound {
      return "it is in the front matter, where changes are not put into marks; edit that by hand"
    }
    guard offset > annotations.lowerBound else { return nil }
    return "it is in the annotations, where changes are not put into marks; edit them by hand"
  }
}
