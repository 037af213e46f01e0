/// Spells changes of the clean text as edits of the marked-up text.
struct ProposalSpelling {
  let source: VariantText
  let author: AuthorName?
  /// The index of the mark that each mark is nested in; -1 for none.
  private let parents: [Int]

  var bytes: [UInt8] { source.markup }
  var marks: [Mark] { source.reading.marks }

  init(_ source: VariantText, by author: AuthorName?) {
    self.source = source
    self.author = author
    var parents: [Int] = []
    var open: [(index: Int, end: Int)] = []
    for (index, mark) in source.reading.marks.enumerated() {
      while let last = open.last, last.end < index { open.removeLast() }
      parents.append(open.last?.index ?? -1)
      if mark.inner > 0 { open.append((index, index + mark.inner)) }
    }
    self.parents = parents
  }

  /// What is written together for changes; those that would rewrite the same mark are joined.
  func jobs(of changes: [ProposedChange]) -> [ProposedMarks] {
    var jobs: [ProposedMarks] = []
    for change in changes {
      var job = job(of: change)
      while let last = jobs.last {
        if let holder = job.holder, last.holder == holder {
          job.parts = last.parts + job.parts
        } else if job.region.lowerBound < last.region.upperBound {
          job = self.job(of: (last.parts + job.parts).joined(in: source.bytes))
        } else {
          break
        }
        jobs.removeLast()
      }
      jobs.append(job)
    }
    return jobs
  }

  /// What is written for a change.
  private func job(of change: ProposedChange) -> ProposedMarks {
    let hull = hull(of: change.range)
    if let holder = holder(of: hull) {
      return ProposedMarks(parts: [change], region: marks[holder].range, holder: holder)
    }
    let region = Recast(of: hull, in: self).region
    return ProposedMarks(parts: [change], region: region, holder: nil)
  }

  /// The same changes as one, with more of the clean text around it; nil if that is nothing new.
  func job(of job: ProposedMarks, widenedTo wide: Range<Int>) -> ProposedMarks? {
    let change = job.parts.joined(in: source.bytes)
    let widened = change.widened(to: wide, in: source.bytes)
    return widened.range == change.range ? nil : self.job(of: widened)
  }

  /// The lines of changes, and the paragraph, in the clean text.
  func surroundings(of job: ProposedMarks) -> [Range<Int>] {
    let range = job.parts[0].range.lowerBound..<job.parts[job.parts.count - 1].range.upperBound
    return source.bytes.withUnsafeBufferPointer { text in
      let line = text.lines(around: range)
      var (start, end) = (line.lowerBound, line.upperBound)
      while start > 0, !text.isAfterBlankLine(start) {
        start = text.lineStart(in: 0..<start - 1)
      }
      while end < text.count {
        let next = text.lineEnd(after: end)
        if text.isBlank(lineAt: next) { break }
        end = next
        while !text.isLineEnd(end) { end += 1 }
      }
      return [line, start..<end]
    }
  }

  /// The edits that write changes; sorted, disjoint.
  func edits(of job: ProposedMarks, with strategy: Strategy) -> [Edit] {
    if let holder = job.holder {
      return HeldChanges(job.parts, in: holder, of: self).edits(with: strategy)
    }
    let change = job.parts[0]
    let recast = Recast(of: hull(of: change.range), in: self)
    return [Edit(recast.region, recast.spelled(change, with: strategy))]
  }

  /// The stretch of the marked-up text that holds a range; where text is to be added, if it is empty.
  private func hull(of range: Range<Int>) -> Range<Int> {
    guard range.isEmpty else { return source.hull(of: range) }
    let place = source.place(of: range.lowerBound)
    return place..<place
  }

  /// The outermost addition or substitution that shows all of a stretch.
  private func holder(of hull: Range<Int>) -> Int? {
    var found: Int?
    var index = container(of: hull)
    while let next = index {
      if marks[next].kind != .highlight { found = next }
      index = parent(of: next)
    }
    return found
  }

  /// The innermost mark whose text holds a stretch.
  func container(of hull: Range<Int>) -> Int? {
    var index = last(before: hull.lowerBound)
    while let next = index, marks[next].new?.holds(hull) != true { index = parent(of: next) }
    return index
  }

  /// The child of a mark, or the outermost mark, that begins before an offset and ends after it.
  func child(of container: Int?, around offset: Int) -> Int? {
    var index = last(before: offset)
    while let next = index, parent(of: next) != container { index = parent(of: next) }
    return index.flatMap { marks[$0].end > offset ? $0 : nil }
  }

  private func last(before offset: Int) -> Int? {
    let next = marks.partitioningIndex { $0.start >= offset }
    return next > 0 ? next - 1 : nil
  }

  private func parent(of index: Int) -> Int? { parents[index] < 0 ? nil : parents[index] }

  /// The text of a mark before all changes.
  func original(of index: Int) -> [UInt8] {
    source.reading.ranges(.original, in: marks[index].range, from: index).flatMap { bytes[$0] }
  }

  /// The comments inside a mark, which would go with it.
  func comments(in index: Int) -> [UInt8] {
    source.reading.comments(in: marks[index].content).flatMap { bytes[$0.range] }
  }
}

extension [ProposedChange] {
  /// All of them as one, with the text between them.
  fileprivate func joined(in clean: [UInt8]) -> ProposedChange {
    dropFirst().reduce(self[0]) { $0.joined(with: $1, in: clean) }
  }
}
