import TrackEngine

/// What a report of lessons is made of.
struct LessonsReport {
  /// The most frequent lessons, in order.
  let lessons: [Lesson]
  /// How many there are.
  let count: Int
  /// All edits.
  let all: Lessons
  /// The files that they are from.
  let files: [Path]

  /// The lessons of which a verdict is true.
  func lessons(_ verdict: Lesson.Verdict) -> [Lesson] { lessons.filter { $0.verdict == verdict } }

  /// As in `84 edits in 12 files`.
  var extent: String {
    "\(counted(all.outcomes.count, "edit")) in \(counted(files.count, "file"))"
  }
}

extension Lesson {
  /// As in `“lazy” → “sleepy”`.
  var summary: String { words.summary }
  /// The edit in words.
  var words: ChangeWords { ChangeWords(wording.kind, wording.old, wording.new) }

  /// How often, and what became of proposals, as in `12 times in 5 files, 3 of 4 accepted, 2 left`, where the old
  /// words still stand.
  var counts: String {
    var parts = ["\(counted(count, "time")) in \(counted(self.files, "file"))"]
    if outcomes.decided > 0 { parts.append(outcomes.acceptance) }
    if outcomes[.pending] > 0 { parts.append("\(outcomes[.pending]) proposed") }
    if undone > 0 { parts.append("\(undone) undone") }
    if let standing, standing > 0, verdict != .refused { parts.append("\(standing) left") }
    return parts.joined(separator: ", ")
  }

  /// The comments about it, as in `[clarity] plain words`; the most frequent ones.
  var saidReasons: [String] {
    let tags = categories.first.map { "[\($0.tag)] " } ?? ""
    return reasons.prefix(Lesson.mostReasons).map { tags + clipped(Array($0.text.utf8)) }
  }
  private static let mostReasons = 3
}

extension OutcomeCounts {
  /// As in `3 of 4 accepted`.
  var acceptance: String { "\(self[.accepted]) of \(decided) accepted" }
}

extension LessonExample {
  /// What stood before and after the edit, a few words.
  var around: (before: String, after: String) {
    NearbyWords.around(before: edit.before, after: edit.after)
  }
}
