/// A marked-up text with what is said of its marks, in whichever dialects.
struct AnnotatedText {
  let bytes: [UInt8]
  let reading: Reading
  /// Every change, highlight and thread that stands alone, also those in others, by where they begin.
  private(set) var notes: [Note] = []
  private(set) var endmatter: Endmatter?
  /// The comments in the endmatter that belong to no mark.
  private(set) var looseComments: [Said] = []
  /// What else the endmatter says of no mark.
  private(set) var looseLosses: [Loss.What] = []
  /// The ranges of ChangeDown's footnotes that are no text, by their ids.
  private(set) var footnoteRanges: [[UInt8]: Range<Int>] = [:]

  private let footnotes: Footnotes
  private var threads: [[UInt8]: FootnoteThread] = [:]

  /// Reads a text; linear.
  init(_ bytes: [UInt8], as language: Language) {
    self.bytes = bytes
    reading = Reading(of: bytes, as: language)
    footnotes = Footnotes(of: bytes)
    readFootnotes()
    readEndmatter()
    readNotes()
    addAnswers()
  }

  private mutating func readFootnotes() {
    let found = bytes.withUnsafeBufferPointer { reading.footnotes(in: $0) }
    for footnote in found where !reading.hasMark(startingIn: footnote.range) {
      let id = Array(bytes[footnote.id])
      // Of footnotes with one name the first counts, as it is the one that is shown.
      guard footnoteRanges[id] == nil else { continue }
      footnoteRanges[id] = footnote.range
      let lines = bytes[footnote.range].lines.drop { $0.endIndex <= footnote.id.upperBound }
      let rest = lines.dropFirst().first?.startIndex ?? footnote.range.upperBound
      threads[id] = FootnoteThread(
        bytes[rest..<footnote.range.upperBound],
        signed: footnotes[bytes[footnote.id]]
      )
    }
  }

  /// Takes the endmatter for one that no mark, no code and no footnote reaches into.
  private mutating func readEndmatter() {
    guard let found = Endmatter(of: bytes), !reading.hasMark(startingIn: found.range),
      !footnoteRanges.values.contains(where: found.range.overlaps)
    else { return }
    var plain = PlainStretches(of: reading)
    if plain.holds(found.range.lowerBound) { endmatter = found }
  }

  /// The ids of all footnotes with names like ChangeDown's, and of what refers to them.
  var spelledFootnotes: Set<String> {
    bytes.withUnsafeBufferPointer { bytes in
      let defined = bytes.definitions.map { String(decoding: bytes[$0.id], as: UTF8.self) }
      let referred = bytes.spelledReferences.ids.map { String(decoding: $0, as: UTF8.self) }
      return Set(defined).union(referred)
    }
  }

