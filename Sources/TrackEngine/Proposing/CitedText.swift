/// A clean text, in which pieces are looked up; in citations each line end means one of the text's own.
struct CitedText {
  let clean: VariantText
  /// The clean text with line feeds.
  let lines: UnifiedLines
  /// What the searches have cost.
  private(set) var steps = 0
  private lazy var lineStarts = lines.bytes.lineStarts

  /// For how many citations the lines are told where the text is, and what may have been meant.
  private static let mostHints = 20

  /// A piece to look up.
  struct Query {
    /// The piece, with line feeds.
    var citation: Citation
    /// The name of its text in a failure.
    var name: String
    /// Whether all its places are meant, of which there can be several.
    var isEverywhere = false

    init(_ citation: Citation, _ name: String, isEverywhere: Bool = false) {
      self.citation = citation
      self.name = name
      self.isEverywhere = isEverywhere
    }
  }

  init(_ clean: VariantText) {
    self.clean = clean
    lines = UnifiedLines(clean.bytes)
  }

  /// The only place of each citation, or all of them, in ``lines``.
  ///
  /// Linear in the lengths of the text and the citations; those that mean some lines, or all places, cost once more what
  /// they look through.
  ///
  /// - Parameter queries: The citations.
  /// - Returns: For each its places, which are disjoint and at least one, or why there is none.
  mutating func places(of queries: [Query]) -> [Result<[Range<Int>], Citation.Failure>] {
    let whole = Occurrences(of: queries.map(\.citation.withSides), in: lines.bytes)
    steps += whole.steps
    var hints = 0
    return zip(queries, whole.found).map { query, found in
      let citation = query.citation
      if found.count == 1, citation.lines == nil {
        let start = found.first + citation.after.count
        return .success([start..<start + citation.text.count])
      }
      if citation.lines != nil || query.isEverywhere && found.count > 0 {
        return placesLookedThrough(for: query)
      }
      if citation.text.isEmpty { return .failure(.init(description: "\(query.name) is empty")) }
      hints += 1
      let isHinted = hints <= CitedText.mostHints
      return .failure(failure(of: citation, found.count, calledIn: query.name, isHinted))
    }
  }

  /// The places in the lines that a citation means.
  private mutating func placesLookedThrough(
    for query: Query
  ) -> Result<[Range<Int>], Citation.Failure> {
    let citation = query.citation
    let bounds: Range<Int>
    switch range(of: citation.lines) {
    case .success(let range): bounds = range
    case .failure(let failure): return .failure(failure)
    }
    if citation.text.isEmpty { return .success([bounds]) }
    steps += bounds.count
    let all = lines.bytes.places(of: citation, in: bounds)
    let places = query.isEverywhere ? all.disjoint : all
    if places.count == 1 || query.isEverywhere && !places.isEmpty { return .success(places) }
    return .failure(failure(of: query, places))
  }

  /// Why a piece is not found in the lines that it should be in.
  private func failure(of query: Query, _ places: [Range<Int>]) -> Citation.Failure {
    let numbers = query.citation.lines.map { "lines \($0.lowerBound) to \($0.upperBound)" } ?? ""
    guard places.isEmpty else {
      return Citation.Failure(
        description: "\(query.name) is at \(places.count) places in \(numbers) of the clean text;"
          + " name fewer lines, or add \"after\", the text right before it, or \"before\", the text"
          + " right after it"
      )
    }
    let all = lines.bytes.places(of: query.citation, in: lines.bytes.indices)
    let hint = all.isEmpty ? hint(query.citation.text) : "; in the file it is \(told(all))"
    return Citation.Failure(
      description: "\(query.name) is not in \(numbers) of the clean text" + hint
    )
  }

  /// Some lines without the line end of the last one; all of the text if none are named.
  private mutating func range(
    of numbers: ClosedRange<Int>?
  ) -> Result<Range<Int>, Citation.Failure> {
    guard let numbers else { return .success(lines.bytes.indices) }
    // An empty text has a line, too.
    let count = Swift.max(1, lineStarts.count - 1)
    guard numbers.upperBound <= count else {
      return .failure(.init(description: "the clean text has only \(counted(lines: count))"))
    }
    let start = lineStarts[numbers.lowerBound - 1]
    let end = lineStarts[Swift.min(numbers.upperBound, lineStarts.count - 1)]
    return .success(start..<lines.bytes[start..<end].withoutLineBreak.endIndex)
  }

  private func counted(lines count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }

  /// The range in the clean text of one in ``lines``.
  func origin(of range: Range<Int>) -> Range<Int> {
    lines.origin(of: range.lowerBound)..<lines.origin(of: range.upperBound)
  }
}

// MARK: - Failures

