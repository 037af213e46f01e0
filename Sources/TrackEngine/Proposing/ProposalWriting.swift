/// Writes changes of the clean text as marks, and sees that they read as meant.
///
/// All are written plainly at first, and the whole is read once. Where that is not right, passages are taken by
/// themselves, and in them halves of the changes, so that those that need another spelling add little cost for the
/// others.
struct ProposalWriting {
  /// Sorted, disjoint edits of the marked-up text.
  private(set) var edits: [Edit] = []
  /// How many bytes were read.
  private(set) var steps = 0
  private let source: VariantText
  private let author: AuthorName?

  init(_ source: VariantText, by author: AuthorName?) {
    self.source = source
    self.author = author
  }

  /// Writes changes.
  ///
  /// - Parameter changes: In order; disjoint.
  /// - Returns: Those that cannot be written; if there are any, nothing is.
  mutating func write(_ changes: [ProposedChange]) -> [ProposedChange] {
    let whole = ChangeWidening(source, changes).changes
    steps += 3 * source.markup.count
    var passage = ProposalPassage(source, whole, by: author)
    if passage.writePlainly() {
      edits = passage.edits
      steps += passage.steps
      return []
    }
    steps += passage.steps
    // Near each other they may prevent each other.
    var failed: [ProposedChange] = []
    var made: [Edit] = []
    let jobs = passage.jobs
    let language = source.reading.language
    let draft = Draft(Text(source.markup), language)
    var next = 0
    while next < jobs.count {
      var stretch = draft.stretch(around: jobs[next].region)
      var end = next + 1
      while end < jobs.count, jobs[end].region.lowerBound <= stretch.upperBound {
        stretch = stretch.joined(with: draft.stretch(around: jobs[end].region))
        end += 1
      }
      let markup = Array(source.markup[stretch])
      let start = source.offset(ofMarkup: stretch.lowerBound)
      let inside = jobs[next..<end].flatMap(\.parts).map { $0.moved(by: -start) }
      var part = ProposalPassage(VariantText(.clean, of: markup, as: language), inside, by: author)
      failed += part.write().map { $0.moved(by: start) }
      steps += part.steps
      made += part.edits.map { $0.moved(by: stretch.lowerBound) }
      next = end
    }
    guard failed.isEmpty else { return failed }
    steps += source.markup.count
    if made.isRight(for: whole, in: source) {
      edits = made
      return []
    }
    failed = passage.write()
    steps += passage.steps
    edits = passage.edits
    return failed
  }
}

/// The changes in a stretch that reads by itself.
struct ProposalPassage {
  let source: VariantText
  /// The changes, as they are written: sorted, disjoint.
  let jobs: [ProposedMarks]
  /// The edits that write those that are written.
  private(set) var edits: [Edit] = []
  /// How many bytes were read.
  private(set) var steps = 0
  private let spelling: ProposalSpelling

  /// How a job is written.
  private struct Form {
    /// The job, or that with the text around it.
    let job: ProposedMarks
    let strategy: Strategy
  }

  init(_ source: VariantText, _ changes: [ProposedChange], by author: AuthorName?) {
    self.source = source
    spelling = ProposalSpelling(source, by: author)
    jobs = spelling.jobs(of: changes)
  }

  /// Writes all of them plainly; returns whether that is right.
  mutating func writePlainly() -> Bool {
    steps += source.markup.count
    let plain = jobs.map { Form(job: $0, strategy: .plain) }
    edits = edits(of: Dictionary(uniqueKeysWithValues: zip(jobs.indices, plain)))
    return edits.isRight(for: jobs.flatMap(\.parts), in: source)
  }

  /// Writes as many as possible; returns those that cannot be written.
  mutating func write() -> [ProposedChange] {
    let passage = self
    let writing = VerifiedWriting(
      of: jobs.indices,
      first: { Form(job: passage.jobs[$0], strategy: .plain) },
      others: passage.forms,
      where: { passage.edits(of: $0).isRight(for: passage.parts(of: $0), in: passage.source) }
    )
    steps += writing.readings * source.markup.count
    edits = edits(of: writing.forms)
    return writing.refused.flatMap { jobs[$0].parts }
  }

  /// The forms of a job besides the plain one: by other strategies, then with the line or the paragraph around it.
  private func forms(of index: Int, beside written: [Int: Form]) -> [Form] {
    let job = jobs[index]
    let wide = spelling.surroundings(of: job).compactMap { spelling.job(of: job, widenedTo: $0) }
      .filter { isFree($0.region, for: index, written) }
    return ProposedMarks.strategies.dropFirst().map { Form(job: job, strategy: $0) }
      + wide.flatMap { job in ProposedMarks.strategies.map { Form(job: job, strategy: $0) } }
  }

  /// Whether no other change is in a region, nor a mark that the change does not touch.
  private func isFree(_ region: Range<Int>, for index: Int, _ written: [Int: Form]) -> Bool {
    func other(_ index: Int) -> Range<Int> { (written[index]?.job ?? jobs[index]).region }
    let known = jobs[index].region
    return (index == 0 || other(index - 1).upperBound <= region.lowerBound)
      && (index + 1 == jobs.count || region.upperBound <= other(index + 1).lowerBound)
      && source.reading.marks.allSatisfy { mark in
        !mark.range.overlaps(region) || mark.range.overlaps(known)
      }
  }

  /// The changes that are written.
  private func parts(of written: [Int: Form]) -> [ProposedChange] {
    written.sorted { $0.key < $1.key }.flatMap(\.value.job.parts)
  }

  /// The edits that write jobs.
  private func edits(of written: [Int: Form]) -> [Edit] {
    var made: [Edit] = []
    for (_, form) in written.sorted(by: { $0.key < $1.key }) {
      for edit in spelling.edits(of: form.job, with: form.strategy) {
        // Comments of a change may follow each other at its end.
        if let last = made.last, last.range == edit.range, edit.range.isEmpty {
          made[made.count - 1].new += edit.new
        } else {
          made.append(edit)
        }
      }
    }
    return made
  }
}

extension ProposedChange {
  fileprivate func moved(by shift: Int) -> ProposedChange {
    var moved = self
    moved.range = range.moved(by: shift)
    return moved
  }
}

extension [Edit] {
  /// Whether they say exactly what was proposed and leave all other marks alone.
  fileprivate func isRight(for changes: [ProposedChange], in source: VariantText) -> Bool {
    let bytes = source.markup.applying(self)
    let reading = Reading(of: bytes, as: source.reading.language)
    let claim = Claim(
      clean: source.bytes.applying(changes.map { Edit($0.range, $0.new) }),
      original: source.reading.text(.original, of: source.markup)
    )
    return claim.isKept(by: bytes, reading) && keepsMarks(reading, of: source)
  }

  /// Whether every mark that no edit is in is unchanged.
  private func keepsMarks(_ reading: Reading, of source: VariantText) -> Bool {
    let map = OffsetMap(self)
    return source.reading.topMarks.allSatisfy { mark in
      let next = partitioningIndex { $0.range.upperBound > mark.start }
      if next < count, self[next].range.lowerBound < mark.end { return true }
      guard let place = map.mapWhole(mark.range) else { return false }
      let found = reading.marks.partitioningIndex { $0.start >= place.lowerBound }
      return found < reading.marks.count && reading.marks[found].kind == mark.kind
        && reading.marks[found].range == place
    }
  }
}
