import TrackEngine

extension Subcommand {
  /// `critic-lsp accept`: accepts changes.
  static let accept = resolving(.clean, "accept")
  /// `critic-lsp reject`: rejects changes.
  static let reject = resolving(.original, "reject")

  private static func resolving(_ variant: Variant, _ name: String) -> Subcommand {
    Subcommand(
      name: name,
      summary: "\(name) changes, all or some",
      usage:
        "[--all] [--change N]... [--kind K]... [--lines A:B]... [--comment TAG]... [--author NAME]..."
        + " [--uncommented] [--in-place] [--dry-run] [--color WHEN] PATH...",
      description: [
        "\(name.prefix(1).uppercased())\(name.dropFirst())s changes and removes their comments: all, or those that"
          + " the options select. The rest of the document stays as it is, byte for byte. The new text goes to standard"
          + " output."
      ],
      options: [
        .all, .change, .kind, .lines, .comment, .author, .uncommented, .inPlace, .dryRun, .color,
      ],
      notes: [
        "An option given several times selects any of its values; different options must all match. The numbers"
          + " are those of \"critic-lsp changes\", from 1 in each file, highlights and comments that stand alone"
          + " included. Resolving a highlight removes the highlight; changes in it stay.",
        pathsNote,
      ],
      examples: [
        Example("\(name) --lines 1:40 --in-place draft.md", "what begins on the first 40 lines"),
        Example(
          "\(name) --kind addition --kind deletion --author claude draft.md",
          "what claude added or deleted"
        ),
        Example("\(name) --uncommented --dry-run chapters", "what would happen"),
      ],
      run: { try resolve($0, variant) }
    )
  }

  private static func resolve(_ arguments: ParsedArguments, _ variant: Variant) throws -> Int32 {
    let filter = try ChangeFilter(arguments)
    return try editDocuments(arguments) { path, source throws(Platform.Failure) in
      try edits(path, source, filter, variant)
    }
  }

  private static func edits(
    _ path: String,
    _ source: [UInt8],
    _ filter: ChangeFilter,
    _ variant: Variant
  ) throws(Platform.Failure) -> [Edit] {
    let reading = Reading(of: source)
    let changes = reading.changes
    if let number = filter.numbers.filter({ $0 > changes.count }).min() {
      let count = counted(changes.count, "change")
      throw Platform.Failure(description: "\(path): there is no change \(number); it has \(count)")
    }
    let chosen = filter.chosen(among: changes, in: source)
    do throws(Review.Failure) {
      return try reading.edits(resolving: chosen, variant, of: source)
    } catch {
      var cursor = LineCursor(source)
      let place = cursor.place(of: chosen.first?.range.lowerBound ?? 0)
      throw Platform.Failure(
        description: "\(path):\(place.line):\(place.column): \(error.description)"
      )
    }
  }
}

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
    authors = Set(
      arguments.values(of: .author).map(CommentHead.shown)
    )
    isUncommented = arguments.has(.uncommented)
    let isAll = arguments.has(.all)
    guard
      !isAll
        || numbers.isEmpty && kinds.isEmpty && lines.isEmpty && categories.isEmpty
          && authors.isEmpty && !isUncommented
    else { throw arguments.fail("Use either --all or options that select changes, not both.") }
  }
}

extension String {
  /// The text without characters of a set at its ends.
  fileprivate func trimming(_ characters: String) -> String {
    var rest = self[...]
    while let first = rest.first, characters.contains(first) { rest = rest.dropFirst() }
    while let last = rest.last, characters.contains(last) { rest = rest.dropLast() }
    return String(rest)
  }
}

extension Subcommand.Option {
  fileprivate static let all = Self("--all", "every change, highlight and comment (the default)")
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
  fileprivate static let uncommented = Self(
    "--uncommented",
    "additions, deletions and substitutions without a comment"
  )
}