extension CitedText {
  private func failure(
    of citation: Citation,
    _ count: Int,
    calledIn name: String,
    _ isHinted: Bool
  ) -> Citation.Failure {
    let isPlain = citation.after.isEmpty && citation.before.isEmpty
    guard isHinted else {
      return Citation.Failure(
        description: count > 0
          ? "\(name) is at \(count) places" : "\(name) is not in the clean text"
      )
    }
    if count > 1 {
      let more = isPlain ? "add" : "make longer"
      return Citation.Failure(
        description:
          "\(name) is \(told(lines.bytes.places(of: citation, in: lines.bytes.indices)));"
          + " \(more) \"after\", the text right before it, or"
          + " \"before\", the text right after it"
      )
    }
    let all = lines.bytes.places(of: citation.text)
    guard all.isEmpty else {
      let sides =
        citation.after.isEmpty
        ? "\"before\"" : citation.before.isEmpty ? "\"after\"" : "\"after\" and \"before\""
      return Citation.Failure(
        description: "\(name) is \(told(all)), but nowhere with that \(sides)"
      )
    }
    return Citation.Failure(description: "\(name) is not in the clean text" + hint(citation.text))
  }

  /// Where a text that may be meant occurs.
  private func hint(_ text: [UInt8]) -> String {
    let markup = clean.markup.unified
    if let place = markup.places(of: text).first {
      let line = markup[..<place.lowerBound].count { $0 == Ascii.newline } + 1
      return "; on line \(line) of the file it is deleted, or has marks in it"
    }
    guard let place = lines.bytes.nearPlace(of: text) else {
      return "; compare it with what \"export\" writes"
    }
    let near = lines.bytes[place]
    if near.split(whereSeparator: \.isWhiteSpace) == text.split(whereSeparator: \.isWhiteSpace) {
      return "; \(told([place])) it has other spaces or line breaks"
    }
    return "; \(told([place])) it is spelled “\(near.quoted)”"
  }

  /// Places of it in words, as in `at 2 places, on lines 3 and 9`.
  private func told(_ places: [Range<Int>]) -> String {
    let lines = clean.lines(of: places.map { clean.hull(of: origin(of: $0)).lowerBound })
    return places.count == 1 ? "on \(lines)" : "at \(places.count) places, on \(lines)"
  }
}

extension VariantText {
  /// The lines of offsets of the marked-up text, which ascend, as in `lines 3, 9 and 12`.
  func lines(of offsets: [Int]) -> String {
    var cursor = LineCursor(markup)
    var numbers: [Int] = []
    for offset in offsets {
      let line = cursor.place(of: offset).line
      if numbers.last != line { numbers.append(line) }
    }
    let most = 10
    var words = numbers.prefix(most).map { "\($0)" }
    if numbers.count > most { words.append("\(numbers.count - most) more") }
    guard words.count > 1, let last = words.popLast() else { return "line \(words[0])" }
    return "lines \(words.joined(separator: ", ")) and \(last)"
  }
}

extension ArraySlice<UInt8> {
  /// The text for a message, cut where it is long.
  fileprivate var quoted: String {
    let most = 200
    let text = String(decoding: self, as: UTF8.self)
    return text.count > most ? "\(text.prefix(most))…" : text
  }
}

// MARK: - Places

extension Citation {
  /// The text with what has to stand beside it.
  fileprivate var withSides: [UInt8] { text.isEmpty ? [] : after + text + before }
}

extension [Range<Int>] {
  /// Those that overlap none before them.
  fileprivate var disjoint: Self {
    reduce(into: []) { found, range in
      if range.lowerBound >= found.last?.upperBound ?? 0 { found.append(range) }
    }
  }
}

extension [UInt8] {
  /// The places where a text occurs, which may overlap.
  fileprivate func places(of text: [UInt8]) -> [Range<Int>] {
    places(of: Citation(text), in: indices)
  }

  /// The places in a range where the text of a citation occurs between those that have to be beside it, which may be
  /// outside the range.
  fileprivate func places(of citation: Citation, in bounds: Range<Int>) -> [Range<Int>] {
    let text = citation.text
    guard let first = text.first, text.count <= bounds.count else { return [] }
    return withUnsafeBufferPointer { bytes in
      text.withUnsafeBufferPointer { text in
        var places: [Range<Int>] = []
        for start in bounds.lowerBound...bounds.upperBound - text.count where bytes[start] == first
        {
          var length = 1
          while length < text.count, bytes[start + length] == text[length] { length += 1 }
          guard length == text.count,
            bytes[..<start].suffix(citation.after.count).elementsEqual(citation.after),
            bytes[(start + length)...].starts(with: citation.before)
          else { continue }
          places.append(start..<start + length)
        }
        return places
      }
    }
  }
}
