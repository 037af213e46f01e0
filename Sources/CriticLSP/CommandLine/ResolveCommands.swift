import TrackEngine

extension Subcommand {
  /// `critic-lsp accept`: accepts changes.
  static let accept = resolving(.clean)
  /// `critic-lsp reject`: rejects changes.
  static let reject = resolving(.original)

  private static func resolving(_ variant: Variant) -> Subcommand {
    let name = variant.command.rawValue
    return Subcommand(
      name: name,
      summary: "\(name) changes, all or some",
      operands: "PATH...",
      description: [
        "\(variant.verb)s changes and removes their comments: all, or those that"
          + " the options select. The rest of the document stays as it is, byte for byte; but where halves of"
          + " a delimiter would meet, an empty comment, {>><<}, stays between them. The new text goes to standard output."
      ],
      options: [.all] + Option.filters + [.output, .inPlace, .ext, .dryRun, .color],
      notes: [
        "\(Option.filtersNote) The numbers are those of \"critic-lsp changes\". Resolving a highlight removes the"
          + " highlight; changes in it stay.",
        "An author, commenter, tag, kind or range of lines that no change has is reported, with those that there"
          + " are, and nothing is written. Of several files, one must have it.",
        pathsNote, inEditorNote,
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
    let paths = try DocumentPaths(arguments)
    if paths.isSeveral { try check(filter, against: paths.files.map(\.path)) }
    return try editDocuments(arguments) { path, source throws(Platform.Failure) in
      let reading = Reading(of: source, as: Language(of: path))
      let chosen = try chosen(filter, from: reading, path, source, isAlone: !paths.isSeveral)
      return try edits(resolving: chosen, reading, path, source, variant)
    }
  }

  /// Checks that each value of a filter is that of a change in one of several files.
  private static func check(
    _ filter: ChangeFilter,
    against paths: [Path]
  ) throws(Platform.Failure) {
    // Standard input can be read only once, and may have whatever the files lack.
    guard !paths.contains("-"), !filter.missing(from: ChangeFilter.Traits()).isEmpty else { return }
    let found = Platform.map(paths.indices, onThreads: Platform.processors) { index in
      // A file that cannot be read is reported when it is to be edited.
      (try? Sidecar.markedContents(of: paths[index])).map {
        let reading = Reading(of: $0, as: Language(of: paths[index]))
        return ChangeFilter.Traits(of: reading.changes, in: $0)
      } ?? ChangeFilter.Traits()
    }
    try check(filter, against: found.reduce(into: ChangeFilter.Traits()) { $0.add($1) }, of: "")
  }

  private static func check(
    _ filter: ChangeFilter,
    against traits: ChangeFilter.Traits,
    of name: String
  ) throws(Platform.Failure) {
    let problems = filter.problems(with: traits)
    guard problems.isEmpty else {
      let lines = problems.map { "\(name)\($0)" }
      throw Platform.Failure(
        description: lines.joined(separator: "\n") + "\nNothing was written."
      )
    }
  }

  /// The changes of a document to resolve.
  ///
  /// - Throws: `Platform.Failure` if there is none with a number, or, in a document that is named alone, with
  ///   another value of the filter, or with all of them together.
  private static func chosen(
    _ filter: ChangeFilter,
    from reading: Reading,
    _ path: Path,
    _ source: [UInt8],
    isAlone: Bool
  ) throws(Platform.Failure) -> [Change] {
    let changes = reading.changes
    if let number = filter.numbers.filter({ $0 > changes.count }).min() {
      let count = counted(changes.count, "change")
      throw Platform.Failure(description: "\(path): there is no change \(number); it has \(count)")
    }
    let chosen = filter.chosen(among: changes, in: source)
    guard isAlone, !filter.isEmpty else { return chosen }
    try check(filter, against: ChangeFilter.Traits(of: changes, in: source), of: "\(path): ")
    guard chosen.isEmpty else { return chosen }
    var named = filter
    named.isUncommented = false
    guard named.isEmpty || !named.chosen(among: changes, in: source).isEmpty else {
      throw Platform.Failure(description: "\(path): no change has all that the options ask for")
    }
    return chosen
  }

  private static func edits(
    resolving chosen: [Change],
    _ reading: Reading,
    _ path: Path,
    _ source: [UInt8],
    _ variant: Variant
  ) throws(Platform.Failure) -> [Edit] {
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
  /// What no change has, a line for each value, with what there is instead.
  fileprivate func problems(with traits: Traits) -> [String] {
    let missing = missing(from: traits)
    func told(_ what: String, _ instead: [String], _ theseAre: String) -> String {
      let words = traits.kinds.isEmpty ? "" : instead.listed
      return "\(what); "
        + (words.isEmpty
          ? "there are \(traits.kinds.isEmpty ? "no changes" : "none")" : theseAre + words)
    }
    var problems = MarkKind.allCases.filter(missing.kinds.contains).map { kind in
      let instead = MarkKind.allCases.filter(traits.kinds.contains).map { "\($0)s" }
      return told("there is no \(kind)", instead, "there are ")
    }
    problems += missing.lines.map { lines in
      told(
        "no change begins on \(lines.told)",
        traits.lines.map(String.init),
        traits.lines.count == 1 ? "one begins on line " : "they begin on lines "
      )
    }
    problems += missing.categories.sorted().map { tag in
      told("no comment is about \"\(tag)\"", traits.categories.sorted(), "the tags are ")
    }
    problems += missing.authors.sorted().map { name in
      let problem = told("no change is by \"\(name)\"", traits.authors.sorted(), "changes are by ")
      return traits.commenters.contains(name)
        ? "\(problem); \(name) wrote comments: --commented-by" : problem
    }
    problems += missing.commenters.sorted().map { name in
      told("no comment is by \"\(name)\"", traits.commenters.sorted(), "comments are by ")
    }
    return problems
  }
}

extension ClosedRange<Int> {
  fileprivate var told: String {
    lowerBound == upperBound ? "line \(lowerBound)" : "the lines \(lowerBound) to \(upperBound)"
  }
}

extension [String] {
  /// The words of a list, as in `a, b and c`; of a long one the first.
  fileprivate var listed: String {
    let most = 10
    let words = prefix(most) + (count > most ? ["\(count - most) more"] : [])
    guard words.count > 1, let last = words.last else { return first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) and \(last)"
  }
}
