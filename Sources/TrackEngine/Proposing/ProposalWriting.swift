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
  private(set) var jobs: [ProposedMarks]
  /// The edits that write those that are written.
  private(set) var edits: [Edit] = []
  /// How many bytes were read.
  private(set) var steps = 0
  /// The indices of the jobs that are written, and how.
  private var written: [Int: Strategy] = [:]
  private let spelling: ProposalSpelling

  init(_ source: VariantText, _ changes: [ProposedChange], by author: AuthorName?) {
    self.source = source
    spelling = ProposalSpelling(source, by: author)
    jobs = spelling.jobs(of: changes)
  }

  /// Writes all of them plainly; returns whether that is right.
  mutating func writePlainly() -> Bool { write(jobs.indices, with: .plain) }

  /// Writes as many as possible; returns those that cannot be written.
  mutating func write() -> [ProposedChange] {
    written = [:]
    var failed: [Int] = []
    writeSome(jobs.indices, &failed)
    return failed.flatMap { jobs[$0].parts }
  }

  private mutating func writeSome(_ range: Range<Int>, _ failed: inout [Int]) {
    if write(range, with: .plain) { return }
    if range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      writeSome(range.lowerBound..<middle, &failed)
      writeSome(middle..<range.upperBound, &failed)
      return
    }
    // The first one is the plain form.
    for strategy in ProposedMarks.strategies.dropFirst() where write(range, with: strategy) {
      return
    }
    for lines in spelling.surroundings(of: jobs[range.lowerBound]) {
      guard let wide = spelling.job(of: jobs[range.lowerBound], widenedTo: lines),
        isFree(wide.region, for: range.lowerBound)
      else { continue }
      let known = jobs[range.lowerBound]
      jobs[range.lowerBound] = wide
      for strategy in ProposedMarks.strategies where write(range, with: strategy) { return }
      jobs[range.lowerBound] = known
    }
    failed.append(range.lowerBound)
  }

  /// Whether no other change is in a region, nor a mark that the change does not touch.
  private func isFree(_ region: Range<Int>, for index: Int) -> Bool {
    let known = jobs[index].region
    return (index == 0 || jobs[index - 1].region.upperBound <= region.lowerBound)
      && (index + 1 == jobs.count || region.upperBound <= jobs[index + 1].region.lowerBound)
      && source.reading.marks.allSatisfy { mark in
        !mark.range.overlaps(region) || mark.range.overlaps(known)
      }
  }

  /// Writes jobs in addition to those that are written; returns false, and writes nothing, if that is not right.
  private mutating func write(_ range: Range<Int>, with strategy: Strategy) -> Bool {
    let known = written
    for index in range { written[index] = strategy }
    var made: [Edit] = []
    for (index, strategy) in written.sorted(by: { $0.key < $1.key }) {
      for edit in spelling.edits(of: jobs[index], with: strategy) {
        // Comments of a change may follow each other at its end.
        if let last = made.last, last.range == edit.range, edit.range.isEmpty {
          made[made.count - 1].new += edit.new
        } else {
          made.append(edit)
        }
      }
    }
    steps += source.markup.count
    let parts = written.keys.sorted().flatMap { jobs[$0].parts }
    guard made.isRight(for: parts, in: source) else {
      written = known
      return false
    }
    edits = made
    return true
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
    return reading.text(.clean, of: bytes)
      == source.bytes.applying(changes.map { Edit($0.range, $0.new) })
      && reading.text(.original, of: bytes) == source.reading.text(.original, of: source.markup)
      && keepsMarks(reading, of: source)
  }

  /// Whether every mark that no edit is in is unchanged.
  private func keepsMarks(_ reading: Reading, of source: VariantText) -> Bool {
    let map = OffsetMap(self)
    return source.reading.topLevel.allSatisfy { index in
      let mark = source.reading.marks[index]
      let next = partitioningIndex { $0.range.upperBound > mark.start }
      if next < count, self[next].range.lowerBound < mark.end { return true }
      guard let place = map.mapWhole(mark.range) else { return false }
      let found = reading.marks.partitioningIndex { $0.start >= place.lowerBound }
      return found < reading.marks.count && reading.marks[found].kind == mark.kind
        && reading.marks[found].range == place
    }
  }
}
