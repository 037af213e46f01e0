import TrackEngine

extension ChangeFilter {
  /// The filter given by a command line.
  ///
  /// - Throws: ``UsageFailure`` that names the wrong value.
  init(_ arguments: ParsedArguments) throws(UsageFailure) {
    self.init()
    for value in arguments.values(of: .change) {
      guard let number = Int(value), number > 0 else {
        throw arguments.fail("--change is a number from 1 on, not \"\(value)\".")
      }
      numbers.insert(number)
    }
    let words = arguments.values(of: .kind)
    kinds = Set(MarkKind.allCases.filter { words.contains($0.description) })
    for value in arguments.values(of: .lines) {
      let ends = value.split(separator: ":", omittingEmptySubsequences: false)
      let numbers = ends.map { Int($0) }
      guard (1...2).contains(ends.count), let first = numbers[0],
        let last = numbers[ends.count - 1],
        first > 0, first <= last
      else {
        throw arguments.fail("--lines is a range of lines, as in 3:12, not \"\(value)\".")
      }
      lines.append(first...last)
    }
    categories = Set(
      arguments.values(of: .comment).map { $0.trimming("[]").lowercased() }
    )
    authors = Set(arguments.values(of: .author).map(CommentHead.shown))
    commenters = Set(arguments.values(of: .commentedBy).map(CommentHead.shown))
    isUncommented = arguments.has(.uncommented)
    isOpen = arguments.has(.open)
    isConflict = arguments.has(.conflicts)
    since = arguments.value(of: .since)
    if let since, !since.isDay {
      throw arguments.fail("--since is a day, as in 2026-11-22, not \"\(since)\".")
    }
    guard !arguments.has(.all) || isEmpty else {
      throw arguments.fail("Use either --all or options that select changes, not both.")
    }
  }

  /// Whether all changes pass.
  var isEmpty: Bool {
    numbers.isEmpty && kinds.isEmpty && lines.isEmpty && categories.isEmpty && authors.isEmpty
      && commenters.isEmpty && since == nil && !isUncommented && !isOpen
      && !isConflict
  }
}

extension String {
  /// Whether it is written as a day, as in `2026-11-22`.
  var isDay: Bool { map { ("0"..."9").contains($0) ? "9" : $0 } == Array("9999-99-99") }

  /// The text without characters of a set at its ends.
  fileprivate func trimming(_ characters: String) -> String {
    var rest = self[...]
    while let first = rest.first, characters.contains(first) { rest = rest.dropFirst() }
    while let last = rest.last, characters.contains(last) { rest = rest.dropLast() }
    return String(rest)
  }
}

extension Subcommand.Option {
  /// Those that select changes.
  static let filters =
    [change, kind, lines, comment, author, commentedBy].map(\.repeated) + [
      since, uncommented, open, conflicts,
    ]
  /// How they go together.
  static let filtersNote =
    "An option given several times selects any of its values; different options must all match. Changes are numbered"
    + " from 1 in each file, highlights and comments that stand alone included."

  static let all = Self("--all", "every change, highlight and comment (the default)")
  fileprivate static let change = Self("--change", nil, .text("N"), "the change with this number")
  fileprivate static let kind = Self(
    "--kind",
    nil,
    .choice("K", MarkKind.allCases.map(\.description)),
    "addition, deletion, substitution, highlight or comment, which is one that stands alone"
  )
  fileprivate static let lines = Self(
    "--lines",
    nil,
    .text("A:B"),
    "changes that begin on the lines A to B, both included"
  )
  fileprivate static let comment = Self(
    "--comment",
    nil,
    .text("TAG"),
    "changes with a comment about TAG: {>>[TAG] ...<<}"
  )
  fileprivate static let author = Self(
    "--author",
    nil,
    .text("NAME"),
    "additions, deletions and substitutions that NAME made"
  )
  fileprivate static let commentedBy = Self(
    "--commented-by",
    nil,
    .text("NAME"),
    "changes, highlights and text with a comment that NAME wrote"
  )
  fileprivate static let since = Self(
    "--since",
    nil,
    .text("DAY"),
    "changes that are dated DAY or later, as in 2026-11-22"
  )
  fileprivate static let uncommented = Self(
    "--uncommented",
    "additions, deletions and substitutions without a comment"
  )
  fileprivate static let open = Self(
    "--open",
    "what has comments that are not resolved: {>>[resolved] ...<<}"
  )
  fileprivate static let conflicts = Self(
    "--conflicts",
    "alternatives, of which only one can stay: {>>[conflict] ...<<}"
  )
}