  private mutating func readNotes() {
    // Marks in others are read later, so that no depth is too deep.
    var waiting = [reading.marks.indices]
    while let range = waiting.popLast() {
      var index = range.lowerBound
      while index < range.upperBound {
        let parts = reading.parts(at: index, where: isOne)
        let marks = reading.outermost(parts.marks)
        notes.append(note(marks, reading.outermost(parts.thread)))
        for mark in marks where reading.marks[mark].inner > 0 {
          waiting.append(mark + 1..<reading.after(mark))
        }
        index = parts.thread.upperBound
      }
    }
    notes.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether marks of one kind that touch are one change: nothing but their ids tells them apart.
  private func isOne(_ mark: Mark, _ next: Mark) -> Bool {
    if mark.metadataHash == next.metadataHash { return true }
    guard [mark, next].allSatisfy({ MetadataParts(of: $0, in: bytes).footnotes.isEmpty }) else {
      return false
    }
    let attribution = attribution(of: mark)
    return attribution.author != nil && attribution == self.attribution(of: next)
  }

  private mutating func note(_ marks: [Int], _ thread: [Int]) -> Note {
    let all = (marks + thread).map { reading.marks[$0] }
    var note = Note(
      marks: marks.map { reading.marks[$0] },
      range: (all.first?.start ?? 0)..<(all.last?.end ?? 0)
    )
    note.isNested = all.first.map { $0.depth > 0 } ?? false
    if let mark = note.marks.first {
      note.attribution = attribution(of: mark)
      for mark in note.marks { note.add(MetadataParts(of: mark, in: bytes), endmatter) }
      note.comments += comments(inFootnotesOf: mark, &note)
    }
    var first: CommentHead?
    for index in thread {
      let mark = reading.marks[index]
      let head = head(of: mark)
      if index == thread.first, note.comments.isEmpty { first = head }
      note.comments.append(said(mark, head))
      note.add(MetadataParts(of: mark, in: bytes), endmatter)
      if head != nil { note.dialects.insert(.criticmark) }
      let status = attribution(of: mark).status
      if let status, status != "proposed" { note.losses.append(.status(status)) }
      note.comments += comments(inFootnotesOf: mark, &note)
    }
    note.takeAttribution(first)
    if let status = note.attribution.status, status != "proposed" {
      note.losses.append(.status(status))
    }
    return note
  }

  /// Who made a mark, and when, by its metadata.
  private func attribution(of mark: Mark) -> Attribution {
    var found = mark.metadataAttribution(in: bytes, footnotes)
    for id in MetadataParts(of: mark, in: bytes).ids {
      guard let entry = endmatter?[id] else { continue }
      found.author = found.author ?? entry.author
      found.date = found.date ?? entry.date
    }
    if !mark.head.isEmpty { found.date = found.date?.dayIfMidnight }
    return found
  }

  /// The head of a comment that no metadata says the author of.
  private func head(of comment: Mark) -> CommentHead? {
    guard attribution(of: comment).author == nil else { return nil }
    let head = CommentHead(of: bytes[comment.content])
    return head.author == nil ? nil : head
  }

  private func said(_ comment: Mark, _ head: CommentHead?) -> Said {
    let found = attribution(of: comment)
    let start = head?.range.upperBound ?? comment.content.lowerBound
    var text = Array(bytes[start..<comment.content.upperBound])
    if text.isEmpty, let endmatter {
      let bodies = MetadataParts(of: comment, in: bytes).ids.compactMap { endmatter[$0]?.body }
      text = Array((bodies.first ?? "").utf8)
    }
    return Said(
      author: head?.author ?? found.author,
      date: found.date ?? head?.date,
      text: text
    )
  }

  private func comments(inFootnotesOf mark: Mark, _ note: inout Note) -> [Said] {
    MetadataParts(of: mark, in: bytes).footnotes.flatMap { id -> [Said] in
      guard let thread = threads[id] else { return [] }
      note.losses += thread.others.map { .line($0) }
      return thread.comments
    }
  }

  /// Adds the answers that are in the endmatter alone.
  private mutating func addAnswers() {
    guard let endmatter else { return }
    var places: [String: Int] = [:]
    for (index, note) in notes.enumerated() { for id in note.ids { places[id] = index } }
    for entry in endmatter.entries where entry.isComment && places[entry.id] == nil {
      let said = Said(author: entry.author, date: entry.date, text: Array((entry.body ?? "").utf8))
      if let answered = entry.answered, let place = places[answered] {
        places[entry.id] = place
        notes[place].comments.append(said)
        notes[place].losses += entry.others.map { .member($0) }
      } else {
        looseComments.append(said)
        looseLosses += entry.others.map { .member($0) }
      }
    }
    for entry in endmatter.entries where !entry.isComment && places[entry.id] == nil {
      looseLosses.append(
        .line([entry.id, entry.author, entry.date].compactMap(\.self).joined(separator: " "))
      )
    }
  }
}

extension Note {
  fileprivate mutating func add(_ parts: MetadataParts, _ endmatter: Endmatter?) {
    dialects.formUnion(parts.dialects)
    isMixed = isMixed || parts.count > 1
    footnotes.formUnion(parts.footnotes)
    ids += parts.ids
    losses += parts.references.filter { endmatter?[$0] == nil }.map { .member("#\($0)") }
    losses += parts.others.map { .member($0) }
    losses += parts.ids.flatMap { endmatter?[$0]?.others ?? [] }.map { .member($0) }
  }

  /// Takes the author of the marks from the first comment, if they have none: all of it where it says no more, and
  /// else from its head, as `criticmark` has it.
  fileprivate mutating func takeAttribution(_ head: CommentHead?) {
    guard !marks.isEmpty, attribution.author == nil, let first = comments.first,
      first.author != nil
    else { return }
    if first.body.isEmpty {
      comments.removeFirst()
    } else if head == nil || !kind.isChange {
      return
    }
    attribution.add(Attribution(author: first.author, date: first.date))
  }
}
