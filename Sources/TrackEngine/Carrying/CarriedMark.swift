/// A change, a highlight or a comment that stands alone, and where it belongs in a text without it.
struct CarriedMark {
  /// The index of the change of the old text that it is or, as a comment, is in.
  var index: Int
  let change: Change
  /// The clean text that it holds: what an addition, a substitution or a highlight shows; empty for the others.
  let held: Range<Int>
  /// Where that is in the new clean text.
  var place: Range<Int>
  /// On which side the text is with which an empty place goes.
  var bias: OffsetMap.Bias
  /// Whether it is not where the comparison has the text around it.
  var isMoved: Bool
}

/// Where the marks of a text belong in the clean text that somebody else made of it.
struct MarkPlacing {
  /// Those of which the place is certain, in the order of the old text; comments in changes that are not carried come last.
  var marks: [CarriedMark] = []
  /// The others, and why.
  var left: [Carrying.Left] = []
  /// What differs between the two clean texts.
  let differences: [Difference]
  /// The indices of the changes in highlights that are carried whole, by the index of the highlight.
  private(set) var inner: [Int: [Int]] = [:]

  /// Places marks.
  ///
  /// - Parameters:
  ///   - changes: The changes of the old text.
  ///   - old: Its clean text.
  ///   - new: The new clean text.
  ///   - isRecording: Whether text that was moved will be new text: then only comments can be on it.
  init(_ changes: [Change], of old: VariantText, in new: VariantText, isRecording: Bool) {
    let alignment = CleanAlignment(old, new)
    differences = alignment.differences
    let places = MarkPlaces(alignment: alignment, old: old, isRecording: isRecording)
    var end = 0
    var highlight = 0
    for (index, (change, found)) in zip(changes, places.marks(of: changes)).enumerated() {
      if change.range.lowerBound < end {
        inner[highlight, default: []].append(index)
        continue
      }
      switch found {
      case .success(var mark):
        mark.index = index
        marks.append(mark)
        if change.kind == .highlight { (end, highlight) = (change.markRange.upperBound, index) }
      case .failure(let obstacle):
        left.append(Carrying.Left(index, obstacle, change.thread))
      }
    }
    for number in left.indices { placeComments(in: changes[left[number].index], number, places) }
  }

  /// Places the comments in a change that is not carried, each by itself.
  private mutating func placeComments(in change: Change, _ number: Int, _ places: MarkPlaces) {
    guard change.kind.isChange, change.marks.contains(where: { $0.inner > 0 }) else { return }
    let comments = places.old.reading.comments(in: change.markRange)
    let alone = comments.map { Change(marks: [], thread: [$0]) }
    for (comment, found) in zip(comments, places.marks(of: alone)) {
      // What was deleted with the text around it has no place of its own.
      let isSeen = change.marks.contains { $0.new?.holds(comment.range) == true }
      if isSeen, case .success(var mark) = found {
        mark.index = left[number].index
        marks.append(mark)
      } else {
        left[number].comments.append(comment)
      }
    }
  }
}

/// Looks for the places of marks.
private struct MarkPlaces {
  let alignment: CleanAlignment
  let old: VariantText
  /// Whether text that was moved will be new text.
  let isRecording: Bool

  /// Where changes belong; each has the index 0.
  func marks(of changes: [Change]) -> [Result<CarriedMark, Carrying.Obstacle>] {
    let held = changes.map { old.range(ofMarkup: $0.range) }
    var findings = zip(changes, held).map { change, held in
      !held.isEmpty
        ? alignment.finding(of: held)
        : change.marks.isEmpty
          ? alignment.finding(ofCommentAt: held.lowerBound)
          : alignment.finding(ofPlace: held.lowerBound)
    }
    resolve(&findings, held)
    return zip(zip(changes, held), findings).map { (change, finding) in
      mark(of: change.0, holding: change.1, finding)
    }
  }

  private func mark(
    of change: Change,
    holding held: Range<Int>,
    _ finding: CleanAlignment.Finding
  ) -> Result<CarriedMark, Carrying.Obstacle> {
    let isNew = finding.isMoved && isRecording
    guard let place = finding.place, !isNew || !change.kind.isChange && !change.thread.isEmpty
    else { return .failure(.gone) }
    guard finding.isCertain else { return .failure(.uncertain) }
    // A mark that is to hold another text can hold no marks; what is in it is looked for by itself.
    let isSimple = change.marks.count == 1 && change.marks[0].inner == 0
    guard isRecording || isSimple || alignment.new[place] == alignment.old[held] else {
      return .failure(.gone)
    }
    return .success(
      CarriedMark(
        index: 0,
        change: change,
        held: held,
        place: place,
        bias: finding.bias,
        isMoved: finding.isMoved
      )
    )
  }

  /// Decides about the places that are certain only where a stretch of text occurs once in both texts.
  private func resolve(_ findings: inout [CleanAlignment.Finding], _ held: [Range<Int>]) {
    let open = findings.indices.filter { !findings[$0].isCertain && findings[$0].piece != nil }
    guard !open.isEmpty else { return }
    let pieces = open.map { findings[$0].piece?.text ?? [] }
    let (old, new) = (
      Occurrences(of: pieces, in: alignment.old).found,
      Occurrences(of: pieces, in: alignment.new).found
    )
    for (number, index) in open.enumerated()
    where old[number].count == 1 && new[number].count == 1 {
      let first = new[number].first
      let start = first + (findings[index].piece?.lead ?? 0)
      if findings[index].isMoved {
        // What was joined to another line is not a line that is at another place.
        if first > 0, !alignment.new[first - 1].isLineBreak { continue }
        findings[index].place = start..<start + held[index].count
      }
      findings[index].isCertain = true
    }
  }
}
