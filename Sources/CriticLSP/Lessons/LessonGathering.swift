import TrackEngine

/// Gathers the edits that the documents of a command line teach.
struct LessonGathering {
  /// A document: its path, and its text if it cannot be read again.
  private struct Document {
    let path: Path
    var bytes: [UInt8]?

    func contents() throws(Platform.Failure) -> [UInt8] {
      if let bytes { return bytes }
      return try Platform.contents(of: path)
    }
  }

  /// The edits.
  private(set) var lessons = Lessons()
  /// The files that they are from; an edit names one by its number.
  private(set) var files: [Path] = []
  /// What could not be read, with reasons.
  private(set) var failures: [String]

  private var numbers: [Path: Int] = [:]
  private let documents: [Document]
  private let histories: [GitHistory]
  /// The only author whose edits count.
  private let author: String?

  /// How many versions are in memory at a time, for each processor.
  private static let batch = 16

  /// Finds the documents, and their versions.
  ///
  /// - Parameter arguments: The command line.
  /// - Throws: ``UsageFailure``, or `Platform.Failure` if there is no document, or no repository.
  init(_ arguments: ParsedArguments) throws {
    let paths = try DocumentPaths(arguments)
    failures = paths.failures
    documents = try paths.files.map { file in
      try Document(
        path: file.path,
        bytes: file.path == "-" ? Platform.contents(of: file.path) : nil
      )
    }
    author = arguments.value(of: .lessonAuthor).map(CommentHead.shown)
    guard let since = arguments.path(of: .lessonsSince) else {
      histories = []
      return
    }
    guard !arguments.operands.contains("-") else {
      throw arguments.fail("Standard input has no versions in git.")
    }
    let more = try arguments.extensions
    histories = try arguments.operands.map {
      try GitHistory(of: $0, since: since, orOf: more)
    }
  }

  /// Reads all versions and all documents, several at a time.
  ///
  /// - Parameter body: Called with each edit that counts and the path of its file, in order.
  /// - Throws: `Platform.Failure` with git's message, or what `body` throws.
  mutating func gather(
    _ body: (TaughtEdit, Path) throws(Platform.Failure) -> Void = { _, _ in }
  ) throws(Platform.Failure) {
    let count = histories.reduce(documents.count) { $0 + $1.steps.count }
    let progress = ProgressLine(of: count, histories.isEmpty ? "files" : "versions")
    defer { progress.end() }
    var done = 0
    for history in histories {
      for range in LessonGathering.batches(history.steps.count) {
        let texts = try history.texts(of: range)
        let found = Platform.map(range, onThreads: Platform.processors) { index in
          let step = history.steps[index]
          guard let old = texts[step.old], let new = texts[step.new] else {
            return [TaughtText]()
          }
          let language = Language(of: step.path)
          return TaughtText.between(old, new, as: language, by: step.author)
            .map { $0.withHeadings(language) }
        }
        for (index, texts) in zip(range, found) {
          for text in texts { try add(text, of: history.steps[index].path, body) }
        }
        done += range.count
        progress.show(done)
      }
    }
    for range in LessonGathering.batches(documents.count) {
      let found = results(range) { TaughtText.standing(in: $0, as: $1).withHeadings($1) }
      for (index, result) in zip(range, found) {
        switch result {
        case .success(let text): try add(text, of: documents[index].path, body)
        case .failure(let failure): failures.append(failure.description)
        }
      }
      done += range.count
      progress.show(done)
    }
  }

  /// The most frequent lessons, with how often the words that they replace still stand in the documents.
  ///
  /// - Parameter most: How many there are at most.
  /// - Returns: The lessons, and how many there are without the limit.
  func lessons(upTo most: Int) -> (lessons: [Lesson], count: Int) {
    var (lessons, count) = lessons.lessons(upTo: most)
    let words = StandingWords(of: lessons)
    var standing = Array(repeating: 0, count: lessons.count)
    for range in LessonGathering.batches(documents.count) {
      // What cannot be read has been told before.
      for case .success(let counts) in results(range, words.counts) {
        for (index, count) in counts.enumerated() { standing[index] += count }
      }
    }
    for index in lessons.indices where !lessons[index].wording.old.isEmpty {
      lessons[index].standing = standing[index]
    }
    return (lessons, count)
  }

  private func results<Value: Sendable>(
    _ range: Range<Int>,
    _ read: @escaping @Sendable ([UInt8], Language) -> Value
  ) -> [Result<Value, Platform.Failure>] {
    Platform.map(range, onThreads: Platform.processors) { [documents] index in
      let document = documents[index]
      return Result { () throws(Platform.Failure) in
        read(try document.contents(), Language(of: document.path))
      }
    }
  }

  private static func batches(_ count: Int) -> [Range<Int>] {
    let batch = batch * Platform.processors
    return stride(from: 0, to: count, by: batch).map { $0..<min($0 + batch, count) }
  }

  private mutating func add(
    _ text: TaughtText,
    of path: Path,
    _ body: (TaughtEdit, Path) throws(Platform.Failure) -> Void
  ) throws(Platform.Failure) {
    for edit in text.edits
    where author == nil || edit.author.map(CommentHead.shown) == author {
      let number = numbers[path] ?? files.count
      if number == files.count {
        numbers[path] = number
        files.append(path)
      }
      if lessons.add(edit, in: number) { try body(edit, path) }
    }
  }
}

extension TaughtText {
  /// The same with the heading above each edit.
  fileprivate func withHeadings(_ language: Language) -> TaughtText {
    guard !edits.isEmpty else { return self }
    let headings = Heading.headings(of: bytes, Reading(of: bytes, as: language))
    var text = self
    var next = 0
    for index in edits.indices {
      while next < headings.count, headings[next].range.lowerBound <= edits[index].offset {
        next += 1
      }
      guard next > 0 else { continue }
      let name = LongParagraph.told(headings[next - 1].name[...])
      text.edits[index].heading = String(decoding: name, as: UTF8.self)
    }
    return text
  }
}
