import TrackEngine

/// Lessons as a section for a style guide, or for an agent's instructions.
struct LessonsMarkdown {
  private let report: LessonsReport

  init(_ report: LessonsReport) { self.report = report }

  /// The section: what happened three times or has a reason, by what the comments are about.
  var text: String {
    let taught = report.lessons.filter(\.isTaught)
    let rules = taught.filter { $0.verdict == .rule || $0.verdict == .habit && !$0.reasons.isEmpty }
    let refused = taught.filter { $0.verdict == .refused }
    var text = "## Wording\n\nDrawn from \(report.extent).\n"
    guard !rules.isEmpty || !refused.isEmpty else {
      return text + "Nothing was changed three times or for a reason.\n"
    }
    let tags = Set(rules.compactMap { $0.categories.first?.tag })
    for tag in tags.sorted() {
      text += "\n### \(tag.prefix(1).uppercased())\(tag.dropFirst())\n\n"
      text += rules.filter { $0.categories.first?.tag == tag }.map(item).joined()
    }
    let others = rules.filter { $0.categories.isEmpty }
    if !others.isEmpty {
      text += (tags.isEmpty ? "\n" : "\n### Other\n\n") + others.map(item).joined()
    }
    if !refused.isEmpty {
      text += "\n### Leave as it is\n\n" + refused.map(item).joined()
    }
    return text
  }

  private func item(_ lesson: Lesson) -> String {
    let reasons = lesson.reasons.prefix(2).map { sentence(escaped($0.text)) }.joined()
    var text = "- \(advice(of: lesson)).\(reasons) (\(lesson.counts))\n"
    if let example = lesson.examples.first { text += "  - \(told(example))\n" }
    return text
  }

  /// A reason as a sentence after another one.
  private func sentence(_ reason: String) -> String {
    let isEnded = reason.last.map { ".!?…".contains($0) } == true
    return " \(reason.prefix(1).uppercased())\(reason.dropFirst())\(isEnded ? "" : ".")"
  }

  private func advice(of lesson: Lesson) -> String {
    let texts = lesson.words.texts.map { "“\(escaped(String(decoding: $0, as: UTF8.self)))”" }
    switch (lesson.verdict, lesson.wording.kind) {
    case (.refused, .substitution): return "Leave \(texts[0]), do not write \(texts[1])"
    case (.refused, .addition): return "Do not add \(texts[0])"
    case (.refused, _): return "Do not leave out \(texts[0])"
    case (_, .substitution): return "Write \(texts[1]), not \(texts[0])"
    case (_, .addition): return "Add \(texts[0])"
    case (_, _): return "Leave out \(texts[0])"
    }
  }

  private func told(_ example: LessonExample) -> String {
    let (before, after) = example.around
    let edit = example.edit
    let (old, new) = (marked(edit.draft, "~~"), marked(edit.revised, "**"))
    let gap = old.isEmpty || new.isEmpty ? "" : " "
    return "\(escaped(before))\(old)\(gap)\(new)\(escaped(after))"
      + " (\(escaped("\(report.files[example.file])")))"
  }

  /// A text between signs, with the spaces at its ends outside, where Markdown wants them.
  private func marked(_ text: [UInt8], _ sign: String) -> String {
    let text = clipped(text)
    let words = text.drop { $0 == " " }
    let end = words.reversed().prefix { $0 == " " }.count
    guard words.count > end else { return text }
    let start = String(repeating: " ", count: text.count - words.count)
    return start + sign + escaped(String(words.dropLast(end))) + sign
      + String(repeating: " ", count: end)
  }

  /// A text in which nothing is read as Markdown, as HTML or as a mark.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.harmless {
      if character.isNewline {
        escaped += " "
        continue
      }
      if "\\`*_{}[]<>~#|".contains(character) { escaped += "\\" }
      escaped.append(character)
    }
    return escaped
  }
}
