import TrackEngine

/// Lessons for people: a table with bars, by what can be said of them, and the sums.
struct LessonsText {
  private let report: LessonsReport
  private let isColored: Bool

  /// How many lessons and how many names a table has.
  private static let mostLessons = 30
  private static let mostHabits = 12
  private static let mostNames = 8
  /// In characters.
  private static let column = 38
  private static let bar = 20

  init(_ report: LessonsReport, isColored: Bool) {
    self.report = report
    self.isColored = isColored
  }

  /// The report.
  var text: String {
    let tables =
      Lesson.Verdict.allCases.map { table(title(of: $0), of: report.lessons($0)) } + [
        sums("By category", report.all.categories), sums("By author", report.all.authors),
        sums("By heading", report.all.headings),
      ]
    let outcomes = report.all.outcomes
    let decided = outcomes.decided > 0 ? ", \(outcomes.acceptance)" : ""
    let rest = report.count - report.lessons.count
    let more = rest > 0 ? "\(counted(rest, "more lesson")) of less weight\n" : ""
    return
      (tables.filter { !$0.isEmpty } + [
        "\(report.extent), \(counted(report.count, "lesson"))\(decided)\n" + more
      ]).joined(separator: "\n")
  }

  private func title(of verdict: Lesson.Verdict) -> String {
    switch verdict {
    case .rule: "Rules"
    case .habit: "Habits: the old words also stay"
    case .refused: "Refused"
    }
  }

  private func table(_ title: String, of lessons: [Lesson]) -> String {
    guard !lessons.isEmpty else { return "" }
    let most = lessons.map(\.count).max() ?? 1
    var text = heading(title)
    let isHabit = lessons.first?.verdict == .habit
    let shown = isHabit ? LessonsText.mostHabits : LessonsText.mostLessons
    for lesson in lessons.prefix(shown) {
      text += row(lesson.summary, lesson.count, of: most, lesson.counts)
      for reason in lesson.saidReasons { text += "      \(painted(reason, "36"))\n" }
      if !isHabit || !lesson.reasons.isEmpty, let example = lesson.examples.first {
        text += "      \(told(example))\n"
      }
    }
    let rest = lessons.count - shown
    return rest > 0 ? text + "  and \(rest) more, which --format json lists\n" : text
  }

  private func told(_ example: LessonExample) -> String {
    let path = painted("\(report.files[example.file]):", "2")
    let (before, after) = example.around
    let edit = example.edit
    let sides = [(edit.draft, "31;9"), (edit.revised, "32")].filter { !$0.0.isEmpty }
    let words = sides.map { painted(clipped($0.0), $0.1) }.joined(separator: " → ")
    return "\(path) \(plain(before))[\(words)]\(plain(after))"
  }

  private func sums(_ title: String, _ tallies: Tallies) -> String {
    let sorted = tallies.sorted
    guard let most = sorted.first?.outcomes.count else { return "" }
    let rows = sorted.prefix(LessonsText.mostNames).map { name, outcomes in
      let decided = outcomes.decided > 0 ? ", \(outcomes.acceptance)" : ""
      return row(
        clipped(Array(name.utf8)),
        outcomes.count,
        of: most,
        counted(outcomes.count, "edit") + decided
      )
    }
    return heading(title) + rows.joined()
  }

  private func heading(_ title: String) -> String { painted(title, "1") + "\n" }

  /// A name, a bar, and what is said of it.
  private func row(_ name: String, _ count: Int, of most: Int, _ said: String) -> String {
    // A long name has a line of its own.
    let isLong = name.count > LessonsText.column
    let gap =
      (isLong ? "\n  " : "")
      + String(repeating: " ", count: LessonsText.column - (isLong ? 0 : name.count))
    let length = max(1, count * LessonsText.bar / max(1, most))
    let bar =
      String(repeating: "█", count: length)
      + String(repeating: " ", count: LessonsText.bar - length)
    return "  \(plain(name))\(gap) \(painted(bar, "34")) \(said)\n"
  }

  private func painted(_ text: String, _ style: String) -> String {
    text.painted(style, if: isColored)
  }

  /// A text without colour.
  private func plain(_ text: String) -> String { isColored ? text.harmless : text }
}
